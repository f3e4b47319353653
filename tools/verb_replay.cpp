// lockstep replay: judges scenario files again.
#include <map>

#include "campaign/known_mistakes.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/text/text.hpp"
#include "tools/report_files.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ReplayOptions {
  std::vector<std::string> files;
  std::vector<std::string> with;
  Guard guard;
  std::string ignore;
  bool json = false;
  bool gdb = false;
  ReportFiles reports;
};

/// What is judged: a text, or why it cannot be read.
struct Input {
  std::string path;
  std::expected<std::string, std::string> text;
};

/// False for a file that is something else, for example the page of a finding. True for a scenario, also for one that is
/// damaged or that another version has written, and for what is no file.
bool may_be_scenario(const Input& input) {
  std::error_code none;
  const std::filesystem::path file = input.path;
  if (!input.text || file.extension() == ".txt" || !std::filesystem::is_regular_file(file, none)) return true;
  const auto lines = text::lines_of(*input.text, 1);
  return lines.empty() || lines.front().words.front().text == "lockstep";
}

/// The files that are given, and the scenarios below folders that are of this program's systems: programs may share a
/// corpus. A pattern such as findings/* names all that is there: files that are no scenarios are left out, and folders
/// without any, unless nothing else was given.
std::vector<Input> inputs_of(const std::vector<std::string>& given) {
  std::vector<Input> out;
  std::vector<Input> others;
  std::vector<std::string> without;  // what is said of folders without any
  for (const auto& each : given) {
    if (!std::filesystem::is_directory(each)) {
      Input file{each, input_text(each)};
      (may_be_scenario(file) ? out : others).push_back(std::move(file));
      continue;
    }
    std::size_t foreign = 0;
    const std::size_t before = out.size();
    for (const auto& file : or_refuse(corpus_files_below(each))) {
      Input scenario{file.string(), input_text(file.string())};
      const auto name = scenario_system(scenario.text.value_or(""));
      if (name && find_system(*name) == nullptr) ++foreign;
      else out.push_back(std::move(scenario));  // one that is damaged, too
    }
    if (out.size() == before) {
      without.push_back(each + ": no scenario of " +
                        (all_systems().size() == 1 ? std::string{all_systems().front()->name()}
                                                   : std::string{"this program's systems"}) +
                        (foreign == 0 ? "" : ", but " + std::to_string(foreign) + " of others"));
    } else if (foreign > 0) {
      std::cerr << each << ": " << counted(foreign, "scenario") << " of other systems left out\n";
    }
  }
  if (others.size() == given.size()) return others;  // judged, so that each says what is wrong with it
  for (const Input& file : others) std::cerr << file.path << ": not a scenario, left out\n";
  if (out.empty()) throw BadInput{joined(without, "; ")};
  for (const auto& folder : without) std::cerr << folder << ", left out\n";
  return out;
}

/// The signature that the file names, if it covers the failure; else what the failure looks like.
std::string signature_of(const LoadedScenario& loaded, const Divergence& divergence) {
  return covers(loaded.notes.signature, divergence) ? loaded.notes.signature : divergence.signature();
}

nlohmann::ordered_json json_of(const LoadedScenario& loaded, const Replay& replay, bool known) {
  nlohmann::ordered_json out{{"file", loaded.path},
                             {"system", loaded.system->name()},
                             {"implementations", replay.implementations},
                             {"actions", replay.actions},
                             {"agreed", replay.verdict.agreed()},
                             {"verdict", replay.verdict.agreed()     ? "agreed"
                                         : replay.hidden_state       ? "hidden state"
                                         : replay.verdict.diverged() ? "diverged"
                                                                     : "not judged"}};
  if (known) out["known"] = true;
  if (out["verdict"] == "not judged") out["error"] = replay.explanation;
  if (const auto& d = replay.verdict.divergence) {
    out["divergence"] = {{"signature", signature_of(loaded, *d)},
                         {"kind", to_string(d->kind)},
                         {"step", d->step},
                         {"blamed", d->blamed},
                         {"field", d->field},
                         {"expected", d->expected},
                         {"actual", d->actual}};
  }
  return out;
}

void print(const LoadedScenario& loaded, const Replay& replay, bool known) {
  const std::string source = loaded.source();
  if (known) {
    fmt::print("{}: known mistake: {}\n", source, signature_of(loaded, *replay.verdict.divergence));
  } else if (replay.verdict.agreed()) {
    fmt::print("{}: agreed: {}, {}\n", source, counted(replay.implementations.size(), "implementation"),
               counted(replay.actions, "action"));
  } else if (replay.verdict.divergence) {
    fmt::print("{}: DIVERGED {}\n  signature: {}\n", source, replay.explanation,
               signature_of(loaded, *replay.verdict.divergence));
    if (replay.verdict.divergence->kind == DivergenceKind::memory) {
      fmt::print("{}", indented(replay.verdict.divergence->last_words, "  "));
    }
    if (replay.hidden_state) fmt::print("{}", hidden_state_note);
  } else {
    fmt::print("{}: not judged: {}\n", source, replay.explanation);
  }
}

/// The result as the files of --sarif and --junit have it.
void report(const LoadedScenario& loaded, const Replay& replay, bool known, double seconds, SarifRun& run,
            std::vector<JunitCase>& cases) {
  JunitCase& one = cases.emplace_back(JunitCase{std::string{loaded.system->name()}, loaded.source(), seconds});
  if (known) return;
  if (replay.verdict.divergence) {
    Finding finding;
    finding.divergence = *replay.verdict.divergence;
    finding.signature = signature_of(loaded, finding.divergence);
    finding.explanation = replay.explanation;
    finding.hidden_state = replay.hidden_state;
    const SarifResult& result =
        run.results.emplace_back(loaded.system, replay.implementations, finding, loaded.path, loaded.text);
    one = junit_case(result, loaded.source(), seconds);
  } else if (!replay.verdict.agreed()) {
    one = junit_error(loaded.system->name(), loaded.source(), "not judged", replay.explanation, seconds);
    run.errors.push_back(loaded.source() + ": not judged: " + replay.explanation);
  }
}

/// Judges one file, and then becomes a debugger; throws if there is no wrong step.
[[noreturn]] void replay_in_debugger(const ReplayOptions& options) {
  if (options.files.size() != 1) throw BadInput{"--gdb takes exactly one FILE"};
  const LoadedScenario loaded = load_scenario(options.files.front(), split_names(options.with));
  const Replay result = replay_of(loaded.scenario, loaded.implementations, options.guard);
  print(loaded, result, false);
  std::fflush(stdout);
  const auto& wrong = result.verdict.divergence;
  if (!wrong || wrong->kind == DivergenceKind::nondeterministic)
    throw BadInput{"--gdb: there is no wrong step to stop at"};
  debug_step(loaded, *wrong);
}

/// Judges every file, also when one of them cannot be read. A divergence decides the exit code, then such a file.
int replay(const ReplayOptions& options) {
  if (options.gdb) replay_in_debugger(options);
  const auto with = split_names(options.with);
  nlohmann::ordered_json results = nlohmann::json::array();
  bool diverged = false;
  bool unjudged = false;
  bool bad = false;
  SarifRun run{.verb = "replay"};
  std::vector<JunitCase> cases;
  options.reports.begin(run.verb);
  if (!options.ignore.empty()) read_known_mistakes(options.ignore);  // refuses what it cannot read
  std::map<std::pair<std::string_view, std::vector<std::string>>, Signatures> known_signatures;
  const auto is_known = [&](const LoadedScenario& loaded, const Replay& replay) {
    if (options.ignore.empty() || !replay.verdict.divergence) return false;
    const auto [known, is_new] = known_signatures.try_emplace({loaded.system->name(), loaded.implementations});
    if (is_new) {
      known->second =
          ignored_mistakes(options.ignore, *loaded.system, loaded.implementations, options.guard).signatures;
    }
    return !known_as(known->second, *replay.verdict.divergence).empty();
  };
  for (Input& input : inputs_of(options.files)) {
    try {
      const LoadedScenario loaded = load_scenario(input.path, or_refuse(std::move(input.text)), with);
      const auto start = std::chrono::steady_clock::now();
      const Replay result = replay_of(loaded.scenario, loaded.implementations, options.guard);
      const bool known = is_known(loaded, result);
      diverged |= result.verdict.diverged() && !known;
      unjudged |= !result.verdict.agreed() && !result.verdict.diverged();
      if (options.json) results.push_back(json_of(loaded, result, known));
      else print(loaded, result, known);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      report(loaded, result, known, time.count(), run, cases);
    } catch (const BadInput& error) {
      bad = true;
      if (options.json)
        results.push_back({{"file", input.path}, {"agreed", false}, {"verdict", "bad input"}, {"error", error.what()}});
      complain(error.what());
      run.errors.emplace_back(error.what());
      cases.push_back(junit_error("bad input", source_name(input.path), "bad input", error.what()));
    }
  }
  if (options.json) print_json(results);
  run.exit_code = diverged ? exit_diverged : bad ? exit_bad_input : unjudged ? exit_internal_error : exit_agreed;
  return options.reports.write(run, cases);
}

}  // namespace

void add_replay(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<ReplayOptions>(program, "replay", "Judges scenario files", exit_code, replay);
  verb->add_option(
          "FILE", options->files,
          "Scenario files; -: standard input; a folder: all scenarios in it that are of this program's systems")
      ->required();
  add_with(*verb, options->with, with_default_of_file);
  add_timeout(*verb, options->guard.timeout);
  add_path(*verb, "--ignore", "FILE", options->ignore, "Known mistakes, which are no divergences (as for fuzz)");
  verb->add_flag("--gdb", options->gdb, "Then start gdb, stopped before the wrong step of the blamed implementation")
      ->excludes("--ignore");
  verb->add_flag("--json", options->json,
                 "Print a JSON array with one object for each file; \"error\": why a file could not be read or judged");
  options->reports.add_to(*verb);
  verb->footer(exit_codes("all implementations agree", "a file diverges", "internal error, or a file was not judged") +
               "\nexample: lockstep replay corpus/SYSTEM/*.txt");
}

}  // namespace lockstep
