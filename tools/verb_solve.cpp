// lockstep solve: reads the original problem's input and prints its answer.
#include "lockstep/process/child.hpp"
#include "lockstep/system/plugin.hpp"
#include "programs/problems.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct SolveOptions {
  std::string system;
  std::string with;
  std::string file = "-";
  int timeout = 300;
  std::size_t scenario = 0;  // the number of a case, whose scenario is printed; 0: the answer is printed
};

void print_scenario(const AnyProblem& problem, const std::string& file, std::size_t number) {
  const auto scenarios = value_of(texts_of_input(problem, read_input(file)), source_name(file));
  if (number > scenarios.size()) {
    throw BadInput{source_name(file) + ": --scenario " + std::to_string(number) + ": there " +
                   (scenarios.size() == 1 ? "is " : "are ") + counted(scenarios.size(), "case")};
  }
  fmt::print("{}", scenarios[number - 1]);
}

int solve(const SolveOptions& options) {
  const AnySystem& system = system_named(options.system);
  const AnyProblem* const problem = system.problem();
  if (problem == nullptr)
    throw BadInput{source_name(options.file) + ": " + options.system + " has no original problem to solve"};
  if (options.scenario > 0) {
    print_scenario(*problem, options.file, options.scenario);
    return exit_agreed;
  }
  if (names_plugin(options.with)) {
    throw BadInput{"'solve' runs the implementations of this build only; a plugin is judged by 'replay' and 'fuzz'"};
  }
  const auto implementation = or_refuse(resolve_implementation(system, options.with));
  const std::string source = source_name(options.file);
  const std::string input = read_input(options.file);
  // A child process: when the implementation crashes or hangs, the program reports it and exits with 1.
  const ChildResult result = run_in_child(
      [&]() -> std::string {
        const auto answer = answer_to_input(*problem, input, implementation);
        return answer ? "+" + *answer : "-" + answer.error().message(source);
      },
      std::chrono::seconds{options.timeout}, {});
  if (result.end == ChildResult::End::not_started) throw InternalError{result.reason};
  if (result.end != ChildResult::End::returned) {
    complain(implementation + " " + result.reason);
    return exit_diverged;
  }
  if (result.output.starts_with('-')) throw BadInput{result.output.substr(1)};
  fmt::print("{}", std::string_view{result.output}.substr(1));
  return exit_agreed;
}

}  // namespace

void add_solve(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<SolveOptions>(program, "solve", "Answers the original problem's input", exit_code, solve);
  verb->alias("judge");
  add_system(*verb, options->system);
  verb->add_option("FILE", options->file, "The input; default: standard input");
  verb->add_option("--with", options->with, "The implementation that answers; default: the fastest")->type_name("NAME");
  add_number(*verb, "--timeout", options->timeout, whole_number(1, 86'400),
             "Seconds after which the implementation counts as hung");
  verb->add_option(
          "--scenario", options->scenario,
          "Print the scenario of this case (counted from 1) instead of the answer, for replay, show and shrink")
      ->check(whole_number(1));
  verb->footer(exit_codes("answered", "the implementation crashed or hung") +
               "\nexample: lockstep solve SYSTEM < input.txt\n"
               "         lockstep solve SYSTEM --scenario 1 < input.txt | lockstep show -");
}

}  // namespace lockstep
