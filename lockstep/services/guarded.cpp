#include "lockstep/services/guarded.hpp"

#include <optional>

#include "lockstep/base/words.hpp"
#include "lockstep/describe/fields.hpp"
#include "lockstep/describe/trace.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/plugin.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

/// What an implementation throws is an answer (trace.hpp). What leaves the judge all the same comes from the
/// system's other parts, or from the library: it blames no implementation.
Verdict without_exceptions(const std::function<Verdict()>& judge) {
  try {
    return judge();
  } catch (...) {
    return {Verdict::State::cannot_judge,
            {},
            "an exception that no implementation threw: " + exception_text(current_exception_thrown())};
  }
}

Drawn draw(const Runner& implementation, const AnyScenario& scenario, volatile std::uint32_t& in_flight) {
  const std::size_t total = scenario.size();
  if (const auto* const plugin = known_plugin(implementation.name)) {
    const std::uint64_t last = total;
    const auto texts = texts_of_run(*plugin, scenario, {&last, 1}, in_flight);
    if (!texts.refusal.empty()) return {{}, {}, line_of({Field{"(next)", "a refusal: " + texts.refusal}})};
    return {{},
            texts.snapshots.empty() ? "" : picture_of(texts.snapshots.back()),
            texts.answers.empty() ? "" : line_of(texts.answers.back())};
  }
  AnyTrace trace = scenario.vocabulary().trace();
  trace.head().progress = &in_flight;
  implementation.run(scenario, Cadence{}, trace);
  const std::size_t positions = snapshots_before(total + 1, Cadence{}, total);
  if (trace.snapshots() < positions) {  // it threw
    const bool at_last = trace.snapshots() + 1 == positions && total > 0;
    return {
        at_last ? snapshot_text(trace, trace.snapshots() - 1) : "", "threw " + trace.deviation()->actual + "\n", {}};
  }
  const std::string after = snapshot_text(trace, trace.snapshots() - 1);
  if (total == 0) return {{}, after, {}};
  const std::string answer = line_of(collected([&](Fields& io) { trace.read_answer(total - 1, io); }));
  return {snapshot_text(trace, trace.snapshots() - 2), after, answer};
}

}  // namespace

std::chrono::milliseconds Patience::timeout() const {
  using namespace std::chrono_literals;
  if (!learns_) return full_;
  const auto slowest = std::max(slowest_, slowest_failure_);
  if (slowest.count() == 0) return full_ / 10;
  return std::min(std::max<std::chrono::milliseconds>(50ms, std::chrono::ceil<std::chrono::milliseconds>(10 * slowest)),
                  full_);
}

std::uint64_t heartbeat_of(const CampaignStats& stats) {
  return stats.scenarios.load() << 48 ^ std::uint64_t{stats.progress.implementation} << 32 ^
         std::uint64_t{stats.progress.step};
}

Verdict judge_in_child(CampaignStats& stats, const std::function<Verdict()>& judge, Patience& patience,
                       const std::function<Divergence()>& at) {
  const ErrorOutput errors;
  const auto start = std::chrono::steady_clock::now();
  const auto result = run_in_child([&] { return to_json(without_exceptions(judge)); }, patience.timeout(),
                                   errors.options(), [&] { return heartbeat_of(stats); });
  const auto time = std::chrono::steady_clock::now() - start;
  const std::optional<Verdict> verdict =
      result.end == ChildResult::End::returned ? std::optional{verdict_from(result.output)} : std::nullopt;
  // A sanitizer that looks up the names of its report's frames may take longer than all judgements: it is no hang.
  if (result.end != ChildResult::End::timed_out) patience.note_judgement(time, !verdict || verdict->divergence);
  if (stats.progress.forked != 0) {
    stats.progress.implementation = stats.progress.forked - 1;
    return {Verdict::State::cannot_judge, {}, forked_text(at().blamed)};
  }
  if (verdict) return *verdict;
  if (result.end == ChildResult::End::not_started) return {Verdict::State::cannot_judge, {}, result.reason};
  Divergence d = at();
  const bool hung = result.end == ChildResult::End::timed_out;
  // The message gives the whole limit: a shorter one only saves time, and the shrinker judges its result with the whole.
  note_death(d, hung, result.kind, hung ? no_answer_within(patience.full()) : result.reason, errors.text());
  return {Verdict::State::diverged, std::move(d), {}};
}

void note_death(Divergence& d, bool hung, std::string kind, std::string reason, std::string_view error_output) {
  d.kind = hung ? DivergenceKind::hang : DivergenceKind::crash;
  d.field = std::move(kind);
  d.actual = std::move(reason);
  if (hung) return;
  d.last_words = telling_lines(error_output);
  if (const std::string error = memory_error(d.last_words); !error.empty())
    note_sanitizer(d, "AddressSanitizer", error);
}

Drawn drawn_in_child(const Runner& implementation, const AnyScenario& scenario, Guard guard) {
  constexpr char end = '\0';  // of each text; they contain no zero byte
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        const Drawn drawn = draw(implementation, scenario, stats->progress.step);
        return drawn.before + end + drawn.after + end + drawn.answer + end;
      },
      guard.timeout, ChildProcess::quiet(), [&] { return std::uint64_t{stats->progress.step}; });
  if (result.end != ChildResult::End::returned) return {{}, result.reason + "\n", {}};
  const auto texts = split(result.output, end);
  return {texts[0], texts[1], texts[2]};
}

IndexedVerdict judged_in_child(const std::vector<Runner>& implementations, std::span<const AnyScenario> scenarios,
                               Checks checks, Patience& patience) {
  const SharedStats stats = share_stats();
  const auto judge_all = [&] {
    Judge judge{scenarios.front().vocabulary(), implementations, &stats->progress};
    for (const auto& scenario : scenarios) {
      Verdict verdict = checks == Checks::usual ? judge.judge(scenario) : judge.judge_every_step(scenario);
      if (!verdict.agreed()) return verdict;
      stats->scenarios.fetch_add(1);
    }
    return Verdict{};
  };
  const auto in_flight = [&] { return std::min<std::size_t>(stats->scenarios.load(), scenarios.size() - 1); };
  Verdict verdict = judge_in_child(*stats, judge_all, patience, [&] {
    return death_at(implementations, scenarios[in_flight()], stats->progress.implementation, stats->progress.step);
  });
  return {in_flight(), std::move(verdict)};
}

GuardedVerdict guarded_verdict(const std::vector<Runner>& implementations, const AnyScenario& scenario,
                               Patience& patience, Checks checks) {
  GuardedVerdict out{judged_in_child(implementations, {&scenario, 1}, checks, patience).verdict};
  const auto ends_in_death = [&] { return out.verdict.divergence && dies(*out.verdict.divergence); };
  out.died = ends_in_death();
  while (ends_in_death() && out.verdict.divergence->step > 0) {
    AnyScenario before = scenario;
    before.truncate(out.verdict.divergence->step - 1);
    Verdict sooner = judged_in_child(implementations, {&before, 1}, Checks::every_step, patience).verdict;
    if (!sooner.divergence) break;
    out.verdict = std::move(sooner);
  }
  return out;
}

Verdict guarded_judge(const std::vector<Runner>& implementations, const AnyScenario& scenario, Guard guard) {
  Patience patience{guard};
  return guarded_verdict(implementations, scenario, patience).verdict;
}

}  // namespace lockstep
