// lockstep shrink: makes a failing scenario minimal. The signature of the failure does not change.
#include <fmt/format.h>

#include <iostream>

#include "lockstep/services/judging.hpp"
#include "lockstep/words.hpp"
#include "tools/interrupt.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ShrinkOptions {
  std::string file;
  std::vector<std::string> with;
  std::string out;
  int seconds = 30;
  Guard guard;
};

int shrink(const ShrinkOptions& options) {
  const LoadedScenario loaded = load_scenario(options.file, split_names(options.with));
  catch_interrupts();
  const auto finding = shrunk_finding(loaded.scenario, loaded.implementations, options.guard,
                                      std::chrono::seconds{options.seconds}, {}, interrupted);
  if (!finding && interrupted()) return exit_interrupted;
  if (!finding) return nothing_to("shrink", loaded, options.guard);
  std::cerr << fmt::format("{} -> {}, {}, {}\n", finding->actions_before, counted(finding->actions, "action"),
                           counted(finding->judgements, "judgement"),
                           finding->minimal ? "minimal"
                           : interrupted()  ? "interrupted"
                                            : "budget spent");
  if (options.out.empty()) fmt::print("{}", finding_text(*finding));
  else keep_or_print(options.out, "shrunk scenario", finding_text(*finding));
  return exit_diverged;
}

}  // namespace

void add_shrink(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<ShrinkOptions>(program, "shrink", "Shrinks a failing scenario until it is minimal", exit_code, shrink);
  verb->add_option("FILE", options->file, "A scenario that diverges")->required();
  add_with(*verb, options->with, with_default_of_file);
  add_path(*verb, "-o,--out", "FILE", options->out, "File for the shrunk scenario; default: standard output");
  add_number(*verb, "--seconds", options->seconds, seconds_between(1, 86'400, true), "Time limit");
  add_timeout(*verb, options->guard.timeout);
  verb->footer(exit_codes("the implementations agree: nothing to shrink", "they differ") +
               "\nexample: lockstep shrink long_failure.txt --out small.txt");
}

}  // namespace lockstep
