#include "games/puyo/workloads.hpp"

#include <cstdint>
#include <vector>

#include "games/puyo/suggestions.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {
namespace {

constexpr int full_fields = 4096;
constexpr int chain_fields = 512;
constexpr int plays = 512;

std::vector<Puyo::Action> play(Random& random, int length) {
  std::vector<Puyo::Action> actions;
  for (int i = 0; i < length; ++i) {
    if (random.chance(1, 8)) {
      actions.emplace_back(Puyo::Resolve{});
    } else {
      actions.emplace_back(Puyo::Drop{random.integer(1, 4), random.integer(0, Puyo::columns - 1)});
    }
  }
  return actions;
}

/// One scenario for each of `fields` setups: load it, resolve it.
Workload<Puyo> resolved(std::string_view name, int fields, auto&& draw_field) {
  Workload<Puyo> out{.name = name, .scenarios = {}};
  for (int i = 0; i < fields; ++i) out.scenarios.push_back({draw_field(), {Puyo::Resolve{}}});
  return out;
}

}  // namespace

Puyo::Setup Puyo::Workloads::full_field(Random& random, int colours_used) {
  Puyo::Setup setup;
  for (auto& cell : setup.board.cells) cell = static_cast<std::uint8_t>(random.integer(1, colours_used));
  return setup;
}

std::vector<Workload<Puyo>> Puyo::Workloads::all() {
  Random random{0x9077};
  std::vector<Workload<Puyo>> out;
  out.push_back(resolved("full_4_colours", full_fields, [&] { return full_field(random, 4); }));
  out.push_back(resolved("full_5_colours", full_fields, [&] { return full_field(random, 5); }));
  out.push_back(resolved("chain_12", chain_fields, [&] { return Puyo::Suggestions::chain_field(random, 12); }));
  Workload<Puyo> playing{.name = "play", .scenarios = {}};
  for (int i = 0; i < plays; ++i) playing.scenarios.push_back({Puyo::Setup{}, play(random, 64)});
  out.push_back(std::move(playing));
  return out;
}

}  // namespace lockstep
