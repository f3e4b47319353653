#include "lockstep/draw/coverage.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace lockstep {
namespace {

using Taken = std::vector<std::size_t>;

Taken taken(Coverage& coverage) {
  const auto edges = coverage.taken();
  return {edges.begin(), edges.end()};
}

TEST(Coverage, CountsFallIntoTheClassesOfAfl) {
  const std::map<std::size_t, std::vector<std::uint8_t>> classes = {
      {0, {1}},     {1, {2}},      {2, {3}},       {3, {4, 7}},
      {4, {8, 15}}, {5, {16, 31}}, {6, {32, 127}}, {7, {128, 129, 254, 255}}};
  for (const auto& [expected, counts] : classes) {
    for (const std::uint8_t count : counts) EXPECT_EQ(edge_class(count), expected) << int{count};
  }
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
