#include "lockstep/base/lines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockstep {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) out.emplace_back(take_line(text));
  return out;
}

TEST(Lines, EndAtALineEndOrAtTheEndOfTheText) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(lines_of(""), Texts{});
  EXPECT_EQ(lines_of("one"), Texts{"one"});
  EXPECT_EQ(lines_of("one\n"), Texts{"one"});
  EXPECT_EQ(lines_of("one\n\ntwo"), (Texts{"one", "", "two"}));
  EXPECT_EQ(lines_of("\n\n"), (Texts{"", ""}));
}

}  // namespace
}  // namespace lockstep
