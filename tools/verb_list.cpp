// lockstep list: the games and who plays them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ListOptions {
  bool json = false;
  bool canaries = false;
};

void list(const ListOptions& options) {
  nlohmann::ordered_json games = nlohmann::json::array();
  for (const auto& game : all_games()) {
    nlohmann::ordered_json simulators = nlohmann::json::array();
    if (!options.json) fmt::print("{}\n", game->name());
    for (const auto& simulator : game->simulators()) {
      if ((simulator.kind == Kind::canary) != options.canaries) continue;
      simulators.push_back({{"name", simulator.name}, {"kind", to_string(simulator.kind)}});
      if (!options.json) {
        fmt::print("  {:<34} {:<10} {}\n", simulator.name, to_string(simulator.kind), simulator.about);
      }
    }
    games.push_back({{"name", game->name()}, {"simulators", simulators}});
  }
  if (options.json) fmt::print("{}\n", nlohmann::ordered_json{{"games", games}}.dump(2));
}

}  // namespace

void add_list(CLI::App& program, int&) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* const verb = program.add_subcommand("list", "The games and their simulators");
  verb->add_flag("--json", options->json, "As JSON: {\"games\":[{\"name\",\"simulators\":[{\"name\",\"kind\"}]}]}");
  verb->add_flag("--canaries", options->canaries, "The simulators that are wrong on purpose instead");
  verb->footer("example: lockstep list --canaries");
  verb->callback([options] { list(*options); });
}

}  // namespace lockstep
