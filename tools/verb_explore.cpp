// lockstep explore: judges every position within a bound, and prints a certificate of what was covered.
#include "campaign/shards.hpp"
#include "lockstep/explore/exploring.hpp"
#include "lockstep/process/kept_files.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"
#include "tools/explore_report.hpp"
#include "tools/out_folder.hpp"
#include "tools/shard_options.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t depth_unbounded = UINT64_MAX;

struct ExploreCommand {
  std::string system;
  std::string name;
  std::vector<std::string> setup;
  std::string corpus;
  std::vector<std::string> actions;
  std::vector<std::string> bounds;
  std::vector<std::string> with;
  ExplorationRun run{.from = {}, .implementations = {}, .options = {.jobs = 0}};  // complete() does the rest
  ExploreReport report;
  std::size_t memory = 4096;  // MiB
  std::string resume;
  int every = 20;  // seconds between checkpoints
  std::optional<std::string> out;
  ShardOptions shards;
  int wait = 3'600;  // seconds that a shard waits for the others
  bool list = false;
  bool json = false;
  ReportFiles reports;
};

// Where to start -------------------------------------------------------------------------------

/// The scenario text of --setup: a file's text, or a text made from fields (`width=5,height=5`; absent fields take their
/// lowest values), one line each. An error in a field names the field, because there is no file and line to name.
std::string setup_text(const AnySystem& system, const std::vector<std::string>& given) {
  std::error_code fault;  // of a name that is too long, because it is a board: no file
  if (given.size() == 1 && (given.front() == "-" || fs::exists(given.front(), fault))) return read_input(given.front());
  std::string text = "lockstep 1 " + std::string{system.name()} + "\n";
  std::vector<std::string> fields;  // of each line after the first
  for (const auto& each : given) {
    for (const text::Word& field : text::parts_of(each, ',')) {
      const std::size_t equals = field.text.find('=');
      if (equals == std::string::npos) {
        throw BadInput{"--setup " + each +
                       ": there is no such file; expected a scenario file or fields, such as width=5,height=5"};
      }
      std::string line{field.text};
      line[equals] = ' ';
      text += line + "\n";
      fields.insert(fields.end(), 1 + static_cast<std::size_t>(std::ranges::count(line, '\n')),
                    std::string{field.text});
    }
  }
  text += "actions\n";
  if (const auto scenario = system.parse(text); !scenario) {
    const auto line = static_cast<std::size_t>(scenario.error().line);  // the first field is in line 2
    const bool is_field = line >= 2 && line < fields.size() + 2;
    throw BadInput{"--setup " + (is_field ? fields[line - 2] : joined(given, " --setup ")) + ": " +
                   scenario.error().what};
  }
  return text;
}

/// The exploration that the command names; nullopt if it names none. BadInput for an unknown name.
std::optional<AnyExploration> named_exploration(const ExploreCommand& command, const AnySystem& system) {
  if (command.name.empty()) return std::nullopt;
  const auto all = explorations_of(system.parts());
  std::vector<std::string> known;
  for (const AnyExploration& each : all) known.push_back(each.name);
  return all[place_of("exploration", command.name, known, " of " + command.system)];
}

ExploreStart start_from(const ExploreCommand& command) {
  ExploreStart from{.exploration = command.name, .texts = {}};
  if (!command.name.empty()) return from;
  if (!command.corpus.empty()) {
    fs::path folder = command.corpus;
    if (fs::is_directory(folder / command.system)) folder /= command.system;
    const CorpusFiles files = or_refuse(corpus_files(folder));
    if (files.empty()) throw BadInput{folder.string() + ": this folder contains no scenario (*.txt)"};
    for (const auto& file : files) from.texts.emplace_back(file.string(), read_input(file.string()));
    from.every_position = true;
  } else {
    const std::string source = command.setup.empty() ? "setup" : source_name(joined(command.setup, " "));
    from.texts.emplace_back(source, command.setup.empty() ? "lockstep 1 " + command.system + "\nactions\n"
                                                          : setup_text(system_named(command.system), command.setup));
  }
  return from;
}

std::vector<bool> chosen_kinds(const ExploreCommand& command, const AnySystem& system) {
  if (command.actions.empty()) return {};
  const auto known = system.action_names();
  std::vector<bool> kinds(known.size());
  for (const auto& name : split_names(command.actions)) {
    kinds[place_of("action", name, known, " of " + command.system)] = true;
  }
  return kinds;
}

/// In the order of their names, so that two orders on the command line are one exploration.
std::vector<Bound> chosen_bounds(const ExploreCommand& command) {
  std::vector<Bound> bounds;
  for (const auto& each : split_names(command.bounds)) bounds.push_back(bound_from(each));
  std::ranges::sort(bounds, {}, &Bound::text);
  return bounds;
}

std::string progress_text(const Explorer& explorer, double seconds) {
  const LevelCount total = total_of(explorer.state().levels);
  const auto& level = explorer.state().levels.back();
  return fmt::format("{}: {:.0f}% of {}, {}, {}, {} MiB, {:.0f} s{}", level.name, 100 * explorer.share_done(),
                     grouped(level.positions), grouped(total.positions, "position"), grouped(total.steps, "step"),
                     explorer.memory() >> 20, seconds,
                     explorer.awaits_others()    ? "; waiting for other shards"
                     : explorer.counterexample() ? "; DIVERGED, searching for the smallest counterexample"
                                                 : "");
}

std::string about(const ExploreCommand& command, const std::optional<AnyExploration>& named, const ExploreStart& from) {
  if (named) {
    const std::uint64_t depth = command.run.options.depth;
    return depth == 0 || depth == named->depth ? named->about
                                               : fmt::format("{}; here to depth {}", named->about, depth);
  }
  if (!command.corpus.empty())
    return fmt::format("every action from every position of {}", counted(from.texts.size(), "scenario"));
  const std::string where = command.setup.empty() ? "the simplest setup" : joined(command.setup, ", ");
  return "every action from every position reached from " + where;
}

void print_list(const AnySystem& system) {
  const auto all = explorations_of(system.parts());
  if (all.empty()) fmt::print("{} has no named exploration; --setup explores from any setup\n", system.name());
  for (const auto& each : all) fmt::print("{}", described(each.name, each.about, 16));
}

/// What is explored, and what the report says of it.
void complete(ExploreCommand& command, const AnySystem& system) {
  const auto named = named_exploration(command, system);
  ExplorationRun& run = command.run;
  ExploreOptions& options = run.options;
  run.system = &system;
  run.from = start_from(command);
  run.implementations = implementations_to_judge(system, split_names(command.with));
  run.resume = !command.resume.empty();
  if (run.resume) run.checkpoint = command.resume;
  run.checkpoint_every = std::chrono::seconds{command.every};
  options.jobs = jobs_of(options.jobs);
  options.memory = command.memory << 20;
  options.exact = run.from.every_position;
  options.kinds = chosen_kinds(command, system);
  options.bounds = chosen_bounds(command);
  if (options.depth == 0 && command.name.empty()) options.depth = command.corpus.empty() ? depth_unbounded : 1;
  ExploreReport& report = command.report;
  report = {.system = std::string{system.name()},
            .exploration = command.name,
            .about = about(command, named, run.from),
            .walk = !named || named->depth,
            .implementations = run.implementations,
            .actions = split_names(command.actions),
            .memory = command.memory};
  for (const Bound& bound : options.bounds) report.bounds.push_back(bound.text());
  if (!report.walk && (options.fold || options.depth > 0 || !report.actions.empty() || !report.bounds.empty())) {
    throw BadInput{"--depth, --actions, --bound and --fold are for walks; the actions of " + command.name +
                   " are fixed"};
  }
  if (named && named->bulk) {
    const auto compared = implementations_named(system.vocabulary(), run.implementations);
    for (const Runner& each : answering_many(compared)) report.fast.emplace_back(each.name);
    report.about += fmt::format("; seed {}", options.seed);
  } else if (options.positions > 0 || options.seed > 0) {
    throw BadInput{"--positions and --seed are for explorations of random positions"};
  }
}

/// Explores, with a line of progress on a terminal.
Explored explored_by(ExplorationRun& run) {
  ProgressLine line;
  run.progress = [&](const Explorer& explorer, double seconds) {
    if (line.shown()) line.update(progress_text(explorer, seconds));
  };
  run.interrupted = interrupted;
  catch_interrupts();
  Explored explored = explore(run);
  line.clear();
  return explored;
}

int report_explored(const ExploreCommand& command, const Explored& explored, const fs::path& out) {
  const std::string file = finding_file(explored, out);
  if (command.json) print_json(command.report, explored, file);
  else print_certificate(command.report, explored, counted(command.run.options.jobs, "job"), file);
  if (!explored.unsaved.empty()) {
    complain(explored.unsaved + "; this run can be resumed from an earlier one only");
  }
  return write_reports(command.reports, command.report, explored, file, exit_code_of(explored));
}

/// The lock of a checkpoint is a folder beside it, since the file itself is replaced again and again.
int explore_whole(ExploreCommand& command) {
  std::optional<LockedFolder> lock;
  const std::string& checkpoint = command.run.checkpoint;
  if (!checkpoint.empty()) {
    lock.emplace(checkpoint + ".lock", "the checkpoint " + checkpoint,
                 "another exploration writes it; choose another file", true);
    const fs::path file = fs::absolute(checkpoint);
    remove_unfinished(file.parent_path(), file.filename().string());
  }
  const Explored explored = explored_by(command.run);
  lock.reset();
  return report_explored(command, explored, command.out.value_or("findings"));
}

/// Explores a part, from where this shard was when it was killed. A shard that has ended only reports again.
int explore_shard(ExploreCommand& command) {
  const fs::path folder = command.shards.exchange;
  const Shard shard = command.shards.shard();
  ExplorationRun& run = command.run;
  using nlohmann::ordered_json;
  join_run(folder,
           {"explore", shard.count, ordered_json::parse(compatibility_text(run)), ordered_json(command.report)});
  const fs::path own = shard_folder(folder, shard.index);
  const LockedFolder lock{own, own.string(), "shard " + shard.text() + " is running already"};
  remove_unfinished(own);
  command.report.about += "; shard " + shard.text();
  const fs::path out = command.out.value_or(own.string());
  if (const auto ended = read_explored(result_file(own))) return report_explored(command, *ended, out);
  run.options.shard = shard;
  run.checkpoint = shard_checkpoint(folder, shard.index);
  run.resume = fs::exists(run.checkpoint);
  run.exchange = [&](const Explorer& explorer, const std::function<bool()>& stopped) {
    return exchange_level(folder, shard, explorer, std::chrono::seconds{command.wait}, stopped);
  };
  const Explored explored = of_shard([&] { return explored_by(run); });
  // Reported first: what was found is printed even if nothing can be written.
  const int exit_code = report_explored(command, explored, out);
  const bool ended = explored.end != ExploreEnd::running && explored.end != ExploreEnd::out_of_memory;
  try {
    if (ended) write_explored(result_file(own), explored);
    else if (explored.finding) write_explored(early_finding_file(own), explored);
  } catch (const BadInput& fault) {
    complain(std::string{"the result of this shard could not be written: "} + fault.what() +
             "; to merge it, run the same command again");
    return exit_code == exit_agreed ? exit_internal_error : exit_code;
  }
  return exit_code;
}

int explore_verb(ExploreCommand& command) {
  // With one system, SYSTEM may be left out: the first argument is then NAME.
  if (all_systems().size() == 1 && command.name.empty() && command.system != all_systems().front()->name()) {
    command.name = std::exchange(command.system, std::string{all_systems().front()->name()});
  }
  const AnySystem& system = system_named(command.system);
  if (command.list) {
    print_list(system);
    return exit_agreed;
  }
  if ((command.name.empty() ? 0 : 1) + (command.setup.empty() ? 0 : 1) + (command.corpus.empty() ? 0 : 1) > 1) {
    throw BadInput{"explore takes only one of NAME, --setup and --corpus"};
  }
  const ShardOptions& shards = command.shards;
  if (shards.sharded() && (!command.run.checkpoint.empty() || !command.resume.empty())) {
    throw BadInput{"a shard keeps its own checkpoint in the folder of --exchange: leave --checkpoint and --resume out"};
  }
  complete(command, system);
  command.reports.begin("explore");
  return shards.sharded() ? explore_shard(command) : explore_whole(command);
}

}  // namespace

void add_explore(CLI::App& program, int& exit_code) {
  const auto [verb, command] = add_verb<ExploreCommand>(
      program, "explore", "Judges every position within a bound, and certifies what was covered", exit_code,
      explore_verb);
  add_system(*verb, command->system);
  verb->add_option("NAME", command->name, "A named exploration of the system (--list)");
  verb->add_flag("--list", command->list, "List the named explorations of the system");
  add_names(*verb, "--setup", command->setup,
            "Walk from the last position of this scenario file, or from these fields (width=5,height=5), each "
            "as in a scenario's text; repeat it for the items of a list (--setup piece='row=1 column=2'); "
            "default: from the simplest setup",
            "SETUP");
  add_path(*verb, "--corpus", "FOLDER", command->corpus,
           "Walk from every position of the scenarios in this folder, or in its folder SYSTEM");
  verb->add_option("--depth", command->run.options.depth,
                   "Depth of a walk in actions; default: that of NAME; from a corpus 1; else until there is no new "
                   "position")
      ->check(whole_number(1));
  verb->add_option("--actions", command->actions, "Kinds of actions that a walk takes (NAME,NAME); default: all")
      ->type_name("NAMES");
  add_names(*verb, "--bound", command->bounds,
            "Narrows a field of a walk's actions: price=1..3, place.price=1..3 for one kind of action; of a list or "
            "text it is the size, and data.item=0..9 bounds the items; choices and flags by number; "
            "floating-point fields take whole numbers only then",
            "FIELD=LOW..HIGH");
  add_with(*verb, command->with, with_default);
  verb->add_option("--positions", command->run.options.positions,
                   "How many random positions are compared, of an exploration that draws them; rounded up to blocks")
      ->check(whole_number(1, 1'000'000'000'000'000));
  add_number(*verb, "--seed", command->run.options.seed, whole_number(), "Seed of random positions");
  verb->add_flag("--fold", command->run.options.fold,
                 "Judge only one of several positions that are images of each other under the system's symmetries");
  add_jobs(*verb, command->run.options.jobs, "Threads; default: one for each core");
  add_number(*verb, "--memory", command->memory, whole_number(1, 1 << 24),
             "Memory limit for the positions of a walk, in MiB");
  add_path(*verb, "--checkpoint", "FILE", command->run.checkpoint, "Write checkpoints to this file");
  add_path(*verb, "--resume", "FILE", command->resume, "Resume from this checkpoint file, and keep it up to date");
  add_number(*verb, "--every", command->every, whole_number(0, 86'400), "Seconds between two checkpoints");
  add_path(*verb, "--out", "FOLDER", command->out, "Folder for a finding")->default_str("findings");
  command->shards.add_to(*verb);
  add_number(*verb, "--wait", command->wait, whole_number(0, 8'640'000),
             "Seconds for which a shard of a walk waits for the others at each depth");
  add_timeout(*verb, command->run.timeout);
  verb->add_flag("--json", command->json, "Print the certificate as one JSON object");
  command->reports.add_to(*verb);
  verb->footer(exit_codes("everything was covered and agrees", "implementations differ",
                          "internal error, or not everything was covered (memory, other shards)") +
               ", 130 interrupted\n"
               "example: lockstep explore SYSTEM --depth 8");
}

}  // namespace lockstep
