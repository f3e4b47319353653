// A bandit: divides work among arms by what each of them finds.
//
// A part of the work, half unless told otherwise, is shared out by the arms' weights, whatever they find: every arm
// keeps a floor. The rest goes to the arms in proportion to what they found lately per unit of cost, and by weight
// again while nobody finds anything. "Lately" is a sum that is halved from time to time.
//
// Shares become turns by stride scheduling (Waldspurger, Weihl: "Stride scheduling", MIT 1995): each arm has
// a clock that a unit of its work moves by 1 / share, and the arm whose clock is the furthest behind is
// next. So the first turns go to all arms, one after the other, and a share that changes changes the
// future only. All of it is integer arithmetic: one history gives one sequence of turns everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

class Bandit {
 public:
  /// `memory` is the cost after which a find counts half. Weights are above 0 and small (below 1000). `certain`: what is
  /// shared out by them, of `unit`.
  Bandit(std::vector<std::uint64_t> weights, std::uint64_t memory, std::uint64_t certain = unit / 2)
      : memory_{memory}, certain_{certain} {
    for (const auto weight : weights) arms_.push_back({.weight = weight});
  }

  std::size_t size() const { return arms_.size(); }

  /// Whose turn it is; an arm for which `idle` says true is passed over. All idle: size().
  template <class Idle>
  std::size_t next(Idle&& idle) const {
    std::size_t best = arms_.size();
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      if (!idle(i) && (best == arms_.size() || arms_[i].clock < arms_[best].clock)) best = i;
    }
    return best;
  }
  std::size_t next() const {
    return next([](std::size_t) { return false; });
  }

  /// The arm did work of that cost and found so many new things.
  void pay(std::size_t arm, std::uint64_t cost, std::uint64_t found) {
    arms_[arm].clock += ticks(arm, cost);
    arms_[arm].cost += cost;
    arms_[arm].found += found * unit;
    recent_cost_ += cost;
    if (recent_cost_ < memory_) return;
    recent_cost_ /= 2;
    for (Arm& each : arms_) {
      each.cost /= 2;
      each.found /= 2;
    }
  }

  /// Puts an arm's clock forward: it starts once `other` has done work of that cost.
  void delay(std::size_t arm, std::size_t other, std::uint64_t cost) { arms_[arm].clock += ticks(other, cost); }

  /// The arm's part of all work, of `unit`; at least 1.
  std::uint64_t share(std::size_t arm) const {
    std::uint64_t weights = 0;
    std::uint64_t yields = 0;
    for (const Arm& each : arms_) {
      weights += each.weight;
      yields += each.yield();
    }
    const std::uint64_t by_weight = arms_[arm].weight * unit / weights;
    const std::uint64_t by_yield = yields == 0 ? by_weight : arms_[arm].yield() * unit / yields;
    return 1 + (certain_ * by_weight + (unit - certain_) * by_yield) / unit;
  }

  static constexpr std::uint64_t unit = 1 << 16;

 private:
  struct Arm {
    std::uint64_t weight = 1;
    std::uint64_t clock = 0;
    std::uint64_t cost = 0;   // of late
    std::uint64_t found = 0;  // of late, × unit

    std::uint64_t yield() const { return (found << 10) / (cost + 1); }
  };

  /// How far work of that cost moves the arm's clock; with a few more digits, so that small costs count.
  std::uint64_t ticks(std::size_t arm, std::uint64_t cost) const { return (cost << 6) * unit / share(arm); }

  std::vector<Arm> arms_;
  std::uint64_t memory_;
  std::uint64_t certain_;
  std::uint64_t recent_cost_ = 0;
};

}  // namespace lockstep
