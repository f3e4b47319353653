#include "lockstep/describe/fields.hpp"

#include <gtest/gtest.h>

#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

using Fields = std::vector<Field>;

std::string shown(const FieldDifference& d) { return d.name + " " + d.expected + " " + d.actual; }

TEST(Fields, AnObservationIsOneLine) {
  EXPECT_EQ(line_of(observation_fields<Garden>({.legal = true, .water = 4, .count = {2, 1}, .whisper = 0})),
            "legal=yes water=4 count=2,1");
  EXPECT_EQ(line_of(observation_fields<Garden>({})), "legal=no");
}

TEST(Fields, ASnapshotsFieldsNameRowsAndItems) {
  Garden::Setup setup = plot(2, 1);
  setup.beds.at(1, 0) = 2;
  setup.moles = {{1, 0, true}};
  EXPECT_EQ(line_of(snapshot_fields<Garden>(setup)),
            "rows=2 columns=1 water=0 season=spring fence=no beds[0]=. beds[1]=t mole[0].row=1 mole[0].column=0 "
            "mole[0].awake=yes");
}

TEST(Fields, TheFirstDifferenceIsNamedWithBothTexts) {
  const Fields expected = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  EXPECT_EQ(shown(first_difference(expected, expected)), "  ");
  EXPECT_EQ(shown(first_difference(expected, {{"a", "1"}, {"b", "7"}, {"c", "9"}})), "b 2 7");
}

TEST(Fields, AFieldThatOnlyOneHasIsADifference) {
  const Fields both = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(shown(first_difference(both, {{"a", "1"}})), "b 2 (no such field)");
  EXPECT_EQ(shown(first_difference({{"a", "1"}}, both)), "b (no such field) 2");
  EXPECT_EQ(shown(first_difference(both, {{"a", "1"}, {"c", "2"}})), "b 2 c=2");
  EXPECT_EQ(shown(first_difference(both, {{"a", "1"}, {"c", "2"}, {"b", "2"}})), "b 2 (no such field)");
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

TEST(Fields, OfLongValuesRunsAreCountedAndThePlaceIsNamedWhereTheyPart) {
  EXPECT_EQ(difference_text("6", "5"), "expected 6, got 5");
  const std::string a(253, 'a');
  EXPECT_EQ(difference_text(in_quotes(a + "a"), in_quotes(a)),
            "expected \"a\" × 254, got \"a\" × 253 (they part after 253 characters, of 254 and 253)");
  EXPECT_EQ(difference_text(in_quotes("\\x00" + a + "é"), "none"), "expected \"\\x00\" \"a\" × 253 \"é\", got none");
  std::string zeros = "0";
  for (int i = 1; i < 300; ++i) zeros += ",0";
  EXPECT_EQ(difference_text("[" + zeros + ",7]", "[" + zeros + ",8]"),
            "expected [0 × 300,7], got [0 × 300,8] (they part after 300 items, of 301)");
  EXPECT_EQ(difference_text("7," + zeros, zeros),
            "expected 7,0 × 300, got 0 × 300 (they part after 0 items, of 301 and 300)");
}

TEST(Fields, OfLongValuesWithoutRunsOnlyThePlaceIsShownWhereTheyPart) {
  std::string letters;
  for (int i = 0; i < 200; ++i) letters += static_cast<char>('a' + i % 26);
  const auto changed = [](std::string text) { return text[100] = 'X', in_quotes(text); };
  const std::string place = "… \"cdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij\" …";
  const std::string other = "… \"cdefghijklmnopqrstuvXxyzabcdefghijklmnopqrstuvwxyzabcdefghij\" …";
  EXPECT_EQ(difference_text(in_quotes(letters), changed(letters)),
            "expected " + place + ", got " + other + " (they part after 100 characters, of 200)");
  EXPECT_EQ(difference_text("[[],[" + in_quotes(letters) + "]]", "[[],[" + changed(letters) + "]]"),
            "expected [[],[" + place + "]], got [[],[" + other + "]] (they part after 1 item, of 2)");
  EXPECT_EQ(shortened(letters, letters), letters.substr(0, 40) + " …");
}

TEST(Fields, ASignatureHasNoIndices) {
  EXPECT_EQ(without_indices("board[3]"), "board");
  EXPECT_EQ(without_indices("mole[12].row"), "mole.row");
  EXPECT_EQ(without_indices("points"), "points");
  EXPECT_EQ(without_indices(""), "");
}

TEST(Fields, AChoiceBeyondItsNamesIsANumber) {
  CollectWords words;
  for (int season : {4, 5, 0}) words.choice("season", season, 1, Garden::seasons);
  EXPECT_EQ(line_of(words.fields), "season=winter season=5 season=0");
}

}  // namespace
}  // namespace lockstep
