// Counts chains without recording what vanished: puyo/count_chains/WORKLOAD/….
//
//   lanes   one field after the other
//   batch   4,096 fields at once, at the level in use
//
// Times are per field, from bitboards to the numbers of chains; the fields are prepared off the clock. Each is compared
// with the reference before the clock starts.
#include <benchmark/benchmark.h>

#include <span>
#include <string>
#include <vector>

#include "bench/batch/timing.hpp"
#include "bench/benchmarks.hpp"
#include "games/puyo/laws.hpp"
#include "games/puyo/roster.hpp"
#include "games/puyo/workloads.hpp"

namespace lockstep::bench {
namespace {

using optimized::LanesPuyo;
using Fields = std::vector<Scenario<Puyo>>;

constexpr std::size_t batch_size = 4096;

/// Whether each field has as many chains as the reference counts. On demand, nothing is compared (bench/benchmarks.hpp).
bool are_right(std::span<const std::uint8_t> chains, const Fields& fields) {
  if (run().on_demand) return true;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    reference::RulebookPuyo rulebook{fields[i].setup};
    if (chains[i] != rulebook.step(Puyo::Resolve{}).chains) return false;
  }
  return true;
}

void one_by_one(benchmark::State& state, const Fields& fields) {
  std::vector<LanesPuyo> starts;
  for (const auto& scenario : fields) starts.emplace_back(scenario.setup);
  std::vector<LanesPuyo> ready = starts;
  std::vector<std::uint8_t> chains;
  for (auto& field : ready) chains.push_back(static_cast<std::uint8_t>(field.count_chains()));
  if (!are_right(chains, fields)) return disagree(state, "lanes and the reference count different chains");
  time_laps(
      state, fields.size(), [&] { ready = starts; },
      [&] {
        for (auto& field : ready) observe_answer(field.count_chains());
      });
}

void batch(benchmark::State& state, const Fields& given) {
  const Fields fields = [&] {
    Fields out;
    for (std::size_t i = 0; i < batch_size; ++i) out.push_back(given[i % given.size()]);
    return out;
  }();
  std::vector<optimized::PuyoFields::Field> starts;
  for (const auto& scenario : fields) starts.push_back(Puyo::Laws::bits_of(scenario.setup.board));
  optimized::PuyoFields ready{batch_size};
  std::vector<std::uint8_t> chains(batch_size);
  const auto make_ready = [&] {
    for (std::size_t i = 0; i < batch_size; ++i) ready.set(i, starts[i]);
  };
  make_ready();
  ready.count_chains(chains);
  if (!are_right(chains, fields)) return disagree(state, "batch and the reference count different chains");
  time_laps(state, batch_size, make_ready, [&] {
    ready.count_chains(chains);
    observe_answer(chains);
  });
}

std::expected<void, std::string> add_counts() {
  const auto resolved_once = [](const Fields& fields) { return ask_only<Puyo>(fields, Puyo::Resolve{}); };
  return add_timed<Puyo>("count_chains", resolved_once, {{"lanes", one_by_one}, {"batch", batch}});
}

[[maybe_unused]] const bool added_counts = add_section(&add_counts);

}  // namespace
}  // namespace lockstep::bench
