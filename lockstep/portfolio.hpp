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

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/features.hpp"
#include "lockstep/mutate.hpp"

namespace lockstep {

enum class Generator { uniform, swarm, suggested, mutated };
inline constexpr std::array generators = {Generator::uniform, Generator::swarm, Generator::suggested,
                                          Generator::mutated};

constexpr std::string_view to_string(Generator generator) {
  constexpr std::array<std::string_view, generators.size()> names = {"uniform", "swarm", "suggested", "mutated"};
  return names[static_cast<std::size_t>(generator)];
}

/// The cost of judging a scenario: a naive implementation reads every cell of every position. It is counted, not
/// measured, so that it is the same on every machine.
template <System S>
std::uint64_t cost_of(const Scenario<S>& scenario) {
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  // A board of a few cells costs about as much as one of 64, because each step has a cost of its own.
  return (scenario.actions.size() + 1) * (64 + measure.total.area);
}

/// The one with the fewest hits among three random entries, which are drawn by their indices.
const auto& rarest_of_three(Random& random, const std::vector<std::size_t>& indices, const auto& entries) {
  const auto* rarest = &entries[random.pick(indices)];
  for (int more = 0; more < 2; ++more) {
    const auto& entry = entries[random.pick(indices)];
    if (entry.hits < rarest->hits) rarest = &entry;
  }
  return *rarest;
}

/// Scenarios by the feature buckets that they reached.
template <System S>
class Pool {
 public:
  using Shared = std::shared_ptr<const Scenario<S>>;

  bool empty() const { return reached_.empty(); }

  /// Records that a scenario reached these buckets (each listed once). True if one of them is new. A bucket keeps a
  /// uniform sample of the scenarios that reached it (Vitter's reservoir); a rare bucket keeps them all.
  bool add(Random& random, const Scenario<S>& scenario, std::span<const std::size_t> buckets) {
    bool any_new = false;
    Shared shared;
    for (const std::size_t index : buckets) {
      Bucket& bucket = buckets_[index];
      if (bucket.hits++ == 0) {
        reached_.push_back(index);
        any_new = true;
      }
      const std::size_t place = bucket.hits <= sample_max ? bucket.hits - 1 : random.below(bucket.hits);
      if (place >= sample_max) continue;
      if (!shared) shared = std::make_shared<const Scenario<S>>(scenario);
      bucket.sample[place] = shared;
    }
    return any_new;
  }

  /// A scenario of the pool, which must not be empty: from the least often reached of three random buckets.
  const Scenario<S>& pick(Random& random) const {
    const Bucket& rarest = rarest_of_three(random, reached_, buckets_);
    return *rarest.sample[random.below(std::min<std::uint64_t>(rarest.hits, sample_max))];
  }

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
template <System S>
class EdgePool {
 public:
  bool empty() const { return taken_.empty(); }

  /// Records that a scenario took these (Coverage::taken). True if one of them is new.
  bool add(const Scenario<S>& scenario, std::span<const std::size_t> edges) {
    if (edges.empty()) return false;
    bool any_new = false;
    Shared shared;
    const std::uint64_t cost = cost_of<S>(scenario);
    if (edges.back() >= edges_.size()) edges_.resize(edges.back() + 1);
    for (const std::size_t index : edges) {
      Edge& edge = edges_[index];
      if (edge.hits++ == 0) {
        taken_.push_back(index);
        any_new = true;
      } else if (edge.cost <= cost) {
        continue;
      }
      if (!shared) shared = std::make_shared<const Scenario<S>>(scenario);
      edge.cost = cost;
      edge.cheapest = shared;
    }
    return any_new;
  }

  /// A scenario of the pool, which must not be empty: of the least often taken of three random edges.
  const Scenario<S>& pick(Random& random) const { return *rarest_of_three(random, taken_, edges_).cheapest; }

 private:
  using Shared = std::shared_ptr<const Scenario<S>>;
  struct Edge {
    std::uint64_t hits = 0;
    std::uint64_t cost = 0;
    Shared cheapest;
  };

  std::vector<Edge> edges_;
  std::vector<std::size_t> taken_;  // in the order in which they were first taken
};

template <System S>
class Portfolio {
 public:
  /// Needs at least one generator. `mutated` returns the corpus' scenarios first, unchanged. `adjust`, if given, is
  /// applied to every scenario before it is returned.
  Portfolio(const std::vector<Generator>& from, std::vector<Scenario<S>> corpus,
            std::function<void(Scenario<S>&)> adjust = nullptr)
      : given_{std::make_move_iterator(corpus.begin()), std::make_move_iterator(corpus.end())},
        adjust_{std::move(adjust)} {
    for (const Generator generator : from) clocks_.push_back({generator, 0});
  }

  /// The next scenario, valid until the next call. `seed` is the seed of its index in the stream (seed_of).
  const Scenario<S>& next(std::uint64_t seed) {
    random_ = Random{seed};
    turn_ = static_cast<std::size_t>(std::ranges::min_element(clocks_, {}, &Clock::time) - clocks_.begin());
    switch (generator()) {
      case Generator::uniform: scenario_ = draw_uniform<S>(random_); break;
      case Generator::swarm: scenario_ = draw_swarm<S>(random_); break;
      case Generator::suggested: scenario_ = draw_suggested<S>(random_); break;
      case Generator::mutated: mutate_one(); break;
    }
    if (adjust_) adjust_(scenario_);
    return scenario_;
  }

  /// The generator of the last scenario.
  Generator generator() const { return clocks_[turn_].generator; }

  /// How many scenarios of the corpus, and then of other engines, `next` has returned unchanged.
  std::uint64_t given_back() const { return given_back_; }

  /// Learns from the last scenario's traces, of which the first gives the system's features, and all give their own, and
  /// from the edges that it took (Coverage::taken). True if it reached a new bucket or edge.
  bool learn(std::span<const Trace<S>> traces, std::span<const std::size_t> edges = {}) {
    buckets_.clear();
    FeatureSet seen;
    const auto mark = [&](std::size_t bucket) {
      if (!seen[bucket]) buckets_.push_back(bucket);
      seen[bucket] = true;
    };
    mark_features<S>(scenario_, traces.front(), mark);
    mark_own_features<S>(traces, mark);
    const bool new_edge = edges_.add(scenario_, edges);
    clocks_[turn_].time += cost_of<S>(scenario_) * (weight_max / weight_of(generator()));
    return pool_.add(random_, scenario_, buckets_) || new_edge;
  }

  /// The buckets that the last scenario reached.
  std::span<const std::size_t> buckets() const { return buckets_; }

  /// Adds a scenario of another engine; `mutated`, if enabled, returns it soon.
  void offer(Scenario<S> scenario) {
    if (std::ranges::find(clocks_, Generator::mutated, &Clock::generator) != clocks_.end())
      given_.push_back(std::move(scenario));
  }

 private:
  static constexpr std::size_t actions_max = 2'000;  // as for drawn scenarios (draw_length)

  /// A system's own suggestions reach deep states, some of which no other generator reaches. With weight 9 they get
  /// three quarters of the work of all four, so that the portfolio takes at most twice the time that they take alone.
  /// Without suggestions, all generators get the same.
  static constexpr std::uint64_t weight_max = 9;
  static constexpr std::uint64_t weight_of(Generator generator) {
    return generator == Generator::suggested && Given<SuggestionsOf<S>> ? weight_max : 1;
  }

  struct Clock {
    Generator generator;
    std::uint64_t time = 0;  // its work so far, in cost × 9 / weight
  };

  void mutate_one() {
    if (!given_.empty()) {
      scenario_ = std::move(given_.front());
      given_.pop_front();
      ++given_back_;
      return;
    }
    if (pool_.empty() && edges_.empty()) {
      scenario_ = draw_suggested<S>(random_);
      return;
    }
    const Scenario<S>& one = pick();
    if (random_.chance(1, 4)) scenario_ = crossover<S>(random_, one, pick());
    else scenario_ = one;
    mutate<S>(random_, scenario_);
    if (scenario_.actions.size() > actions_max) scenario_.actions.resize(actions_max);
  }

  /// A scenario of either pool. Without edges the choice draws nothing, so that the stream of a seed stays.
  const Scenario<S>& pick() {
    if (edges_.empty()) return pool_.pick(random_);
    return pool_.empty() || random_.chance(1, 2) ? edges_.pick(random_) : pool_.pick(random_);
  }

  std::vector<Clock> clocks_;
  std::size_t turn_ = 0;
  std::deque<Scenario<S>> given_;
  std::uint64_t given_back_ = 0;
  std::function<void(Scenario<S>&)> adjust_;
  Pool<S> pool_;
  EdgePool<S> edges_;
  std::vector<std::size_t> buckets_;
  Random random_{0};
  Scenario<S> scenario_;
};

}  // namespace lockstep
