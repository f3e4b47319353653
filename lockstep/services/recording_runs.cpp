// Runs recorded in child processes, so that one that dies or hangs is recorded up to there.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "lockstep/base/json.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/recording.hpp"
#include "lockstep/services/stats.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/plugin.hpp"

namespace lockstep {

LOCKSTEP_JSON(RunEnd, step, reason)
LOCKSTEP_JSON(PositionRange, first, last)
LOCKSTEP_JSON(RecordedRun, range, end, positions)

namespace {

/// Records one implementation in a child. When it dies, those of its positions are recorded that it reached before.
RecordedRun recorded_in_child(std::size_t implementation, PositionRange range, std::size_t position,
                              const StartRun& start, Guard guard, std::size_t bytes) {
  std::optional<RunEnd> death;
  for (std::size_t actions = range.last;;) {
    const SharedStats stats = share_stats();
    const PositionRange part{std::min(range.first, actions), actions};
    const auto result = run_in_child(
        [&] {
          const RunSource source = start(implementation, actions, part, stats->progress.step);
          const auto tick = [&] { stats->scenarios.fetch_add(1); };
          return dumped(nlohmann::json(recorded_run(source, part, position, bytes, tick)));
        },
        guard.timeout, ChildProcess::quiet(), [&] { return heartbeat_of(*stats); });
    if (result.end == ChildResult::End::returned) {
      RecordedRun out = nlohmann::json::parse(result.output);
      if (!out.end) out.end = death;
      if (out.range.last == actions) out.range.last = range.last;  // what is missing at the end was not cut
      return out;
    }
    const std::size_t in_flight = std::min<std::size_t>(stats->progress.step, actions);
    death = RunEnd{std::min(in_flight + 1, actions), result.reason};
    if (death->step <= range.first || result.end == ChildResult::End::not_started) {
      death->step = range.first;
      return {{}, range, death, "[]"};
    }
    actions = death->step - 1;
  }
}

RunSource run_source(const Runner& implementation, const AnyScenario& scenario, PositionRange range,
                     volatile std::uint32_t& in_flight) {
  const auto* const plugin = known_plugin(implementation.name);
  if (plugin == nullptr) return traced_source(implementation, scenario, range, &in_flight);
  const RunSource like = traced_source(reference_of(scenario.vocabulary()), scenario, range, nullptr);
  std::vector<std::uint64_t> positions;
  for (std::size_t position = range.first; position <= range.last; ++position) positions.push_back(position);
  const auto texts = std::make_shared<const PluginTexts>(texts_of_run(*plugin, scenario, positions, in_flight));
  const std::size_t shown = std::min(texts->snapshots.size(), positions.size());
  RunSource out;
  if (shown < positions.size() || texts->answers.size() < range.last) {
    out.end = RunEnd{range.first + std::min(shown, texts->answers.size()),
                     texts->refusal.empty() ? "gave no more answers" : "refused: " + texts->refusal};
  }
  out.state = [texts, like, range](std::size_t position) {
    const bool has_like = !like.end || position < like.end->step;
    return structured(texts->snapshots.at(position - range.first), has_like ? like.state(position) : RecordedFields{});
  };
  out.answer = [texts, like](std::size_t position) {
    return structured(texts->answers.at(position - 1), like.answer(position));
  };
  return out;
}

}  // namespace

std::vector<RecordedRun> record_runs(const std::vector<std::string>& implementations, PositionRange range,
                                     std::size_t position, const StartRun& start, Guard guard, std::size_t bytes) {
  const std::size_t share = bytes / std::max<std::size_t>(1, implementations.size());
  std::vector<RecordedRun> out(implementations.size());
  // A run that was cut narrows the range of all; one that was recorded with a wider range is recorded again. Ranges only
  // become narrower, so this ends.
  for (std::size_t i = 0, narrow = 0; narrow < implementations.size(); i = (i + 1) % implementations.size()) {
    if (out[i].positions.empty() || out[i].range != range) {
      out[i] = recorded_in_child(i, range, position, start, guard, share);
      out[i].implementation = implementations[i];
    }
    narrow = out[i].range == range ? narrow + 1 : 1;
    range = out[i].range;
  }
  return out;
}

Recording recording_of(const AnyScenario& scenario, const std::vector<std::string>& names, std::size_t position,
                       Guard guard) {
  const auto implementations = implementations_named(scenario.vocabulary(), names);
  Recording out;
  out.total = scenario.size();
  out.range = positions_around(
      std::min(position, out.total), out.total,
      std::clamp<std::size_t>(recorded_cells_max / (area_of(scenario) + 1024), 16, recorded_positions_max));
  const auto start = [&](std::size_t implementation, std::size_t actions, PositionRange range,
                         volatile std::uint32_t& in_flight) {
    AnyScenario prefix = scenario;
    prefix.truncate(actions);
    return run_source(implementations[implementation], prefix, range, in_flight);
  };
  out.runs = record_runs(names, out.range, std::min(position, out.total), start, guard);
  out.range = out.runs.front().range;
  out.actions = recorded_actions(scenario, out.range);
  return out;
}

}  // namespace lockstep
