#include "lockstep/services/guarded.hpp"

#include "lockstep/child.hpp"
#include "lockstep/stats.hpp"

namespace lockstep {

Verdict judge_in_child(const std::function<Verdict(JudgeProgress&)>& judge, Guard guard,
                       const std::function<Divergence(std::size_t implementation, std::size_t step)>& at) {
  const SharedStats stats = share_stats();
  const JudgeProgress& progress = stats->progress;
  const auto result =
      run_in_child([&] { return to_json(judge(stats->progress)); }, guard.timeout, ChildProcess::quiet(),
                   [&] { return std::uint64_t{progress.implementation} << 32 | std::uint64_t{progress.step}; });
  if (result.end == ChildResult::End::returned) return verdict_from(result.output);
  if (result.end == ChildResult::End::not_started) return {Verdict::State::cannot_judge, {}, result.reason};
  Divergence d = at(progress.implementation, progress.step + std::size_t{1});
  d.kind = result.end == ChildResult::End::died ? DivergenceKind::crash : DivergenceKind::hang;
  d.field = result.kind;
  d.actual = result.reason;
  return {Verdict::State::diverged, std::move(d), {}};
}

Drawn draw_in_child(const std::function<Drawn(volatile std::uint32_t& in_flight)>& draw, Guard guard) {
  constexpr char end = '\0';  // separates the texts, which contain no zero byte
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        const Drawn drawn = draw(stats->progress.step);
        return drawn.before + end + drawn.after + end + drawn.answer;
      },
      guard.timeout, ChildProcess::quiet(), [&] { return std::uint64_t{stats->progress.step}; });
  if (result.end != ChildResult::End::returned) return {{}, result.reason + "\n", {}};
  const std::size_t first = result.output.find(end);
  const std::size_t second = result.output.find(end, first + 1);
  return {result.output.substr(0, first), result.output.substr(first + 1, second - first - 1),
          result.output.substr(second + 1)};
}

}  // namespace lockstep
