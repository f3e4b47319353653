// Tests of omok beyond the laws of laws.hpp: its own laws, boards drawn as pictures, and its readers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/omok/canaries.hpp"
#include "games/omok/system.hpp"
#include "games/omok/wins.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/typed.hpp"
#include "optimized/omok/batch.hpp"
#include "props/play.hpp"

namespace lockstep {
namespace {

using G = Omok;

// Boards and answers ---------------------------------------------------------------------------

using laws::answer_from;
using laws::Picture;
using laws::played;

[[maybe_unused]] const bool with_canary_code = laws::also_compare<canaries::WrongOmok, G>();

Omok::Setup drawn(const Picture& rows) {
  return {.size = static_cast<int>(rows.size()), .board = laws::grid_of(rows, Omok::cells.symbols)};
}

/// "-", "illegal", "no win", or "black 3,2": row and column of the winning stone, counted from 1.
std::string shown(const Omok::Observation& o) {
  if (o.says == Omok::Says::illegal) return "illegal";
  if (o.says == Omok::Says::done) return "-";
  if (o.winner == 0) return "no win";
  return std::string{Omok::colours[static_cast<std::size_t>(o.winner - 1)]} + " " + std::to_string(o.row) + "," +
         std::to_string(o.column);
}

/// The answer that all simulators give for a board.
Omok::Observation judged(const Omok::Setup& setup) { return answer_from<G>(setup, Omok::Judge{}); }
std::string answer(const Omok::Setup& setup) { return shown(judged(setup)); }

std::vector<Omok::Place> stones_of(const Omok::Setup& setup) {
  std::vector<Omok::Place> stones;
  for (int row = 0; row < setup.size; ++row) {
    for (int column = 0; column < setup.size; ++column) {
      const int colour = setup.board.at(row, column);
      if (colour != 0) stones.push_back({.colour = colour, .row = row, .column = column});
    }
  }
  return stones;
}

// An independent definition of a win ------------------------------------------------------------

/// The wins of a board, computed differently from omok::wins: each line as a string, cut into its maximal runs.
std::vector<omok::Win> wins_by_lines(const Grid& board) {
  std::vector<omok::Win> found;
  const auto cut = [&](int row, int column, int down, int right) {
    std::string line;
    for (int i = 0; board.contains(row + i * down, column + i * right); ++i) {
      line += Omok::cells.symbols[board.at(row + i * down, column + i * right)];
    }
    for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
      end = std::min(line.find_first_not_of(line[begin], begin), line.size());
      if (line[begin] == '.' || end - begin != 5) continue;
      omok::Win win{.line = {}, .colour = line[begin] == 'B' ? 1 : 2};
      for (int i = 0; i < 5; ++i) {
        const int at = static_cast<int>(begin) + i;
        win.line[static_cast<std::size_t>(i)] = {.column = column + at * right, .row = row + at * down};
      }
      std::ranges::sort(win.line);
      found.push_back(win);
    }
  };
  for (int i = 0; i < board.rows; ++i) {
    cut(i, 0, 0, 1);                              // across
    cut(0, i, 1, 0);                              // down
    cut(0, i, 1, 1);                              // falling, from the top
    if (i > 0) cut(i, 0, 1, 1);                   //          from the left
    cut(0, i, 1, -1);                             // rising, from the top
    if (i > 0) cut(i, board.columns - 1, 1, -1);  //   from the right
  }
  std::ranges::sort(found);
  return found;
}

/// The answer that follows from these wins.
Omok::Observation answer_of(const std::vector<omok::Win>& wins) {
  Omok::Observation o{.says = Omok::Says::judged};
  if (wins.empty()) return o;
  o.winner = static_cast<std::int8_t>(wins.front().colour);
  o.row = static_cast<std::int8_t>(wins.front().line.front().row + 1);
  o.column = static_cast<std::int8_t>(wins.front().line.front().column + 1);
  return o;
}

RC_GTEST_PROP(OmokWins, AreTheMaximalRunsOfExactlyFive, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  RC_ASSERT(omok::wins(setup.board) == wins_by_lines(setup.board));
}

RC_GTEST_PROP(OmokWins, TheFeaturesCountThem, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  std::map<std::size_t, std::int64_t> seen;
  G::Features::survey([&](std::size_t feature, std::int64_t value) { seen[feature] = value; },
                      {.size = setup.size, .board = setup.board});
  const auto all = wins_by_lines(setup.board);
  RC_ASSERT(seen[G::Features::wins] == static_cast<std::int64_t>(all.size()));
  const auto along =
      std::array{G::Features::wins_across, G::Features::wins_down, G::Features::wins_falling, G::Features::wins_rising};
  for (std::size_t i = 0; i < along.size(); ++i) {
    const auto [down, right] = omok::directions[i];
    RC_ASSERT(seen[along[i]] == std::ranges::count_if(all, [&](const omok::Win& win) {
                return win.line[1].row - win.line[0].row == down && win.line[1].column - win.line[0].column == right;
              }));
  }
}

RC_GTEST_PROP(OmokWins, TheFirstWinIsTheAnswer, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  const auto all = wins_by_lines(setup.board);
  RC_CLASSIFY(all.empty());
  RC_CLASSIFY(all.size() == 1);
  RC_CLASSIFY(all.size() > 1);
  RC_ASSERT(judged(setup) == answer_of(all));
}

/// The rule is unambiguous: two wins that are named by one stone have the same colour, so the answer need not say which
/// is meant.
RC_GTEST_PROP(OmokWins, WinsNamedByOneStoneAreOfOneColour, ()) {
  const auto all = wins_by_lines(laws::any_setup<G>().board);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].line.front() == all[i - 1].line.front()) RC_ASSERT(all[i].colour == all[i - 1].colour);
  }
}

/// The image of a win under a symmetry: the images of its placements, sorted again.
omok::Win image_of(const omok::Win& win, const Symmetry<Omok>& symmetry, const Omok::Setup& setup) {
  omok::Win image = win;
  for (Omok::Cell& cell : image.line) {
    const Omok::Place stone{.colour = win.colour, .row = cell.row, .column = cell.column};
    const auto mapped = std::get<Omok::Place>(symmetry.action(setup, stone));
    cell = {.column = mapped.column, .row = mapped.row};
    image.colour = mapped.colour;
  }
  std::ranges::sort(image.line);
  return image;
}

RC_GTEST_PROP(OmokWins, EverySymmetryMapsTheWinsOfABoardOntoThoseOfItsImage, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  for (const auto& symmetry : LawsOf<G>::symmetries()) {
    std::vector<omok::Win> expected;
    for (const omok::Win& win : wins_by_lines(setup.board)) expected.push_back(image_of(win, symmetry, setup));
    std::ranges::sort(expected);
    if (wins_by_lines(symmetry.setup(setup).board) != expected) RC_FAIL(std::string{symmetry.name});
  }
}

TEST(OmokSymmetries, AreTheEightOfTheSquareAndTheExchangeOfColours) {
  const Omok::Setup corner = drawn({"BW.",  //
                                    "...",  //
                                    "..."});
  std::vector<std::string> images = {setup_text<Omok>(corner)};
  for (const auto& symmetry : LawsOf<G>::symmetries()) images.push_back(setup_text<Omok>(symmetry.setup(corner)));
  EXPECT_EQ(images.size(), 9u) << "the identity, seven more, and the colours";
  std::ranges::sort(images);
  EXPECT_EQ(std::ranges::adjacent_find(images), images.end()) << "no two are the same map";
}

// Laws of execution -----------------------------------------------------------------------------

/// A board moved within a larger one gets the same answer, moved along, however many wins it has.
RC_GTEST_PROP(OmokLaws, MovingABoardIntoALargerOneMovesTheAnswer, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  RC_PRE(setup.size < Omok::size_max);
  const int size = *rc::gen::inRange(setup.size + 1, Omok::size_max + 1);
  const int down = *rc::gen::inRange(0, size - setup.size + 1);
  const int right = *rc::gen::inRange(0, size - setup.size + 1);
  Omok::Setup larger{.size = size, .board = Grid{size, size}};
  for (const Omok::Place& stone : stones_of(setup)) {
    larger.board.at(stone.row + down, stone.column + right) = static_cast<std::uint8_t>(stone.colour);
  }
  Omok::Observation expected = judged(setup);
  if (expected.winner != 0) {
    expected.row = static_cast<std::int8_t>(expected.row + down);
    expected.column = static_cast<std::int8_t>(expected.column + right);
  }
  RC_ASSERT(judged(larger) == expected);
}

/// For a colour's runs, a stone of the other colour counts as an empty cell. So the answer is the better of the answers
/// that each colour gets alone.
RC_GTEST_PROP(OmokLaws, EachColourIsJudgedIndependently, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  Omok::Observation best{.says = Omok::Says::judged};
  for (const std::uint8_t colour : {std::uint8_t{1}, std::uint8_t{2}}) {
    Omok::Setup alone = setup;
    std::ranges::replace_if(alone.board.cells, [&](std::uint8_t cell) { return cell != colour; }, std::uint8_t{0});
    const Omok::Observation o = judged(alone);
    const auto rank = [](const Omok::Observation& a) { return std::pair{a.column, a.row}; };
    if (o.winner != 0 && (best.winner == 0 || rank(o) < rank(best))) best = o;
  }
  RC_ASSERT(judged(setup) == best);
}

/// The answer depends on the stones alone: not on the order of placement, nor on stones that were placed in between and
/// removed.
RC_GTEST_PROP(OmokLaws, TheOrderOfActionsDoesNotChangeTheAnswer, ()) {
  const Omok::Setup setup = laws::any_setup<G>();
  Random random{laws::any_seed()};
  std::vector<Omok::Place> stones = stones_of(setup);
  laws::shuffle(stones);
  Scenario<G> road{.setup = {.size = setup.size, .board = Grid{setup.size, setup.size}}, .actions = {}};
  for (const Omok::Place& stone : stones) {
    const Omok::Place detour{.colour = 3 - stone.colour, .row = stone.row, .column = stone.column};
    if (random.chance(1, 4)) {
      road.actions.emplace_back(detour);
      road.actions.emplace_back(Omok::Remove{.row = stone.row, .column = stone.column});
    }
    road.actions.emplace_back(stone);
  }
  road.actions.emplace_back(Omok::Judge{});
  const Trace<G> trace = played<G>(road);
  RC_ASSERT(trace.observations.back() == judged(setup));
  RC_ASSERT(trace.snapshots.back() == setup);
}

/// Every filling of a line of ten cells, in each direction: one scenario steps a board through all 3¹⁰ fillings, like
/// an odometer.
TEST(OmokLaws, EveryFillingOfALineOfTenIsJudgedAlikeInAllDirections) {
  constexpr int length = 10;
  struct Line {
    int row, column, down, right;
  };
  for (const Line way : {Line{4, 0, 0, 1}, Line{0, 6, 1, 0}, Line{0, 0, 1, 1}, Line{9, 0, -1, 1}}) {
    Scenario<G> scenario{.setup = {.size = length, .board = Grid{length, length}}, .actions = {}};
    std::vector<Omok::Observation> expected;
    Grid board = scenario.setup.board;
    int winning = 0;
    for (int turning = 0; turning >= 0;) {
      expected.push_back(answer_of(wins_by_lines(board)));
      winning += expected.back().winner != 0 ? 1 : 0;
      scenario.actions.emplace_back(Omok::Judge{});
      // The last cells turn from white to empty, the one before them from empty to black or from black to white.
      for (turning = length - 1; turning >= 0; --turning) {
        const int row = way.row + turning * way.down;
        const int column = way.column + turning * way.right;
        std::uint8_t& cell = board.at(row, column);
        if (cell != 0) scenario.actions.emplace_back(Omok::Remove{.row = row, .column = column});
        cell = static_cast<std::uint8_t>((cell + 1) % 3);
        if (cell != 0) scenario.actions.emplace_back(Omok::Place{.colour = cell, .row = row, .column = column});
        if (cell != 0) break;
      }
    }
    auto answers = played<G>(scenario).observations;
    std::erase_if(answers, [](const Omok::Observation& o) { return o.says != Omok::Says::judged; });
    EXPECT_TRUE(answers == expected);
    // For one colour, 2·3⁴ fillings have the run of exactly five at each end, and 2²·3³ at each of the four places
    // between; two fillings have a run of both colours, BBBBBWWWWW and WWWWWBBBBB.
    EXPECT_EQ(winning, 2 * (2 * 162 + 4 * 108) - 2);
  }
}

/// Every board of a batch gets the answer that it gets alone: two groups of boards, the second not full.
TEST(OmokBatch, AnswersForEveryBoard) {
  Random random{300};
  std::vector<Omok::Setup> setups;
  for (std::size_t i = 0; i < 300; ++i) setups.push_back(draw_scenario<Omok>(random, styles[i % styles.size()]).setup);
  optimized::OmokBoards batch{setups.size()};
  for (std::size_t i = 0; i < setups.size(); ++i) {
    for (const Omok::Place& stone : stones_of(setups[i])) batch.put(i, stone.colour, stone.row, stone.column);
  }
  std::vector<Omok::Observation> answers(setups.size());
  batch.judge(answers);
  int won = 0;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    const Omok::Observation alone = judged(setups[i]);
    EXPECT_EQ(shown(answers[i]), shown(alone)) << "board " << i << "\n" << setup_text<Omok>(setups[i]);
    won += alone.winner != 0 ? 1 : 0;
  }
  EXPECT_GT(won, 50);
}

// Model -------------------------------------------------------------------------------------------

/// Stores the board and judges it line by line.
class Model {
 public:
  explicit Model(const Omok::Setup& setup) : state_{setup} {}

  Omok::Observation step(const Omok::Action& action) {
    if (std::holds_alternative<Omok::Judge>(action)) return answer_of(wins_by_lines(state_.board));
    const auto* place = std::get_if<Omok::Place>(&action);
    const auto* remove = std::get_if<Omok::Remove>(&action);
    std::uint8_t& cell =
        place != nullptr ? state_.board.at(place->row, place->column) : state_.board.at(remove->row, remove->column);
    if ((cell == 0) != (place != nullptr)) return {.says = Omok::Says::illegal};
    cell = place != nullptr ? static_cast<std::uint8_t>(place->colour) : std::uint8_t{0};
    return {.says = Omok::Says::done};
  }
  Omok::Snapshot snapshot() const { return state_; }

 private:
  Omok::Setup state_;
};

/// Stones are in two rows and seven columns, mostly black, so that runs of five appear and disappear within a few
/// actions.
RC_GTEST_PROP(OmokModel, IsFollowed, ()) {
  const auto row = rc::gen::inRange(3, 5);
  const auto column = rc::gen::inRange(1, 8);
  const auto place = rc::gen::construct<Omok::Place>(rc::gen::weightedElement<int>({{9, 1}, {1, 2}}), row, column);
  const auto remove = rc::gen::construct<Omok::Remove>(row, column);
  laws::require_model<Model, G>(
      {.size = 8, .board = Grid{8, 8}},
      rc::gen::weightedOneOf<Omok::Action>({{6, rc::gen::cast<Omok::Action>(place)},
                                            {1, rc::gen::cast<Omok::Action>(remove)},
                                            {2, rc::gen::just(Omok::Action{Omok::Judge{}})}}));
}

// Pictures --------------------------------------------------------------------------------------

TEST(OmokPictures, AWinIsNamedByItsLeftmostStone) {
  EXPECT_EQ(answer(drawn({"......",  //
                          ".BBBBB",  //
                          "......",  //
                          "......",  //
                          "......",  //
                          "......"})),
            "black 2,2");
  EXPECT_EQ(answer(drawn({"W.....",  //
                          ".W....",  //
                          "..W...",  //
                          "...W..",  //
                          "....W.",  //
                          "......"})),
            "white 1,1");
  EXPECT_EQ(answer(drawn({".....B",  //
                          "....B.",  //
                          "...B..",  //
                          "..B...",  //
                          ".B....",  //
                          "......"})),
            "black 5,2");
}

TEST(OmokPictures, AnUprightWinIsNamedByItsTopmostStone) {
  EXPECT_EQ(answer(drawn({"......",  //
                          "....W.",  //
                          "....W.",  //
                          "....W.",  //
                          "....W.",  //
                          "....W."})),
            "white 2,5");
}

TEST(OmokPictures, RunsOfFourAndSixDoNotWin) {
  EXPECT_EQ(answer(drawn({"BBBBBB",  //
                          "......",  //
                          "WWWW..",  //
                          "..WBBW",  //
                          "...WB.",  //
                          "....B."})),
            "no win");
}

TEST(OmokPictures, ARunDoesNotContinueInTheNextRow) {
  EXPECT_EQ(answer(drawn({"...BBB",  //
                          "BB....",  //
                          ".....W",  //
                          "W.....",  //
                          ".W....",  //
                          "..WW.."})),
            "no win");
}

TEST(OmokPictures, OfSeveralWinsTheLeftmostThenTopmostStoneIsTheAnswer) {
  EXPECT_EQ(answer(drawn({"..BBBBB",  //
                          ".......",  //
                          ".W.....",  //
                          ".WWWWW.",  //
                          ".W.....",  //
                          ".W.....",  //
                          ".W....."})),
            "white 3,2");
}

/// The answers to one scenario of the corpus: one word for each judgement and each refusal.
std::string answers_in_corpus(std::string_view file) {
  const auto path = std::filesystem::path{LOCKSTEP_CORPUS} / "omok" / file;
  const auto scenario = parse_scenario<G>(read_file(path).value());
  if (!scenario) return scenario.error().message(path.string());
  std::string out;
  for (const Omok::Observation& o : played<G>(*scenario).observations) {
    if (o.says != Omok::Says::done) out += (out.empty() ? "" : "; ") + shown(o);
  }
  return out;
}

/// Worked out by hand from the boards in the files, not computed by a simulator.
TEST(OmokCorpus, AnswersMatchTheComments) {
  constexpr std::pair<std::string_view, std::string_view> expected[] = {
      {"sample_1.txt", "black 3,2"},
      {"sample_2.txt", "white 7,5"},
      {"all_black.txt", "black 5,1; black 15,1; black 1,15; black 19,15; no win; illegal; no win"},
      {"borders.txt", "white 2,1; black 7,1; black 1,2; white 11,2; white 1,11; black 7,11; no win; black 6,11"},
      {"corner_diagonals.txt", "white 4,1; white 4,1; black 1,4; white 8,4; no win"},
      {"four_directions.txt",
       "no win; black 4,2; no win; no win; black 2,4; no win; no win; black 2,2; no win; no win; black 6,2; no win"},
      {"full_without_a_win.txt", "no win; no win; black 19,15; black 19,15; white 1,1"},
      {"hemmed_in.txt", "black 4,1; black 2,3; black 6,5; black 6,5; illegal; black 6,5"},
      {"largest_board.txt", "white 15,19; black 19,14; no win; black 19,15; white 19,14"},
      {"one_stone_names_four.txt", "black 6,2; black 6,2; black 6,2; black 6,2; black 6,2; black 6,2; no win"},
      {"refused.txt",
       "illegal; illegal; black 2,1; illegal; black 2,1; illegal; illegal; illegal; black 2,1; no win; illegal; "
       "no win; black 2,1"},
      {"removal_makes_a_win.txt", "no win; white 6,1; white 6,7; white 6,1; white 6,1; no win; no win; white 6,2"},
      {"rows_do_not_wrap.txt", "no win; no win; black 1,3; no win; no win; no win"},
      {"several_wins.txt", "white 5,1; white 5,1; black 1,4; black 5,4; white 5,1; white 5,1; no win"},
      {"six_is_no_win.txt", "black 2,2; white 4,3; no win; no win; black 6,2; white 4,2; white 4,2; white 4,2"},
      {"sixteen_wins.txt", "black 1,1; black 1,1; black 1,1; white 2,1; black 3,1"},
      {"smallest_board.txt", "no win; illegal; illegal; no win; illegal; no win; no win"},
      {"thirteen_and_nineteen.txt", "no win; no win; no win; black 9,1; white 6,9; no win; no win; white 13,14"},
      {"too_small_to_win.txt", "no win; no win; illegal; no win"},
      {"win_in_column_16.txt", "black 4,16"},
  };
  for (const auto& [file, answers] : expected) EXPECT_EQ(answers_in_corpus(file), answers) << file;
}

// Invariants detect wrong answers ---------------------------------------------------------------

TEST(OmokInvariants, AWrongAnswerIsAViolation) {
  const Omok::Setup two_wins = drawn({"B.....",  //
                                      "B.WWWW",  //
                                      "B.....",  //
                                      "B.WWWW",  //
                                      "B.....",  //
                                      ".BBBBB"});
  const auto complaint = [&](int winner, int row, int column) {
    return LawsOf<G>::violation(two_wins, two_wins, Omok::Judge{},
                                {.says = Omok::Says::judged,
                                 .winner = static_cast<std::int8_t>(winner),
                                 .row = static_cast<std::int8_t>(row),
                                 .column = static_cast<std::int8_t>(column)},
                                two_wins);
  };
  EXPECT_EQ(complaint(1, 1, 1), "");
  EXPECT_EQ(complaint(0, 0, 0), "a run is exactly five, but no winner is reported");
  EXPECT_EQ(complaint(2, 1, 1), "the winning stone is not the winner's");
  EXPECT_EQ(complaint(1, 5, 1), "the winning stone is not the first of a run of exactly five");
  EXPECT_EQ(complaint(2, 2, 3), "the winning stone is not the first of a run of exactly five");
  EXPECT_EQ(complaint(1, 6, 2), "another win is further left, or as far left and higher");
  const Omok::Setup empty{.size = 6, .board = Grid{6, 6}};
  EXPECT_EQ(LawsOf<G>::violation(empty, empty, Omok::Judge{}, {.says = Omok::Says::judged, .winner = 1}, empty),
            "a winner is named, but no run is exactly five");
}

TEST(OmokInvariants, AWrongChangeIsAViolation) {
  const Omok::Setup before = drawn({"B.", ".."});
  const Omok::Setup after = drawn({"BW", ".."});
  constexpr Omok::Observation done{.says = Omok::Says::done};
  constexpr Omok::Observation illegal{.says = Omok::Says::illegal};
  const auto complaint = [&](const Omok::Action& action, const Omok::Observation& o, const Omok::Setup& now) {
    return LawsOf<G>::violation(before, before, action, o, now);
  };
  EXPECT_EQ(complaint(Omok::Place{2, 0, 1}, done, after), "");
  EXPECT_EQ(complaint(Omok::Place{1, 0, 1}, done, after), "the board did not change in the named cell alone");
  EXPECT_EQ(complaint(Omok::Place{2, 0, 1}, illegal, before), "place is legal on empty cells, and only there");
  EXPECT_EQ(complaint(Omok::Place{2, 0, 0}, done, before), "place is legal on empty cells, and only there");
  EXPECT_EQ(complaint(Omok::Place{2, 0, 0}, illegal, after), "an illegal action changed the board");
  EXPECT_EQ(complaint(Omok::Remove{1, 0}, done, before), "remove is legal on stones, and only there");
  EXPECT_EQ(complaint(Omok::Remove{0, 0}, done, before), "the board did not change in the named cell alone");
  EXPECT_EQ(complaint(Omok::Judge{}, {.says = Omok::Says::judged}, after), "asking the judge changed the board");
  EXPECT_EQ(complaint(Omok::Judge{}, illegal, before), "the judge did not answer");
  EXPECT_EQ(complaint(Omok::Judge{}, done, Omok::Setup{}), "the board changed its size");
}

// Problem format ----------------------------------------------------------------------------------

std::string board_text(const Omok::Setup& setup, std::string_view line_end = "\n") {
  std::string out;
  for (int row = 0; row < setup.size; ++row) {
    for (int column = 0; column < setup.size; ++column) {
      out += (column == 0 ? "" : " ") + std::to_string(setup.board.at(row, column));
    }
    out += line_end;
  }
  return out;
}

Omok::Setup empty_19() { return {.size = Omok::size_max, .board = Grid{Omok::size_max, Omok::size_max}}; }

RC_GTEST_PROP(OmokProblemFormat, ReadsEveryBoardOfTheProblem, ()) {
  Omok::Setup setup = empty_19();
  for (const Omok::Place& stone : stones_of(laws::any_setup<G>())) {
    setup.board.at(stone.row, stone.column) = static_cast<std::uint8_t>(stone.colour);
  }
  std::string text = board_text(setup, *rc::gen::element<std::string>("\n", "\r\n", " \t\n\n"));
  if (*rc::gen::arbitrary<bool>()) text.erase(text.find_last_not_of(" \t\r\n") + 1);
  RC_ASSERT(laws::read_scenario<G>(text) == (Scenario<G>{.setup = setup, .actions = {Omok::Judge{}}}));
}

TEST(OmokProblemFormat, AnInvalidBoardIsRefusedWithItsPlace) {
  const std::string board = board_text(empty_19());
  const auto with = [&](std::size_t at, std::size_t count, std::string_view text) {
    return std::string{board}.replace(at, count, text);
  };
  const auto expected = [](int row, int column, std::string_view got) {
    return "expected the cell of row " + std::to_string(row) + ", column " + std::to_string(column) +
           " (0 empty, 1 black, 2 white), a number from 0 to 2, got " + std::string{got};
  };
  laws::expect_refused({
      {board, "read"},
      {"", "in:1:1: " + expected(1, 1, "the end of the input")},
      {with(38 * 2 + 8, 1, "3"), "in:3:9: " + expected(3, 5, "'3'")},
      {with(38 + 36, 1, "B"), "in:2:37: " + expected(2, 19, "'B'")},
      {with(0, 1, "-1"), "in:1:1: " + expected(1, 1, "'-1'")},
      {with(0, 3, "12"), "in:1:1: " + expected(1, 1, "'12'")},  // two numbers need a space between them
      {board.substr(0, board.size() - 2), "in:19:37: " + expected(19, 19, "the end of the input")},
      {board + "0\n", "in:20:1: expected the end of the input, got '0'"},
  });
}

TEST(OmokProblemFormat, PrintsAsTheProblemPublishes) {
  EXPECT_EQ(laws::printed<G>({{.says = Omok::Says::judged}}), "0\n");
  EXPECT_EQ(laws::printed<G>({{.says = Omok::Says::judged, .winner = 2, .row = 7, .column = 5}}), "2\n7 5\n");
  EXPECT_EQ(laws::printed<G>({{.says = Omok::Says::done}}), "refused");
}

TEST(OmokProblemDomain, HoldsOneJudgeOfABoardOf19WithAtMostOneWin) {
  const auto board = [](int black_fives, int white_fives) {
    Omok::Setup setup = empty_19();
    for (int five = 0; five < black_fives + white_fives; ++five) {
      for (int column = 3; column < 8; ++column)
        setup.board.at(2 * five, column) = static_cast<std::uint8_t>(five < black_fives ? 1 : 2);
    }
    return setup;
  };
  const auto several = [](int wins) {
    return "the problem promises at most one win, this board has " + std::to_string(wins);
  };
  const std::string question = "the problem gives a board and asks for one judge";
  EXPECT_EQ(laws::outside<G>({board(0, 0), {Omok::Judge{}}}), "inside");
  EXPECT_EQ(laws::outside<G>({board(0, 1), {Omok::Judge{}}}), "inside");
  EXPECT_EQ(laws::outside<G>({board(2, 0), {Omok::Judge{}}}), several(2));
  EXPECT_EQ(laws::outside<G>({board(1, 2), {Omok::Judge{}}}), several(3));
  EXPECT_EQ(laws::outside<G>({board(0, 1), {}}), question);
  EXPECT_EQ(laws::outside<G>({board(0, 1), {Omok::Judge{}, Omok::Judge{}}}), question);
  EXPECT_EQ(laws::outside<G>({board(0, 1), {Omok::Remove{0, 3}}}), question);
  EXPECT_EQ(laws::outside<G>({{.size = 18, .board = Grid{18, 18}}, {Omok::Judge{}}}),
            "the problem's boards have size 19, not 18");
}

}  // namespace
}  // namespace lockstep
