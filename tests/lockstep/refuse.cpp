#include "lockstep/refuse.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace lockstep {
namespace {

TEST(OrRefuse, GivesTheValue) {
  EXPECT_EQ(or_refuse(std::expected<int, std::string>{7}), 7);
  EXPECT_EQ(*or_refuse(std::expected<std::unique_ptr<int>, std::string>{std::make_unique<int>(7)}), 7);
  EXPECT_NO_THROW(or_refuse(std::expected<void, std::string>{}));
}

TEST(OrRefuse, WithoutAValueTheReasonIsBadInput) {
  try {
    or_refuse(std::expected<void, std::string>{std::unexpected{"it is full"}});
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_STREQ(error.what(), "it is full");
  }
}

}  // namespace
}  // namespace lockstep
