// For tests: counts in a needlessly complicated way, so that every kind of change has a place.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lab/mutants/toy/game.hpp"

namespace lockstep::optimized {

/// of[i]: the sum of i ones.
struct Sums {
  std::array<int, 10> of{};

  constexpr Sums() {
    for (std::size_t i = 1; i < of.size(); ++i) of[i] = of[i - 1] + 1;
  }
};

/// Two totals at a time; `?:` chooses each lane by itself.
template <class T>
struct Lanes {
  typedef T Totals [[gnu::vector_size(2 * sizeof(T))]];

  static T limited(T total) {
    const Totals totals = {Toy::most + 1, total};
    const auto beyond = totals > Toy::most;
    const Totals out = beyond ? Totals{} + Toy::most : totals;
    return out[0] == Toy::most ? out[1] : 0;
  }
};

class Plain {
 public:
  explicit Plain(const Toy::Setup& setup) : total_{setup.total} {}

  Toy::Observation step(const Toy::Action& action) {
    const int amount = std::get<Toy::Add>(action).amount;
    if (amount == 0) return {total_, even()};  // a shortcut: nothing changes without it
    total_ = Lanes<int>::limited(total_);
    for (int i = 0; i < sums.of[static_cast<std::size_t>(amount)]; ++i) {
      if (total_ >= Toy::most) break;
      ++total_;
    }
    total_ = std::max(total_, Toy::most - Toy::most);  // never less than 0 anyhow
    return {total_, even()};
  }

  Toy::Snapshot snapshot() const {
    std::array<int, 6> bits{};
    std::size_t count = 0;
    for (int rest = total_; rest != 0; rest >>= 1) bits[count++] = rest & 1;
    int total = 0;
    do {
      if (count == 0) continue;
      total += bits[--count] * (1 << count);
    } while (count > 0);
    if (total != total_) return {never()};
    return {total};
  }

 private:
  static constexpr int sides = 3;
  static_assert(sides + 1 == 4);
  static constexpr std::array<unsigned, 8> even_of = {7, 0, 1, 0, 3, 0, 1, 0};  // of the total modulo 8

  static constexpr Sums sums{};

  unsigned even() const {
    constexpr unsigned low = 0b111;
    unsigned even = 0;
    if (!(total_ < 0) && (total_ <= Toy::most || total_ < 0)) even |= even_of[static_cast<unsigned>(total_) & low];
    return even;
  }

  int never() const { return total_ / 2 - 1; }

  int total_;
};
static_assert(Implementation<Plain, Toy>);
inline const auto plain = register_implementation<Plain, Toy>("plain", Kind::optimized, "counts bit by bit");

}  // namespace lockstep::optimized
