// lockstep shrink: makes a failing scenario minimal. The signature of the failure does not change.
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ShrinkOptions : FailureOptions {
  std::string out;
};

int shrink(const ShrinkOptions& options) {
  const LoadedScenario loaded = options.load();
  catch_interrupts();
  const auto finding =
      shrunk_finding(loaded.scenario, loaded.implementations, options.guard, options.time(), {}, interrupted);
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
  options->seconds = 30;
  add_failure_options(*verb, *options, "A scenario that diverges");
  add_path(*verb, "-o,--out", "FILE", options->out, "File for the shrunk scenario; default: standard output");
  verb->footer(exit_codes("the implementations agree: nothing to shrink", "they differ") +
               "\nexample: lockstep shrink long_failure.txt --out small.txt");
}

}  // namespace lockstep
