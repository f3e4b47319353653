// lockstep validate: says whether an input is one of the original problem, within its limits and guarantees.
#include "programs/problems.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

void add_validate(CLI::App& program, int& exit_code) {
  struct Options {
    std::string system;
    std::string file = "-";
  };
  const auto validate = [](const Options& options) {
    const SystemInputs inputs = problem_inputs(system_named(options.system));
    const auto cases = value_of(inputs.cases_of(read_input(options.file)), source_name(options.file));
    fmt::print("valid: {}\n", counted(cases.size(), "case"));
  };
  const auto [verb, options] =
      add_verb<Options>(program, "validate", "Says whether an input keeps the original problem's limits and guarantees",
                        exit_code, validate);
  add_system(*verb, options->system);
  verb->add_option("FILE", options->file, "The input; default: standard input");
  verb->footer(
      "exit codes: 0 valid, 2 not valid, or a wrong command line, 3 internal error"
      "\nexample: lockstep validate SYSTEM < input.txt");
}

}  // namespace lockstep
