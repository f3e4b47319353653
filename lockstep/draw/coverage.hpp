// Coverage of instrumented code, for the pools of built-in engines.
//
// An implementation that is compiled with clang's -fsanitize-coverage=inline-8bit-counters counts how often each of its
// edges (branches between basic blocks) is taken. Counts fall into eight classes, as in AFL: 1, 2, 3, 4–7, 8–15, 16–31,
// 32–127, and 128 or more. An edge and a class are one number. Nothing else has to be done: without instrumented code
// there are no edges, and this costs nothing. Counters of shared libraries are not seen, nor those of code that runs
// in another process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

inline constexpr std::size_t edge_classes = 8;

/// The class of an edge that was taken `count` times, which must not be 0.
constexpr std::size_t edge_class(std::uint8_t count) {
  if (count < 4) return count - std::size_t{1};
  if (count < 8) return 3;
  if (count < 16) return 4;
  if (count < 32) return 5;
  return count < 128 ? 6 : 7;
}

/// The counters of this program's instrumented code, one for each edge; empty if there is none.
std::span<std::uint8_t> edge_counters();

/// What was taken since the last reset().
class Coverage {
 public:
  explicit Coverage(std::span<std::uint8_t> counters) : counters_{counters} {}

  void reset();
  /// edge × edge_classes + class of every edge taken, in rising order. Valid until the next call.
  std::span<const std::size_t> taken();

 private:
  std::span<std::uint8_t> counters_;
  std::vector<std::size_t> taken_;
};

}  // namespace lockstep
