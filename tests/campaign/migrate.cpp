#include "campaign/migrate.hpp"

#include <gtest/gtest.h>

#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

// The garden's setup has rows, columns, water, season, fence, beds and moles; its actions are plant, rain and wait.

Parsed<std::string> by_rules(const std::string& rules, const std::string& text) {
  const auto migration = parse_migration("lockstep 1 garden\n" + rules);
  if (!migration) return std::unexpected(migration.error());
  return migrated(*migration, garden(), text);
}

/// The text after the rules; or the error, with line and column.
std::string text_after(const std::string& rules, const std::string& text) {
  const auto out = by_rules(rules, text);
  if (!out) return out.error().message("old");
  const auto again = by_rules(rules, *out);
  EXPECT_EQ(again.value_or(""), *out) << "a second run changes nothing";
  EXPECT_TRUE(garden().judging().canonical(*out));
  return *out;
}

std::string error_of_rules(const std::string& rules) {
  const auto migration = parse_migration(rules);
  return migration ? "none" : migration.error().message("rules");
}

TEST(Migrate, AnEmptyListOfRulesChangesNothing) {
  for (const std::string text : {"lockstep 1 garden\nactions\n", "lockstep 1 garden # why\n\nwater  3\nactions\nwait",
                                 "lockstep 1 garden\r\nwater 3\r\nactions\r\nwait\r\n"}) {
    EXPECT_EQ(text_after("", text), text);
  }
}

TEST(Migrate, AFieldIsAddedInItsPlaceWhereItIsLacking) {
  EXPECT_EQ(text_after("add setup water 5\n", "lockstep 1 garden\n# why\nrows 2\nseason summer # hot\nactions\nwait\n"),
            "lockstep 1 garden\n# why\nrows 2\nwater 5\nseason summer # hot\nactions\nwait\n");
  EXPECT_EQ(text_after("add setup water 5\n", "lockstep 1 garden\nwater 3\nactions\n"),
            "lockstep 1 garden\nwater 3\nactions\n");
  EXPECT_EQ(text_after("add setup water 5\nadd setup rows 2\n", "lockstep 1 garden\nactions\n"),
            "lockstep 1 garden\nrows 2\nwater 5\nactions\n");
  EXPECT_EQ(text_after("add rain amount 7\n", "lockstep 1 garden\nactions\nrain # first\nrain amount=8\n"),
            "lockstep 1 garden\nactions\nrain amount=7 # first\nrain amount=8\n");
  EXPECT_EQ(text_after("add mole awake yes\n", "lockstep 1 garden\nmole row=0 column=0\nactions\n"),
            "lockstep 1 garden\nmole row=0 column=0 awake=yes\nactions\n");
}

TEST(Migrate, FieldsListsAndActionsAreRenamed) {
  EXPECT_EQ(
      text_after("rename setup butt water\nrename setup mouse mole\nrename mole line row\nrename action pour rain\n"
                 "rename rain much amount\nrename setup soil beds\n",
                 "lockstep 1 garden\nbutt 4 # butt\nsoil\n.\nmouse line=0 column=0 awake=no\nactions\npour much=3\n"),
      "lockstep 1 garden\nwater 4 # butt\nbeds\n.\nmole row=0 column=0 awake=no\nactions\nrain amount=3\n");
}

TEST(Migrate, NumbersMoveToTheNearestBound) {
  EXPECT_EQ(text_after("bound setup water 0 1000\nbound rain amount 2 300\n",
                       "lockstep 1 garden\nwater 5000\nactions\nrain amount=301\nrain amount=-1\nrain amount=20\n"),
            "lockstep 1 garden\nwater 1000\nactions\nrain amount=300\nrain amount=2\nrain amount=20\n");
}

TEST(Migrate, FieldsAndActionsAreRemoved) {
  EXPECT_EQ(
      text_after(
          "remove setup colour\nremove rain by\nremove action dig\n",
          "lockstep 1 garden\ncolour red\nwater 1\nactions\ndig depth=2\nrain by=\"a cloud\" amount=1 # c\ndig\n"),
      "lockstep 1 garden\nwater 1\nactions\nrain amount=1 # c\n");
}

TEST(Migrate, LaterRulesSeeWhatEarlierOnesMade) {
  EXPECT_EQ(text_after("rename setup butt barrel\nrename setup barrel water\nbound setup water 0 9\n",
                       "lockstep 1 garden\nbutt 12\nactions\n"),
            "lockstep 1 garden\nwater 9\nactions\n");
}

TEST(Migrate, ErrorsNameTheLineOfTheOldText) {
  EXPECT_EQ(text_after("add setup rows 2\n", "lockstep 1 garden\nwater 1\nactions\nrain amount=1\nrain amount=999\n"),
            "old:5:13: after the rules: amount must be a number from 0 to 300, got '999'");
  EXPECT_EQ(text_after("", "lockstep 1 garden\nactions\nrain\n").substr(0, 8), "old:3:5:");
  EXPECT_EQ(text_after("rename setup butt water\n", "lockstep 1 garden\nwater 1\nbutt 2\n"),
            "old:3:1: there is a 'water' already");
  EXPECT_EQ(text_after("rename rain much amount\n", "lockstep 1 garden\nactions\nrain much=1 amount=2\n"),
            "old:3:6: there is a 'amount' already");
  EXPECT_EQ(text_after("bound setup season 1 2\n", "lockstep 1 garden\nseason spring\n"),
            "old:2:8: 'season' is no number, so it has no bounds");
  EXPECT_EQ(text_after("remove setup soil\n", "lockstep 1 garden\nsoil\n.\n"),
            "old:2:1: 'soil' is a board: rules change fields of one line");
  EXPECT_EQ(text_after("", "lockstep 1 orchard\n"), "old:1:1: the rules are for garden, not orchard");
  EXPECT_EQ(text_after("", "").substr(0, 8), "old:1:1:");
}

TEST(Migrate, WrongRulesAreErrorsWithTheirPlace) {
  for (const auto& [rules, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "rules:1:1: expected 'lockstep 1 SYSTEM', got an empty text"},
           {"lockstep 2 garden\n", "rules:1:10: the format version must be a number from 1 to 1, got '2'"},
           {"lockstep 1 garden\nmove setup a b\n", "rules:2:1: expected add, rename, remove or bound, got 'move'"},
           {"lockstep 1 garden\nadd setup a\n", "rules:2:1: expected add SUBJECT FIELD VALUE"},
           {"lockstep 1 garden\nremove setup a b # why\n", "rules:2:1: expected remove SUBJECT FIELD"},
           {"lockstep 1 garden\nadd action a 1\n", "rules:2:5: an action is renamed or removed; fields need its name"},
           {"lockstep 1 garden\nbound setup a 1 x\n", "rules:2:17: expected a whole number"},
           {"lockstep 1 garden\nbound setup a 2 1\n", "rules:2:15: the lowest value is above the highest"}}) {
    EXPECT_EQ(error_of_rules(rules), error);
  }
}

TEST(Migrate, RulesThatASecondRunWouldApplyAgainAreRefused) {
  const std::string error = "rules:3:1: a second run would change more: an earlier rule is about ";
  for (const auto& [rules, about] : std::vector<std::pair<std::string, std::string>>{
           {"rename setup a b\nrename setup b a\n", "'setup a'"},
           {"rename setup a b\nadd setup a 1\n", "'setup a'"},
           {"remove setup a\nadd setup a 1\n", "'setup a'"},
           {"remove action a\nrename action b a\n", "'action a'"},
           {"bound setup b 1 2\nrename setup a b\n", "'setup b'"},
           {"add setup a 1\nrename setup a b\n", "'setup a'"},
           {"remove put k\nrename action get put\n", "'put k'"},
           {"bound mole row 0 1\nrename setup mouse mole\n", "'mole row'"}}) {
    EXPECT_EQ(error_of_rules("lockstep 1 garden\n" + rules), error + about);
  }
  for (const std::string rules : {"rename setup a b\nrename setup b c\n", "rename setup a b\nadd rain a 1\n",
                                  "rename action a b\nrename b k key\n", "rename setup a c\nrename setup b c\n"}) {
    EXPECT_EQ(error_of_rules("lockstep 1 garden\n" + rules), "none");
  }
}

}  // namespace
}  // namespace lockstep
