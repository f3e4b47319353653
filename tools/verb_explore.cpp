// lockstep explore: judges every position within a bound, and prints a certificate of what was covered.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "lockstep/exploration_run.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"
#include "tools/interrupt.hpp"
#include "tools/progress.hpp"
#include "tools/report_files.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int explore_schema = 1;
constexpr std::uint64_t depth_unbounded = UINT64_MAX;

struct ExploreCommand {
  std::string system;
  std::string name;
  std::vector<std::string> setup;
  std::string corpus;
  std::uint64_t depth = 0;
  std::vector<std::string> actions;
  std::vector<std::string> bounds;
  std::vector<std::string> with;
  unsigned jobs = 0;
  std::size_t memory = 4096;  // MiB
  bool fold = false;
  std::string checkpoint;
  std::string resume;
  int every = 20;  // seconds between checkpoints
  std::string out = "findings";
  int timeout = hang_seconds;
  bool list = false;
  bool json = false;
  ReportFiles reports;
};

/// 1234567 → "1,234,567"
std::string grouped(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3) {
    out.insert(static_cast<std::size_t>(at), ",");
  }
  return out;
}

/// 1234567, "step" → "1,234,567 steps"
std::string grouped(std::uint64_t value, std::string_view noun) { return grouped(value) + " " + plural(value, noun); }

// Where to start -------------------------------------------------------------------------------

/// The scenario text of --setup: a file's text, or a text made from fields (`width=5,height=5`; absent fields take their
/// lowest values), one line each. An error in a field names the field, because there is no file and line to name.
std::string setup_text(const AnySystem& system, const std::vector<std::string>& given) {
  if (given.size() == 1 && (given.front() == "-" || fs::exists(given.front()))) return read_input(given.front());
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
  if (const auto scenario = system.judging().canonical(text); !scenario) {
    const auto line = static_cast<std::size_t>(scenario.error().line);  // the first field is in line 2
    const bool is_field = line >= 2 && line < fields.size() + 2;
    throw BadInput{"--setup " + (is_field ? fields[line - 2] : joined(given, " --setup ")) + ": " +
                   scenario.error().what};
  }
  return text;
}

ExploreStart start_from(const ExploreCommand& command, const Exploring& explorer) {
  ExploreStart from;
  if (!command.name.empty()) {
    std::vector<std::string> known;
    for (const auto& each : explorer.explorations()) known.push_back(each.name);
    if (std::ranges::find(known, command.name) == known.end()) {
      throw BadInput{unknown_name("exploration", command.name, known, " of " + command.system)};
    }
    from.exploration = command.name;
  } else if (!command.corpus.empty()) {
    fs::path folder = command.corpus;
    if (fs::is_directory(folder / command.system)) folder /= command.system;
    const CorpusFiles files = scenario_files(folder);
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

std::vector<bool> chosen_kinds(const ExploreCommand& command, const Exploring& explorer) {
  if (command.actions.empty()) return {};
  const auto known = explorer.action_names();
  std::vector<bool> kinds(known.size());
  for (const auto& name : split_names(command.actions)) {
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) throw BadInput{unknown_name("action", name, known, " of " + command.system)};
    kinds[static_cast<std::size_t>(at - known.begin())] = true;
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

std::vector<std::string> texts_of(const std::vector<Bound>& bounds) {
  std::vector<std::string> out;
  for (const Bound& bound : bounds) out.push_back(bound.text());
  return out;
}

struct Job {
  const ExploreCommand& command;
  const Exploring& explorer;
  ExplorationRun run;
  bool walk = true;  // false: a sweep
};

std::string progress_text(const Explorer& explorer, double seconds) {
  const LevelCount total = total_of(explorer.state().levels);
  const auto& level = explorer.state().levels.back();
  return fmt::format("{}: {:.0f}% of {}, {}, {}, {} MiB, {:.0f} s{}", level.name, 100 * explorer.share_done(),
                     grouped(level.positions), grouped(total.positions, "position"), grouped(total.steps, "step"),
                     explorer.memory() >> 20, seconds,
                     explorer.counterexample() ? "; DIVERGED, searching for the smallest counterexample" : "");
}

void print_table(const std::vector<LevelCount>& levels, bool walk) {
  std::size_t width = 5;
  for (const auto& level : levels) width = std::max(width, level.name.size());
  fmt::print("{:<{}}  {:>15}  {:>17}  {:>15}\n", walk ? "depth" : "part", width, "positions", "steps", "illegal");
  const auto row = [&](const LevelCount& level) {
    fmt::print("{:<{}}  {:>15}  {:>17}  {:>15}\n", level.name, width, grouped(level.positions), grouped(level.steps),
               grouped(level.illegal));
  };
  for (const auto& level : levels) row(level);
  if (levels.size() > 1) row(total_of(levels));
}

std::string about(const Job& job) {
  const auto& command = job.command;
  for (const auto& each : job.explorer.explorations()) {
    if (each.name != command.name) continue;
    const bool as_named = command.depth == 0 || command.depth == each.depth;
    return as_named ? each.about : fmt::format("{}; here to depth {}", each.about, command.depth);
  }
  if (!command.corpus.empty())
    return fmt::format("every action from every position of {}", counted(job.run.from.texts.size(), "scenario"));
  const std::string where = command.setup.empty() ? "the simplest setup" : joined(command.setup, ", ");
  return "every action from every position reached from " + where;
}

/// What was proven, or how much was covered, in one sentence.
std::string conclusion(const Job& job, const Explored& explored) {
  const LevelCount total = total_of(explored.levels);
  const std::string names = joined(job.run.implementations, ", ");
  const std::string so_far = explored.levels.empty()
                                 ? ""
                                 : fmt::format("{:.0f}% of {} {}", 100 * explored.share, job.walk ? "depth" : "part",
                                               explored.levels.back().name);
  switch (explored.end) {
    case ExploreEnd::covered:
    case ExploreEnd::exhausted:
      if (job.walk && explored.end == ExploreEnd::exhausted) {
        return fmt::format("ALL AGREE: {} and there are no other positions; {}, {}", names,
                           grouped(total.positions, "position"), grouped(total.steps, "step"));
      }
      return fmt::format("ALL AGREE: {} on {} and {}", names, grouped(total.positions, "position"),
                         grouped(total.steps, "step"));
    case ExploreEnd::diverged: return "DIVERGED";
    case ExploreEnd::out_of_memory:
      return fmt::format("NOT COVERED: {} MiB are not enough; done: {}; no difference so far", job.command.memory,
                         so_far);
    case ExploreEnd::cannot_judge: return "NOT COVERED: " + explored.reason;
    case ExploreEnd::running: return fmt::format("INTERRUPTED at {}; no difference so far", so_far);
  }
  return "";
}

void print_certificate(const Job& job, const Explored& explored, const std::string& file) {
  fmt::print("system           {}\nexplored         {}{}\n", job.command.system,
             job.command.name.empty() ? "" : job.command.name + ": ", about(job));
  fmt::print("implementations  {}\n", joined(job.run.implementations, ", "));
  if (!job.command.actions.empty()) fmt::print("actions          {}\n", joined(split_names(job.command.actions), ", "));
  if (!job.run.options.bounds.empty()) {
    fmt::print("bounds           {}\n", joined(texts_of(job.run.options.bounds), ", "));
  }
  if (!explored.folded_by.empty()) fmt::print("folded by        {}\n", joined(explored.folded_by, ", "));
  fmt::print("\n");
  if (!explored.levels.empty()) print_table(explored.levels, job.walk);
  fmt::print("\n{:.1f} s on {}, {} MiB for positions\n", explored.seconds, counted(job.run.options.jobs, "job"),
             explored.memory >> 20);
  if (!explored.finding) {
    fmt::print("{}\n", conclusion(job, explored));
    return;
  }
  fmt::print("DIVERGED {}\n", explored.failed->explanation);
  const std::string& text = explored.failed->text;
  fmt::print(
      "the smallest scenario that differs {}:\n{}",
      explored.levels.empty() ? "" : fmt::format("at {} {}", job.walk ? "depth" : "part", explored.levels.back().name),
      indented(text.substr(text.find('\n') + 1), "  | "));
  fmt::print("shrunk: {}, {}\nreplay it: {}\n", explored.finding->explanation,
             explored.finding->minimal ? "minimal" : "budget spent",
             replay_command(file, job.run.implementations, program_command()));
}

void print_json(const Job& job, const Explored& explored, const std::string& file) {
  const ordered_json parts = ordered_json::parse(to_json(explored));
  const LevelCount total = total_of(explored.levels);
  ordered_json out{{"schema", explore_schema},
                   {"game", job.command.system},
                   {"exploration", job.command.name},
                   {"about", about(job)},
                   {"simulators", job.run.implementations},
                   {"bounds", texts_of(job.run.options.bounds)},
                   {"folded_by", explored.folded_by},
                   {"end", parts["end"]},
                   {"agreed", !explored.finding},
                   {"positions", total.positions},
                   {"steps", total.steps},
                   {"illegal", total.illegal},
                   {"levels", parts["levels"]},
                   {"seconds", explored.seconds},
                   {"memory", explored.memory}};
  if (explored.finding) {
    out["finding"] = {{"signature", explored.finding->signature},
                      {"file", file},
                      {"explanation", explored.finding->explanation},
                      {"minimal", explored.finding->minimal},
                      {"actions", explored.finding->actions},
                      {"smallest_explored", {{"text", explored.failed->text}, {"size", parts["failed"]["size"]}}}};
  }
  fmt::print("{}\n", out.dump(2));
}

/// The files of --sarif and --junit.
void write_reports(const Job& job, const Explored& explored, const std::string& file, int exit_code) {
  SarifRun run{.verb = "explore", .exit_code = exit_code};
  JunitCase one{.suite = job.command.system,
                .name = job.command.name.empty() ? about(job) : job.command.name,
                .seconds = explored.seconds};
  if (explored.finding) {
    const SarifResult& result =
        run.results.emplace_back(sarif_result(*job.run.system, job.run.implementations, *explored.finding, file));
    one.wrong = junit_case(result, explored.seconds).wrong;
  } else if (exit_code != exit_agreed) {
    run.errors.push_back(conclusion(job, explored));
    one.wrong = JunitCase::Wrong{JunitCase::Wrong::Kind::error, "not covered", conclusion(job, explored)};
  }
  job.command.reports.write(run, {one});
}

void print_list(const AnySystem& system) {
  const auto all = system.exploring().explorations();
  if (all.empty()) fmt::print("{} has no named exploration; --setup explores from any setup\n", system.name());
  for (const auto& each : all) fmt::print("{:<14}  {}\n", each.name, each.about);
}

Job job_of(const ExploreCommand& command, const AnySystem& system) {
  const Exploring& explorer = system.exploring();
  Job job{command, explorer, {}};
  ExplorationRun& run = job.run;
  run.system = &system;
  run.from = start_from(command, explorer);
  run.implementations = implementations_named(system, split_names(command.with));
  run.options = {.depth = command.depth,
                 .jobs = command.jobs > 0 ? command.jobs : std::max(1u, std::thread::hardware_concurrency()),
                 .memory = command.memory << 20,
                 .fold = command.fold,
                 .exact = run.from.every_position,
                 .kinds = chosen_kinds(command, explorer),
                 .bounds = chosen_bounds(command)};
  if (command.depth == 0 && command.name.empty()) run.options.depth = command.corpus.empty() ? depth_unbounded : 1;
  run.timeout = std::chrono::seconds{command.timeout};
  run.resume = !command.resume.empty();
  run.checkpoint = run.resume ? command.resume : command.checkpoint;
  run.checkpoint_every = std::chrono::seconds{command.every};
  for (const auto& each : explorer.explorations()) {
    if (each.name == command.name) job.walk = each.depth.has_value();
  }
  if (!job.walk && (command.fold || command.depth > 0 || !command.actions.empty() || !command.bounds.empty())) {
    throw BadInput{"--depth, --actions, --bound and --fold are for walks; " + command.name +
                   " is a sweep, whose actions are fixed"};
  }
  return job;
}

int exit_code_of(const Explored& explored) {
  if (explored.finding) return exit_diverged;
  switch (explored.end) {
    case ExploreEnd::covered:
    case ExploreEnd::exhausted: return exit_agreed;
    case ExploreEnd::running: return exit_interrupted;
    default: return exit_internal_error;
  }
}

int explore_verb(ExploreCommand command) {
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
  Job job = job_of(command, system);
  ProgressLine line;
  job.run.progress = [&](const Explorer& explorer, double seconds) {
    if (line.shown()) line.update(progress_text(explorer, seconds));
  };
  job.run.interrupted = interrupted;
  command.reports.begin("explore");
  catch_interrupts();
  const Explored explored = explore(job.run);
  line.clear();
  std::string file;
  if (explored.finding) {
    file = (fs::path{command.out} / explored.finding->file_name).string();
    write_output(file, explored.finding->text);
  }
  if (command.json) print_json(job, explored, file);
  else print_certificate(job, explored, file);
  const int exit_code = exit_code_of(explored);
  write_reports(job, explored, file, exit_code);
  return exit_code;
}

}  // namespace

void add_explore(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ExploreCommand>();
  CLI::App* const verb =
      program.add_subcommand("explore", "Judges every position within a bound, and certifies what was covered");
  add_system(*verb, options->system);
  verb->add_option("NAME", options->name, "A named exploration of the system (--list)");
  verb->add_flag("--list", options->list, "List the named explorations of the system");
  verb->add_option("--setup", options->setup,
                   "Walk from the last position of this scenario file, or from these fields (width=5,height=5), each "
                   "as in a scenario's text; repeat it for the items of a list (--setup piece='row=1 column=2'); "
                   "default: from the simplest setup")
      ->allow_extra_args(false);
  verb->add_option("--corpus", options->corpus,
                   "Walk from every position of the scenarios in this folder, or in its folder SYSTEM");
  verb->add_option("--depth", options->depth,
                   "Depth of a walk in actions; default: that of NAME; from a corpus 1; else until there is no new "
                   "position")
      ->check(whole_number(1));
  verb->add_option("--actions", options->actions, "Kinds of actions that a walk takes (NAME,NAME); default: all");
  verb->add_option(
          "--bound", options->bounds,
          "Narrows a field of a walk's actions: price=1..3, place.price=1..3 for one kind of action; of a list or "
          "text it is the size, and data.item=0..9 bounds the items; choices and flags by number; "
          "floating-point fields take whole numbers only then")
      ->allow_extra_args(false);
  add_with(*verb, options->with, with_default);
  verb->add_flag("--fold", options->fold,
                 "Judge only one of several positions that are images of each other under the system's symmetries");
  verb->add_option("--jobs", options->jobs, "Threads; default: one for each core")->check(CLI::Range(1, 1024));
  verb->add_option("--memory", options->memory, "Memory limit for the positions of a walk, in MiB")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24))
      ->capture_default_str();
  verb->add_option("--checkpoint", options->checkpoint, "Write checkpoints to this file");
  verb->add_option("--resume", options->resume, "Resume from this checkpoint file, and keep it up to date");
  verb->add_option("--every", options->every, "Seconds between two checkpoints")
      ->check(CLI::Range(0, 86'400))
      ->capture_default_str();
  verb->add_option("--out", options->out, "Folder for a finding")->capture_default_str();
  add_timeout(*verb, options->timeout);
  verb->add_flag("--json", options->json, "Print the certificate as one JSON object");
  options->reports.add_to(*verb);
  verb->footer(exit_codes("everything was covered and agrees", "implementations differ",
                          "internal error, or not everything was covered (memory)") +
               ", 130 interrupted\n"
               "example: lockstep explore ts_tetris 5x5 --depth 8");
  verb->callback([options, &exit_code] { exit_code = explore_verb(*options); });
}

}  // namespace lockstep
