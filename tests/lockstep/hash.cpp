#include "lockstep/base/hash.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

/// The published test vectors of 64-bit FNV-1a.
TEST(HashText, IsFnv1a) {
  EXPECT_EQ(hash_text(""), "cbf29ce484222325");
  EXPECT_EQ(hash_text("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_text("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace lockstep
