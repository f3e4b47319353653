#include "lockstep/services/searching.hpp"

#include <optional>
#include <set>
#include <utility>

#include "lockstep/corpus.hpp"
#include "lockstep/coverage.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/fit.hpp"
#include "lockstep/memory.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/shrink.hpp"

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
        portfolio_{system, part.generators, seed_corpus(system, part.corpus, part.given), leaving_out(part.without)},
        exchange_{part.exchange},
        known_{part.known},
        causes_{part.causes} {
    static_assert(generators.size() <= generators_max);
  }

  void run(RecentScenarios& recent) {
    now_ = Clock::now();
    for (std::uint64_t i = part_.first; i < part_.end; i += part_.stride) {
      if (stats_.stop.load(std::memory_order_relaxed) != 0 || now_ >= part_.deadline) break;
      if ((++judged_ > leak_batch && leaks()) || stats_.progress.forked != 0) return;
      for (const auto& other : exchange_.take()) portfolio_.offer(decoded(other));
      const std::uint64_t seed = seed_of(part_.seed, i);
      const AnyScenario& scenario = portfolio_.next(seed);
      encode(scenario, bytes_);
      recent.store(bytes_);
      stats_.generator_in_flight.store(generator());
      stats_.current.store(i + 1);
      stats_.given.store(part_.given + portfolio_.given_back());
      stats_.progress.differs = 0;
      coverage_.reset();
      Verdict verdict = judge_.judge(scenario, seed);
      learn(scenario, verdict);
      if (verdict.agreed()) continue;
      const std::optional<Failure> failure = new_failure(scenario, verdict);
      if (!failure) continue;
      stats_.note_divergence();
      stats_.shrinking.store(1);
      report_(finding_of(*failure, verdict, scenario.size()));
      if (!part_.keep_going) return;
      stats_.shrinking.store(0);
      now_ = Clock::now();
    }
    leaks();
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Failure {
    AnyScenario scenario;
    bool other_cause;  // it has the signature of a known failure
  };

  AnyScenario decoded(const Bytes& bytes) const {
    AnyScenario out = system_.scenario();
    decode(bytes, out);
    return out;
  }

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

  /// The signature of the finding that a failure becomes. An implementation that is known to waver differs by chance: no
  /// difference of it is another finding.
  std::string signature_of(const Verdict& verdict) const {
    const std::string& blamed = verdict.divergence ? verdict.divergence->blamed : verdict.wavers;
    std::string wavering = lockstep::finding_of(nondeterministic(system_.scenario(), blamed), names_, 0).signature;
    return verdict.divergence && !known_.contains(wavering) ? verdict.divergence->signature() : wavering;
  }

  /// The failure, if its signature is new; if not, the scenario without the known causes, if it fails nevertheless. A
  /// verdict that does not repeat becomes cannot_judge.
  std::optional<Failure> new_failure(const AnyScenario& scenario, Verdict& verdict) {
    std::string signature = signature_of(verdict);
    if (!known_.contains(signature)) {
      verdict = judge_.confirmed(scenario, verdict);
      signature = signature_of(verdict);
    }
    if (known_.insert(signature).second) return Failure{scenario, false};
    if (8 * looked_for_causes_ < now_ - part_.started) {
      stats_.shrinking.store(1);
      auto other = without_causes(scenario, signature);
      stats_.shrinking.store(0);
      looked_for_causes_ += Clock::now() - std::exchange(now_, Clock::now());
      if (other) return Failure{std::move(*other), true};
    }
    if (part_.ignored.contains(signature)) stats_.count_ignored(signature);
    return std::nullopt;
  }

  /// The scenario without actions that the known causes of its failure need, if it fails with the same signature all the
  /// same: then it has another cause. One kind of actions that a cause needs is left out for each.
  std::optional<AnyScenario> without_causes(AnyScenario scenario, const std::string& signature) {
    const auto known = causes_.find(signature);
    if (known == causes_.end() || known->second.size() >= causes_max) return std::nullopt;
    for (const ActionKinds& needed : known->second) {
      const bool fails = std::ranges::any_of(needed, [&](const std::string& kind) {
        AnyScenario rest = scenario;
        leave_out(rest, {kind});
        const Verdict verdict = judge_.judge(rest);
        if (!verdict.divergence || verdict.divergence->signature() != signature) return false;
        scenario = std::move(rest);
        return true;
      });
      if (!fails) return std::nullopt;
    }
    return scenario;
  }

  Finding finding_of(const Failure& failure, const Verdict& verdict, std::size_t actions_before) {
    Shrinker shrinker{[&](const AnyScenario& candidate) { return judge_.judge(candidate); },
                      reference_of(system_),
                      {.time = part_.shrink_time_now()}};
    const auto wavers = [&](const AnyScenario& scenario) { return judge_.not_repeated(scenario).wavers; };
    Finding out =
        lockstep::finding_of(shrunk_or_kept(failure.scenario, verdict, shrinker, wavers), names_, actions_before);
    out.other_cause = failure.other_cause;
    note_cause(causes_, out);
    out.engine = to_string(portfolio_.generator());
    return out;
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
  Causes causes_;
  Clock::duration looked_for_causes_{};
  Bytes bytes_;  // of the scenario in flight
  Clock::time_point now_;
  std::size_t judged_ = 0;  // of this batch, with the next
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
