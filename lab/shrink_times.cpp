// Measures shrinking: for every canary of a game, up to ten failures of 256 actions on boards of up to 20 × 20 cells,
// each judged against the reference alone. Times are processor times.
//
// usage: ./dev lab shrink-times GAME [--without ACTION] [--seed N] [--seconds N] [--failures N] [--steps]
//
// --without omits actions of that name, --seed chooses the stream of scenarios, --seconds limits the time for each failure,
// and --failures their number. Prints a table with a line for each canary. --steps: instead a line for each step of the
// shrinker, with what becomes of all failures when it is left out. Exit status 2: the command line is wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "games/block_game/system.hpp"
#include "games/omok/system.hpp"
#include "games/puyo/system.hpp"
#include "games/stacking/system.hpp"
#include "games/ts_tetris/system.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"

namespace lockstep::lab {
namespace {

constexpr std::size_t actions_each = 256;
constexpr std::uint64_t area_max = 20 * 20;
constexpr std::uint64_t tries_max = 20'000;

struct Options {
  std::string game;
  std::string without;  // an action's name
  std::uint64_t seed = 1;
  int seconds = 30;           // for each failure
  std::size_t failures = 10;  // of each canary
  bool steps = false;
};

struct Run {
  std::size_t step = 0;  // the diverging step before shrinking
  std::uint64_t judgements = 0;
  double seconds = 0;
  bool minimal = false;
};

template <class S>
std::vector<std::string> action_names() {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < action_kinds<typename S::Action>; ++kind) {
    names.emplace_back(action_name(alternative<typename S::Action>(kind)));
  }
  return names;
}

/// An action that is possible after a setup.
template <class S>
typename S::Action draw_action(Random& random, const typename S::Setup& setup) {
  AnyScenario any = any_of<S>({.setup = setup, .actions = {}});
  any.grow([&](AnyScenario::TryAction try_one) { draw_action(random, any.vocabulary(), try_one); });
  return std::move(typed<S>(any).actions.at(0));
}

/// A drawn scenario with `actions_each` actions, none of them named `without`.
template <class S>
Scenario<S> long_scenario(Random& random, Style style, const std::string& without) {
  Scenario<S> scenario = draw_scenario<S>(random, style);
  const auto is_unwanted = [&](const typename S::Action& action) { return action_name(action) == without; };
  std::erase_if(scenario.actions, is_unwanted);
  if (scenario.actions.size() > actions_each) scenario.actions.resize(actions_each);
  while (scenario.actions.size() < actions_each) {
    const auto action = draw_action<S>(random, scenario.setup);
    if (!is_unwanted(action)) scenario.actions.push_back(action);
  }
  return scenario;
}

/// Calls shrunk_at(step, shrink) for some failures of the canary; shrink(without) shrinks one without that step.
template <class S>
void each_failure(const Runner& reference, const Runner& canary, const Options& options, auto shrunk_at) {
  Judge judge{vocabulary<S>(), {reference, canary}};
  std::size_t found = 0;
  for (std::uint64_t i = 0; i < tries_max && found < options.failures; ++i) {
    Random random{seed_of(options.seed, i)};
    const AnyScenario failing = any_of<S>(long_scenario<S>(random, styles[i % styles.size()], options.without));
    if (area_of(failing) > area_max) continue;
    const Verdict verdict = judge.judge(failing);
    if (!verdict.divergence) continue;
    ++found;
    shrunk_at(verdict.divergence->step, [&](std::string_view without) {
      return Shrinker{[&](const AnyScenario& s) { return judge.judge(s); },
                      reference,
                      {.time = std::chrono::seconds{options.seconds}, .without = without}}
          .shrink(failing);
    });
  }
}

void print(std::string_view canary, const std::vector<Run>& runs) {
  if (runs.empty()) {
    fmt::print("{:<30} {:>8}\n", canary, 0);
    return;
  }
  const auto sorted = [&](auto member) {
    std::vector<double> values;
    for (const Run& run : runs) values.push_back(static_cast<double>(run.*member));
    std::ranges::sort(values);
    return values;
  };
  const auto median = [&](auto member) { return sorted(member)[runs.size() / 2]; };
  fmt::print("{:<30} {:>8} {:>10} {:>9} {:>11} {:>9.4f} {:>9.4f}\n", canary, runs.size(), median(&Run::step),
             std::ranges::count_if(runs, &Run::minimal), median(&Run::judgements), median(&Run::seconds),
             sorted(&Run::seconds).back());
  std::fflush(stdout);
}

/// What becomes of the failures of all canaries when one of the shrinker's steps is left out.
template <class S>
void print_steps(const Runner& reference, const Options& options) {
  std::vector<std::string_view> steps = shrink_steps();
  steps.insert(steps.begin(), "nothing");  // no step has that name
  std::vector<std::array<std::uint64_t, 3>> rows(steps.size());
  for (const auto& canary : registry<S>()) {
    if (canary.kind != Kind::canary) continue;
    each_failure<S>(reference, canary, options, [&](std::size_t, auto shrink) {
      const AnyScenario whole = shrink("nothing").scenario;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const Shrunk now = shrink(steps[i]);
        rows[i][0] += smaller(whole, now.scenario, size_of(now.scenario)) ? 1 : 0;
        rows[i][1] += smaller(now.scenario, whole, size_of(whole)) ? 1 : 0;
        rows[i][2] += now.judgements - now.wider;
      }
    });
  }
  fmt::print("{:<30} {:>8} {:>8} {:>11}\n", "without", "larger", "smaller", "judgements");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    fmt::print("{:<30} {:>8} {:>8} {:>11}\n", steps[i], rows[i][0], rows[i][1], rows[i][2]);
  }
}

/// Throws std::invalid_argument when the game has no action called `options.without`.
template <class S>
void measure(const Options& options) {
  const auto names = action_names<S>();
  if (!options.without.empty() && std::ranges::find(names, options.without) == names.end()) {
    throw std::invalid_argument{unknown_name("action", options.without, names, " of " + options.game)};
  }
  const Runner& reference = reference_of(vocabulary<S>());
  if (options.steps) return print_steps<S>(reference, options);
  fmt::print("{:<30} {:>8} {:>10} {:>9} {:>11} {:>9} {:>9}\n", "canary", "failures", "median at", "minimal",
             "judgements", "median s", "worst s");
  for (const auto& implementation : registry<S>()) {
    if (implementation.kind != Kind::canary) continue;
    std::vector<Run> runs;
    each_failure<S>(reference, implementation, options, [&](std::size_t step, auto shrink) {
      const std::clock_t start = std::clock();
      const Shrunk shrunk = shrink({});
      const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      runs.push_back({step, shrunk.judgements, taken, shrunk.minimal});
    });
    print(implementation.name, runs);
  }
}

struct Game {
  std::string_view name;
  void (*measure)(const Options&);
};
template <class S>
constexpr Game game = {S::name, &measure<S>};
constexpr Game games[] = {game<Puyo>, game<BlockGame>, game<Stacking>, game<TsTetris>, game<Omok>};

void measure_named(const Options& options) {
  const auto found = std::ranges::find(games, options.game, &Game::name);
  if (found == std::end(games)) {
    std::vector<std::string> names;
    for (const Game& each : games) names.emplace_back(each.name);
    throw std::invalid_argument{unknown_name("game", options.game, names)};
  }
  found->measure(options);
}

}  // namespace
}  // namespace lockstep::lab

int main(int argc, char** argv) {
  using namespace lockstep::lab;
  Options options;
  CLI::App program{"How long shrinking takes, for every canary of a game, on failures of 256 actions on small boards",
                   "./dev lab shrink-times"};
  program.add_option("GAME", options.game, "The game")->required();
  program.add_option("--without", options.without, "Leave out actions of this name");
  program.add_option("--seed", options.seed, "The stream of scenarios")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "expected a whole number from 0, got '" + text + "'" : std::string{};
      })
      ->capture_default_str();
  program.add_option("--seconds", options.seconds, "Time to spend on each failure")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  program.add_option("--failures", options.failures, "Failures of each canary, at most")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  program.add_flag("--steps", options.steps, "Leave out each step of the shrinker instead");
  program.footer("example: ./dev lab shrink-times stacking --without play");
  try {
    program.parse(argc, argv);
    measure_named(options);
  } catch (const CLI::ParseError& fault) {
    return program.exit(fault) == 0 ? 0 : 2;
  } catch (const std::invalid_argument& fault) {
    fmt::print(stderr, "shrink-times: {}\n", fault.what());
    return 2;
  }
  return 0;
}
