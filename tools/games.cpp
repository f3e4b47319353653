#include "tools/any_game.hpp"

#include <algorithm>

#include "harness/words.hpp"

namespace lockstep {

const AnyGame* find_game(std::string_view name) {
  const auto games = all_games();
  const auto found = std::ranges::find(games, name, [](const auto& game) { return game->name(); });
  return found == games.end() ? nullptr : found->get();
}

namespace {

std::string unknown_simulator(const AnyGame& game, const std::string& name) {
  std::vector<std::string> known;
  std::vector<std::string> right;  // not wrong on purpose; of canaries there are too many to be read
  for (const auto& simulator : game.simulators()) {
    known.push_back(simulator.name);
    if (simulator.kind != Kind::canary) right.push_back(simulator.name);
  }
  const std::string of = " of " + std::string{game.name()};
  if (!nearest(name, known).empty()) return unknown_name("simulator", name, known, of);
  return unknown_name("simulator", name, right, of) + ", and the canaries of 'lockstep list --canaries'";
}

/// The name as the roster spells it; empty when nobody has it.
std::string spelled(const std::vector<SimulatorInfo>& all, const std::string& name) {
  for (const auto& simulator : all) {
    if (simulator.name == name || (name == "reference" && simulator.kind == Kind::reference)) return simulator.name;
  }
  return {};
}

}  // namespace

std::expected<std::vector<std::string>, std::string> resolve_simulators(const AnyGame& game,
                                                                        const std::vector<std::string>& names) {
  const auto all = game.simulators();
  std::vector<std::string> out = {spelled(all, "reference")};
  for (const auto& name : names) {
    const std::string known = spelled(all, name);
    if (known.empty()) return std::unexpected(unknown_simulator(game, name));
    if (std::ranges::find(out, known) == out.end()) out.push_back(known);
  }
  if (names.empty()) {
    for (const auto& simulator : all) {
      if (simulator.kind == Kind::optimized) out.push_back(simulator.name);
    }
  }
  return out;
}

std::expected<std::string, std::string> resolve_simulator(const AnyGame& game, const std::string& name) {
  const auto all = game.simulators();
  if (!name.empty()) {
    std::string known = spelled(all, name);
    if (!known.empty()) return known;
    return std::unexpected(unknown_simulator(game, name));
  }
  std::string fastest = spelled(all, "reference");
  for (const auto& simulator : all) {
    if (simulator.kind == Kind::optimized) fastest = simulator.name;
  }
  return fastest;
}

}  // namespace lockstep
