#include "lockstep/base/json.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Dumped, ReplacesBytesThatAreNotUtf8) {
  const nlohmann::ordered_json named{{"naïve\xff", "a\xff"}};
  EXPECT_EQ(dumped(named), R"({"na\u00efve\ufffd":"a\ufffd"})");
  EXPECT_EQ(dumped(named, 2), "{\n  \"naïve\xef\xbf\xbd\": \"a\xef\xbf\xbd\"\n}");
  EXPECT_EQ(dumped(nlohmann::ordered_json::parse(dumped(named))), dumped(named));
}

}  // namespace
}  // namespace lockstep
