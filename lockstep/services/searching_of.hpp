// The searching service as a template over a system.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "lockstep/coverage.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/leave_out.hpp"
#include "lockstep/memory.hpp"
#include "lockstep/report.hpp"
#include "lockstep/seed_corpus.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/searching.hpp"
#include "lockstep/shrink.hpp"

namespace lockstep {

template <System S>
class SearchingOf final : public Searching {
 public:
  Parsed<Reached> reach(std::string_view text, const std::vector<std::string>& names,
                        CampaignStats& stats) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    Judge<S> judge{implementations_named<S>(names), &stats.progress};
    Coverage coverage{edge_counters()};
    coverage.reset();
    Reached out{judge.judge(*scenario).state};
    if (out.state != Verdict::State::agreed) return out;
    const auto edges = coverage.taken();
    std::set<std::size_t> features;
    const auto mark = [&](std::size_t index) { features.insert(index); };
    mark_features<S>(*scenario, judge.trace(), mark);
    mark_own_features<S>(judge.traces(), mark);
    out.coverage.assign(features.begin(), features.end());
    for (const std::size_t edge : edges) out.coverage.push_back(feature_indices + edge);
    return out;
  }

  void work(const StreamPart& part, const std::vector<std::string>& names, CampaignStats& stats,
            RecentScenarios& recent, const std::function<void(const FindingText&)>& report) const override {
    using Clock = std::chrono::steady_clock;
    static_assert(generators.size() <= generators_max);
    Judge<S> judge{implementations_named<S>(names), &stats.progress};
    Portfolio<S> portfolio{part.generators, seed_corpus<S>(part.corpus), leaving_out(part.without)};
    Coverage coverage{edge_counters()};
    Exchange exchange{part.exchange};
    Signatures known = part.known;  // so that each bug is shrunk once
    Causes causes = part.causes;
    Clock::duration looked_for_causes{};
    Bytes bytes;
    Clock::time_point now = Clock::now();
    LeakWatch leaks{stats};
    for (std::uint64_t i = part.first; i < part.end; i += part.stride) {
      if (stats.stop.load(std::memory_order_relaxed) != 0 || now >= part.deadline) break;
      if (leaks.after_batch()) return;
      for (const auto& other : exchange.take()) portfolio.offer(decode<S>(other));
      const std::uint64_t seed = seed_of(part.seed, i);
      const Scenario<S>& scenario = portfolio.next(seed);
      encode<S>(scenario, bytes);
      const auto generator = static_cast<std::size_t>(portfolio.generator());
      recent.store(bytes);
      stats.generator_in_flight.store(generator);
      stats.current.store(i + 1);
      coverage.reset();
      const Verdict verdict = judge.judge(scenario, seed);
      const Clock::time_point started = std::exchange(now, Clock::now());
      stats.count(scenario.actions.size(), generator, now - started);
      const bool fresh = portfolio.learn(judge.traces(), coverage.taken());
      if (fresh && verdict.agreed()) exchange.leave(bytes);  // a failing scenario would stop every engine that reads it
      for (const std::size_t bucket : portfolio.buckets()) stats.mark(bucket, generator);
      if (verdict.agreed()) continue;
      const std::string signature = verdict.divergence ? verdict.divergence->signature() : verdict.reason;
      std::optional<Scenario<S>> other;
      if (!known.insert(signature).second) {
        if (8 * looked_for_causes < now - part.started) {
          stats.shrinking.store(1);
          other = without_causes(scenario, signature, causes, judge);
          stats.shrinking.store(0);
          looked_for_causes += Clock::now() - std::exchange(now, Clock::now());
        }
        if (!other && part.ignored.contains(signature)) stats.count_ignored(signature);
        if (!other) continue;
      }
      stats.note_divergence();
      stats.shrinking.store(1);
      Shrinker<S> shrinker{[&](const Scenario<S>& candidate) { return judge.judge(candidate); },
                           reference_of<S>(),
                           {.time = part.shrink_time_now()}};
      const Finding<S> shrunk{shrunk_or_kept(other.value_or(scenario), verdict, shrinker), names};
      FindingText finding = finding_text_of<S>(shrunk, scenario.actions.size());
      finding.other_cause = other.has_value();
      note_cause(causes, finding);
      finding.engine = to_string(portfolio.generator());
      report(finding);
      if (!part.keep_going) return;
      stats.shrinking.store(0);
      now = Clock::now();
    }
    leaks.look();
  }

 private:
  /// The scenario without actions that the known causes of its failure need, if it fails with the same signature all the
  /// same: then it has another cause. One kind of actions that a cause needs is left out for each.
  static std::optional<Scenario<S>> without_causes(Scenario<S> scenario, const std::string& signature,
                                                   const Causes& causes, Judge<S>& judge) {
    const auto known = causes.find(signature);
    if (known == causes.end() || known->second.size() >= causes_max) return std::nullopt;
    for (const ActionKinds& needed : known->second) {
      const bool fails = std::ranges::any_of(needed, [&](const std::string& kind) {
        Scenario<S> rest = scenario;
        leave_out<S>(rest, {kind});
        const Verdict verdict = judge.judge(rest);
        if (!verdict.divergence || verdict.divergence->signature() != signature) return false;
        scenario = std::move(rest);
        return true;
      });
      if (!fails) return std::nullopt;
    }
    return scenario;
  }

  static std::function<void(Scenario<S>&)> leaving_out(const std::vector<std::string>& kinds) {
    if (kinds.empty()) return nullptr;
    return [kinds](Scenario<S>& scenario) { leave_out<S>(scenario, kinds); };
  }
};

}  // namespace lockstep
