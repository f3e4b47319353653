#include "campaign/migrate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/random.hpp"
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
  EXPECT_EQ(text_after("add setup fence yes\n", "lockstep 1 garden\nmole row=0 column=0 awake=no\nactions\n"),
            "lockstep 1 garden\nfence yes\nmole row=0 column=0 awake=no\nactions\n")
      << "before the items of a list";
  EXPECT_EQ(text_after("add setup water 5\nrename setup time season\n", "lockstep 1 garden\ntime spring\nactions\n"),
            "lockstep 1 garden\nwater 5\nseason spring\nactions\n")
      << "in its place among the names that later rules give";
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

/// The line of the wrong rule, and what is wrong.
std::string wrong(const std::string& rules, const std::string& text) {
  const auto migration = parse_migration("lockstep 1 garden\n" + rules).value();
  EXPECT_FALSE(migrated(migration, garden(), text)) << rules;
  const auto found = wrong_rule(migration, garden(), text);
  if (!found) return "none";
  return std::to_string(found->rule->line) + (found->applied ? " makes no scenario" : " cannot be applied");
}

TEST(Migrate, ARuleThatMakesNoneOfAScenarioIsWrong) {
  const std::string scenario = "lockstep 1 garden\nwater 1\nactions\nrain amount=2\n";
  EXPECT_EQ(wrong("add setup fence yes\nrename setup water beer\nrename setup none nothing\n", scenario),
            "3 makes no scenario");
  EXPECT_EQ(wrong("rename action rain snow\nbound snow amount 0 1\n", scenario), "2 makes no scenario");
  EXPECT_EQ(wrong("bound rain amount 999 1000\nremove setup butt\n", scenario), "2 makes no scenario");
  EXPECT_EQ(wrong("\n# why\nadd rain colour red\n", scenario), "4 makes no scenario");
  EXPECT_EQ(wrong("rename setup water beer\n", scenario + "dig\n"), "none") << "the text was no scenario before";
}

TEST(Migrate, ARuleThatCannotBeAppliedIsWrong) {
  EXPECT_EQ(wrong("rename setup water season\n", "lockstep 1 garden\nwater 1\nseason spring\nactions\n"),
            "2 cannot be applied");
  EXPECT_EQ(wrong("rename action plant put\nrename put row column\n",
                  "lockstep 1 garden\nactions\nplant row=0 column=0 flower=rose\n"),
            "3 cannot be applied")
      << "also if another one has made no scenario before";
}

TEST(Migrate, OfATextOfTheOldFormTheRuleIsWrongWithoutWhichTheOthersMakeAScenario) {
  const std::string old = "lockstep 1 garden\nwetness 1\nactions\nrain amount=2\n";
  EXPECT_EQ(wrong("rename setup wetness water\nrename action rain snow\n", old), "3 makes no scenario");
  EXPECT_EQ(wrong("rename action rain snow\nrename setup wetness water\n", old), "2 makes no scenario");
  EXPECT_EQ(wrong("rename setup wetness water\nrename rain amount depth\n", old), "3 makes no scenario");
  EXPECT_EQ(wrong("rename rain amount depth\nremove setup none\n", old), "none") << "a rule is missing, too";
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

// Random rules. A scenario of the garden is taken back in time, one rule after another: each rule comes with a change that
// makes of the new text an old one, which the rule has to undo.

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines out;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    out.push_back(text.substr(begin, end - begin));
  return out;
}

std::string text_of(const Lines& lines) {
  std::string out;
  for (const auto& line : lines) out += line + "\n";
  return out;
}

class Backwards {
 public:
  Backwards(Lines lines, std::uint64_t seed) : lines_{std::move(lines)}, random_{seed} {}

  const Lines& lines() const { return lines_; }
  void go_back_to(Lines lines) { lines_ = std::move(lines); }

  /// Changes the text, and returns the rule that undoes it; empty if there is nothing for the chosen rule.
  std::string step() {
    const auto actions = static_cast<std::size_t>(std::ranges::find(lines_, "actions") - lines_.begin());
    const std::size_t line = 1 + random_.below(lines_.size() - 1);
    if (line == actions) return {};
    const std::string old = "old" + std::to_string(++made_);
    const std::string first = word(lines_[line]);
    const bool setup = line < actions;
    const bool board_row = setup && first.starts_with('.');
    if (board_row || (setup && first.find_first_not_of("rt") == std::string::npos)) return {};
    const std::size_t field = lines_[line].find('=');
    const bool record = field != std::string::npos;
    const std::string name = record ? lines_[line].substr(first.size() + 1, field - first.size() - 1) : "";
    switch (random_.below(7)) {
      case 0: {  // the first word: of a field, a list or an action
        for (std::size_t i = setup ? 1 : actions + 1; i < (setup ? actions : lines_.size()); ++i) {
          if (word(lines_[i]) == first) lines_[i].replace(0, first.size(), old);
        }
        return (setup ? "rename setup " : "rename action ") + old + " " + first;
      }
      case 1:  // the first field of a record
        if (!record) return {};
        of_subject(first, [&](std::string& each) {
          if (const std::size_t at = each.find(" " + name + "="); at != std::string::npos)
            each.replace(at + 1, name.size(), old);
        });
        return "rename " + first + " " + old + " " + name;
      case 2: {  // a field of the setup that had been there
        lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(1 + random_.below(2) * (actions - 1)), old + " red");
        return "remove setup " + old;
      }
      case 3:  // an action that had been there
        lines_.insert(
            lines_.begin() + static_cast<std::ptrdiff_t>(actions + 1 + random_.below(lines_.size() - actions)),
            old + " by=\"a # cloud\" amount=3");
        return "remove action " + old;
      case 4:  // a field of a record that had been there
        if (setup && !record) return {};
        of_subject(first, [&](std::string& each) { each += " " + old + "=7"; });
        return "remove " + first + " " + old;
      case 5: {  // a field of the setup that was not there
        if (!setup || record || lines_[line] == first || rows_after(line)) return {};
        const std::string value = lines_[line].substr(first.size() + 1);
        lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(line));
        return "add setup " + first + " " + value;
      }
      default: {  // a number that is outside now
        const std::size_t at = record ? field + 1 : first.size() + 1;
        if (at >= lines_[line].size()) return {};
        const std::string value = word(lines_[line].substr(at));
        if (value.find_first_not_of("0123456789") != std::string::npos) return {};
        std::int64_t largest = 0;  // of all that the rule is about
        const auto each_number = [&](auto&& use) {
          for (std::size_t i = 1; i < lines_.size(); ++i) {
            if (word(lines_[i]) != first) continue;
            const std::size_t place = record ? lines_[i].find(" " + name + "=") : first.size();
            if (place == std::string::npos) continue;
            const std::size_t begin = place + (record ? name.size() + 2 : 1);
            use(lines_[i], begin, word(lines_[i].substr(begin)));
          }
        };
        each_number([&](const std::string&, std::size_t, const std::string& number) {
          largest = std::max<std::int64_t>(largest, std::stoll(number));
        });
        each_number([&](std::string& text, std::size_t begin, const std::string& number) {
          if (std::stoll(number) == largest) text.replace(begin, number.size(), std::to_string(largest + made_));
        });
        return "bound " + (record ? first : "setup") + " " + (record ? name : first) + " 0 " + std::to_string(largest);
      }
    }
  }

 private:
  static std::string word(const std::string& line) { return line.substr(0, line.find(' ')); }

  /// Whether the rows of a board follow.
  bool rows_after(std::size_t line) const { return lines_[line].find(' ') == std::string::npos; }

  template <class Change>
  void of_subject(const std::string& subject, Change&& change) {
    for (auto& each : lines_) {
      if (word(each) == subject) change(each);
    }
  }

  Lines lines_;
  Random random_;
  int made_ = 0;
};

RC_GTEST_PROP(Migrate, RandomRulesLeadFromOldTextsToTheNewScenario, (const Bytes& bytes, std::uint64_t seed)) {
  const std::string now = garden().judging().canonical(garden().encoding().unpack(bytes).value()).value();
  Backwards backwards{lines_of(now), seed};
  std::string rules;
  for (int i = 0; i < 12; ++i) {
    const Lines before = backwards.lines();
    const std::string rule = backwards.step();
    // Rules of which a second run would change more are refused: such a rule is left out.
    if (!rule.empty() && parse_migration("lockstep 1 garden\n" + rule + "\n" + rules)) rules = rule + "\n" + rules;
    else backwards.go_back_to(before);
  }
  Lines old = backwards.lines();
  old[0] += " # why";
  const auto out = by_rules(rules, text_of(old));
  const std::string said = "rules:\n" + rules + "old:\n" + text_of(old) + "new:\n" + now;
  if (!out) RC_FAIL(out.error().message("old") + "\n" + said);
  RC_LOG(said + "out:\n" + *out);
  RC_ASSERT(garden().judging().canonical(*out).value() == now);
  RC_ASSERT(out->starts_with("lockstep 1 garden # why\n"));
  RC_ASSERT(by_rules(rules, *out).value() == *out);
  RC_TAG(std::ranges::count(rules, '\n') > 0 ? "with rules" : "without");
}

}  // namespace
}  // namespace lockstep
