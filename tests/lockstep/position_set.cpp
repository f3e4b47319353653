#include "lockstep/explore/position_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/codec.hpp"

namespace lockstep {
namespace {

TEST(PositionSet, IsASetInTheOrderOfInsertion) {
  Random random{5};
  PositionSet set;
  std::set<Bytes> model;
  std::vector<Bytes> order;
  for (int i = 0; i < 20'000; ++i) {
    Bytes bytes(random.chance(1, 50) ? 200 + random.below(100) : random.below(4));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.below(40));
    const bool is_new = model.insert(bytes).second;
    ASSERT_EQ(set.contains(bytes, PositionSet::hash(bytes)), !is_new);
    ASSERT_EQ(set.insert(bytes, PositionSet::hash(bytes)), is_new);
    if (is_new) order.push_back(bytes);
  }
  ASSERT_EQ(set.size(), model.size());
  const PositionSet copy = PositionSet::of(set.stretch());
  for (const PositionSet* each : {&std::as_const(set), &copy}) {
    std::size_t start = 0;
    for (const Bytes& bytes : order) {
      ASSERT_TRUE(std::ranges::equal(each->at(start), bytes));
      start = each->next(start);
    }
    EXPECT_EQ(start, each->end());
  }
}

TEST(PositionSet, DistinguishesPositionsWithTheSameHash) {
  PositionSet set;
  const Bytes one = {1};
  const Bytes other = {2};
  EXPECT_TRUE(set.insert(one, 7));
  EXPECT_FALSE(set.contains(other, 7));
  EXPECT_TRUE(set.insert(other, 7));
  EXPECT_FALSE(set.insert(one, 7));
  EXPECT_EQ(set.size(), 2u);
}

TEST(PositionSet, PredictsTheMemoryThatItNeeds) {
  PositionSet set;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    Bytes bytes(9);
    for (std::size_t b = 0; b < 4; ++b) bytes[b] = static_cast<std::uint8_t>(i >> 8 * b);
    const std::size_t promised = set.memory_to_add(1, bytes.size());
    set.insert(bytes, PositionSet::hash(bytes));
    ASSERT_LE(set.memory(), promised) << i;
  }
}

}  // namespace
}  // namespace lockstep
