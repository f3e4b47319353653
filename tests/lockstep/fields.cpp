#include "lockstep/fields.hpp"

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
