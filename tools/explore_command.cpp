#include "tools/explore_command.hpp"

#include "lockstep/explore/exploring.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t depth_unbounded = UINT64_MAX;

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

std::string about_start(const ExploreCommand& command, const std::optional<AnyExploration>& named,
                        const ExploreStart& from) {
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

}  // namespace

void ExploreCommand::complete(const AnySystem& explored) {
  const auto named = named_exploration(*this, explored);
  ExploreOptions& options = run.options;
  run.system = &explored;
  run.from = start_from(*this);
  run.implementations = implementations_to_judge(explored, split_names(with));
  run.resume = !resume.empty();
  if (run.resume) run.checkpoint = resume;
  run.checkpoint_every = std::chrono::seconds{every};
  options.jobs = jobs_of(options.jobs);
  options.memory = memory << 20;
  options.exact = run.from.every_position;
  options.kinds = chosen_kinds(*this, explored);
  options.bounds = chosen_bounds(*this);
  if (options.depth == 0 && name.empty()) options.depth = corpus.empty() ? depth_unbounded : 1;
  report = {.system = std::string{explored.name()},
            .exploration = name,
            .about = about_start(*this, named, run.from),
            .walk = !named || named->depth,
            .implementations = run.implementations,
            .actions = split_names(actions),
            .memory = memory};
  for (const Bound& bound : options.bounds) report.bounds.push_back(bound.text());
  if (!report.walk && (options.fold || options.depth > 0 || !report.actions.empty() || !report.bounds.empty())) {
    throw BadInput{"--depth, --actions, --bound and --fold are for walks; the actions of " + name + " are fixed"};
  }
  if (named && named->bulk) {
    const auto compared = implementations_named(explored.vocabulary(), run.implementations);
    for (const Runner& each : answering_many(compared)) report.fast.emplace_back(each.name);
    report.about += fmt::format("; seed {}", options.seed);
  } else if (options.positions > 0 || options.seed > 0) {
    throw BadInput{"--positions and --seed are for explorations of random positions"};
  }
}

void ExploreCommand::add_to(CLI::App& verb) {
  add_system(verb, system);
  verb.add_option("NAME", name, "A named exploration of the system (--list)");
  verb.add_flag("--list", list, "List the named explorations of the system");
  add_names(verb, "--setup", setup,
            "Walk from the last position of this scenario file, or from these fields (width=5,height=5), each "
            "as in a scenario's text; repeat it for the items of a list (--setup piece='row=1 column=2'); "
            "default: from the simplest setup",
            "SETUP");
  add_path(verb, "--corpus", "FOLDER", corpus,
           "Walk from every position of the scenarios in this folder, or in its folder SYSTEM");
  verb.add_option("--depth", run.options.depth,
                  "Depth of a walk in actions; default: that of NAME; from a corpus 1; else until there is no new "
                  "position")
      ->check(whole_number(1));
  verb.add_option("--actions", actions, "Kinds of actions that a walk takes (NAME,NAME); default: all")
      ->type_name("NAMES");
  add_names(verb, "--bound", bounds,
            "Narrows a field of a walk's actions: price=1..3, place.price=1..3 for one kind of action; of a list or "
            "text it is the size, and data.item=0..9 bounds the items; choices and flags by number; "
            "floating-point fields take whole numbers only then",
            "FIELD=LOW..HIGH");
  add_with(verb, with, with_default);
  verb.add_option("--positions", run.options.positions,
                  "How many random positions are compared, of an exploration that draws them; rounded up to blocks")
      ->check(whole_number(1, 1'000'000'000'000'000));
  add_number(verb, "--seed", run.options.seed, whole_number(), "Seed of random positions");
  verb.add_flag("--fold", run.options.fold,
                "Judge only one of several positions that are images of each other under the system's symmetries");
  add_jobs(verb, run.options.jobs, "Threads; default: one for each core");
  add_number(verb, "--memory", memory, whole_number(1, 1 << 24), "Memory limit for the positions of a walk, in MiB");
  add_path(verb, "--checkpoint", "FILE", run.checkpoint, "Write checkpoints to this file");
  add_path(verb, "--resume", "FILE", resume, "Resume from this checkpoint file, and keep it up to date");
  add_number(verb, "--every", every, whole_number(0, 86'400), "Seconds between two checkpoints");
  add_path(verb, "--out", "FOLDER", out, "Folder for a finding")->default_str("findings");
  shards.add_to(verb);
  add_number(verb, "--wait", wait, whole_number(0, 8'640'000),
             "Seconds for which a shard of a walk waits for the others at each depth");
  add_timeout(verb, run.timeout);
  verb.add_flag("--json", json, "Print the certificate as one JSON object");
  reports.add_to(verb);
}

}  // namespace lockstep
