// Compiled once per system, into plugin_GAME.so: this build's implementations behind lockstep/plugin.h, so that builds
// of other versions can judge them. Without canaries.
#include LOCKSTEP_SYSTEM

#include <algorithm>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "lockstep/describe/fields.hpp"
#include "lockstep/plugin.h"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/scenario_of.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

using S = ThisSystem;
using Positions = std::span<const std::uint64_t>;

/// The cadence that takes all wanted snapshots, and no others as long as both sides use the same rule.
Cadence cadence_for(Positions wanted, std::size_t total) {
  Cadence out;
  for (const std::uint64_t position : wanted) {
    if (takes_snapshot(out, position, total)) continue;
    if (out.dense_from > out.dense_to) out.dense_from = position;
    out.dense_to = position;
  }
  return out;
}

/// Reports the trace's observations and snapshots in the order in which they were made.
void tell(const Trace<S>& trace, Cadence cadence, Positions wanted, lockstep_run& run) {
  const std::size_t total = trace.observations.size();
  for (std::size_t done = 0, taken = 0; done <= total; ++done) {
    if (done > 0) run.observation(&run, lines_of(observation_fields<S>(trace.observations[done - 1])).c_str());
    if (!takes_snapshot(cadence, done, total)) continue;
    const auto& snapshot = trace.snapshots[taken++];
    if (std::ranges::binary_search(wanted, done)) run.snapshot(&run, lines_of(snapshot_fields<S>(snapshot)).c_str());
  }
}

const char* play_scenario(const lockstep_simulator* self, lockstep_run* run) noexcept {
  thread_local std::string failure;
  try {
    const auto scenario = parse_scenario(vocabulary<S>(), run->scenario);
    if (!scenario) {
      failure = scenario.error().message("scenario");
      return failure.c_str();
    }
    const Positions wanted{run->positions, run->position_count};
    const Cadence cadence = cadence_for(wanted, scenario->size());
    thread_local AnyTrace trace = vocabulary<S>().trace();  // reuses its memory for the next scenario
    trace.head().progress = run->under_way;
    std::ranges::find(registry<S>(), std::string_view{self->name}, &Runner::name)->run(*scenario, cadence, trace);
    tell(typed<S>(trace), cadence, wanted, *run);
    return nullptr;
  } catch (const std::exception& fault) {
    failure = fault.what();
    return failure.c_str();
  }
}

/// The names in the registry are string literals, hence null-terminated: data() is a C string.
std::vector<lockstep_simulator> entries() {
  std::vector<lockstep_simulator> out;
  for (const auto& each : registry<S>())
    out.push_back({S::name.data(), each.name.data(), each.about.data(), play_scenario});
  return out;
}

}  // namespace
}  // namespace lockstep

extern "C" [[gnu::visibility("default")]] const lockstep_plugin* lockstep_plugin_entry(void) {
  static const std::vector<lockstep_simulator> implementations = lockstep::entries();
  static const lockstep_plugin plugin{LOCKSTEP_PLUGIN_VERSION, static_cast<std::uint32_t>(implementations.size()),
                                      implementations.data()};
  return &plugin;
}
