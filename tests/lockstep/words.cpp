#include "lockstep/base/words.hpp"

#include <gtest/gtest.h>

#include "lockstep/base/random.hpp"

namespace lockstep {
namespace {

TEST(Words, OneIsCountedInTheSingular) {
  EXPECT_EQ(counted(0, "action"), "0 actions");
  EXPECT_EQ(counted(1, "action"), "1 action");
  EXPECT_EQ(counted(2, "action"), "2 actions");
  EXPECT_EQ("1,000 " + plural(1'000, "step"), "1,000 steps");
}

TEST(Words, AnEditInsertsRemovesReplacesOrSwapsALetter) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "puyo"), 4u);
  EXPECT_EQ(edit_distance("puyo", ""), 4u);
  EXPECT_EQ(edit_distance("puyo", "puyo"), 0u);
  EXPECT_EQ(edit_distance("puo", "puyo"), 1u);
  EXPECT_EQ(edit_distance("puyoo", "puyo"), 1u);
  EXPECT_EQ(edit_distance("puya", "puyo"), 1u);
  EXPECT_EQ(edit_distance("pyuo", "puyo"), 1u);
  EXPECT_EQ(edit_distance("PUYO", "puyo"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // each position is edited at most once
}

TEST(Words, AreReplacedInOnePass) {
  EXPECT_EQ(replaced("", {{"a", "b"}}), "");
  EXPECT_EQ(replaced("nothing", {}), "nothing");
  EXPECT_EQ(replaced("aXbXXc", {{"X", ""}}), "abc");
  EXPECT_EQ(replaced("A B A", {{"A", "A and B"}, {"B", "A"}}), "A and B A A and B") << "a replacement is not looked at";
  EXPECT_EQ(replaced("AB", {{"A", "1"}, {"AB", "2"}}), "1B") << "the first one counts";
}

/// A word of up to five letters from an alphabet of three, so that many words are near each other.
std::string word_of(Random& random) {
  std::string word;
  for (auto length = random.below(6); length > 0; --length) word += static_cast<char>('a' + random.below(3));
  return word;
}

TEST(Words, DistancesAreSymmetricAndGrowByOneWithALetter) {
  Random random{1};
  for (int i = 0; i < 2'000; ++i) {
    const std::string a = word_of(random);
    const std::string b = word_of(random);
    EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
    EXPECT_EQ(edit_distance(a, b) == 0, a == b) << a << " " << b;
    EXPECT_LE(edit_distance(a + "a", b), edit_distance(a, b) + 1) << a << " " << b;
    EXPECT_EQ(edit_distance(a + "x", b + "x"), edit_distance(a, b)) << a << " " << b;
  }
}

TEST(Words, TheNearestNameIsSuggested) {
  const std::vector<std::string> known = {"puyo", "block_game", "stacking", "ts_tetris", "six_counts_as_five"};
  EXPECT_EQ(nearest("pyuo", known), "puyo");
  EXPECT_EQ(nearest("Puyo", known), "puyo");
  EXPECT_EQ(nearest("blok-game", known), "block_game");
  EXPECT_EQ(nearest("tetris", known), "ts_tetris");
  EXPECT_EQ(nearest("six", known), "six_counts_as_five");
  EXPECT_EQ(nearest("s", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("chess", known), "");
  EXPECT_EQ(nearest("puyo", {}), "");
}

TEST(Words, AnUnknownNameIsAnErrorWithTheNearestOrAllNames) {
  EXPECT_EQ(unknown_name("game", "pyuo", {"puyo", "omok"}), "there is no game 'pyuo'; did you mean 'puyo'?");
  EXPECT_EQ(unknown_name("simulator", "missing", {"rulebook", "lean"}, " of puyo"),
            "there is no simulator 'missing' of puyo; there are: rulebook, lean");
  EXPECT_EQ(unknown_name("game", "\x1b[31m", {}), "there is no game '?[31m'");
}

TEST(Words, ATypeIsOneWordWithoutItsNamespaces) {
  EXPECT_EQ(word_of_type("lru::ListLru"), "ListLru");
  EXPECT_EQ(word_of_type("(anonymous namespace)::Indexed<lru::Key, 2>"), "Indexed_lru_Key_2");
  EXPECT_EQ(word_of_type("left-right mirror"), "left_right_mirror");
}

}  // namespace
}  // namespace lockstep
