// lockstep replay: judges scenario files again.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "lockstep/services/judging.hpp"
#include "lockstep/words.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ReplayOptions {
  std::vector<std::string> files;
  std::vector<std::string> with;
  int timeout = hang_seconds;
  bool json = false;
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
    if (replay.hidden_state)
      fmt::print("  hidden state: it vanishes when the position before that step is given as a setup\n");
  } else {
    fmt::print("{}: not judged: {}\n", source, replay.explanation);
  }
}

/// Judges every file, also when one of them cannot be read; exit_bad_input takes precedence over the other codes.
int replay(const ReplayOptions& options) {
  const auto with = split_names(options.with);
  nlohmann::ordered_json results = nlohmann::json::array();
  bool diverged = false;
  bool unjudged = false;
  bool bad = false;
  for (const auto& file : options.files) {
    try {
      const LoadedScenario loaded = load_scenario(file, with);
      const Guard guard{std::chrono::seconds{options.timeout}};
      const Replay result =
          value_of(loaded.system->judging().replay(loaded.text, loaded.implementations, guard), loaded.source());
      diverged |= result.verdict.diverged();
      unjudged |= !result.verdict.agreed() && !result.verdict.diverged();
      if (options.json) results.push_back(json_of(loaded, result));
      else print(loaded, result);
    } catch (const BadInput& error) {
      bad = true;
      if (options.json)
        results.push_back({{"file", file}, {"agreed", false}, {"verdict", "bad input"}, {"error", error.what()}});
      std::cerr << program_name() << ": " << error.what() << "\n";
    }
  }
  if (options.json) fmt::print("{}\n", results.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return bad ? exit_bad_input : unjudged ? exit_internal_error : diverged ? exit_diverged : exit_agreed;
}

}  // namespace

void add_replay(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* const verb = program.add_subcommand("replay", "Judges scenario files");
  verb->add_option("FILE", options->files, "Scenario files; -: standard input")->required();
  add_with(*verb, options->with, with_default_of_file);
  add_timeout(*verb, options->timeout);
  verb->add_flag("--json", options->json,
                 "Print a JSON array with one object for each file; \"error\": why a file could not be read");
  verb->footer(exit_codes("all implementations agree", "a file diverges", "internal error, or a file was not judged") +
               "\nexample: lockstep replay corpus/ts_tetris/*.txt");
  verb->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace lockstep
