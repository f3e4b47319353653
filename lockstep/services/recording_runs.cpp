// Runs recorded in child processes, so that one that dies or hangs is recorded up to there.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "lockstep/child.hpp"
#include "lockstep/json.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/recording.hpp"
#include "lockstep/stats.hpp"

namespace lockstep {
namespace {

/// The recorded run as a message between processes, and back.
std::string message_of(const RecordedRun& run) {
  nlohmann::json out{{"first", run.range.first}, {"last", run.range.last}, {"positions", run.positions}};
  if (run.end) out["end"] = {{"step", run.end->step}, {"reason", run.end->reason}};
  return dumped(out);
}

RecordedRun run_from(const std::string& message) {
  const auto in = nlohmann::json::parse(message);
  RecordedRun out;
  out.range = {in.at("first"), in.at("last")};
  out.positions = in.at("positions").get<std::string>();
  if (in.contains("end")) out.end = RunEnd{in.at("end").at("step"), in.at("end").at("reason")};
  return out;
}

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
          return message_of(recorded_run(source, part, position, bytes, [&] { stats->scenarios.fetch_add(1); }));
        },
        guard.timeout, ChildProcess::quiet(), [&] { return heartbeat_of(*stats); });
    if (result.end == ChildResult::End::returned) {
      RecordedRun out = run_from(result.output);
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

}  // namespace

std::vector<RecordedRun> record_runs(const std::vector<std::string>& implementations, PositionRange range,
                                     std::size_t position, const StartRun& start, Guard guard, std::size_t bytes) {
  const std::size_t share = bytes / std::max<std::size_t>(1, implementations.size());
  std::vector<RecordedRun> out(implementations.size());
  // A run that was cut narrows the range of all; one that was recorded with a wider range is recorded again. Ranges only
  // become narrower, so this ends.
  for (std::size_t i = 0, narrow = 0; narrow < implementations.size(); i = (i + 1) % implementations.size()) {
    const bool fits = !out[i].positions.empty() && out[i].range.first == range.first && out[i].range.last == range.last;
    if (!fits) {
      out[i] = recorded_in_child(i, range, position, start, guard, share);
      out[i].implementation = implementations[i];
    }
    const bool same = out[i].range.first == range.first && out[i].range.last == range.last;
    if (same) {
      ++narrow;
    } else {
      range = out[i].range;
      narrow = 1;
    }
  }
  return out;
}

}  // namespace lockstep
