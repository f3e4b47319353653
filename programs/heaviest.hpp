// Searches for the cases of a problem that take the reference longest: what a program must answer within its time limit.
#pragma once

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/draw/portfolio.hpp"
#include "lockstep/system/implementations.hpp"
#include "programs/problem_domain.hpp"

namespace lockstep {

/// Keeps the slowest scenarios that it has met. Every second candidate is drawn, and the others grow from one that is
/// kept: mutated, or followed by the actions of another.
class HeaviestSearch {
 public:
  /// Keeps up to `count` scenarios. The seeds are the first candidates. The fastest implementation answers candidates
  /// while they are brought inside the problem's domain; then the reference is timed on them.
  HeaviestSearch(const AnyProblem& problem, std::size_t count, std::uint64_t seed, std::vector<AnyScenario> seeds)
      : count_{count},
        seed_{seed},
        seeds_{std::move(seeds)},
        reference_{reference_of(problem.vocabulary())},
        domain_{problem, fastest_of(problem.vocabulary())} {}

  /// Searches for this long, at least for one scenario. Returns those that are kept, the slowest first. Which these are
  /// depends on the speed of the machine, too.
  std::vector<AnyScenario> search(std::chrono::milliseconds time) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    do {
      const std::uint64_t index = tried_++;
      Random random{seed_of(seed_, index)};
      if (index < seeds_.size()) consider(seeds_[index]);
      else if (index % 2 == 0 || kept_.empty()) consider(drawn(seed_of(seed_, index)));
      else consider(grown(random));
    } while (std::chrono::steady_clock::now() < deadline);
    std::vector<AnyScenario> out;
    std::ranges::transform(kept_, std::back_inserter(out), &Timed::scenario);
    return out;
  }

 private:
  struct Timed {
    std::chrono::nanoseconds time;
    AnyScenario scenario;
  };

  AnyScenario drawn(std::uint64_t seed) {
    AnyScenario out = portfolio_.next(seed);
    portfolio_.learn({&domain_.trace(), 1});
    return out;
  }

  AnyScenario grown(Random& random) {
    AnyScenario out = random.pick(kept_).scenario;
    if (random.chance(1, 2)) {
      const AnyScenario& more = random.pick(kept_).scenario;
      out.insert(out.size(), more, 0, more.size());
      refit(out);
    } else {
      mutate(random, out);
    }
    return out;
  }

  void consider(AnyScenario candidate) {
    domain_.bring_inside(candidate);
    const auto is_slow = [&](std::chrono::nanoseconds time) {
      return kept_.size() < count_ || time > kept_.back().time;
    };
    if (!is_slow(time_of(candidate, 1))) return;
    const auto time = time_of(candidate, 8);
    if (!is_slow(time)) return;
    if (std::ranges::find(kept_, candidate, &Timed::scenario) != kept_.end()) return;
    kept_.insert(std::ranges::upper_bound(kept_, time, std::greater{}, &Timed::time), {time, std::move(candidate)});
    if (kept_.size() > count_) kept_.pop_back();
  }

  /// The least of a few runs: what disturbs a run makes it longer. A long run is not repeated, since that is little then.
  std::chrono::nanoseconds time_of(const AnyScenario& scenario, int runs) {
    constexpr std::chrono::milliseconds enough{2};
    auto least = std::chrono::nanoseconds::max();
    std::chrono::nanoseconds all{0};
    for (int run = 0; run < runs && all < enough; ++run) {
      const Stopwatch watch;
      reference_.run(scenario, Cadence{}, trace_);
      all += watch.elapsed();
      least = std::min(least, watch.elapsed());
    }
    return least;
  }

  std::size_t count_;
  std::uint64_t seed_;
  std::vector<AnyScenario> seeds_;
  Runner reference_;
  ProblemDomain domain_;
  Portfolio portfolio_ = portfolio_inside(domain_);
  AnyTrace trace_ = domain_.trace();
  std::vector<Timed> kept_;  // the slowest first
  std::uint64_t tried_ = 0;
};

}  // namespace lockstep
