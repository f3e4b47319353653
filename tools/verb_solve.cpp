// lockstep judge: the original problem's input in, its answer out.
#include <fmt/format.h>

#include <cstdio>

#include "lockstep/child.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/services/problems.hpp"
#include "lockstep/words.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

void print_scenario(const Problems& problems, const std::string& file, std::size_t number) {
  const auto scenarios = value_of(problems.cases_of(read_input(file)), source_name(file));
  if (number > scenarios.size()) {
    throw BadInput{source_name(file) + ": --scenario " + std::to_string(number) + ": there " +
                   (scenarios.size() == 1 ? "is " : "are ") + counted(scenarios.size(), "case")};
  }
  fmt::print("{}", scenarios[number - 1]);
}

}  // namespace

void add_judge(CLI::App& program, int& exit_code) {
  struct Options {
    std::string system;
    std::string with;
    std::string file = "-";
    int timeout = 300;
    std::size_t scenario = 0;  // the number of a case; 0: the answer is wanted
  };
  const auto options = std::make_shared<Options>();
  CLI::App* const verb = program.add_subcommand("judge", "Answers the original problem's input on standard input");
  add_system(*verb, options->system);
  verb->add_option("FILE", options->file, "The input; standard input when absent");
  verb->add_option("--with", options->with, "The implementation that answers; the fastest when absent");
  verb->add_option("--timeout", options->timeout, "Seconds after which the implementation counts as hung")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  verb->add_option("--scenario", options->scenario,
                   "Instead of the answer the scenario of this case, counted from 1, for replay, show and shrink")
      ->check(whole_number(1));
  verb->footer(
      "exit 0 with an answer, 1 when the implementation crashed or hung\n"
      "example: lockstep judge puyo < corpus/puyo/judge/01.in\n"
      "         lockstep judge puyo --scenario 1 < corpus/puyo/judge/01.in | lockstep show -");
  verb->callback([options, &exit_code] {
    const AnySystem& system = system_named(options->system);
    const Problems* const problems = system.problems();
    if (problems == nullptr)
      throw BadInput{source_name(options->file) + ": " + options->system + " has no judge format"};
    if (options->scenario > 0) {
      print_scenario(*problems, options->file, options->scenario);
      return;
    }
    if (names_plugin(options->with)) {
      throw BadInput{
          "'judge' prints what an implementation of this build answers; a plugin is judged by 'replay' and 'fuzz'"};
    }
    const auto implementation = resolve_implementation(system, options->with);
    if (!implementation) throw BadInput{implementation.error()};
    const std::string source = source_name(options->file);
    const std::string input = read_input(options->file);
    // In a child: an implementation that crashes is named, and does not take the program with it.
    const ChildResult result = run_in_child(
        [&]() -> std::string {
          const auto answer = problems->answer(input, *implementation);
          return answer ? "+" + *answer : "-" + answer.error().message(source);
        },
        std::chrono::seconds{options->timeout}, {});
    if (result.end == ChildResult::End::not_started) throw InternalError{result.reason};
    if (result.end != ChildResult::End::returned) {
      std::fprintf(stderr, "lockstep: %s %s\n", implementation->c_str(), result.reason.c_str());
      exit_code = exit_diverged;
      return;
    }
    if (result.output.starts_with('-')) throw BadInput{result.output.substr(1)};
    fmt::print("{}", std::string_view{result.output}.substr(1));
  });
}

}  // namespace lockstep
