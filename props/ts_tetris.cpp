// Tests of TS Tetris beyond the laws of laws.hpp: its own laws, boards drawn as pictures, the problem's four functions,
// and its readers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/ts_tetris/canaries.hpp"
#include "games/ts_tetris/system.hpp"
#include "props/play.hpp"

namespace lockstep {
namespace {

using G = TsTetris;

// Boards and answers ---------------------------------------------------------------------------

using laws::Picture;
using laws::played;

[[maybe_unused]] const bool with_canary_code = laws::also_compare<canaries::WrongTsTetris, G>();

G::Setup drawn(const Picture& rows, int to_move = 1) {
  G::Setup s{.width = static_cast<int>(rows.front().size()), .height = static_cast<int>(rows.size())};
  s.to_move = to_move;
  s.board = laws::grid_of(rows, G::cells.symbols);
  return s;
}

std::string picture(const G::Setup& s) {
  std::string out;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column) out += G::cells.symbols[s.board.at(row, column)];
    out += "\n";
  }
  return out;
}

std::string joined(const Picture& rows) {
  std::string out;
  for (const std::string_view row : rows) out.append(row).append("\n");
  return out;
}

/// One turn and its expected result.
void expect_turn(const G::Setup& setup, const G::Action& action, std::array<std::int32_t, 2> vanished,
                 const Picture& after) {
  const Trace<G> trace = played<G>({.setup = setup, .actions = {action}});
  const G::Observation& o = trace.observations.front();
  EXPECT_EQ(o.says, G::Says::turn);
  EXPECT_EQ(o.vanished, vanished);
  EXPECT_EQ(o.points, vanished[static_cast<std::size_t>(setup.to_move - 1)]);
  EXPECT_EQ(trace.snapshots.back().to_move, 3 - setup.to_move);
  EXPECT_EQ(picture(trace.snapshots.back()), joined(after));
}

Scenario<G> bounded_scenario() { return typed<G>(laws::bounded(laws::any_scenario(vocabulary<G>()))); }

bool refuses_something(const Trace<G>& trace) {
  return std::ranges::count(trace.observations, G::Says::illegal, &G::Observation::says) > 0;
}

// Pictures -------------------------------------------------------------------------------------

TEST(TsTetrisPictures, EachOfThreeCellsFallsAlone) {
  expect_turn(drawn({"....",  //
                     ".2..",  //
                     ".1.2"}),
              G::Drop{1}, {0, 0},
              {".1..",  //
               ".2.1",  //
               ".112"});
}

TEST(TsTetrisPictures, FiveInALineVanishInEveryDirection) {
  expect_turn(drawn({".......",  //
                     "11....."}),
              G::Drop{2}, {5, 0},
              {".......",  //
               "......."});
  expect_turn(drawn({"...",  //
                     "1..",  //
                     "1..",  //
                     "1..",  //
                     "1.."}),
              G::Drop{0}, {5, 0},
              {"...",  //
               "...",  //
               "...",  //
               "...",  //
               ".11"});
  const G::Setup rising = drawn({".......",  //
                                 ".......",  //
                                 "...12..",  //
                                 "..122..",  //
                                 ".1221..",  //
                                 "12212.."});
  const Picture fallen = {".......",  //
                          ".......",  //
                          "....2..",  //
                          "...22..",  //
                          "..221..",  //
                          ".221211"};
  expect_turn(rising, G::Drop{4}, {5, 0}, fallen);
  const auto mirror = LawsOf<G>::symmetries().front();
  std::vector<std::string> rows;
  for (const std::string_view row : fallen) rows.emplace_back(row.rbegin(), row.rend());
  expect_turn(mirror.setup(rising), mirror.action(rising, G::Drop{4}), {5, 0}, {rows.begin(), rows.end()});
}

TEST(TsTetrisPictures, FourInALineStay) {
  expect_turn(drawn({".....",  //
                     "1...2"}),
              G::Drop{1}, {0, 0},
              {".....",  //
               "11112"});
}

TEST(TsTetrisPictures, ACellOfSeveralRunsCountsOnce) {
  // Two horizontal runs, a vertical and a diagonal one share five cells: 15 vanish, not 20.
  expect_turn(drawn({".......",  //
                     "1111...",  //
                     "22121..",  //
                     "12211..",  //
                     "21121..",  //
                     "22111.."}),
              G::Drop{4}, {15, 0},
              {".......",  //
               ".......",  //
               "22.....",  //
               "12.....",  //
               "2122...",  //
               "2212..."});
}

TEST(TsTetrisPictures, CellsOfBothPlayersVanishAndOnlyTheMoverScores) {
  // Player 1's run removes the support of a cell of player 2, which falls into a gap of its row.
  expect_turn(drawn({"....2.....",  //
                     "222211...."}),
              G::Drop{6}, {5, 5},
              {"..........",  //
               ".........."});
}

TEST(TsTetrisPictures, AFlipFollowsItsRegionUpAcrossAndDown) {
  expect_turn(drawn({"222",  //
                     "212",  //
                     "212"}),
              G::Change{0}, {0, 0},
              {"111",  //
               "111",  //
               "111"});
}

TEST(TsTetrisPictures, AFlipStopsAtDiagonals) {
  expect_turn(drawn({"1212",  //
                     "2121",  //
                     "1212"}),
              G::Change{1}, {0, 0},
              {"1212",  //
               "2121",  //
               "1112"});
}

TEST(TsTetrisPictures, AChangeWithoutEffectPassesTheTurn) {
  const Picture board = {"...",  //
                         "12."};
  expect_turn(drawn(board), G::Change{2}, {0, 0}, board);     // an empty column
  expect_turn(drawn(board), G::Change{0}, {0, 0}, board);     // player 1's own cell
  expect_turn(drawn(board, 2), G::Change{1}, {0, 0}, board);  // player 2's own cell
}

TEST(TsTetrisPictures, RunsOfTwelveAndThirteenVanishWhole) {
  expect_turn(drawn({"111122221111"}), G::Change{5}, {12, 0}, {"............"});
  // The two groups of the upper row are connected through the lower row.
  expect_turn(drawn({"1111222122221",  //
                     "2121112221112"}),
              G::Change{6}, {22, 0},
              {".............",  //
               "212.........2"});
}

TEST(TsTetrisPictures, AFullColumnRefusesTheDropAndKeepsTheTurn) {
  const G::Setup setup = drawn({"1......2",  //
                                "2......1"});
  const Trace<G> trace = played<G>({.setup = setup, .actions = {G::Drop{0}, G::Drop{5}, G::Drop{1}}});
  EXPECT_EQ(trace.observations[0], G::Observation{});
  EXPECT_EQ(trace.observations[1], G::Observation{});
  EXPECT_EQ(trace.snapshots[2], setup);
  EXPECT_EQ(trace.observations[2].says, G::Says::turn);
}

// The worked example, through the problem's four functions ----------------------------------------

struct Call {
  char function;  // d: dropBlocks, c: changeBlocks, r: getResult
  int column;     // for r: number of player 1's cells left
  int returned;
  int left_2 = 0;
};

constexpr std::array<Call, 36> worked_example = {{
    {'d', 4, 0},  {'d', 6, 0}, {'d', 1, 6},  {'r', 0, 1, 3},   //  4: {0, 3}
    {'d', 4, 5},  {'d', 6, 0}, {'d', 4, 0},  {'d', 7, 0},      //  8
    {'c', 0, 0},  {'d', 3, 5}, {'d', 3, 0},  {'d', 7, 0},      // 12
    {'d', 7, 0},  {'d', 0, 0}, {'d', 2, 5},  {'d', 4, 5},      // 16
    {'d', 4, 7},  {'d', 7, 0}, {'d', 5, 0},  {'d', 3, 0},      // 20
    {'c', 9, 11}, {'d', 0, 0}, {'d', 3, 0},  {'d', 6, 0},      // 24
    {'d', 2, 0},  {'d', 7, 0}, {'d', 2, 0},  {'d', 6, 0},      // 28
    {'d', 6, 0},  {'d', 6, 0}, {'c', 6, 10}, {'r', 2, 2, 14},  // 32: {2, 14}
    {'d', 4, 0},  {'d', 5, 7}, {'d', 4, 0},  {'r', 8, 2, 10},  // 36: {8, 10}
}};

TEST(TsTetrisWorkedExample, IsAnsweredAsPublished) {
  Scenario<G> scenario{.setup = {.width = 10, .height = 10, .board = Grid{10, 10}}, .actions = {}};
  for (const Call& call : worked_example) {
    if (call.function == 'r') scenario.actions.push_back(G::Result{});
    else if (call.function == 'd') scenario.actions.push_back(G::Drop{call.column});
    else scenario.actions.push_back(G::Change{call.column});
  }
  const auto answers = played<G>(scenario).observations;
  for (std::size_t i = 0; i < worked_example.size(); ++i) {
    const Call& call = worked_example[i];
    if (call.function == 'r') {
      EXPECT_EQ(answers[i].winner, call.returned) << "step " << i + 1;
      EXPECT_EQ(answers[i].left, (std::array{call.column, call.left_2})) << "step " << i + 1;
    } else {
      EXPECT_EQ(answers[i].points, call.returned) << "step " << i + 1;
    }
  }
}

// Laws of execution -----------------------------------------------------------------------------

/// The scenario on a board with empty rows on top and empty columns on the right.
Scenario<G> enlarged(const Scenario<G>& scenario, int rows, int columns) {
  Scenario<G> out = scenario;
  out.setup.height += rows;
  out.setup.width += columns;
  out.setup.board = Grid{out.setup.height, out.setup.width};
  for (int row = 0; row < scenario.setup.height; ++row) {
    for (int column = 0; column < scenario.setup.width; ++column) {
      out.setup.board.at(row + rows, column) = scenario.setup.board.at(row, column);
    }
  }
  return out;
}

RC_GTEST_PROP(TsTetrisLaws, EmptyRowsOnTopChangeNothingWhenNoDropWasRefused, ()) {
  const Scenario<G> scenario = bounded_scenario();
  const int rows = *rc::gen::inRange(1, 70);
  RC_PRE(scenario.setup.height + rows <= G::side_max);
  const Trace<G> trace = played<G>(scenario);
  const bool refused = refuses_something(trace);
  RC_CLASSIFY(refused, "a drop was refused");
  if (!refused) RC_ASSERT(played<G>(enlarged(scenario, rows, 0)).observations == trace.observations);
}

RC_GTEST_PROP(TsTetrisLaws, EmptyColumnsOnTheRightChangeNothing, ()) {
  const Scenario<G> scenario = bounded_scenario();
  const int columns = *rc::gen::inRange(1, 70);
  RC_PRE(scenario.setup.width + columns <= G::side_max);
  RC_ASSERT(played<G>(enlarged(scenario, 0, columns)).observations == played<G>(scenario).observations);
}

RC_GTEST_PROP(TsTetrisLaws, AskingForTheResultIsNotATurn, ()) {
  const Scenario<G> asked = bounded_scenario();
  Scenario<G> silent = asked;
  std::erase_if(silent.actions, [](const G::Action& action) { return std::holds_alternative<G::Result>(action); });
  Trace<G> trace = played<G>(asked);
  std::erase_if(trace.observations, [](const G::Observation& o) { return o.says == G::Says::standing; });
  const Trace<G> expected = played<G>(silent);
  RC_ASSERT(trace.observations == expected.observations);
  RC_ASSERT(trace.snapshots.back() == expected.snapshots.back());
}

/// A turn's effect on the board does not depend on the scores, and the increase of the scores does not depend on their
/// start.
RC_GTEST_PROP(TsTetrisLaws, ScoresDoNotChangeTheBoard, ()) {
  const Scenario<G> scenario = bounded_scenario();
  Scenario<G> even = scenario;
  even.setup.score_1 = even.setup.score_2 = 0;
  const Trace<G> trace = played<G>(scenario);
  const Trace<G> other = played<G>(even);
  for (std::size_t i = 0; i < trace.observations.size(); ++i) {
    RC_ASSERT(trace.observations[i].vanished == other.observations[i].vanished);
    RC_ASSERT(trace.observations[i].left == other.observations[i].left);
  }
  RC_ASSERT(trace.snapshots.back().board == other.snapshots.back().board);
}

// Bookkeeping without a board --------------------------------------------------------------------

/// Tracks the number of cells and the score of each player without a board. Only the answers tell which cells vanish,
/// so this is not a model that predicts answers but a law of a trace: the result is asked for after each turn.
RC_GTEST_PROP(TsTetrisLedger, CellsAndScoresAddUpAfterEveryTurn, ()) {
  const auto drop = rc::gen::construct<G::Drop>(rc::gen::inRange(0, 7));
  const auto change = rc::gen::construct<G::Change>(rc::gen::inRange(0, 9));
  const auto turns = *rc::gen::container<std::vector<G::Action>>(
      rc::gen::weightedOneOf<G::Action>({{3, rc::gen::cast<G::Action>(drop)}, {1, rc::gen::cast<G::Action>(change)}}));
  Scenario<G> scenario{.setup = drawn(Picture(9, ".........")), .actions = {}};
  for (const G::Action& turn : turns) {
    scenario.actions.push_back(turn);
    scenario.actions.emplace_back(G::Result{});
  }
  const Trace<G> trace = played<G>(scenario, Cadence::every());
  std::array<int, 2> scores{};
  std::array<int, 2> left{};
  int to_move = 1;
  for (std::size_t i = 0; i < scenario.actions.size(); i += 2) {
    const G::Observation& o = trace.observations[i];
    const G::Observation& result = trace.observations[i + 1];
    if (o.says == G::Says::turn) {
      const auto mover = static_cast<std::size_t>(to_move - 1);
      const bool dropped = std::holds_alternative<G::Drop>(scenario.actions[i]);
      if (dropped) left[mover] += 3;
      const int flipped = result.left[mover] - (left[mover] - o.vanished[mover]);
      RC_ASSERT(flipped >= 0);  // a change moves cells to the player who moves; nothing else changes a cell's owner
      RC_ASSERT(flipped == 0 || !dropped);
      left[mover] += flipped - o.vanished[mover];
      left[1 - mover] -= flipped + o.vanished[1 - mover];
      scores[mover] += o.points;
      to_move = 3 - to_move;
    }
    RC_ASSERT(result.scores == scores);
    RC_ASSERT(result.left == left);
    RC_ASSERT(trace.snapshots[i + 1].to_move == to_move);
  }
}

// Invariants detect wrong answers ------------------------------------------------------------------

TEST(TsTetrisInvariants, EachInvariantRejectsAWrongStep) {
  const G::Setup before = drawn({"......",  //
                                 "11...."});
  const G::Action action = G::Drop{2};
  const std::string legality = "a drop is refused when one of its columns is full, and nothing else is";
  const std::string kind = "asking for the result is answered by the standing, and nothing else is";

  const auto law = [&](auto&& falsify) { return laws::broken_by<G>(before, action, falsify); };
  EXPECT_EQ(law([](auto&, auto&) {}), "");
  EXPECT_EQ(law([](auto& answer, auto&) { answer.says = G::Says::illegal; }), legality);
  EXPECT_EQ(law([](auto& answer, auto&) { answer.says = G::Says::standing; }), kind);
  EXPECT_EQ(law([](auto&, auto& s) { s.width = 5; }), "the board changed its size");
  EXPECT_EQ(law([](auto&, auto& s) { s.board = Grid{2, 5}; }), "the board changed its size");
  EXPECT_EQ(law([](auto&, auto& s) { s.to_move = 1; }), "the turn did not pass");
  EXPECT_EQ(law([](auto& answer, auto&) { answer.points = 4; }), "the points are not the mover's vanished cells");
  EXPECT_EQ(law([](auto&, auto& s) { s.score_1 = 4; }), "the scores did not grow by the points");
  EXPECT_EQ(law([](auto&, auto& s) { s.score_2 = 1; }), "the scores did not grow by the points");
  EXPECT_EQ(law([](auto&, auto& s) { s.board.at(1, 2) = 2; }), "cells dropped − cells vanished is not the cells left");
  EXPECT_EQ(law([](auto&, auto& s) { s.board.at(1, 5) = 1; }), "cells dropped − cells vanished is not the cells left");
  EXPECT_EQ(law([](auto&, auto& s) { s.board.at(0, 5) = 1; }), "a settled board has no cell above an empty one");
  EXPECT_EQ(law([](auto&, auto& s) {
              for (int column = 0; column < 5; ++column) s.board.at(1, column) = 2;
            }),
            "this cell ends a run of five, which would have vanished");

  const G::Action ask = G::Result{};
  const G::Setup later = played<G>({.setup = before, .actions = {action}}).snapshots.back();
  const auto law_of_result = [&](auto&& falsify) { return laws::broken_by<G>(later, ask, falsify); };
  EXPECT_EQ(law_of_result([](auto&, auto&) {}), "");
  EXPECT_EQ(law_of_result([&](auto&, auto& s) { s = before; }), "asking for the result changed the state");
  EXPECT_EQ(law_of_result([](auto& answer, auto&) { answer.left[1] = 1; }),
            "the counts of the result differ from a recount of the board");
  EXPECT_EQ(law_of_result([](auto& answer, auto&) { answer.scores[0] = 1; }),
            "the scores of the result differ from the state's");
  EXPECT_EQ(law_of_result([](auto& answer, auto&) { answer.winner = 0; }),
            "the winner is not the player with more points");
  EXPECT_EQ(law_of_result([](auto& answer, auto&) { answer.says = G::Says::illegal; }), legality);
  EXPECT_EQ(law_of_result([](auto& answer, auto&) { answer.says = G::Says::turn; }), kind);
}

TEST(TsTetrisInvariants, AWrongRefusalIsAViolation) {
  const G::Setup full = drawn({"..1.",  //
                               "2.1."});
  const G::Observation refusal{};
  G::Setup changed = full;
  changed.to_move = 2;
  EXPECT_EQ(LawsOf<G>::violation(full, full, G::Drop{0}, refusal, full), "");
  EXPECT_EQ(LawsOf<G>::violation(full, full, G::Drop{0}, refusal, changed), "an illegal action changed the state");
  EXPECT_NE(LawsOf<G>::violation(full, full, G::Change{0}, refusal, full), "");
  EXPECT_NE(LawsOf<G>::violation(full, full, G::Drop{1}, {.says = G::Says::turn}, changed), "");
}

TEST(TsTetrisInvariants, AChangeThatFlipsAnythingElseIsAViolation) {
  const G::Setup before = drawn({"....",  //
                                 "2.1."});
  const G::Observation quiet{.says = G::Says::turn};
  G::Setup after = before;
  after.to_move = 2;
  EXPECT_EQ(LawsOf<G>::violation(before, before, G::Change{2}, quiet, after), "");
  EXPECT_EQ(LawsOf<G>::violation(before, before, G::Change{1}, quiet, after), "");
  after.board.at(1, 0) = 1;
  EXPECT_EQ(LawsOf<G>::violation(before, before, G::Change{0}, quiet, after), "");
  EXPECT_EQ(LawsOf<G>::violation(before, before, G::Change{2}, quiet, after),
            "a change that starts on no cell of the opponent's changed the board");
  after.board.at(1, 2) = 0;
  EXPECT_EQ(LawsOf<G>::violation(before, before, G::Change{0}, quiet, after),
            "cells before − cells vanished is not the cells left");
}

// Setups ------------------------------------------------------------------------------------------

TEST(TsTetrisSetups, AFlawNamesTheCellThatBreaksALaw) {
  const auto floating = flaw<G>(drawn({".1.",  //
                                       "1.."}));
  ASSERT_TRUE(floating);
  EXPECT_EQ(std::pair(floating->row, floating->column), std::pair(0, 1));
  const auto run = flaw<G>(drawn({"211111"}));
  ASSERT_TRUE(run);
  EXPECT_EQ(std::pair(run->row, run->column), std::pair(0, 5));
  EXPECT_FALSE(flaw<G>(drawn({"2111122"})));
}

TEST(TsTetrisSetups, NormaliseRepairsABoardOfOneColourOfAnySize) {
  for (const auto& [width, height] : {std::pair{3, 1}, {3, 200}, {200, 1}, {5, 5}, {20, 20}, {200, 200}}) {
    G::Setup s;
    s.width = width;
    s.height = height;
    s.board = Grid{height, width};
    std::ranges::fill(s.board.cells, std::uint8_t{1});
    EXPECT_EQ(laws::fault_of_normalise(any_of<G>({.setup = s, .actions = {}})), "") << width << " × " << height;
  }
}

RC_GTEST_PROP(TsTetrisSetups, NormaliseAddsNoCell, ()) {
  Random random{laws::any_seed()};
  G::Setup s;
  s.width = *rc::gen::inRange(3, 24);
  s.height = *rc::gen::inRange(1, 24);
  s.board = Grid{s.height, s.width};
  const auto density = *rc::gen::inRange(0u, 11u);
  for (auto& cell : s.board.cells)
    cell = random.chance(density, 10) ? static_cast<std::uint8_t>(random.integer(1, 2)) : 0;
  RC_ASSERT(laws::fault_of_normalise(any_of<G>({.setup = s, .actions = {}})) == "");
  G::Setup mended = s;
  normalise<G>(mended);
  for (const std::uint8_t player : {std::uint8_t{1}, std::uint8_t{2}}) {
    RC_ASSERT(std::ranges::count(mended.board.cells, player) <= std::ranges::count(s.board.cells, player));
  }
}

// Problem format --------------------------------------------------------------------------------------

using laws::reading;

TEST(TsTetrisProblemFormat, AcceptsAnyWhiteSpaceAndAMissingNewline) {
  EXPECT_EQ(reading("1\n2\n100 10 10\n400\n"), "read");
  EXPECT_EQ(reading("1 2 100 10 10 400"), "read");
  EXPECT_EQ(reading("\r\n1\r\n2\r\n\t100 10 10\r\n400\r\n\r\n"), "read");
  EXPECT_EQ(reading("2\n1\n100 10 10\n3\n100 200 200\n200 1 197\n300 2 199\n"), "read");
}

TEST(TsTetrisProblemFormat, AnInvalidCallIsRefusedWithItsPlace) {
  laws::expect_refused({
      {"", "in:1:1: expected the number of test cases, a number from 1 to 1000, got the end of the input"},
      {"0", "in:1:1: expected the number of test cases, a number from 1 to 1000, got '0'"},
      {"1\n0", "in:2:1: expected the number of calls, a number from 1 to 12001, got '0'"},
      {"1\n2\n100 9 10", "in:3:5: expected the width, a number from 10 to 200, got '9'"},
      {"1\n2\n100 10 201", "in:3:8: expected the height, a number from 10 to 200, got '201'"},
      {"1\n2\n200 1 0", "in:3:1: the first call of a case is 100 (init)"},
      {"1\n2\n100 10 10\n100 10 10", "in:4:1: 100 (init) is the first call of a case only"},
      {"1\n2\n100 10 10\n250 1 0", "in:4:1: a call is 100, 200, 300 or 400"},
      {"1\n2\n100 10 10\n500", "in:4:1: expected a call (100, 200, 300 or 400), a number from 100 to 400, got '500'"},
      {"1\n2\n100 10 10\n200 2 0", "in:4:5: it is the turn of player 1"},
      {"1\n3\n100 10 10\n300 1 0\n200 1 0", "in:5:5: it is the turn of player 2"},
      {"1\n2\n100 10 10\n200 1 8", "in:4:7: expected the column, a number from 0 to 7, got '8'"},
      {"1\n2\n100 10 10\n300 1 10", "in:4:7: expected the column, a number from 0 to 9, got '10'"},
      {"1\n2\n100 10 10\n200 1", "in:4:6: expected the column, a number from 0 to 7, got the end of the input"},
      {"1\n1\n100 10 10\n400", "in:4:1: expected the end of the input, got '400'"},
      {"1\n2\n100 10 10\n200 1 4x", "in:4:7: expected the column, a number from 0 to 7, got '4x'"},
  });
}

/// The published limits on calls are exact.
TEST(TsTetrisProblemFormat, TheLimitsOnCallsAreExact) {
  const auto repeated = [](int count, std::string_view one, std::string_view other) {
    std::string text = "1\n" + std::to_string(count + 1) + "\n100 10 10\n";
    for (int i = 0; i < count; ++i) text.append(i % 2 == 0 ? one : other).append("\n");
    return reading(text);
  };
  EXPECT_EQ(repeated(1'000, "400", "400"), "read");
  EXPECT_EQ(repeated(1'001, "400", "400"), "in:1004:1: more than 1,000 results");
  EXPECT_EQ(repeated(1'000, "300 1 0", "300 2 0"), "read");
  EXPECT_EQ(repeated(1'001, "300 1 0", "300 2 0"), "in:1004:1: more than 1,000 changes");
  EXPECT_EQ(repeated(10'000, "200 1 0", "200 2 0"), "read");
  EXPECT_EQ(repeated(10'001, "200 1 0", "200 2 0"), "in:10004:1: more than 10,000 drops");
}

/// A drop into a full column is detected only during execution; the error still names the call's place.
TEST(TsTetrisProblemFormat, ADropIntoAFullColumnIsAnErrorAtItsCall) {
  std::string text = "1\n12\n100 10 10\n";
  for (int i = 0; i < 11; ++i) text += i % 2 == 0 ? "200 1 0\n" : "200 2 0\n";
  EXPECT_EQ(laws::solved(text), "in:14:1: one of the three columns is full");
}

TEST(TsTetrisProblemDomain, HoldsGamesFromTheStartWithinThePublishedLimits) {
  const auto empty = [](int width, int height) {
    return G::Setup{.width = width, .height = height, .board = Grid{height, width}};
  };
  const std::string start = "the problem starts from an empty board, without points, with player 1";
  EXPECT_EQ(laws::outside<G>({empty(10, 200), {G::Drop{}, G::Change{}, G::Result{}}}), "inside");
  EXPECT_EQ(laws::outside<G>({empty(9, 10), {}}), "the problem's boards are 10 to 200 wide and high, not 9 by 10");
  EXPECT_EQ(laws::outside<G>({empty(10, 9), {}}), "the problem's boards are 10 to 200 wide and high, not 10 by 9");
  G::Setup setup = empty(10, 10);
  setup.to_move = 2;
  EXPECT_EQ(laws::outside<G>({setup, {}}), start);
  setup = empty(10, 10);
  setup.score_1 = 1;
  EXPECT_EQ(laws::outside<G>({setup, {}}), start);
  setup = empty(10, 10);
  setup.board.at(9, 0) = 1;
  EXPECT_EQ(laws::outside<G>({setup, {}}), start);
}

TEST(TsTetrisProblemDomain, TheLimitsOnCallsAreExact) {
  const auto repeated = [](std::size_t count, G::Action action) {
    return laws::outside<G>({{.width = 10, .height = 10, .board = Grid{10, 10}}, {count, action}});
  };
  const std::string many = "the problem has at most 10,000 drops, 1,000 changes and 1,000 results";
  EXPECT_EQ(repeated(1'000, G::Change{}), "inside");
  EXPECT_EQ(repeated(1'001, G::Change{}), many);
  EXPECT_EQ(repeated(1'000, G::Result{}), "inside");
  EXPECT_EQ(repeated(1'001, G::Result{}), many);
  const auto dropped = [](std::size_t count) {  // a game whose drops vanish in time: five rounds clear each other
    Scenario<G> scenario{{.width = 200, .height = 200, .board = Grid{200, 200}}, {}};
    for (std::size_t i = 0; i < count; ++i) scenario.actions.emplace_back(G::Drop{static_cast<int>(i / 2 % 66 * 3)});
    return laws::outside<G>(scenario);
  };
  EXPECT_EQ(dropped(10'000), "inside");
  EXPECT_EQ(dropped(10'001), many);
}

/// Room shows only when the game runs: the eleventh drop of a column of ten.
TEST(TsTetrisProblemDomain, ADropIntoAFullColumnIsOutside) {
  Scenario<G> scenario{{.width = 10, .height = 10, .board = Grid{10, 10}}, std::vector<G::Action>(10, G::Drop{})};
  EXPECT_EQ(laws::outside<G>(scenario), "inside");
  scenario.actions.resize(12, G::Drop{});
  EXPECT_EQ(laws::outside<G>(scenario), "the problem promises room for each drop; at step 11 a column is full");
  edit<G>(scenario, [](AnyScenario& any) {
    ProblemDomain{laws::problem(), this_system().implementations().front()}.bring_inside(any);
  });
  EXPECT_EQ(scenario.actions.size(), 10u);
}

// Features --------------------------------------------------------------------------------------

TEST(TsTetrisFeatures, TheLongestRunReportsLengthAndBorders) {
  Grid board{2, 5};
  for (int column = 0; column < 4; ++column) board.at(1, column) = 1;
  const G::Features::Run run = G::Features::longest_run(board);
  EXPECT_EQ(run.length, 4);
  EXPECT_EQ(run.borders, 3) << "the left one, and the ground at either end";
}

RC_GTEST_PROP(TsTetrisFeatures, TheLongestRunOfATurnIsWhatTheTurnShows, ()) {
  const Scenario<G> scenario = bounded_scenario();
  const Trace<G> trace = laws::dense_trace<G>(laws::honest(vocabulary<G>()).front(), scenario);
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    const G::Observation& o = trace.observations[i];
    if (o.says != G::Says::turn) continue;
    const bool vanishes = o.vanished != std::array<std::int32_t, 2>{};
    const G::Features::Run run = G::Features::longest_run(trace.snapshots[i], scenario.actions[i]);
    RC_ASSERT((run.length >= G::run_min) == vanishes);
    if (!vanishes) RC_ASSERT(run.length == G::Features::longest_run(trace.snapshots[i + 1].board).length);
  }
}

}  // namespace
}  // namespace lockstep
