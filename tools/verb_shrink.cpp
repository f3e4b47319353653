// lockstep shrink: the smallest scenario that fails in the same way.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "lockstep/words.hpp"
#include "tools/any_explorer.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ShrinkOptions {
  std::string file;
  std::string measure;
  std::string without;
  std::uint64_t seed = 1;
  std::vector<std::string> with;
  std::string out;
  int seconds = 30;
  int timeout = 20;
};

int shrink(const ShrinkOptions& options) {
  const LoadedScenario loaded = load_scenario(options.file, split_names(options.with));
  const auto finding =
      value_of(loaded.system->shrink(loaded.text, loaded.implementations, Guard{std::chrono::seconds{options.timeout}},
                                     std::chrono::seconds{options.seconds}),
               loaded.source());
  if (!finding) {
    std::cerr << loaded.source() << ": agreed: there is nothing to shrink\n";
    return exit_agreed;
  }
  std::cerr << fmt::format("{} -> {}, {}, {}\n", finding->actions_before, counted(finding->actions, "action"),
                           counted(finding->judgements, "judgement"), finding->minimal ? "minimal" : "budget spent");
  if (options.out.empty()) fmt::print("{}", finding->text);
  else write_output(options.out, finding->text);
  return exit_diverged;
}

/// How long shrinking takes: for every canary of a system, failures of 256 actions on boards of up to 20 × 20.
int measure(const ShrinkOptions& options) {
  const AnySystem& system = system_named(options.measure);
  const auto explorer = std::ranges::find(all_explorers(), options.measure, &AnyExplorer::system);
  const auto names = (*explorer)->action_names();
  if (!options.without.empty() && std::ranges::find(names, options.without) == names.end()) {
    throw BadInput{unknown_name("action", options.without, names, " of " + options.measure)};
  }
  ShrinkTimesOptions how;
  how.seed = options.seed;
  how.without = options.without;
  how.time = std::chrono::seconds{options.seconds};
  fmt::print("{:<30} {:>8} {:>10} {:>9} {:>11} {:>9} {:>9}\n", "canary", "failures", "median at", "minimal",
             "judgements", "median s", "worst s");
  for (const auto& implementation : system.implementations()) {
    if (implementation.kind != Kind::canary) continue;
    const ShrinkTimes times = system.time_shrinking(implementation.name, how);
    if (times.runs.empty()) {
      fmt::print("{:<30} {:>8}\n", implementation.name, 0);
      continue;
    }
    const auto sorted = [&](auto member) {
      std::vector<double> values;
      for (const auto& run : times.runs) values.push_back(static_cast<double>(run.*member));
      std::ranges::sort(values);
      return values;
    };
    const auto seconds = sorted(&ShrinkTimes::Run::seconds);
    const auto steps = sorted(&ShrinkTimes::Run::step);
    const auto judgements = sorted(&ShrinkTimes::Run::judgements);
    const auto minimal = std::ranges::count_if(times.runs, &ShrinkTimes::Run::minimal);
    fmt::print("{:<30} {:>8} {:>10} {:>9} {:>11} {:>9.4f} {:>9.4f}\n", implementation.name, times.runs.size(),
               steps[steps.size() / 2], minimal, judgements[judgements.size() / 2], seconds[seconds.size() / 2],
               seconds.back());
    std::fflush(stdout);
  }
  return exit_agreed;
}

}  // namespace

void add_shrink(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ShrinkOptions>();
  CLI::App* const verb = program.add_subcommand("shrink", "Makes a failing scenario as small as it gets");
  verb->add_option("FILE", options->file, "A scenario that diverges");
  add_with(*verb, options->with, "those that the file names, else all optimized ones");
  verb->add_option("-o,--out", options->out, "Write the scenario here instead of to standard output");
  verb->add_option("--seconds", options->seconds, "Time to spend")->check(CLI::Range(1, 86'400))->capture_default_str();
  add_timeout(*verb, options->timeout);
  verb->add_option("--measure", options->measure,
                   "SYSTEM: instead, time the shrinking of failures of 256 actions for each of its canaries");
  verb->add_option("--without", options->without, "With --measure: leave out actions of this name");
  verb->add_option("--seed", options->seed, "With --measure: the stream of scenarios")
      ->check(whole_number())
      ->capture_default_str();
  verb->footer(
      "exit 1 when it diverges (the shrunk scenario is on standard output), 0 when there is nothing to shrink\n"
      "example: lockstep shrink long_failure.txt --out small.txt");
  verb->callback([options, &exit_code] {
    if (options->measure.empty() == options->file.empty()) throw BadInput{"shrink takes one file, or --measure SYSTEM"};
    exit_code = options->file.empty() ? measure(*options) : shrink(*options);
  });
}

}  // namespace lockstep
