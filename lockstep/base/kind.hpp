// The kinds of implementations: which are judged, and how often.
#pragma once

#include <cstdint>

namespace lockstep {

enum class Kind {
  reference,  // the oracle: slow, and obviously equal to the rules
  yardstick,  // must equal the reference; a baseline for benchmarks
  optimized,  // must equal the reference
  batch,      // must equal the reference; runs many scenarios at once, here one, so it is not benchmarked
  canary,     // wrong on purpose: a campaign that does not find it is broken
  plugin,     // from a shared library (plugin.hpp): judged only if it is named
};

/// Whether implementations of this kind are judged when none are named.
constexpr bool judged_by_default(Kind kind) {
  return kind == Kind::reference || kind == Kind::yardstick || kind == Kind::optimized || kind == Kind::batch;
}

/// A campaign judges implementations of this kind in one of this many scenarios. A yardstick is slow, and not what the
/// search is for; a batch of one scenario costs as much as one of hundreds.
constexpr std::uint64_t judged_in_one_of(Kind kind) {
  return kind == Kind::yardstick ? 64 : kind == Kind::batch ? 32 : 1;
}

}  // namespace lockstep
