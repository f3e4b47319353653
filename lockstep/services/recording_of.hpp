// Recordings as templates over a system.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "lockstep/measure.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/traced_run.hpp"

namespace lockstep {

/// The texts of a plugin at all positions.
class PluginTexts final : public PluginListener {
 public:
  std::vector<std::vector<Field>> answers;    // answers[i]: to action i
  std::vector<std::vector<Field>> snapshots;  // in the order of the positions that were asked for

  void observation(std::string_view lines) override { answers.push_back(fields_of(lines)); }
  void snapshot(std::string_view lines) override { snapshots.push_back(fields_of(lines)); }
};

template <System S>
RunSource run_source(const AnyImplementation<S>& implementation, const Scenario<S>& scenario, PositionRange range,
                     volatile std::uint32_t& in_flight) {
  const auto* const plugin = known_plugin(implementation.name);
  if (plugin == nullptr) return traced_source<S>(implementation, scenario, range, &in_flight);
  const RunSource like = traced_source<S>(reference_of<S>(), scenario, range, nullptr);
  const auto texts = std::make_shared<PluginTexts>();
  std::vector<std::uint64_t> positions;
  for (std::size_t position = range.first; position <= range.last; ++position) positions.push_back(position);
  const std::string refusal =
      run_plugin(*plugin->implementation, scenario_text<S>(scenario), positions, in_flight, *texts);
  const std::size_t shown = std::min(texts->snapshots.size(), positions.size());
  RunSource out;
  if (shown < positions.size() || texts->answers.size() < range.last) {
    out.end = RunEnd{range.first + std::min(shown, texts->answers.size()),
                     refusal.empty() ? "gave no more answers" : "refused: " + refusal};
  }
  out.state = [texts, like, range](std::size_t position) {
    return structured(texts->snapshots.at(position - range.first), like.state(position));
  };
  out.answer = [texts, like](std::size_t position) {
    return structured(texts->answers.at(position - 1), like.answer(position));
  };
  return out;
}

/// The scenario's recording around a position, which is the first that differs, or the last.
template <System S>
Recording recording_of(const Scenario<S>& scenario, const std::vector<std::string>& names, std::size_t position,
                       Guard guard) {
  const auto implementations = implementations_named<S>(names);
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  Recording out;
  out.total = scenario.actions.size();
  out.range = positions_around(
      std::min(position, out.total), out.total,
      std::clamp<std::size_t>(recorded_cells_max / (measure.total.area + 1024), 16, recorded_positions_max));
  const auto start = [&](std::size_t implementation, std::size_t actions, PositionRange range,
                         volatile std::uint32_t& in_flight) {
    Scenario<S> prefix = scenario;
    prefix.actions.resize(actions);
    return run_source<S>(implementations[implementation], prefix, range, in_flight);
  };
  out.runs = record_runs(names, out.range, std::min(position, out.total), start, guard);
  out.range = out.runs.front().range;
  out.actions = recorded_actions<S>(scenario, out.range);
  return out;
}

}  // namespace lockstep
