// lockstep judge: the original problem's input in, its answer out.
#include <fmt/format.h>

#include "harness/plugin.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

void add_judge(CLI::App& program, int&) {
  struct Options {
    std::string game;
    std::string with;
    std::string file = "-";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* const verb = program.add_subcommand("judge", "Answers the original problem's input on standard input");
  verb->add_option("GAME", options->game, "The game")->required();
  verb->add_option("FILE", options->file, "The input; standard input when absent");
  verb->add_option("--with", options->with, "The simulator that answers; the fastest when absent");
  verb->footer("example: lockstep judge puyo < corpus/puyo/judge/01.in");
  verb->callback([options] {
    const AnyGame& game = game_named(options->game);
    if (names_plugin(options->with)) {
      throw BadInput{"'judge' prints what a simulator of this build answers; a plugin is judged by 'replay' and 'fuzz'"};
    }
    const auto simulator = resolve_simulator(game, options->with);
    if (!simulator) throw BadInput{simulator.error()};
    const std::string source = options->file == "-" ? "standard input" : options->file;
    fmt::print("{}", value_of(game.answer(read_input(options->file), *simulator), source));
  });
}

}  // namespace lockstep
