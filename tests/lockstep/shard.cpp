#include "lockstep/base/shard.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Shard, IsReadAsThePlaceAmongAll) {
  EXPECT_EQ(shard_from("1/1"), (Shard{0, 1}));
  EXPECT_EQ(shard_from("3/8"), (Shard{2, 8}));
  EXPECT_EQ(shard_from("3/8")->text(), "3/8");
  for (const char* text : {"", "3", "3/", "/8", "0/8", "9/8", "-1/8", "3/8/1", "3 /8", "3/8 ", "1/10001", "x/y",
                           "99999999999/99999999999"}) {
    EXPECT_FALSE(shard_from(text)) << text;
  }
}

}  // namespace
}  // namespace lockstep
