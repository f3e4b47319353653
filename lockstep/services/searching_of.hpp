// The searching service as a template over a system.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "lockstep/coverage.hpp"
#include "lockstep/exchange.hpp"
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
    out.things.assign(features.begin(), features.end());
    for (const std::size_t edge : edges) out.things.push_back(feature_indices + edge);
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
      const Verdict verdict = judge.judge(scenario, yardsticks_for(seed));
      const Clock::time_point started = std::exchange(now, Clock::now());
      stats.count(scenario.actions.size(), generator, now - started);
      const bool fresh = portfolio.learn(judge.traces(), coverage.taken());
      if (fresh && verdict.agreed()) exchange.leave(bytes);  // a failing scenario would stop every engine that reads it
      for (const std::size_t bucket : portfolio.buckets()) stats.mark(bucket, generator);
      if (verdict.agreed()) continue;
      const std::string signature = verdict.divergence ? verdict.divergence->signature() : verdict.reason;
      if (part.ignored.contains(signature)) stats.ignored.fetch_add(1);
      if (!known.insert(signature).second) continue;
      stats.note_divergence();
      stats.shrinking.store(1);
      Shrinker<S> shrinker{[&](const Scenario<S>& candidate) { return judge.judge(candidate); },
                           reference_of<S>(),
                           {.time = part.shrink_time_now()}};
      FindingText finding =
          finding_text_of<S>({shrunk_or_kept(scenario, verdict, shrinker), names}, scenario.actions.size());
      finding.engine = to_string(portfolio.generator());
      report(finding);
      if (!part.keep_going) return;
      stats.shrinking.store(0);
      now = Clock::now();
    }
    leaks.look();
  }

 private:
  /// Removes the actions of these kinds, and those that refer to their results.
  static std::function<void(Scenario<S>&)> leaving_out(const std::vector<std::string>& kinds) {
    if (kinds.empty()) return nullptr;
    return [kinds](Scenario<S>& scenario) {
      const auto left_out = [&](std::size_t i) {
        return std::ranges::find(kinds, action_name(scenario.actions[i])) != kinds.end();
      };
      refit_actions<S>(scenario, left_out, [](std::size_t) { return Fit{}; });
    };
  }
};

}  // namespace lockstep
