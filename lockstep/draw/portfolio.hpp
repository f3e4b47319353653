// The built-in engine's portfolio: four generators of scenarios, each with a fixed share of the work.
//
// Three generators draw new scenarios (draw.hpp); the fourth, `mutated`, mutates scenarios of a pool. For each bucket
// of each feature (features.hpp) that was reached, the pool holds a few scenarios that reached it, and mutation prefers
// buckets that few scenarios reach. Where implementations are compiled with coverage, a second pool holds the cheapest
// scenario for each edge that they take, and half of the mutations are of its scenarios. The corpus is the seed corpus of
// both pools; all four generators and, through `offer`, other engines add to them.
//
// Generators take turns by stride scheduling (Waldspurger, Weihl: "Stride scheduling", MIT 1995): each generator has a
// clock that its work advances by cost / weight, and the generator with the lowest clock is next. A cost is counted in
// positions × cells, not in time. So the stream is a function of the seed, the generators and the corpus, as long as no
// scenario is offered. (A bandit that moved a quarter of the work to the generator that found most recently was slower
// on the deep canaries: docs/finding-power.md.)
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lockstep/base/enumerators.hpp"
#include "lockstep/base/function_ref.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/draw/draw.hpp"

namespace lockstep {

enum class Generator { uniform, swarm, suggested, mutated };
inline constexpr auto generators = Enumerators<Generator>::values;

/// The cost of judging a scenario: a naive implementation reads every cell of every position. It is counted, not
/// measured, so that it is the same on every machine.
std::uint64_t cost_of(const AnyScenario& scenario);

/// Calls mark(index) for every own feature that implementations reported. All beyond the last number count as the last.
void mark_own_features(std::span<const AnyTrace> traces, FunctionRef<void(std::size_t index)> mark);

/// Calls mark(index) for every feature and bucket in the trace, which must be on the default cadence.
void mark_features(const AnyScenario& scenario, const AnyTrace& trace, FunctionRef<void(std::size_t index)> mark);

/// Scenarios by the feature buckets that they reached.
class Pool {
 public:
  using Shared = std::shared_ptr<const AnyScenario>;

  bool empty() const { return reached_.empty(); }

  /// Records that a scenario reached these buckets (each listed once). True if one of them is new. A bucket keeps a
  /// uniform sample of the scenarios that reached it (Vitter's reservoir); a rare bucket keeps them all.
  bool add(Random& random, const AnyScenario& scenario, std::span<const std::size_t> buckets);

  /// A scenario of the pool, which must not be empty: from the least often reached of three random buckets.
  const AnyScenario& pick(Random& random) const;

 private:
  static constexpr std::size_t sample_max = 4;
  struct Bucket {
    std::uint64_t hits = 0;
    std::array<Shared, sample_max> sample;
  };

  std::array<Bucket, feature_indices> buckets_;
  std::vector<std::size_t> reached_;  // in the order in which they were first reached
};

/// The cheapest scenario (cost_of) for each edge of instrumented code and class of its count (coverage.hpp). Short ones
/// matter: a mutation meets the decisive action a hundred times as often among 5 actions as among 500.
class EdgePool {
 public:
  bool empty() const { return taken_.empty(); }

  /// Records that a scenario took these (Coverage::taken). True if one of them is new.
  bool add(const AnyScenario& scenario, std::span<const std::size_t> edges);

  /// A scenario of the pool, which must not be empty: of the least often taken of three random edges.
  const AnyScenario& pick(Random& random) const;

 private:
  using Shared = std::shared_ptr<const AnyScenario>;
  struct Edge {
    std::uint64_t hits = 0;
    std::uint64_t cost = 0;
    Shared cheapest;
  };

  std::vector<Edge> edges_;
  std::vector<std::size_t> taken_;  // in the order in which they were first taken
};

class Portfolio {
 public:
  /// Needs at least one generator. `mutated` returns the corpus' scenarios first, unchanged. `adjust`, if given, is
  /// applied to every scenario before it is returned. `compared`, if given, returns integers that mutation tries.
  /// Where `limits.actions_max` is 0, scenarios have at most 2,000 actions, and longer ones while nothing new is reached.
  Portfolio(const Vocabulary& vocabulary, const std::vector<Generator>& from, std::vector<AnyScenario> corpus,
            std::function<void(AnyScenario&)> adjust = nullptr, DrawLimits limits = {},
            std::vector<std::int64_t> (*compared)() = nullptr);

  /// The next scenario, valid until the next call. `seed` is the seed of its index in the stream (seed_of).
  const AnyScenario& next(std::uint64_t seed);

  /// The generator of the last scenario.
  Generator generator() const { return clocks_[turn_].generator; }

  /// How many scenarios of the corpus, and then of other engines, `next` has returned unchanged.
  std::uint64_t given_back() const { return given_back_; }

  /// Learns from the last scenario's traces, of which the first gives the system's features, and all give their own, and
  /// from the edges that it took (Coverage::taken). True if it reached a new bucket or edge.
  bool learn(std::span<const AnyTrace> traces, std::span<const std::size_t> edges = {});

  /// The buckets that the last scenario reached.
  std::span<const std::size_t> buckets() const { return buckets_; }

  /// Adds a scenario of another engine; `mutated`, if enabled, returns it soon.
  void offer(AnyScenario scenario);

 private:
  /// A system's own suggestions reach deep states, some of which no other generator reaches. With weight 9 they get
  /// three quarters of the work of all four, so that the portfolio takes at most twice the time that they take alone.
  /// Without suggestions, all generators get the same.
  static constexpr std::uint64_t weight_max = 9;
  std::uint64_t weight_of(Generator generator) const {
    return generator == Generator::suggested && scenario_.vocabulary().has_suggestions() ? weight_max : 1;
  }

  struct Clock {
    Generator generator;
    std::uint64_t time = 0;  // its work so far, in cost × 9 / weight
  };

  /// The most actions of the next scenario.
  std::uint64_t actions_max();

  void mutate_one();

  /// A scenario of either pool. Without edges the choice draws nothing, so that the stream of a seed stays.
  const AnyScenario& pick();

  std::vector<Clock> clocks_;
  std::size_t turn_ = 0;
  std::deque<AnyScenario> given_;
  std::uint64_t given_back_ = 0;
  std::function<void(AnyScenario&)> adjust_;
  DrawLimits limits_;
  bool grows_;                   // limits_.actions_max is set for each scenario
  std::uint64_t since_new_ = 0;  // scenarios since the last one that reached something new
  std::vector<std::int64_t> (*compared_)();
  Pool pool_;
  EdgePool edges_;
  std::vector<std::size_t> buckets_;
  Random random_{0};
  AnyScenario scenario_;
};

}  // namespace lockstep
