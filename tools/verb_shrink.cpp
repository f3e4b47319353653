// lockstep shrink: the smallest scenario that fails in the same way.
#include <fmt/format.h>

#include <iostream>

#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ShrinkOptions {
  std::string file;
  std::vector<std::string> with;
  std::string out;
  int seconds = 30;
  int timeout = 20;
};

int shrink(const ShrinkOptions& options) {
  const LoadedScenario loaded = load_scenario(options.file, split_names(options.with));
  const auto finding = value_of(
      loaded.game->shrink(loaded.text, loaded.simulators, Guard{std::chrono::seconds{options.timeout}},
                          std::chrono::seconds{options.seconds}),
      options.file);
  if (!finding) {
    std::cerr << options.file << ": agreed: there is nothing to shrink\n";
    return exit_agreed;
  }
  std::cerr << fmt::format("{} -> {} actions, {} judgements, {}\n", finding->actions_before, finding->actions,
                           finding->judgements, finding->minimal ? "minimal" : "budget spent");
  if (options.out.empty()) fmt::print("{}", finding->text);
  else write_output(options.out, finding->text);
  return exit_diverged;
}

}  // namespace

void add_shrink(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ShrinkOptions>();
  CLI::App* const verb = program.add_subcommand("shrink", "Makes a failing scenario as small as it gets");
  verb->add_option("FILE", options->file, "A scenario that diverges")->required();
  verb->add_option("--with", options->with, "Simulators to judge beside the reference (NAME,NAME)")
      ->allow_extra_args(false);
  verb->add_option("-o,--out", options->out, "Write the scenario here instead of to standard output");
  verb->add_option("--seconds", options->seconds, "Time to spend")->check(CLI::Range(1, 86'400))->capture_default_str();
  verb->add_option("--timeout", options->timeout, "Seconds that one action may take before it counts as a hang")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  verb->footer("exit 1 when it diverges (the shrunk scenario is on standard output), 0 when there is nothing to shrink\n"
               "example: lockstep shrink long_failure.txt --out small.txt");
  verb->callback([options, &exit_code] { exit_code = shrink(*options); });
}

}  // namespace lockstep
