#include "lockstep/draw/coverage.hpp"

#include <algorithm>
#include <cstring>

extern "C" {

// The linker defines these where a program has such a section: https://clang.llvm.org/docs/SanitizerCoverage.html
// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's and the compiler's
[[gnu::weak, gnu::visibility("hidden")]] extern std::uint8_t __start___sancov_cntrs[];
[[gnu::weak, gnu::visibility("hidden")]] extern std::uint8_t __stop___sancov_cntrs[];

// Instrumented code calls this at start. libFuzzer and the runtimes of sanitizers have their own.
[[gnu::weak]] void __sanitizer_cov_8bit_counters_init(std::uint8_t*, std::uint8_t*) {}
// NOLINTEND(bugprone-reserved-identifier)
}

namespace lockstep {

std::span<std::uint8_t> edge_counters() {
  if (static_cast<std::uint8_t*>(__start___sancov_cntrs) == nullptr) return {};
  return {static_cast<std::uint8_t*>(__start___sancov_cntrs), static_cast<std::uint8_t*>(__stop___sancov_cntrs)};
}

void Coverage::reset() { std::ranges::fill(counters_, std::uint8_t{0}); }

std::span<const std::size_t> Coverage::taken() {
  taken_.clear();
  const auto note = [&](std::size_t edge) {
    if (counters_[edge] != 0) taken_.push_back(edge * edge_classes + edge_class(counters_[edge]));
  };
  // Most counters are 0: eight at a time.
  std::size_t edge = 0;
  for (; edge + sizeof(std::uint64_t) <= counters_.size(); edge += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, counters_.data() + edge, sizeof word);
    if (word == 0) continue;
    for (std::size_t i = 0; i < sizeof word; ++i) note(edge + i);
  }
  for (; edge < counters_.size(); ++edge) note(edge);
  return taken_;
}

}  // namespace lockstep
