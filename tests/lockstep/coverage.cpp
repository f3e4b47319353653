#include "lockstep/coverage.hpp"

#include <gtest/gtest.h>

#include <array>

namespace lockstep {
namespace {

using Taken = std::vector<std::size_t>;

Taken taken(Coverage& coverage) {
  const auto edges = coverage.taken();
  return {edges.begin(), edges.end()};
}

TEST(Coverage, CountsFallIntoTheClassesOfAfl) {
  constexpr std::array<std::pair<std::uint8_t, std::size_t>, 15> classes = {{{1, 0},
                                                                             {2, 1},
                                                                             {3, 2},
                                                                             {4, 3},
                                                                             {7, 3},
                                                                             {8, 4},
                                                                             {15, 4},
                                                                             {16, 5},
                                                                             {31, 5},
                                                                             {32, 6},
                                                                             {127, 6},
                                                                             {128, 7},
                                                                             {129, 7},
                                                                             {254, 7},
                                                                             {255, 7}}};
  for (const auto& [count, expected] : classes) EXPECT_EQ(edge_class(count), expected) << int{count};
}

TEST(Coverage, ListsEachEdgeThatWasTaken) {
  for (std::size_t size = 0; size < 20; ++size) {
    std::vector<std::uint8_t> counters(size, 1);
    Coverage coverage{counters};
    coverage.reset();
    EXPECT_EQ(taken(coverage), Taken{});
    for (std::size_t edge = 0; edge < size; ++edge) {
      counters[edge] = 9;
      EXPECT_EQ(taken(coverage), Taken{edge * edge_classes + 4}) << edge << " of " << size;
      coverage.reset();
    }
    Taken all;
    for (std::size_t edge = 0; edge < size; ++edge) {
      counters[edge] = 2;
      all.push_back(edge * edge_classes + 1);
    }
    EXPECT_EQ(taken(coverage), all);
  }
}

}  // namespace
}  // namespace lockstep
