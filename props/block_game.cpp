// Tests of the block game beyond laws.hpp: its own laws, its published texts, and all boards of small sizes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "games/block_game/canaries.hpp"
#include "games/block_game/system.hpp"
#include "optimized/block_game/batch.hpp"
#include "props/play.hpp"

namespace lockstep {
namespace {

using G = BlockGame;
using Cell = std::pair<int, int>;
using Cells = std::vector<Cell>;

// Tools -----------------------------------------------------------------------------------------

using laws::answer_from;
using laws::Picture;
using laws::played;

[[maybe_unused]] const bool with_canary_code = laws::also_compare<canaries::WrongBlockGame, G>();

/// '.' is empty, 1 … 9 are the numbers of blocks.
G::Setup board(const Picture& rows) { return {static_cast<int>(rows.size()), laws::grid_of(rows, ".123456789")}; }

struct Cleared {
  std::set<int> numbers;
  G::Snapshot after;
  bool operator==(const Cleared&) const = default;
};

std::set<int> numbers_of(const G::Observation& o) {
  std::set<int> out;
  for (int number = 1; number <= G::blocks_max; ++number) {
    if (o.numbers.contains(number)) out.insert(number);
  }
  return out;
}

Cleared cleared(const G::Setup& setup) {
  const Trace<G> trace = played<G>({.setup = setup, .actions = {G::Clear{}}});
  const G::Observation& o = trace.observations[0];
  EXPECT_EQ(o.says, G::Says::cleared);
  EXPECT_EQ(static_cast<std::size_t>(o.removed), numbers_of(o).size());
  return {numbers_of(o), trace.snapshots[1]};
}

void expect_cleared(const Picture& picture, const std::set<int>& numbers) {
  EXPECT_EQ(cleared(board(picture)).numbers, numbers);
}

std::map<int, Cells> blocks_of(const Grid& grid) {
  std::map<int, Cells> out;
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      if (grid.at(row, column) != 0) out[grid.at(row, column)].emplace_back(row, column);
    }
  }
  return out;
}

/// The rule again, stated independently for the laws below: the rectangle's other cells and all cells above them are
/// empty.
bool can_go(const Grid& grid, const Cells& block) {
  std::set<int> rows;
  std::set<int> columns;
  for (const auto& [row, column] : block) {
    rows.insert(row);
    columns.insert(column);
  }
  for (const int column : columns) {
    for (const int row : rows) {
      if (std::ranges::find(block, Cell{row, column}) != block.end()) continue;
      for (int above = 0; above <= row; ++above) {
        if (grid.at(above, column) != 0) return false;
      }
    }
  }
  return true;
}

G::Setup any_board() { return laws::any_suggested<G>(0).setup; }

// Worked boards ---------------------------------------------------------------------------------

TEST(BlockGame, FiveOfTheTwelveShapesAreRemovable) {
  const std::vector<std::pair<Picture, bool>> shapes = {
      {{"111", "..1", "..."}, false}, {{"11.", "1..", "1.."}, false}, {{"1..", "111", "..."}, true},
      {{".1.", ".1.", "11."}, true},  {{"111", "1..", "..."}, false}, {{"1..", "1..", "11."}, true},
      {{"..1", "111", "..."}, true},  {{"11.", ".1.", ".1."}, false}, {{".1.", "111", "..."}, true},
      {{"1..", "11.", "1.."}, false}, {{"111", ".1.", "..."}, false}, {{".1.", "11.", ".1."}, false},
  };
  for (const auto& [picture, goes] : shapes) expect_cleared(picture, goes ? std::set{1} : std::set<int>{});
}

TEST(BlockGame, ABlockIsRemovableOnlyIfBothGapsAreOpen) {
  expect_cleared({".222.",  //
                  "..2..", ".....", "1....", "111.."},
                 {});
  expect_cleared({"..222",  // over the second gap only
                  "...2.", ".....", "1....", "111.."},
                 {});
  expect_cleared({"222..",  // over the block, not over its gaps: a T upside down would cover them
                  "2....", "....1", "..111", "....."},
                 {});
}

TEST(BlockGame, ARemovedBlockUncoversOthersInAnyOrderOfNumbers) {
  expect_cleared({"...3..",  //
                  "..333.", "....2.", "...222", ".1....", ".111.."},
                 {1, 2, 3});
}

TEST(BlockGame, ABlockUnderOneThatStaysIsNotRemoved) {
  expect_cleared({"...333",  // 3 has its gaps below it, so nothing under it can go; 4 has nothing over its gaps
                  "....3.", "4...2.", "444222", ".1....", ".111.."},
                 {4});
}

// Every small board -----------------------------------------------------------------------------

/// Every board of the size, with blocks numbered in reading order of their first cells.
template <class See>
class EveryBoard {
 public:
  /// `see` is called with each board.
  EveryBoard(int size, See see) : board_{size, Grid{size, size}}, see_{see} {}
  void visit() { from(0, 1); }

 private:
  void from(int cell, int number) {
    const int size = board_.size;
    if (cell == size * size) return see_(std::as_const(board_));
    from(cell + 1, number);
    const int row = cell / size;
    const int column = cell % size;
    if (board_.board.at(row, column) != 0) return;
    for (const auto& shape : shapes) {
      const bool room = std::ranges::all_of(shape, [&](const Cell& c) {
        return board_.board.contains(row + c.first, column + c.second) &&
               board_.board.at(row + c.first, column + c.second) == 0;
      });
      if (!room) continue;
      for (const auto& [down, right] : shape) {
        board_.board.at(row + down, column + right) = static_cast<std::uint8_t>(number);
      }
      from(cell + 1, number + 1);
      for (const auto& [down, right] : shape) board_.board.at(row + down, column + right) = 0;
    }
  }

  /// Offsets from the first cell in reading order, in the order of the source.
  inline static const std::vector<Cells> shapes = {
      {{0, 0}, {0, 1}, {0, 2}, {1, 2}},   {{0, 0}, {0, 1}, {1, 0}, {2, 0}}, {{0, 0}, {1, 0}, {1, 1}, {1, 2}},
      {{0, 0}, {1, 0}, {2, -1}, {2, 0}},  {{0, 0}, {0, 1}, {0, 2}, {1, 0}}, {{0, 0}, {1, 0}, {2, 0}, {2, 1}},
      {{0, 0}, {1, -2}, {1, -1}, {1, 0}}, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}, {{0, 0}, {1, -1}, {1, 0}, {1, 1}},
      {{0, 0}, {1, 0}, {1, 1}, {2, 0}},   {{0, 0}, {0, 1}, {0, 2}, {1, 1}}, {{0, 0}, {1, -1}, {1, 0}, {2, 0}}};

  G::Setup board_;
  See see_;
};

/// The number of boards of this size; every simulator clears each of them.
int boards_cleared_alike(int size) {
  int boards = 0;
  EveryBoard every{size, [&](const G::Setup& setup) {
                     ++boards;
                     played<G>({.setup = setup, .actions = {G::Clear{}}});
                   }};
  every.visit();
  return boards;
}

TEST(BlockGame, AllImplementationsClearEveryBoardUpToFiveByFiveEqually) {
  EXPECT_EQ(boards_cleared_alike(2), 1);
  EXPECT_EQ(boards_cleared_alike(3), 37);
  EXPECT_EQ(boards_cleared_alike(4), 1'521);
  EXPECT_EQ(boards_cleared_alike(5), 219'476);
}

// Laws ------------------------------------------------------------------------------------------

RC_GTEST_PROP(BlockGame, TheOrderOfRemovalDoesNotChangeTheResult, ()) {
  const G::Setup setup = any_board();
  Random random{laws::any_seed()};
  Cleared one_by_one{{}, setup};
  Grid& grid = one_by_one.after.board;
  std::map<int, Cells> blocks = blocks_of(grid);
  while (true) {
    std::vector<int> ready;
    for (const auto& [number, cells] : blocks) {
      if (can_go(grid, cells)) ready.push_back(number);
    }
    if (ready.empty()) break;
    const int number = random.pick(ready);
    for (const auto& [row, column] : blocks[number]) grid.at(row, column) = 0;
    blocks.erase(number);
    one_by_one.numbers.insert(number);
  }
  RC_CLASSIFY(!one_by_one.numbers.empty(), "something goes");
  RC_CLASSIFY(G::Features::depth_of(setup).levels >= 3, "three levels or more");
  RC_ASSERT(cleared(setup) == one_by_one);
}

RC_GTEST_PROP(BlockGame, FeaturesCountTheRoundsAndPassesOfAClear, ()) {
  const G::Setup setup = any_board();
  // Until nothing can go. Rounds: all that can go leave together. Passes: one after the other, by number.
  const auto until_none = [&](bool together) {
    Grid grid = setup.board;
    std::map<int, Cells> blocks = blocks_of(grid);
    for (int count = 0;; ++count) {
      const Grid before = grid;
      const std::size_t gone = std::erase_if(blocks, [&](const auto& block) {
        if (!can_go(together ? before : grid, block.second)) return false;
        for (const auto& [row, column] : block.second) grid.at(row, column) = 0;
        return true;
      });
      if (gone == 0) return count;
    }
  };
  const G::Features::Depth depth = G::Features::depth_of(setup);
  RC_ASSERT(depth.levels == until_none(true));
  RC_ASSERT(depth.passes == until_none(false));
  RC_ASSERT(depth.blocks == static_cast<int>(blocks_of(setup.board).size()));
}

RC_GTEST_PROP(BlockGame, TheNumbersDoNotDecideWhichBlocksAreRemoved, ()) {
  const G::Setup setup = any_board();
  const auto names = laws::any_order<std::uint8_t>(G::blocks_max, 1);
  G::Setup renamed = setup;
  for (auto& cell : renamed.board.cells) cell = cell == 0 ? cell : names[cell - 1u];
  RC_ASSERT(LawsOf<G>::position(renamed) == LawsOf<G>::position(setup));
  std::set<int> expected;
  for (const int number : cleared(setup).numbers) expected.insert(names[static_cast<std::size_t>(number - 1)]);
  RC_ASSERT(cleared(renamed).numbers == expected);
}

RC_GTEST_PROP(BlockGame, BlocksPlacedMinusBlocksRemovedAreOnTheBoard, ()) {
  const Scenario<G> scenario = laws::any_suggested<G>(60);
  const Trace<G> trace = played<G>(scenario, Cadence::every());
  std::size_t blocks = blocks_of(scenario.setup.board).size();
  for (std::size_t i = 0; i < trace.observations.size(); ++i) {
    const G::Observation& o = trace.observations[i];
    blocks += o.says == G::Says::placed ? 1 : 0;
    blocks -= static_cast<std::size_t>(o.removed);
    RC_ASSERT(blocks_of(trace.snapshots[i + 1].board).size() == blocks);
  }
}

TEST(BlockGame, SuggestionsReachTheLastNumberAndDeepTowers) {
  int highest = 0;
  int levels = 0;
  int passes = 0;
  bool full = false;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random{seed_of(1, i)};
    G::Suggestions bias{random};
    const G::Setup setup = bias.setup(random);
    const G::Features::Depth depth = G::Features::depth_of(setup);
    highest = std::max(highest, depth.highest);
    levels = std::max(levels, depth.levels);
    passes = std::max(passes, depth.passes);
    full |= depth.blocks == G::blocks_max;
  }
  EXPECT_EQ(highest, G::blocks_max);
  EXPECT_TRUE(full);
  EXPECT_GE(levels, 15);
  EXPECT_GE(passes, 10);
}

// Model -------------------------------------------------------------------------------------------

/// Stores the cells of each number instead of a board.
class Model {
 public:
  explicit Model(const G::Setup& setup) : size_{setup.size}, blocks_{blocks_of(setup.board)} {}

  G::Observation step(const G::Action& action) {
    const auto* place = std::get_if<G::Place>(&action);
    return place != nullptr ? put(*place) : clear();
  }
  G::Snapshot snapshot() const {
    G::Snapshot out{size_, Grid{size_, size_}};
    for (const auto& [number, cells] : blocks_) {
      for (const auto& [row, column] : cells) out.board.at(row, column) = static_cast<std::uint8_t>(number);
    }
    return out;
  }

 private:
  // The four cells of each shape from the top-left corner of its rectangle.
  inline static const std::vector<Cells> shapes = {
      {{0, 0}, {0, 1}, {0, 2}, {1, 2}}, {{0, 0}, {0, 1}, {1, 0}, {2, 0}}, {{0, 0}, {1, 0}, {1, 1}, {1, 2}},
      {{0, 1}, {1, 1}, {2, 0}, {2, 1}}, {{0, 0}, {0, 1}, {0, 2}, {1, 0}}, {{0, 0}, {1, 0}, {2, 0}, {2, 1}},
      {{0, 2}, {1, 0}, {1, 1}, {1, 2}}, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}, {{0, 1}, {1, 0}, {1, 1}, {1, 2}},
      {{0, 0}, {1, 0}, {1, 1}, {2, 0}}, {{0, 0}, {0, 1}, {0, 2}, {1, 1}}, {{0, 1}, {1, 0}, {1, 1}, {2, 1}}};

  bool free(const Cell& cell) const {
    return cell.first < size_ && cell.second < size_ &&
           std::ranges::none_of(blocks_, [&](const auto& b) { return std::ranges::count(b.second, cell) > 0; });
  }
  G::Observation put(const G::Place& place) {
    Cells cells = shapes[static_cast<std::size_t>(place.shape - 1)];
    for (auto& [row, column] : cells) {
      row += place.row;
      column += place.column;
    }
    int number = 1;
    while (blocks_.contains(number)) ++number;
    if (number > G::blocks_max || !std::ranges::all_of(cells, [&](const Cell& cell) { return free(cell); })) return {};
    blocks_[number] = cells;
    return {.says = G::Says::placed, .number = static_cast<std::int16_t>(number), .removed = 0, .numbers = {}};
  }
  G::Observation clear() {
    G::Observation o{.says = G::Says::cleared, .number = 0, .removed = 0, .numbers = {}};
    const auto find = [&] {
      const Grid grid = snapshot().board;
      return std::ranges::find_if(blocks_, [&](const auto& block) { return can_go(grid, block.second); });
    };
    for (auto block = find(); block != blocks_.end(); block = find()) {
      const auto bit = static_cast<unsigned>(block->first - 1);
      o.numbers.words[bit / 64] |= std::uint64_t{1} << bit % 64;
      ++o.removed;
      blocks_.erase(block);
    }
    return o;
  }

  int size_;
  std::map<int, Cells> blocks_;
};

RC_GTEST_PROP(BlockGameModel, IsFollowed, ()) {
  const int size = *rc::gen::inRange(3, 9);
  const auto place = rc::gen::construct<G::Place>(rc::gen::inRange(1, G::shapes + 1), rc::gen::inRange(0, size),
                                                  rc::gen::inRange(0, size));
  laws::require_model<Model, G>({size, Grid{size, size}},
                                rc::gen::weightedOneOf<G::Action>(
                                    {{2, rc::gen::cast<G::Action>(place)}, {1, rc::gen::just(G::Action{G::Clear{}})}}));
}

// Setups ----------------------------------------------------------------------------------------

RC_GTEST_PROP(BlockGame, EmptyingOneCellDeletesItsBlockAndNoOther, ()) {
  const G::Setup setup = any_board();
  RC_PRE(!setup.board.empty());
  const auto blocks = blocks_of(setup.board);
  const auto& [number, cells] = *std::next(blocks.begin(), *rc::gen::inRange<int>(0, static_cast<int>(blocks.size())));
  G::Setup cut = setup;
  const auto [row, column] = cells[*rc::gen::inRange<std::size_t>(0, 4)];
  cut.board.at(row, column) = 0;
  const auto flaw = lockstep::flaw<G>(cut);
  RC_ASSERT(flaw.has_value());
  RC_ASSERT(cut.board.at(flaw->row, flaw->column) == number);
  normalise<G>(cut);
  G::Setup expected = setup;
  for (const auto& [r, c] : cells) expected.board.at(r, c) = 0;
  RC_ASSERT(cut == expected);
}

TEST(BlockGame, AFlawNamesTheFirstCellOfTheFirstBrokenBlock) {
  const auto flaw = lockstep::flaw<G>(board({".....",  //
                                             "1..2.", "111.2", "...22", "333.."}));
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->field, "board");
  EXPECT_EQ(flaw->row, 1);
  EXPECT_EQ(flaw->column, 3);
  EXPECT_TRUE(lockstep::flaw<G>(board({"111", "111", "..."})));  // more than four cells
  EXPECT_TRUE(lockstep::flaw<G>(board({"11.", "11.", "..."})));  // four cells, but a square
  EXPECT_TRUE(lockstep::flaw<G>(board({"11.", ".11", "..."})));  // four cells, but an S
  EXPECT_FALSE(lockstep::flaw<G>(G::Setup{}));
}

TEST(BlockGame, AnUnsoundPlacementIsAViolation) {
  const G::Setup before = board({"..22",  //
                                 "1..2", "1112", "...."});
  const G::Place over{1, 2, 0};  // covers block 1
  const auto law = [&](const G::Place& place, const G::Observation& o, const G::Setup& after) {
    return LawsOf<G>::violation(before, before, place, o, after);
  };
  const G::Observation placed{.says = G::Says::placed, .number = 3, .removed = 0, .numbers = {}};
  EXPECT_EQ(law(over, {}, before), "");
  EXPECT_EQ(law(over, placed, before), "a block was placed where none was allowed");
  EXPECT_EQ(law(over, {}, board({"....", "....", "....", "...."})), "an illegal action changed the state");

  // On an empty board every placement fits.
  const G::Setup empty = board({"...", "...", "..."});
  const auto on_empty = [&](const G::Observation& o, const G::Setup& after) {
    return LawsOf<G>::violation(empty, empty, G::Place{1, 0, 0}, o, after);
  };
  const G::Setup laid = board({"111", "..1", "..."});
  const G::Observation first{.says = G::Says::placed, .number = 1, .removed = 0, .numbers = {}};
  EXPECT_EQ(on_empty(first, laid), "");
  EXPECT_EQ(on_empty({}, empty), "a block that had room was refused");
  EXPECT_EQ(on_empty(first, board({"1111", "....", "....", "...."})), "the board changed its size");
  EXPECT_EQ(on_empty(first, {.size = 3, .board = Grid{3, 2}}), "the board changed its size");
  EXPECT_EQ(on_empty({.says = G::Says::cleared, .number = 1, .removed = 0, .numbers = {}}, laid),
            "placing was answered as something else");
  EXPECT_EQ(on_empty({.says = G::Says::placed, .number = 2, .removed = 0, .numbers = {}}, laid),
            "the block's number is not the smallest free one");
  const std::string elsewhere = "placing changed something else than the four cells of the block";
  EXPECT_EQ(on_empty(first, empty), elsewhere);
  EXPECT_EQ(on_empty(first, board({"...", "111", "..1"})), elsewhere);
  EXPECT_EQ(on_empty(first, board({"222", "..2", "..."})), elsewhere);
}

TEST(BlockGame, AnUnsoundClearingIsAViolation) {
  const G::Setup before = board({"..22",  //
                                 "1..2", "1112", "...."});
  const auto law = [](const G::Setup& was, const G::Observation& o, const G::Setup& is) {
    return LawsOf<G>::violation(was, was, G::Clear{}, o, is);
  };
  const auto cleared = [](std::int16_t removed, std::uint64_t numbers) {
    G::Observation o{.says = G::Says::cleared, .number = 0, .removed = removed, .numbers = {}};
    o.numbers.words[0] = numbers;
    return o;
  };
  EXPECT_EQ(law(before, cleared(0, 0), before), "");
  EXPECT_EQ(law(before, {}, before), "clearing was answered as something else");
  EXPECT_EQ(law(before, cleared(1, 0), before), "the count of removed blocks differs from their numbers");
  EXPECT_EQ(law(before, cleared(1, 0b1000), before), "a block was removed that was not on the board");
  EXPECT_EQ(law(before, cleared(1, 0b10), before),
            "clearing changed something else than the cells of the removed blocks");
  EXPECT_EQ(law(before, cleared(1, 0b10), board({"....", "1...", "111.", "...."})),
            "a block was removed whose gaps cannot be filled from above");
  const G::Setup open = board({"1..", "111", "..."});
  EXPECT_EQ(law(open, cleared(1, 0b1), board({"...", "...", "..."})), "");
  EXPECT_EQ(law(open, cleared(0, 0), open), "a removable block is left after clearing");
}

RC_GTEST_PROP(BlockGame, ASecondClearingRemovesNothing, ()) {
  const Trace<G> trace = played<G>({.setup = any_board(), .actions = {G::Clear{}, G::Clear{}}});
  RC_ASSERT(trace.observations[1].removed == 0);
  RC_ASSERT(trace.snapshots[1] == trace.snapshots[2]);
}

// Problem format ---------------------------------------------------------------------------------

TEST(BlockGameProblemFormat, OnlyAClearingIsPrinted) {
  const G::Observation cleared{.says = G::Says::cleared, .number = 0, .removed = 3, .numbers = {}};
  EXPECT_EQ(laws::printed<G>({cleared}), "3\n");
  EXPECT_EQ(laws::printed<G>({cleared, {}}), "refused");
}

TEST(BlockGameProblemFormat, JsonAndRowsAreTheSameBoard) {
  const auto rows = laws::read_scenario<G>("4\n1 0 0 0\n1 1 1 0\n0 0 0 0\n0 0 0 0\n");
  for (const std::string json : {"[[1,0,0,0],[1,1,1,0],[0,0,0,0],[0,0,0,0]]",
                                 " [ [1 , 0,0,0],\r\n [1,1,1,0],\r\n\t[0,0,0,0],\r\n[0,0,0,0] ]\r\n"}) {
    EXPECT_EQ(laws::read_scenario<G>(json), rows);
    EXPECT_EQ(laws::solved(json), "1\n");
  }
}

TEST(BlockGameProblemFormat, AnInvalidBoardIsRefusedWithItsPlace) {
  const std::string cell = "expected a cell (0 or a block's number), a number from 0 to 200, got ";
  const std::string shape = "form none of the twelve shapes (here is its first cell)";
  laws::expect_refused({
      {"", "in:1:1: expected the size of the board, a number from 4 to 50, got the end of the input"},
      {"3\n0 0 0\n0 0 0\n0 0 0\n", "in:1:1: expected the size of the board, a number from 4 to 50, got '3'"},
      {"51", "in:1:1: expected the size of the board, a number from 4 to 50, got '51'"},
      {"4\n0 0 0 0\n0 0 x 0\n0 0 0 0\n0 0 0 0\n", "in:3:5: " + cell + "'x'"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 201 0\n0 0 0 0\n", "in:4:5: " + cell + "'201'"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 -1 0\n0 0 0 0\n", "in:4:5: " + cell + "'-1'"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0\n", "in:6:1: " + cell + "the end of the input"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n7\n", "in:6:1: expected the end of the input, got '7'"},
      {"4\n0 0 0 0\n0 1 1 0\n0 1 1 0\n0 0 0 0\n", "in:3:3: the cells of block 1 " + shape},
      {"4\n1 0 0 0\n1 1 1 0\n0 0 0 0\n0 0 0 1\n", "in:2:1: the cells of block 1 " + shape},
      {"[", "in:1:2: expected '[', got the end of the input"},
      {"[]", "in:1:2: expected '[', got ']'"},
      {"[[]]", "in:1:3: " + cell + "']'"},
      {"[[0,0,0],[0,0,0],[0,0,0]]", "in:1:8: expected ',', got ']'"},
      {"[[0,0,0,0],\n[0,0,0,0,0],[0,0,0,0],[0,0,0,0]]", "in:2:9: expected ']', got ','"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "in:1:31: expected ',', got ']'"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]]", "in:1:42: expected the end of the input, got ']'"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,999999999999999999999,0],[0,0,0,0]]", "in:1:27: " + cell + "'999999999999999999999'"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,5,0],[0,0,0,0]]", "in:1:27: the cells of block 5 " + shape},
      {"[[-0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "in:1:3: " + cell + "'-0'"},
      {"[[0,00,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "in:1:5: " + cell + "'00'"},
      {"[[0,0,0,1.5],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "in:1:10: expected ']', got '.'"},
  });
}

TEST(BlockGameProblemDomain, HoldsOneClearOfABoardOf4To50) {
  const auto empty = [](int size) { return G::Setup{.size = size, .board = Grid{size, size}}; };
  const std::string question = "the problem gives a board and asks for one clear";
  EXPECT_EQ(laws::outside<G>({empty(4), {G::Clear{}}}), "inside");
  EXPECT_EQ(laws::outside<G>({empty(50), {G::Clear{}}}), "inside");
  EXPECT_EQ(laws::outside<G>({empty(3), {G::Clear{}}}), "the problem's boards have size 4 to 50, not 3");
  EXPECT_EQ(laws::outside<G>({empty(4), {}}), question);
  EXPECT_EQ(laws::outside<G>({empty(4), {G::Clear{}, G::Clear{}}}), question);
  EXPECT_EQ(laws::outside<G>({empty(4), {G::Place{1, 0, 0}}}), question);
}

// The batch --------------------------------------------------------------------------------------

/// Every board of a batch gets the count that it gets alone. Registers hold two to eight boards.
TEST(BlockGameBatch, CountsTheRemovableBlocksOfEveryBoard) {
  Random random{30};
  std::uint64_t counted = 0;
  for (const std::size_t count : {1u, 7u, 8u, 9u, 30u}) {
    for (const int size : {4, 19, 32, 33, 50}) {
      std::vector<G::Setup> setups;
      for (std::size_t drawn = 0; setups.size() < count; ++drawn) {
        G::Setup setup = draw_scenario<G>(random, styles[drawn % styles.size()]).setup;
        if (setup.size > size) continue;
        Grid board{size, size};
        for (int row = 0; row < setup.size; ++row) {
          for (int column = 0; column < setup.size; ++column) board.at(row, column) = setup.board.at(row, column);
        }
        setups.push_back({.size = size, .board = std::move(board)});
      }
      optimized::BlockBoards batch{count, size};
      for (std::size_t i = 0; i < count; ++i) batch.set(i, optimized::BitRows{setups[i]});
      std::vector<std::uint64_t> counts(count);
      batch.count_removable(counts);
      for (std::size_t i = 0; i < count; ++i) {
        const int expected = answer_from<G>(setups[i], G::Clear{}).removed;
        ASSERT_EQ(counts[i], static_cast<std::uint64_t>(expected)) << "board " << i << "\n" << setup_text<G>(setups[i]);
        counted += counts[i];
      }
    }
  }
  EXPECT_GT(counted, 100u);
}

}  // namespace
}  // namespace lockstep
