// One of several processes, on one machine or many, that share a piece of work without talking to a master.
//
// The division is a function of the shard alone. A shard of a stream takes every count-th scenario, a shard of a sweep
// every count-th number; a shard of a walk owns the positions whose hash falls to it (owner_of). So no two shards do
// the same work, and all of them together do all of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/base/numbers.hpp"
#include "lockstep/base/random.hpp"

namespace lockstep {

struct Shard {
  static constexpr unsigned count_max = 10'000;
  unsigned index = 0;  // 0 … count − 1; people count from 1
  unsigned count = 1;

  bool alone() const { return count == 1; }
  /// "3/8"
  std::string text() const { return std::to_string(index + 1) + "/" + std::to_string(count); }
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Reads "3/8": the third of eight. Empty for any other text.
inline std::optional<Shard> shard_from(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto index = number_in(text.substr(0, slash));
  const auto count = number_in(text.substr(std::min(slash + 1, text.size())));
  if (!index || !count || *index < 1 || *index > *count || *count > Shard::count_max) return std::nullopt;
  return Shard{static_cast<unsigned>(*index - 1), static_cast<unsigned>(*count)};
}

/// The index of the shard that owns a position with this hash. The hash is mixed once more, because the set of positions
/// takes its slots from the same bits: with 8 shards, all positions of one would share their lowest three.
inline unsigned owner_of(std::uint64_t hash, unsigned count) { return static_cast<unsigned>(seed_of(hash, 0) % count); }

}  // namespace lockstep
