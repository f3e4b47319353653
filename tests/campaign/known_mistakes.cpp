#include "campaign/known_mistakes.hpp"

#include <gtest/gtest.h>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"

namespace lockstep {
namespace {

TEST(KnownMistakesFile, AreSignaturesOrScenariosBesideTheFile) {
  const ScratchFolder folder;
  const auto file = folder.path() / "known.txt";
  ASSERT_TRUE(
      write_file(file, "# a comment\n\n  heap wrong hang pop # issue 1\nscenario known/two.txt # why # really\n"));
  const auto known = read_known_mistakes(file);
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].signature, "heap wrong hang pop");
  EXPECT_EQ(known[0].reason, "issue 1");
  EXPECT_TRUE(known[0].scenario.empty());
  EXPECT_EQ(known[1].scenario, folder.path() / "known/two.txt");
  EXPECT_EQ(known[1].reason, "why # really");
  EXPECT_TRUE(known[1].signature.empty());
}

TEST(KnownMistakesFile, WithoutAReasonAreBadInputThatNamesTheLine) {
  const ScratchFolder folder;
  const auto file = folder.path() / "known.txt";
  for (const char* const line : {"heap wrong hang pop", "heap wrong hang pop # ", "scenario two.txt #",
                                 "heap wrong pop value # misspelt", "heap # x"}) {
    ASSERT_TRUE(write_file(file, std::string{"# a comment\n"} + line + "\n"));
    try {
      read_known_mistakes(file);
      ADD_FAILURE() << line;
    } catch (const BadInput& error) {
      EXPECT_TRUE(std::string{error.what()}.starts_with(file.string() + ":2: expected a signature")) << error.what();
    }
  }
  EXPECT_THROW(read_known_mistakes(folder.path() / "none.txt"), BadInput);
}

}  // namespace
}  // namespace lockstep
