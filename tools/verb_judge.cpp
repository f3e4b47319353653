// lockstep judge: the original problem's input in, its answer out.
#include <fmt/format.h>

#include <cstdio>

#include "harness/plugin.hpp"
#include "tools/guard.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

void add_judge(CLI::App& program, int& exit_code) {
  struct Options {
    std::string game;
    std::string with;
    std::string file = "-";
    int timeout = 300;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* const verb = program.add_subcommand("judge", "Answers the original problem's input on standard input");
  verb->add_option("GAME", options->game, "The game")->required();
  verb->add_option("FILE", options->file, "The input; standard input when absent");
  verb->add_option("--with", options->with, "The simulator that answers; the fastest when absent");
  verb->add_option("--timeout", options->timeout, "Seconds after which the simulator counts as hung")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  verb->footer("exit 0 with an answer, 1 when the simulator crashed or hung\n"
               "example: lockstep judge puyo < corpus/puyo/judge/01.in");
  verb->callback([options, &exit_code] {
    const AnyGame& game = game_named(options->game);
    if (names_plugin(options->with)) {
      throw BadInput{"'judge' prints what a simulator of this build answers; a plugin is judged by 'replay' and 'fuzz'"};
    }
    const auto simulator = resolve_simulator(game, options->with);
    if (!simulator) throw BadInput{simulator.error()};
    const std::string source = source_name(options->file);
    const std::string input = read_input(options->file);
    // In a child: a simulator that crashes is named, and does not take the program with it.
    const ChildResult result = run_in_child(
        [&]() -> std::string {
          const auto answer = game.answer(input, *simulator);
          return answer ? "+" + *answer : "-" + answer.error().message(source);
        },
        std::chrono::seconds{options->timeout}, false);
    if (result.end == ChildResult::End::not_started) throw OwnFault{result.reason};
    if (result.end != ChildResult::End::returned) {
      std::fprintf(stderr, "lockstep: %s %s\n", simulator->c_str(), result.reason.c_str());
      exit_code = exit_diverged;
      return;
    }
    if (result.output.starts_with('-')) throw BadInput{result.output.substr(1)};
    fmt::print("{}", std::string_view{result.output}.substr(1));
  });
}

}  // namespace lockstep
