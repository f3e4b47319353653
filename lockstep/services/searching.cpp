#include "lockstep/services/searching.hpp"

#include <optional>
#include <set>
#include <utility>

#include "lockstep/describe/fit.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/draw/coverage.hpp"
#include "lockstep/draw/exchange.hpp"
#include "lockstep/judge/conditions.hpp"
#include "lockstep/services/memory.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/implementations.hpp"

namespace lockstep {
namespace {

/// A worker's search of its part of a stream: draws scenarios, judges them, and reports each failure that is new.
class StreamSearch {
 public:
  using Report = std::function<void(const Finding&)>;

  StreamSearch(const Vocabulary& system, const StreamPart& part, const std::vector<std::string>& names,
               CampaignStats& stats, Report report)
      : system_{system},
        part_{part},
        names_{names},
        stats_{stats},
        report_{std::move(report)},
        judge_{system, implementations_named(system, names), &stats.progress},
        portfolio_{system,
                   part.generators,
                   seed_corpus(system, part.corpus, part.given),
                   leaving_out(part.without),
                   {weights_without(system, part.without), part.actions_max},
                   part.compared.numbers},
        exchange_{part.exchange},
        known_{part.known} {
    static_assert(generators.size() <= generators_max);
  }

  void run(RecentScenarios& recent) {
    now_ = Clock::now();
    for (std::uint64_t i = part_.first; i < part_.end; i += part_.stride) {
      if (stats_.stop.load(std::memory_order_relaxed) != 0 || now_ >= part_.deadline) break;
      if ((++judged_ > leak_batch && leaks()) || stats_.progress.forked != 0) return;
      for (const auto& other : exchange_.take()) portfolio_.offer(decoded(system_, other));
      const std::uint64_t seed = seed_of(part_.seed, i);
      const AnyScenario& scenario = portfolio_.next(seed);
      encode(scenario, bytes_);
      recent.store(bytes_);
      stats_.generator_in_flight.store(generator());
      stats_.current.store(i + 1);
      stats_.given.store(part_.given + portfolio_.given_back());
      stats_.progress.differs = 0;
      coverage_.reset();
      note_actions(scenario);  // before it is judged, because that may end this process
      if (part_.compared.record != nullptr) part_.compared.record(true);
      Verdict verdict = judge_.judge(scenario, seed);
      if (part_.compared.record != nullptr) part_.compared.record(false);
      learn(scenario, verdict);
      if (verdict.agreed()) continue;
      const Clock::time_point seen = Clock::now();
      const double seen_processor = processor_seconds_used();
      const std::optional<Failure> failure = new_failure(scenario, verdict);
      if (!failure) continue;
      stats_.note_divergence(seen, seen_processor);
      stats_.shrinking.store(1);
      report_(finding_of(*failure, verdict, scenario.size()));
      if (!part_.keep_going) return;
      stats_.shrinking.store(0);
      const Clock::duration took = Clock::now() - std::exchange(now_, Clock::now());
      if (failure->behind_known) looked_behind_ += took;
    }
    leaks();
  }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr std::ptrdiff_t alike_max = 8;  // findings that look alike

  struct Failure {
    AnyScenario scenario;
    std::function<bool(const AnyScenario&, const Divergence&)> counts;  // as for the shrinker
    bool behind_known = false;
  };

  /// Looks for leaks of this batch of scenarios.
  bool leaks() {
    judged_ = 1;
    stats_.leaks.store(leaks_memory() ? 1 : 0);
    return stats_.leaks.load() != 0;
  }

  std::size_t generator() const { return static_cast<std::size_t>(portfolio_.generator()); }

  /// Counts the scenario that was judged, and remembers what it reached.
  void learn(const AnyScenario& scenario, const Verdict& verdict) {
    const Clock::time_point started = std::exchange(now_, Clock::now());
    stats_.count(scenario.size(), generator(), now_ - started);
    const bool fresh = portfolio_.learn(judge_.traces(), coverage_.taken());
    if (fresh && verdict.agreed()) exchange_.leave(bytes_);  // a failing scenario would stop every engine that reads it
    for (const std::size_t bucket : portfolio_.buckets()) stats_.mark(bucket, generator());
  }

  /// Notes how many actions the scenario has, and marks their kinds until all are marked.
  void note_actions(const AnyScenario& scenario) {
    if (scenario.size() > stats_.longest.load(std::memory_order_relaxed)) stats_.longest.store(scenario.size());
    const std::size_t kinds = std::min(system_.kinds().size(), stats_.kinds.size());
    while (kinds_marked_ < kinds && stats_.kinds[kinds_marked_].load(std::memory_order_relaxed) != 0) ++kinds_marked_;
    if (kinds_marked_ == kinds) return;
    for (std::size_t i = 0; i < scenario.size(); ++i) {
      if (scenario.kind(i) < kinds) stats_.kinds[scenario.kind(i)].store(1, std::memory_order_relaxed);
    }
  }

  /// The known signature that covers a failure; empty: it is new. An implementation that is known to waver differs by
  /// chance: no difference of it is another finding.
  std::string known_signature(const Verdict& verdict) const {
    const std::string& blamed = verdict.divergence ? verdict.divergence->blamed : verdict.wavers;
    std::string wavering = lockstep::finding_of(nondeterministic(system_.scenario(), blamed), names_, 0).signature;
    if (known_.contains(wavering)) return wavering;
    if (!verdict.divergence) return {};
    const std::string alike = verdict.divergence->signature();
    return not_told_apart_.contains(alike) ? alike : known_as(known_, *verdict.divergence);
  }

  /// The failing scenario, if its failure is new; if not, a scenario without the known failure, if it fails nevertheless.
  /// A verdict that does not repeat becomes cannot_judge.
  std::optional<Failure> new_failure(const AnyScenario& scenario, Verdict& verdict) {
    std::string known = known_signature(verdict);
    if (known.empty()) {
      verdict = judge_.confirmed(scenario, verdict);
      known = known_signature(verdict);
      if (known.empty()) return new_by_signature(scenario);
    }
    if (part_.ignored.contains(known)) stats_.count_ignored(known);
    if (8 * looked_behind_ >= now_ - part_.started) return std::nullopt;
    stats_.shrinking.store(1);
    auto other = behind_known(scenario, verdict);
    stats_.shrinking.store(0);
    looked_behind_ += Clock::now() - std::exchange(now_, Clock::now());
    if (other) other->behind_known = true;
    return other;
  }

  Failure new_by_signature(const AnyScenario& scenario) const {
    return {scenario, [this](const AnyScenario&, const Divergence& d) { return known_as(known_, d).empty(); }};
  }

  bool fails_alike(const AnyScenario& scenario, const Divergence& divergence) {
    const Verdict verdict = judge_.judge(scenario);
    return verdict.divergence && verdict.divergence->signature() == divergence.signature();
  }

  /// The failure, if it needs a condition that none of the findings which cover it needs: then it is another one, also
  /// where a finding needs none. It is shrunk so that it needs the condition to the end. Not for known mistakes, which cover
  /// what they cover.
  std::optional<Failure> needing_more(AnyScenario scenario, const Divergence& divergence) {
    if (!part_.keep_going || !known_as(part_.ignored, divergence).empty()) return std::nullopt;
    if (not_told_apart_.contains(divergence.signature())) return std::nullopt;
    ConditionValues needed;
    for (const std::string& each : known_) {
      if (covers(each, divergence)) needed.merge(parse_conditions(parts_of(each).conditions));
    }
    scenario.truncate(divergence.step);
    for (const Condition& condition : conditions_of(scenario, divergence.step - 1)) {
      if (needed.contains(condition.name)) continue;
      for (const std::string& value : condition.values) {
        if (value == condition.value) continue;
        const auto counts = [this, name = condition.name, value](const AnyScenario& failing, const Divergence& d) {
          const auto changed = with_condition(failing, d.step - 1, name, value);
          return changed && !fails_alike(*changed, d);
        };
        if (counts(scenario, divergence)) return Failure{std::move(scenario), counts};
      }
    }
    return std::nullopt;
  }

  /// The scenario with a condition of each known failure changed, or without its action, until it fails otherwise. nullopt
  /// if it does not.
  std::optional<Failure> behind_known(AnyScenario scenario, Verdict& verdict) {
    constexpr int times = 16;
    for (int time = 0; time < times && verdict.divergence && verdict.divergence->step > 0; ++time) {
      const std::string known = known_signature(verdict);
      if (known.empty()) {
        verdict = judge_.confirmed(scenario, verdict);
        return known_signature(verdict).empty() ? std::optional{new_by_signature(scenario)} : std::nullopt;
      }
      if (auto other = needing_more(scenario, *verdict.divergence)) return other;
      scenario = without_known(scenario, verdict.divergence->step - 1, known);
      verdict = judge_.judge(scenario);
    }
    return std::nullopt;
  }

  Finding finding_of(const Failure& failure, const Verdict& verdict, std::size_t actions_before) {
    Shrinker shrinker{[&](const AnyScenario& candidate) { return judge_.judge(candidate); },
                      reference_of(system_),
                      {.time = part_.shrink_time_now(),
                       .stopped = [this] { return stats_.stop_shrinking.load(std::memory_order_relaxed) != 0; },
                       .counts = failure.counts}};
    const auto wavers = [&](const AnyScenario& scenario) { return judge_.not_repeated(scenario).wavers; };
    Finding out =
        lockstep::finding_of(shrunk_or_kept(failure.scenario, verdict, shrinker, wavers), names_, actions_before);
    out.engine = to_string(portfolio_.generator());
    const bool is_new = known_.insert(out.signature).second;
    if (verdict.divergence && (out.unstable || !is_new || findings_like(*verdict.divergence) >= alike_max))
      not_told_apart_.insert(verdict.divergence->signature());
    return out;
  }

  std::ptrdiff_t findings_like(const Divergence& divergence) const {
    return std::ranges::count_if(
        known_, [&](const std::string& each) { return look_alike(each, divergence) && !part_.ignored.contains(each); });
  }

  static std::function<void(AnyScenario&)> leaving_out(const std::vector<std::string>& kinds) {
    if (kinds.empty()) return nullptr;
    return [kinds](AnyScenario& scenario) { leave_out(scenario, kinds); };
  }

  const Vocabulary& system_;
  const StreamPart& part_;
  const std::vector<std::string>& names_;
  CampaignStats& stats_;
  Report report_;
  Judge judge_;
  Portfolio portfolio_;
  Coverage coverage_{edge_counters()};
  Exchange exchange_;
  Signatures known_;  // so that each bug is shrunk once
  /// What failures look like of which there are enough findings, or that led to an earlier one again: all are known.
  Signatures not_told_apart_;
  Clock::duration looked_behind_{};  // with the shrinking of what was found there
  Bytes bytes_;                      // of the scenario in flight
  Clock::time_point now_;
  std::size_t judged_ = 0;        // of this batch, with the next
  std::size_t kinds_marked_ = 0;  // the first ones
};

}  // namespace

Reached reach(const AnyScenario& scenario, const std::vector<std::string>& names, CampaignStats& stats) {
  const Vocabulary& system = scenario.vocabulary();
  Judge judge{system, implementations_named(system, names), &stats.progress};
  Coverage coverage{edge_counters()};
  coverage.reset();
  Reached out{judge.judge(scenario).state};
  if (out.state != Verdict::State::agreed) return out;
  const auto edges = coverage.taken();
  std::set<std::size_t> features;
  const auto mark = [&](std::size_t index) { features.insert(index); };
  mark_features(scenario, judge.trace(), mark);
  mark_own_features(judge.traces(), mark);
  out.coverage.assign(features.begin(), features.end());
  for (const std::size_t edge : edges) out.coverage.push_back(feature_indices + edge);
  return out;
}

void search_stream(const Vocabulary& system, const StreamPart& part, const std::vector<std::string>& names,
                   CampaignStats& stats, RecentScenarios& recent, const std::function<void(const Finding&)>& report) {
  StreamSearch{system, part, names, stats, report}.run(recent);
}

}  // namespace lockstep
