// lockstep replay: judges scenario files again.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "lockstep/memcheck.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/words.hpp"
#include "tools/report_files.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ReplayOptions {
  std::vector<std::string> files;
  std::vector<std::string> with;
  int timeout = hang_seconds;
  bool memcheck = false;
  bool json = false;
  ReportFiles reports;
};

nlohmann::ordered_json json_of(const LoadedScenario& loaded, const Replay& replay) {
  nlohmann::ordered_json out{{"file", loaded.path},
                             {"game", loaded.system->name()},
                             {"simulators", replay.implementations},
                             {"actions", replay.actions},
                             {"agreed", replay.verdict.agreed()},
                             {"verdict", replay.verdict.agreed()     ? "agreed"
                                         : replay.hidden_state       ? "hidden state"
                                         : replay.verdict.diverged() ? "diverged"
                                                                     : "not judged"}};
  if (const auto& d = replay.verdict.divergence) {
    out["divergence"] = {{"signature", d->signature()}, {"kind", to_string(d->kind)}, {"step", d->step},
                         {"blamed", d->blamed},         {"field", d->field},          {"expected", d->expected},
                         {"actual", d->actual}};
  }
  return out;
}

void print(const LoadedScenario& loaded, const Replay& replay) {
  const std::string source = loaded.source();
  if (replay.verdict.agreed()) {
    fmt::print("{}: agreed: {}, {}\n", source, counted(replay.implementations.size(), "implementation"),
               counted(replay.actions, "action"));
  } else if (replay.verdict.divergence) {
    fmt::print("{}: DIVERGED {}\n  signature: {}\n", source, replay.explanation,
               replay.verdict.divergence->signature());
    if (replay.verdict.divergence->kind == DivergenceKind::memory) {
      fmt::print("{}", indented(replay.verdict.divergence->last_words, "  "));
    }
    if (replay.hidden_state)
      fmt::print("  hidden state: it vanishes when the position before that step is given as a setup\n");
  } else {
    fmt::print("{}: not judged: {}\n", source, replay.explanation);
  }
}

/// The result as the files of --sarif and --junit have it.
void report(const LoadedScenario& loaded, const Replay& replay, double seconds, SarifRun& run,
            std::vector<JunitCase>& cases) {
  JunitCase& one = cases.emplace_back(
      JunitCase{.suite = std::string{loaded.system->name()}, .name = loaded.source(), .seconds = seconds});
  if (replay.verdict.divergence) {
    const SarifResult& result = run.results.emplace_back(
        SarifResult{.system = loaded.system,
                    .implementations = replay.implementations,
                    .divergence = *replay.verdict.divergence,
                    .signature = replay.verdict.divergence->signature(),
                    .explanation = replay.explanation,
                    .file = loaded.path == "-" ? "" : loaded.path,
                    .text = loaded.text,
                    .replay = replay_command(loaded.path, replay.implementations, program_command())});
    one.wrong = junit_case(result, seconds).wrong;
  } else if (!replay.verdict.agreed()) {
    one.wrong = JunitCase::Wrong{JunitCase::Wrong::Kind::error, "not judged", replay.explanation};
    run.errors.push_back(loaded.source() + ": not judged: " + replay.explanation);
  }
}

/// Judges every file, also when one of them cannot be read; exit_bad_input takes precedence over the other codes.
int replay(const ReplayOptions& options) {
  const auto with = split_names(options.with);
  std::optional<Memcheck> memcheck;
  if (options.memcheck) memcheck.emplace(std::chrono::seconds{options.timeout});
  nlohmann::ordered_json results = nlohmann::json::array();
  bool diverged = false;
  bool unjudged = false;
  bool bad = false;
  SarifRun run{.verb = "replay"};
  std::vector<JunitCase> cases;
  options.reports.begin(run.verb);
  for (const auto& file : options.files) {
    try {
      const LoadedScenario loaded = load_scenario(file, with);
      const Guard guard{std::chrono::seconds{options.timeout}};
      const auto start = std::chrono::steady_clock::now();
      const Judging& judging = loaded.system->judging();
      Replay result = value_of(judging.replay(loaded.text, loaded.implementations, guard), loaded.source());
      if (memcheck && result.verdict.agreed()) {
        result = value_of(
            judging.replay_memory(loaded.text, loaded.implementations, memcheck->judge_of(loaded.system->name())),
            loaded.source());
      }
      diverged |= result.verdict.diverged();
      unjudged |= !result.verdict.agreed() && !result.verdict.diverged();
      if (options.json) results.push_back(json_of(loaded, result));
      else print(loaded, result);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      report(loaded, result, time.count(), run, cases);
    } catch (const BadInput& error) {
      bad = true;
      if (options.json)
        results.push_back({{"file", file}, {"agreed", false}, {"verdict", "bad input"}, {"error", error.what()}});
      std::cerr << program_name() << ": " << error.what() << "\n";
      run.errors.emplace_back(error.what());
      cases.push_back({.suite = "bad input",
                       .name = source_name(file),
                       .wrong = JunitCase::Wrong{JunitCase::Wrong::Kind::error, "bad input", error.what()}});
    }
  }
  if (options.json) fmt::print("{}\n", results.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  run.exit_code = bad ? exit_bad_input : unjudged ? exit_internal_error : diverged ? exit_diverged : exit_agreed;
  options.reports.write(run, cases);
  return run.exit_code;
}

}  // namespace

void add_replay(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* const verb = program.add_subcommand("replay", "Judges scenario files");
  verb->add_option("FILE", options->files, "Scenario files; -: standard input")->required();
  add_with(*verb, options->with, with_default_of_file);
  add_timeout(*verb, options->timeout);
  add_memcheck(*verb, options->memcheck, "Judge files on which all agree again,");
  verb->add_flag("--json", options->json,
                 "Print a JSON array with one object for each file; \"error\": why a file could not be read");
  options->reports.add_to(*verb);
  verb->footer(exit_codes("all implementations agree", "a file diverges", "internal error, or a file was not judged") +
               "\nexample: lockstep replay corpus/ts_tetris/*.txt");
  verb->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace lockstep
