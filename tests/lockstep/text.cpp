#include "lockstep/text/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lockstep/draw/draw.hpp"
#include "lockstep/system/round_trip.hpp"
#include "lockstep/text/values.hpp"
#include "props/laws.hpp"
#include "props/strict_text.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

constexpr std::string_view canonical =
    "lockstep 1 garden\n"
    "rows 2\n"
    "columns 3\n"
    "water 5\n"
    "season autumn\n"
    "fence yes\n"
    "beds\n"
    "...\n"
    "r.t\n"
    "mole row=0 column=1 awake=yes\n"
    "mole row=1 column=2 awake=no\n"
    "actions\n"
    "plant row=0 column=2 flower=rose\n"
    "rain amount=7\n"
    "wait\n";

/// The canonical text with the first occurrence of one string replaced by another.
std::string with(std::string_view from, std::string_view to) {
  std::string text{canonical};
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Scenario<Garden> parsed(std::string_view text) {
  const auto scenario = parse_scenario<Garden>(text);
  EXPECT_TRUE(scenario) << scenario.error().message("text");
  return scenario.value_or(Scenario<Garden>{});
}

std::string error_of(std::string_view text) {
  const auto scenario = parse_scenario<Garden>(text);
  return scenario ? "no error" : scenario.error().message("x");
}

TEST(Text, NamesEveryFieldAndAction) {
  Garden::Setup setup = plot(2, 3, 5);
  setup.season = 3;
  setup.fence = true;
  setup.beds.cells = {0, 0, 0, 1, 0, 2};
  setup.moles = {{0, 1, true}, {1, 2, false}};
  EXPECT_EQ(parsed(canonical), (Scenario<Garden>{setup, {Garden::Plant{0, 2, 1}, Garden::Rain{7}, Garden::Wait{}}}));
}

TEST(Text, PrintingIsCanonical) { EXPECT_EQ(scenario_text<Garden>(parsed(canonical)), canonical); }

RC_GTEST_PROP(Text, PrintedScenariosReadBackAsTheyWere, ()) {
  const auto index = *rc::gen::resize(100, rc::gen::arbitrary<std::uint32_t>());
  const auto fault = fault_of_round_trips(laws::scenario_at(vocabulary<Garden>(), 1, index));
  if (!fault.empty()) RC_FAIL(fault);
}

TEST(Text, EveryByteCounts) {
  const std::string text{canonical};
  EXPECT_EQ(laws::fault_of_strictness(vocabulary<Garden>(), text), "");
  EXPECT_NE(laws::fault_of_strictness(vocabulary<Garden>(), text + "#"), "") << "a comment says nothing";
}

TEST(Text, EveryKindOfLineEndIsRead) {
  const Scenario<Garden> scenario = parsed(canonical);
  std::string windows;
  for (const char c : canonical) windows += c == '\n' ? "\r\n" : std::string{c};
  EXPECT_EQ(parsed(windows), scenario);
  EXPECT_EQ(parsed(canonical.substr(0, canonical.size() - 1)), scenario) << "without the final newline";
  EXPECT_EQ(parsed(windows.substr(0, windows.size() - 2)), scenario);
}

TEST(Text, AByteOrderMarkIsSkipped) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(parsed(mark + std::string{canonical}), parsed(canonical));
  EXPECT_EQ(error_of(mark + with("lockstep 1", "lockstep 2")), error_of(with("lockstep 1", "lockstep 2")));
  EXPECT_EQ(error_of(mark), error_of(""));
  EXPECT_NE(error_of(with("rows 2", mark + "rows 2")), "no error") << "only at the beginning";
}

TEST(Text, CommentsBlankLinesAndSpacesAreIgnored) {
  std::string decorated;
  for (const char c : canonical) decorated += c == '\n' ? "  # why\n\n \t \n# a remark\n" : std::string{c};
  EXPECT_EQ(parsed("# a title\n\n" + decorated), parsed(canonical));
  EXPECT_EQ(parsed(with("rain amount=7", "\t rain \t amount=7")), parsed(canonical));
}

TEST(Text, TheSectionOfAFindingIsNoPartOfTheScenario) {
  std::string finding{canonical};
  finding.insert(finding.find('\n') + 1,
                 "# mine\nfinding\n  signature: { \"\n    # more\n\n # mine too\n  minimal: yes\n");
  EXPECT_EQ(scenario_text<Garden>(parsed(finding)), canonical);
  EXPECT_EQ(text::lines_of(finding)[1].number, 9);
  EXPECT_EQ(text::comments_of(finding + "plant text=\"#\" # at last"),
            (std::vector<std::string_view>{"# mine", "# mine too", "# at last"}));
}

TEST(Text, FieldsOfAnActionComeInAnyOrder) {
  EXPECT_EQ(parsed(with("row=0 column=2 flower=rose", "flower=rose column=2 row=0")), parsed(canonical));
}

TEST(Text, AMissingFieldHasItsLowestValue) {
  EXPECT_EQ(parsed("lockstep 1 garden\nactions\n"), Scenario<Garden>{});
  const Scenario<Garden> some = parsed("lockstep 1 garden\ncolumns 4\nfence yes\nactions\n");
  EXPECT_EQ(some.setup.columns, 4);
  EXPECT_EQ(some.setup.beds, (Grid{1, 4}));
  EXPECT_EQ(parsed(with("beds\n...\nr.t\n", "beds empty\n")).setup.beds, (Grid{2, 3}));
}

TEST(Text, AnEmptyBoardIsPrintedInOneWord) {
  EXPECT_EQ(scenario_text<Garden>({}),
            "lockstep 1 garden\nrows 1\ncolumns 1\nwater 0\nseason spring\nfence no\nbeds empty\nactions\n");
}

TEST(Text, TheCommentFollowsTheFirstLine) {
  EXPECT_EQ(scenario_text<Garden>({}, "one\n\nthree").substr(0, 34), "lockstep 1 garden\n# one\n#\n# three\n");
  EXPECT_EQ(parsed(scenario_text<Garden>({}, "one\n\nthree")), Scenario<Garden>{});
}

/// A system whose snapshot is described as observations are.
struct Stack {
  static constexpr std::string_view name = "stack";
  using Setup = Nothing;
  using Pop = ActionOf<"pop">;
  using Action = std::variant<Pop>;
  struct Observation {
    int top = 0;
    bool operator==(const Observation&) const = default;
  };
  struct Snapshot {
    std::vector<int> items;
    bool operator==(const Snapshot&) const = default;
  };
  static void describe(auto& io, Observation& o) { io.value("top", o.top); }
  static void describe(auto& io, Snapshot& s) {
    io.value("size", s.items.size());
    io.values("items", s.items);
  }
};

TEST(Text, ASnapshotMayBeDescribedAsAnObservationIs) {
  EXPECT_EQ(snapshot_text<Stack>({{1, 2}}), "size 2\nitems 1,2\n");
  EXPECT_EQ(scenario_text<Stack>({.setup = {}, .actions = {Stack::Pop{}}}), "lockstep 1 stack\nactions\npop\n");
}

TEST(Text, TheSystemIsReadFromTheFirstLineAlone) {
  EXPECT_EQ(scenario_system("# hello\n\nlockstep 1 chess\n?!"), "chess");
  EXPECT_EQ(scenario_system("lockstep 1\n").error().message("x"),
            "x:1:1: expected 'lockstep 1 SYSTEM' before anything else, got 'lockstep 1'");
}

TEST(Text, EveryErrorNamesItsLineAndColumn) {
  const std::string out_of_order =
      "expected 'actions' or a field of the setup in its order (rows, columns, water, season, fence, beds, mole), got ";
  const std::vector<std::pair<std::string, std::string>> table = {
      // The first line.
      {"", "x:1:1: expected 'lockstep 1 SYSTEM', got an empty text"},
      {" \n#\n\n", "x:1:1: expected 'lockstep 1 SYSTEM', got an empty text"},
      {"\n  hello world\n", "x:2:3: expected 'lockstep 1 SYSTEM' before anything else, got 'hello'"},
      {with("lockstep 1 garden", "lockstep 1 garden too"),
       "x:1:1: expected 'lockstep 1 SYSTEM' before anything else, got 'lockstep 1 garden too'"},
      {with("lockstep 1", "lockstep 2"), "x:1:10: the format version must be a number from 1 to 1, got '2'"},
      {with("lockstep 1", "lockstep one"), "x:1:10: the format version must be a number from 1 to 1, got 'one'"},
      {with("garden", "chess"), "x:1:12: expected the system 'garden', got 'chess'"},
      // Numbers and names.
      {with("rows 2", "rows 0"), "x:2:6: rows must be a number from 1 to 200, got '0'"},
      {with("rows 2", "rows 201"), "x:2:6: rows must be a number from 1 to 200, got '201'"},
      {with("rows 2", "rows  two"), "x:2:7: rows must be a number from 1 to 200, got 'two'"},
      {with("rows 2", "rows 2.0"), "x:2:6: rows must be a number from 1 to 200, got '2.0'"},
      {with("rows 2", "rows +2"), "x:2:6: rows must be a number from 1 to 200, got '+2'"},
      {with("rows 2", "rows 99999999999999999999"),
       "x:2:6: rows must be a number from 1 to 200, got '99999999999999999999'"},
      {with("rows 2", "rows"), "x:2:1: expected one value after 'rows'"},
      {with("rows 2", "rows 2 3"), "x:2:8: expected one value after 'rows'"},
      {with("season autumn", "season Autumn"),
       "x:5:8: season must be one of spring, summer, autumn, winter, got 'Autumn'"},
      {with("fence yes", "fence true"), "x:6:7: fence must be one of no, yes, got 'true'"},
      {with("fence yes", "fence \x01\xff"), "x:6:7: fence must be one of no, yes, got '?\?'"},
      // Order.
      {with("rows 2\ncolumns 3", "columns 3\nrows 2"), "x:3:1: " + out_of_order + "'rows'"},
      {with("water 5", "water 5\nwater 6"), "x:5:1: " + out_of_order + "'water'"},
      {with("water 5", "wine 5"), "x:4:1: " + out_of_order + "'wine'"},
      // Boards.
      {with("beds\n", "beds full\n"), "x:7:6: expected nothing or 'empty' after 'beds', got 'full'"},
      {with("r.t\n", "r.t.\n"), "x:9:1: row 1 of beds needs 3 cells, got 4"},
      {with("r.t\n", "r t\n"), "x:9:1: row 1 of beds needs 3 cells, got 2 words"},
      {with("r.t\n", "r.x\n"), "x:9:3: a cell is one of '.rt', got 'x'"},
      {with("r.t\nmole row=0 column=1 awake=yes", "mole row=0 column=1 awake=yes"),
       "x:9:1: row 1 of beds needs 3 cells, got 4 words"},
      {"lockstep 1 garden\nrows 2\nbeds\n.\n", "x:3:1: the board needs 2 rows, got 1"},
      // An omitted size is reported at the board.
      {with("columns 3\n", ""), "x:7:1: row 0 of beds needs 1 cell, got 3 ('columns' is left out, which makes it 1)"},
      {with("rows 2\n", ""), "x:8:1: " + out_of_order + "'r.t' ('rows' is left out, which makes it 1)"},
      // Lists.
      {with("mole row=0 column=1 awake=yes", "mole row=0 column=1"), "x:10:20: expected awake=…"},
      {with("mole row=0", "mole row=2"), "x:10:10: row must be a number from 0 to 1, got '2'"},
      {with("mole row=0", "mole row="), "x:10:10: row must be a number from 0 to 1, got ''"},
      {with("mole row=0", "mole row 0"), "x:10:6: expected name=value, got 'row'"},
      {with("mole row=0", "mole =0"), "x:10:6: expected name=value, got '=0'"},
      {with("mole row=0", "mole row=0 row=0"), "x:10:12: 'row' is given twice"},
      {with("awake=yes", "awake=yes hungry=no"), "x:10:31: there is no field 'hungry' here"},
      {with("mole row=1",
            "mole row=0 column=0 awake=no\nmole row=1 column=0 awake=no\nmole row=0 column=2 awake=no\n"
            "mole row=1"),
       "x:14:1: at most 4 'mole' lines"},
      // Laws of the system, at the cell or the item.
      {with("...\n", ".t.\n"), "x:8:2: beds: tulips do not grow in the top row"},
      {with("row=1 column=2 awake", "row=0 column=1 awake"), "x:11:1: mole: two moles in the same bed"},
      // Actions.
      {with("actions\n", ""), "x:12:1: " + out_of_order + "'plant'"},
      {with("actions\nplant row=0 column=2 flower=rose\nrain amount=7\nwait\n", ""),
       "x:11:1: expected 'actions' after the setup"},
      {with("actions", "actions now"), "x:12:9: expected nothing after 'actions'"},
      {with("wait", "sleep"), "x:15:1: expected an action (plant, rain, wait), got 'sleep'"},
      {with("wait", "wait long"), "x:15:6: expected name=value, got 'long'"},
      {with("rain amount=7", "rain"), "x:14:5: expected amount=…"},
      {with("amount=7", "amount=301"), "x:14:13: amount must be a number from 0 to 300, got '301'"},
      {with("flower=rose", "flower=r"), "x:13:29: flower must be one of rose, tulip, got 'r'"},
      {with("column=2 flower", "column=-1 flower"), "x:13:20: column must be a number from 0 to 2, got '-1'"},
  };
  for (const auto& [text, error] : table) EXPECT_EQ(error_of(text), error) << text;
}

TEST(Text, AnErrorQuotesLittleOfTheText) {
  EXPECT_EQ(error_of(with("wait", std::string(500, 'w'))),
            "x:15:1: expected an action (plant, rain, wait), got '" + std::string(40, 'w') + "…'");
}

TEST(Text, TooManyFieldsAreRefusedBeforeTheyAreCompared) {
  std::string line = "plant";
  for (int i = 0; i < 100'000; ++i) line += " a" + std::to_string(i) + "=1";
  const auto refused = parse_scenario<Garden>(std::string{canonical} + line + "\n");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("at most 64 fields"), std::string::npos) << refused.error().what;
  EXPECT_LT(text::lines_of(line).front().words.size(), 2'000u);
  EXPECT_LT(text::lines_of(std::string(8'000'000, '\n') + std::string(4'000'000, 'x')).size(), 2u);
}

TEST(Text, ManyValuesWithoutAnEndAreRefusedAtOnce) {
  std::string line = "rain ";
  for (int i = 0; i < 1'000'000; ++i) line += "=[";  // a pass over the rest for each would take an hour
  const auto parsed = parse_scenario<Garden>("lockstep 1 garden\nactions\n" + line + "\n");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().line, 3);
}

TEST(Text, HoldsAMillionActionsAndNoMore) {
  std::string text = "lockstep 1 garden\nactions\n";
  text.reserve(text.size() + 5 * (text_actions_max + 1));
  for (std::size_t i = 0; i < text_actions_max; ++i) text += "wait\n";
  EXPECT_EQ(parsed(text).actions.size(), text_actions_max);
  EXPECT_EQ(error_of(text + "wait\n"), "x:1000003:1: at most 1000000 actions");
}

/// Any text gives a scenario that survives printing and reading, or an error with a place inside the text.
void check_any(const std::string& text) {
  const auto scenario = parse_scenario<Garden>(text);
  if (scenario) {
    RC_ASSERT(laws::fault_of(untyped<Garden>(*scenario)) == "");
    RC_ASSERT(parsed(scenario_text<Garden>(*scenario)) == *scenario);
    return;
  }
  const TextError& error = scenario.error();
  RC_ASSERT(error.line >= 1 && error.line <= 1 + std::ranges::count(text, '\n'));
  RC_ASSERT(error.column >= 1 && static_cast<std::size_t>(error.column) <= text.size() + 1);
  RC_ASSERT(!error.what.empty() && error.what.size() < 400);
}

RC_GTEST_PROP(Text, ArbitraryBytesAreAnError, (const std::string& bytes)) { check_any(bytes); }

RC_GTEST_PROP(Text, DamagedTextsAreReadOrRefused, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>()));
  Random random{seed};
  std::string text{canonical};
  const std::uint64_t hits = 1 + random.below(4);
  for (std::uint64_t i = 0; i < hits; ++i) {
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text[at] = static_cast<char>(random.next()); break;
      case 1: text.erase(at, 1 + random.below(12)); break;
      case 2: text.insert(at, text.substr(random.below(text.size()), random.below(30))); break;
      default: text[at] = " \n=#.0123456789"[random.below(15)]; break;
    }
    if (text.empty()) text = "l";
  }
  check_any(text);
}

// Boards of numbers ---------------------------------------------------------------------------

constexpr Alphabet numbers = Alphabet::numbers(200);

Grid grid_of(int rows, int columns, std::vector<std::uint8_t> cells) {
  Grid grid{rows, columns};
  grid.cells = std::move(cells);
  return grid;
}

TEST(TextOfNumbers, IsAlignedAndReadsBack) {
  const Grid grid = grid_of(2, 3, {0, 7, 200, 10, 0, 0});
  EXPECT_EQ(row_text(grid, 0, numbers), "  .   7 200");
  EXPECT_EQ(row_text(grid, 1, numbers), " 10   .   .");
  Grid read{2, 3};
  for (int row = 0; row < 2; ++row) {
    const std::string text = row_text(grid, row, numbers);
    ASSERT_TRUE(text::row_from(text::lines_of(text)[0], "board", read, row, numbers));
  }
  EXPECT_EQ(read, grid);
}

TEST(TextOfNumbers, AnErrorNamesItsPlace) {
  Grid grid{1, 3};
  const auto error = [&](std::string_view line) {
    const auto read = text::row_from(text::lines_of(line)[0], "board", grid, 0, numbers);
    return read ? "no error" : read.error().message("x");
  };
  EXPECT_EQ(error("1 2"), "x:1:1: row 0 of board needs 3 cells, got 2");
  EXPECT_EQ(error("1 2 3 4"), "x:1:1: row 0 of board needs 3 cells, got 4");
  EXPECT_EQ(error("1  201 3"), "x:1:4: a cell must be a number from 0 to 200, got '201'");
  EXPECT_EQ(error("1 . x"), "x:1:5: a cell must be a number from 0 to 200, got 'x'");
  EXPECT_EQ(error("0 . 200"), "no error");
}

}  // namespace
}  // namespace lockstep
