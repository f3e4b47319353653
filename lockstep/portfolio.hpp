// The built-in engine's portfolio: four generators of scenarios, each with a fixed share of the work.
//
// Three generators draw from nothing (draw.hpp); the fourth, `mutated`, changes scenarios of a pool. The pool
// holds, for each feature and bucket (features.hpp) that was reached, a few scenarios that reached it, and
// mutation prefers the buckets that few scenarios reach. It starts with the corpus and is fed by all four
// generators and, through `offer`, by other engines.
//
// Shares become turns by stride scheduling (Waldspurger, Weihl: "Stride scheduling", MIT 1995): each generator has a
// clock that its work moves by cost / weight, and the one whose clock is the furthest behind is next. A cost is counted
// in positions × cells, not in time. So the whole stream is a function of the seed, the generators and the corpus, as
// long as nothing is offered on the way. (A bandit that moved a quarter of the work to what found most lately was slower
// on the deep canaries: docs/finding-power.md.)
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
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

/// How much judging a scenario costs: a naive implementation looks at every cell of every position. Counted,
/// not measured, so that it is the same on every machine.
template <System S>
std::uint64_t cost_of(const Scenario<S>& scenario) {
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  // A board of a few cells costs about as much as one of 64: the steps themselves are not free.
  return (scenario.actions.size() + 1) * (64 + static_cast<std::uint64_t>(measure.total.area));
}

/// Scenarios that reached something, by what they reached.
template <System S>
class Pool {
 public:
  using Shared = std::shared_ptr<const Scenario<S>>;

  bool empty() const { return reached_.empty(); }

  /// Notes that a scenario reached these buckets (each named once). True if one of them is new. A bucket
  /// keeps a fair sample of those that reached it (Vitter's reservoir), so that a rare one keeps them all.
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

  /// A scenario of the pool, which must not be empty: of three buckets the one that was reached least often.
  const Scenario<S>& pick(Random& random) const {
    const Bucket* rarest = nullptr;
    for (int i = 0; i < 3; ++i) {
      const Bucket& bucket = buckets_[random.pick(reached_)];
      if (rarest == nullptr || bucket.hits < rarest->hits) rarest = &bucket;
    }
    return *rarest->sample[random.below(std::min<std::uint64_t>(rarest->hits, sample_max))];
  }

 private:
  static constexpr std::size_t sample_max = 4;
  struct Bucket {
    std::uint64_t hits = 0;
    std::array<Shared, sample_max> sample;
  };

  std::array<Bucket, features_max * feature_buckets> buckets_;
  std::vector<std::size_t> reached_;  // in the order in which they were
};

template <System S>
class Portfolio {
 public:
  /// At least one generator. The corpus' scenarios are what `mutated` brings first, just as they are.
  Portfolio(const std::vector<Generator>& from, std::vector<Scenario<S>> corpus)
      : given_{std::make_move_iterator(corpus.begin()), std::make_move_iterator(corpus.end())} {
    for (const Generator generator : from) clocks_.push_back({generator, 0});
  }

  /// The next scenario; it stays until the next call. `seed` is that of its place in the stream (seed_of).
  const Scenario<S>& next(std::uint64_t seed) {
    random_ = Random{seed};
    turn_ = static_cast<std::size_t>(std::ranges::min_element(clocks_, {}, &Clock::time) - clocks_.begin());
    switch (generator()) {
      case Generator::uniform: scenario_ = draw_uniform<S>(random_); break;
      case Generator::swarm: scenario_ = draw_swarm<S>(random_); break;
      case Generator::suggested: scenario_ = draw_suggested<S>(random_); break;
      case Generator::mutated: mutate_one(); break;
    }
    return scenario_;
  }

  /// The generator of the scenario that next() brought.
  Generator generator() const { return clocks_[turn_].generator; }

  /// What judging that scenario showed. True if it reached something new.
  bool learn(const Trace<S>& trace) {
    buckets_.clear();
    FeatureSet seen;
    mark_features<S>(scenario_, trace, [&](std::size_t bucket) {
      if (!seen[bucket]) buckets_.push_back(bucket);
      seen[bucket] = true;
    });
    clocks_[turn_].time += cost_of<S>(scenario_) * (weight_of(Generator::suggested) / weight_of(generator()));
    return pool_.add(random_, scenario_, buckets_);
  }

  /// The buckets that the last scenario reached.
  std::span<const std::size_t> buckets() const { return buckets_; }

  /// A scenario from elsewhere; `mutated`, if it takes part, brings it soon.
  void offer(Scenario<S> scenario) {
    if (std::ranges::find(clocks_, Generator::mutated, &Clock::generator) != clocks_.end())
      given_.push_back(std::move(scenario));
  }

 private:
  static constexpr std::size_t actions_max = 2'000;  // as drawn ones (draw_length)

  /// A system's own suggestions reach what is deep, and some of it nothing else does. With this weight they have three
  /// quarters of the work of all four, so that all together need no more than twice their time.
  static constexpr std::uint64_t weight_of(Generator generator) { return generator == Generator::suggested ? 9 : 1; }

  struct Clock {
    Generator generator;
    std::uint64_t time = 0;  // its work so far, in cost × 9 / weight
  };

  void mutate_one() {
    if (!given_.empty()) {
      scenario_ = std::move(given_.front());
      given_.pop_front();
      return;
    }
    if (pool_.empty()) {
      scenario_ = draw_suggested<S>(random_);
      return;
    }
    const Scenario<S>& one = pool_.pick(random_);
    if (random_.chance(1, 4)) scenario_ = crossover<S>(random_, one, pool_.pick(random_));
    else scenario_ = one;
    mutate<S>(random_, scenario_);
    if (scenario_.actions.size() > actions_max) scenario_.actions.resize(actions_max);
  }

  std::vector<Clock> clocks_;
  std::size_t turn_ = 0;
  std::deque<Scenario<S>> given_;
  Pool<S> pool_;
  std::vector<std::size_t> buckets_;
  Random random_{0};
  Scenario<S> scenario_;
};

}  // namespace lockstep
