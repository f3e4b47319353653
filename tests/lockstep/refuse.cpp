#include "lockstep/base/refuse.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

TEST(OrRefuse, GivesTheValue) {
  EXPECT_EQ(or_refuse(std::expected<int, std::string>{7}), 7);
  EXPECT_EQ(*or_refuse(std::expected<std::unique_ptr<int>, std::string>{std::make_unique<int>(7)}), 7);
  EXPECT_NO_THROW(or_refuse(std::expected<void, std::string>{}));
}

TEST(OrRefuse, WithoutAValueTheReasonIsBadInput) {
  const std::expected<void, std::string> full = std::unexpected{"it is full"};
  EXPECT_EQ(message_of([&] { or_refuse(full); }), "it is full");
}

}  // namespace
}  // namespace lockstep
