// lockstep explain: shows which actions, fields and cells matter to a failure.
#include "lockstep/services/finding_json.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ExplainOptions : FailureOptions {
  bool json = false;
};

int explain_file(const ExplainOptions& options) {
  const LoadedScenario loaded = options.load();
  const auto explanation = explanation_of(loaded.scenario, loaded.implementations, options.guard, options.time());
  if (!explanation && loaded.notes.memory()) throw BadInput{loaded.memory_notice()};
  if (!explanation) return nothing_to("explain", loaded, options.guard);
  if (options.json) print_json(nlohmann::json(*explanation));
  else fmt::print("{}", explained(*explanation, colours_wanted(STDOUT_FILENO)));
  return exit_diverged;
}

}  // namespace

std::string explained(const Explanation& explanation, bool colour) {
  std::string out = "signature: " + explanation.signature + "\n\n" + explanation_text(explanation, colour) + "\n";
  out += colour ? "grey: changed alone, it leaves the failure as it is\n"
                : "'*' matters; '.' and (…), changed alone, leave the failure as it is; ' ' cannot be changed alone\n";
  const auto is_free = [](const ExplainedWord& word) { return word.matter == Matter::free; };
  const bool some_free = std::ranges::any_of(
      explanation.lines, [&](const ExplainedLine& line) { return std::ranges::any_of(line.words, is_free); });
  if (some_free && explanation.redrawn > 0) {
    out +=
        fmt::format("all that does not matter drawn anew at once: {} of {} {} in the same way\n",
                    explanation.redrawn_that_fail, counted(static_cast<std::uint64_t>(explanation.redrawn), "scenario"),
                    explanation.redrawn_that_fail == 1 ? "fails" : "fail");
  }
  if (!explanation.complete) out += "the time was spent before everything was tried ('?'): --seconds gives more\n";
  return out;
}

void add_explain(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<ExplainOptions>(
      program, "explain", "Shows which actions, fields and cells matter to a failure", exit_code, explain_file);
  add_failure_options(*verb, *options, "A scenario that diverges, shrunk or not");
  verb->add_flag("--json", options->json, "Print one JSON object: every line of the scenario with its words");
  verb->footer(exit_codes("the implementations agree: nothing to explain", "they differ") +
               "\nexample: lockstep explain findings/SYSTEM-0123456789abcdef.txt");
}

}  // namespace lockstep
