// A small random number generator with the same stream under every compiler.
//
// The engine is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014). The
// standard library's distributions are avoided: their results differ between implementations, and one seed must give
// one stream of scenarios everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/base/numbers.hpp"

namespace lockstep {

/// The finaliser of SplitMix64: each bit of the result depends on all bits.
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_{seed} {}

  /// 64 uniform bits.
  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }

  /// A number from 0 to count − 1; 0 when count is 0. The bias is below 2⁻³² for counts below 2³².
  std::uint64_t below(std::uint64_t count) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * count) >> 64);
  }

  /// A number from first to last, both included.
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
  }

  /// As `between`, for a range of at most 2⁶⁴ numbers; the same stream where both can be used.
  Number number(Number first, Number last) {
    const auto span = static_cast<std::uint64_t>(last - first);
    return first + static_cast<Number>(span == ~std::uint64_t{0} ? next() : below(span + 1));
  }

  /// As `between`, for int.
  int integer(int first, int last) { return static_cast<int>(between(first, last)); }

  /// True with probability hits / tries.
  bool chance(unsigned hits, unsigned tries) { return below(tries) < hits; }

  /// One of the given items; the range must not be empty.
  decltype(auto) pick(auto&& range) { return range[below(std::size(range))]; }

  /// Another generator for a rare decision, so that the stream of this one stays what it would be without it. A copy would
  /// not do: its first number is the next one here, too, so that the same number would decide both.
  Random apart() const { return Random{Random{*this}.next()}; }

 private:
  std::uint64_t state_;
};

/// The seed of item `index` in the stream of `seed`, so that any item can be redrawn alone.
inline std::uint64_t seed_of(std::uint64_t seed, std::uint64_t index) {
  Random stream{seed ^ (index * 0xd1342543de82ef95u)};
  stream.next();
  return stream.next();
}

/// The number of actions of a scenario, at most `most`. Short scenarios are fast, long ones reach deep states.
inline std::size_t draw_length(Random& random, std::uint64_t most) {
  if (random.chance(1, 256)) return random.below(most);
  return std::min(random.below(std::uint64_t{2} << random.below(8)), most);
}

}  // namespace lockstep
