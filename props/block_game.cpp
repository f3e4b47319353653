// Laws of the block game that are not maps of scenarios onto scenarios, its published texts, and the
// boards that can be counted.
#include "systems/block_game.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "lockstep/files.hpp"
#include "props/drawing.hpp"
#include "props/laws.hpp"

namespace lockstep {
namespace {

using G = BlockGame;
using Cell = std::pair<int, int>;
using Cells = std::vector<Cell>;

// Tools -----------------------------------------------------------------------------------------

/// A board drawn as rows; '.' is empty, 1 … 9 and a … z are the numbers 1 … 35.
G::Setup board(const std::vector<std::string>& picture) {
  const int size = static_cast<int>(picture.size());
  G::Setup s{size, Grid{size, size}};
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const char c = picture[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      s.board.at(row, column) = static_cast<std::uint8_t>(c == '.' ? 0 : c <= '9' ? c - '0' : c - 'a' + 10);
    }
  }
  return s;
}

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

Cleared clear_with(const AnyImplementation<G>& simulator, const G::Setup& setup) {
  Trace<G> trace;
  simulator.trace({setup, {G::Clear{}}}, Cadence::every(), trace);
  const G::Observation& o = trace.observations[0];
  EXPECT_EQ(o.says, G::Says::cleared) << simulator.name;
  EXPECT_EQ(static_cast<std::size_t>(o.removed), numbers_of(o).size()) << simulator.name;
  return {numbers_of(o), trace.snapshots[1]};
}

void expect_cleared(const std::vector<std::string>& picture, const std::set<int>& numbers) {
  const G::Setup setup = board(picture);
  ASSERT_FALSE(G::flaw(setup)) << G::flaw(setup)->what;
  for (const auto& simulator : laws::honest<G>()) {
    EXPECT_EQ(clear_with(simulator, setup).numbers, numbers) << simulator.name;
  }
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

/// The rule, said once more for the laws below: the rectangle's other cells and all above them are empty.
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

G::Setup drawn_setup() {
  Random random{laws::any_seed()};
  G::Suggestions bias{random};
  return bias.setup(random);
}

Scenario<G> drawn_scenario(int actions_max) {
  Random random{laws::any_seed()};
  G::Suggestions bias{random};
  Scenario<G> scenario{bias.setup(random), {}};
  for (int left = random.integer(1, actions_max); left > 0; --left) {
    scenario.actions.push_back(bias.action(random, scenario.setup));
  }
  return scenario;
}

// Worked boards ---------------------------------------------------------------------------------

TEST(BlockGame, FiveOfTheTwelveShapesCanGo) {
  const std::vector<std::pair<std::vector<std::string>, bool>> shapes = {
      {{"111", "..1", "..."}, false}, {{"11.", "1..", "1.."}, false}, {{"1..", "111", "..."}, true},
      {{".1.", ".1.", "11."}, true},  {{"111", "1..", "..."}, false}, {{"1..", "1..", "11."}, true},
      {{"..1", "111", "..."}, true},  {{"11.", ".1.", ".1."}, false}, {{".1.", "111", "..."}, true},
      {{"1..", "11.", "1.."}, false}, {{"111", ".1.", "..."}, false}, {{".1.", "11.", ".1."}, false},
  };
  for (const auto& [picture, goes] : shapes) expect_cleared(picture, goes ? std::set{1} : std::set<int>{});
}

TEST(BlockGame, BothGapsMustBeOpen) {
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

TEST(BlockGame, ARemovedBlockOpensTheSkyOfOthersWhateverTheNumbers) {
  expect_cleared({"...3..",  //
                  "..333.", "....2.", "...222", ".1....", ".111.."},
                 {1, 2, 3});
}

TEST(BlockGame, NothingHidesUnderABlockThatStays) {
  expect_cleared({"...333",  // 3 has its gaps below it: nobody under it goes, 4 has nothing over its gaps
                  "....3.", "4...2.", "444222", ".1....", ".111.."},
                 {4});
}

// Every small board -----------------------------------------------------------------------------

/// Calls see(board) for every board of the size, blocks numbered in reading order of their first cells.
template <class See>
class EveryBoard {
 public:
  EveryBoard(int size, See see) : board_{size, Grid{size, size}}, see_{see} { from(0, 1); }

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

  /// From the first cell in reading order, as the source lists them.
  inline static const std::vector<Cells> shapes = {
      {{0, 0}, {0, 1}, {0, 2}, {1, 2}},   {{0, 0}, {0, 1}, {1, 0}, {2, 0}}, {{0, 0}, {1, 0}, {1, 1}, {1, 2}},
      {{0, 0}, {1, 0}, {2, -1}, {2, 0}},  {{0, 0}, {0, 1}, {0, 2}, {1, 0}}, {{0, 0}, {1, 0}, {2, 0}, {2, 1}},
      {{0, 0}, {1, -2}, {1, -1}, {1, 0}}, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}, {{0, 0}, {1, -1}, {1, 0}, {1, 1}},
      {{0, 0}, {1, 0}, {1, 1}, {2, 0}},   {{0, 0}, {0, 1}, {0, 2}, {1, 1}}, {{0, 0}, {1, -1}, {1, 0}, {2, 0}}};

  G::Setup board_;
  See see_;
};

/// Clears every board of the size with all simulators; how many boards there are.
int boards_cleared_alike(int size) {
  const auto simulators = laws::honest<G>();
  std::vector<Trace<G>> traces(simulators.size());
  Scenario<G> scenario{{}, {G::Clear{}}};
  int boards = 0;
  EveryBoard{size, [&](const G::Setup& setup) {
               ++boards;
               scenario.setup = setup;
               for (std::size_t i = 0; i < simulators.size(); ++i) {
                 simulators[i].trace(scenario, Cadence{}, traces[i]);
                 if (traces[i].observations == traces[0].observations && traces[i].snapshots == traces[0].snapshots) {
                   continue;
                 }
                 ADD_FAILURE() << simulators[i].name << " differs on board " << boards << " of size " << size;
               }
             }};
  return boards;
}

TEST(BlockGame, EveryBoardUpToFiveByFiveIsClearedAlike) {
  EXPECT_EQ(boards_cleared_alike(2), 1);
  EXPECT_EQ(boards_cleared_alike(3), 37);
  EXPECT_EQ(boards_cleared_alike(4), 1'521);
  EXPECT_EQ(boards_cleared_alike(5), 219'476);
}

// Laws ------------------------------------------------------------------------------------------

RC_GTEST_PROP(BlockGame, TheOrderOfRemovalChangesNoBoard, ()) {
  const G::Setup setup = drawn_setup();
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
  RC_CLASSIFY(G::depth_of(setup).levels >= 3, "three levels or more");
  for (const auto& simulator : laws::honest<G>()) RC_ASSERT(clear_with(simulator, setup) == one_by_one);
}

RC_GTEST_PROP(BlockGame, WhatGoesDoesNotDependOnTheNumbers, ()) {
  const G::Setup setup = drawn_setup();
  Random random{laws::any_seed()};
  std::vector<std::uint8_t> names(G::blocks_max);
  std::iota(names.begin(), names.end(), std::uint8_t{1});
  for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[random.below(i)]);
  G::Setup renamed = setup;
  for (auto& cell : renamed.board.cells) cell = cell == 0 ? cell : names[cell - 1u];
  RC_ASSERT(G::position(renamed) == G::position(setup));
  for (const auto& simulator : laws::honest<G>()) {
    std::set<int> expected;
    for (const int number : clear_with(simulator, setup).numbers) {
      expected.insert(names[static_cast<std::size_t>(number - 1)]);
    }
    RC_ASSERT(clear_with(simulator, renamed).numbers == expected);
  }
}

RC_GTEST_PROP(BlockGame, PlacedLessRemovedIsWhatStands, ()) {
  const Scenario<G> scenario = drawn_scenario(60);
  for (const auto& simulator : laws::honest<G>()) {
    Trace<G> trace;
    simulator.trace(scenario, Cadence::every(), trace);
    std::size_t standing = blocks_of(scenario.setup.board).size();
    for (std::size_t i = 0; i < trace.observations.size(); ++i) {
      const G::Observation& o = trace.observations[i];
      standing += o.says == G::Says::placed ? 1 : 0;
      standing -= static_cast<std::size_t>(o.removed);
      RC_ASSERT(blocks_of(trace.snapshots[i + 1].board).size() == standing);
    }
  }
}

RC_GTEST_PROP(BlockGame, TheCanarysFrameMakesNoMistakeOfItsOwn, ()) {
  using Faultless = canaries::WrongBlockGame<canaries::BlockGameMistake::none>;
  const Scenario<G> scenario = drawn_scenario(60);
  Trace<G> expected;
  Trace<G> actual;
  run_trace<reference::RulebookBlockGame, G>(scenario, Cadence::every(), expected);
  run_trace<Faultless, G>(scenario, Cadence::every(), actual);
  RC_ASSERT(actual.observations == expected.observations);
  RC_ASSERT(actual.snapshots == expected.snapshots);
}

TEST(BlockGame, DrawingReachesTheLastNumberAndDeepTowers) {
  int highest = 0;
  int levels = 0;
  int passes = 0;
  bool full = false;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random{seed_of(1, i)};
    G::Suggestions bias{random};
    const G::Setup setup = bias.setup(random);
    const G::Depth depth = G::depth_of(setup);
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

// A stateful model --------------------------------------------------------------------------------

/// What a player remembers who never looks at the board: the cells of each number.
struct Memory {
  int size = 0;
  std::map<int, Cells> blocks;

  Grid grid() const {
    Grid out{size, size};
    for (const auto& [number, cells] : blocks) {
      for (const auto& [row, column] : cells) out.at(row, column) = static_cast<std::uint8_t>(number);
    }
    return out;
  }
  bool free(const Cells& cells) const {
    return std::ranges::all_of(cells, [&](const Cell& cell) {
      return cell.first < size && cell.second < size &&
             std::ranges::none_of(blocks, [&](const auto& b) { return std::ranges::count(b.second, cell) > 0; });
    });
  }
  int next() const {
    int number = 1;
    while (blocks.contains(number)) ++number;
    return number;
  }
  std::set<int> clear() {
    std::set<int> gone;
    for (bool again = true; again;) {
      again = false;
      const Grid before = grid();
      for (auto block = blocks.begin(); block != blocks.end();) {
        if (!can_go(before, block->second)) {
          ++block;
          continue;
        }
        gone.insert(block->first);
        block = blocks.erase(block);
        again = true;
      }
    }
    return gone;
  }
};

using Player = optimized::BitRows;
using Command = rc::state::Command<Memory, Player>;

struct PlaceCommand : Command {
  // The four cells of each shape from the top-left corner of its rectangle.
  inline static const std::vector<Cells> shapes = {
      {{0, 0}, {0, 1}, {0, 2}, {1, 2}}, {{0, 0}, {0, 1}, {1, 0}, {2, 0}}, {{0, 0}, {1, 0}, {1, 1}, {1, 2}},
      {{0, 1}, {1, 1}, {2, 0}, {2, 1}}, {{0, 0}, {0, 1}, {0, 2}, {1, 0}}, {{0, 0}, {1, 0}, {2, 0}, {2, 1}},
      {{0, 2}, {1, 0}, {1, 1}, {1, 2}}, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}, {{0, 1}, {1, 0}, {1, 1}, {1, 2}},
      {{0, 0}, {1, 0}, {1, 1}, {2, 0}}, {{0, 0}, {0, 1}, {0, 2}, {1, 1}}, {{0, 1}, {1, 0}, {1, 1}, {2, 1}}};

  G::Place asked;

  explicit PlaceCommand(const Memory& memory)
      : asked{*rc::gen::inRange(1, G::shapes + 1), *rc::gen::inRange(0, memory.size),
              *rc::gen::inRange(0, memory.size)} {}

  Cells cells() const {
    Cells out = shapes[static_cast<std::size_t>(asked.shape - 1)];
    for (auto& [row, column] : out) {
      row += asked.row;
      column += asked.column;
    }
    return out;
  }
  void apply(Memory& memory) const override {
    if (memory.free(cells())) memory.blocks[memory.next()] = cells();
  }
  void run(const Memory& memory, Player& player) const override {
    const G::Observation o = player.step(asked);
    if (memory.free(cells())) {
      RC_ASSERT(o.says == G::Says::placed);
      RC_ASSERT(o.number == memory.next());
    } else {
      RC_ASSERT(o == G::Observation{});
    }
    Memory after = memory;
    apply(after);
    RC_ASSERT(player.snapshot().board == after.grid());
  }
  void show(std::ostream& out) const override {
    out << "place shape=" << asked.shape << " row=" << asked.row << " column=" << asked.column;
  }
};

struct ClearCommand : Command {
  void apply(Memory& memory) const override { memory.clear(); }
  void run(const Memory& memory, Player& player) const override {
    Memory after = memory;
    const std::set<int> gone = after.clear();
    const G::Observation o = player.step(G::Clear{});
    RC_ASSERT(numbers_of(o) == gone);
    RC_ASSERT(player.snapshot().board == after.grid());
  }
  void show(std::ostream& out) const override { out << "clear"; }
};

RC_GTEST_PROP(BlockGame, AnsweringIsRememberingWhatWasPlaced, ()) {
  const int size = *rc::gen::inRange(3, 9);
  Memory memory;
  memory.size = size;
  Player player{G::Setup{size, Grid{size, size}}};
  rc::state::check(memory, player, rc::state::gen::execOneOfWithArgs<PlaceCommand, PlaceCommand, ClearCommand>());
}

// Setups ----------------------------------------------------------------------------------------

RC_GTEST_PROP(BlockGame, NormaliseMakesAnyCellsLawful, ()) {
  Random random{laws::any_seed()};
  const int size = random.integer(G::size_min, random.chance(1, 10) ? G::size_max : 12);
  G::Setup s{size, Grid{size, size}};
  const int last = random.integer(1, G::blocks_max);
  const unsigned density = static_cast<unsigned>(random.below(9));
  for (auto& cell : s.board.cells) {
    if (random.chance(density, 8)) cell = static_cast<std::uint8_t>(random.integer(1, last));
  }
  G::normalise(s);
  RC_ASSERT(!G::flaw(s));
  const G::Setup once = s;
  G::normalise(s);
  RC_ASSERT(s == once);
  RC_TAG(s.board.empty() ? "empty" : "blocks");
}

RC_GTEST_PROP(BlockGame, EmptyingOneCellDeletesItsBlockAndNoOther, ()) {
  const G::Setup setup = drawn_setup();
  RC_PRE(!setup.board.empty());
  const auto blocks = blocks_of(setup.board);
  const auto& [number, cells] = *std::next(blocks.begin(), *rc::gen::inRange<int>(0, static_cast<int>(blocks.size())));
  G::Setup cut = setup;
  const auto [row, column] = cells[*rc::gen::inRange<std::size_t>(0, 4)];
  cut.board.at(row, column) = 0;
  const auto flaw = G::flaw(cut);
  RC_ASSERT(flaw.has_value());
  RC_ASSERT(cut.board.at(flaw->row, flaw->column) == number);
  G::normalise(cut);
  G::Setup expected = setup;
  for (const auto& [r, c] : cells) expected.board.at(r, c) = 0;
  RC_ASSERT(cut == expected);
}

TEST(BlockGame, AFlawNamesTheFirstCellOfTheFirstBrokenBlock) {
  const auto flaw = G::flaw(board({".....",  //
                                   "1..2.", "111.2", "...22", "333.."}));
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->field, "board");
  EXPECT_EQ(flaw->row, 1);
  EXPECT_EQ(flaw->column, 3);
  EXPECT_TRUE(G::flaw(board({"111", "111", "..."})));  // more than four
  EXPECT_TRUE(G::flaw(board({"11.", "11.", "..."})));  // four, but a square
  EXPECT_TRUE(G::flaw(board({"11.", ".11", "..."})));  // four, but an S
  EXPECT_FALSE(G::flaw(G::Setup{}));
}

TEST(BlockGame, AnUnsoundPlacementIsAViolation) {
  const G::Setup before = board({"..22",  //
                                 "1..2", "1112", "...."});
  const G::Place over{1, 2, 0};  // covers block 1
  const auto law = [&](const G::Place& place, const G::Observation& o, const G::Setup& after) {
    return G::violation(before, before, place, o, after);
  };
  const G::Observation placed{.says = G::Says::placed, .number = 3, .removed = 0, .numbers = {}};
  EXPECT_EQ(law(over, {}, before), "");
  EXPECT_EQ(law(over, placed, before), "a block was placed where none was allowed");
  EXPECT_EQ(law(over, {}, board({"....", "....", "....", "...."})), "an illegal action changed the state");

  // An empty board has room for everything.
  const G::Setup empty = board({"...", "...", "..."});
  const auto on_empty = [&](const G::Observation& o, const G::Setup& after) {
    return G::violation(empty, empty, G::Place{1, 0, 0}, o, after);
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
    return G::violation(was, was, G::Clear{}, o, is);
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
  const G::Setup open = board({"1..", "111", "..."});
  EXPECT_EQ(law(open, cleared(1, 0b1), board({"...", "...", "..."})), "");
  EXPECT_EQ(law(open, cleared(0, 0), open), "a removable block is left after clearing");
}

RC_GTEST_PROP(BlockGame, ClearingTwiceRemovesNothingTheSecondTime, ()) {
  Scenario<G> scenario{.setup = drawn_setup(), .actions = {G::Clear{}, G::Clear{}}};
  for (const auto& simulator : laws::honest<G>()) {
    Trace<G> trace;
    simulator.trace(scenario, Cadence::every(), trace);
    RC_ASSERT(trace.observations[1].removed == 0);
    RC_ASSERT(trace.snapshots[1] == trace.snapshots[2]);
  }
}

// The judge's format ----------------------------------------------------------------------------

/// What each simulator prints for the judge's input.
void expect_judged(const std::string& text, const std::string& answer) {
  const auto cases = G::ProblemFormat::read(text);
  ASSERT_TRUE(cases) << cases.error().message("input");
  ASSERT_EQ(cases->size(), 1u);
  for (const auto& simulator : laws::honest<G>()) {
    Trace<G> trace;
    simulator.trace(cases->front().scenario, Cadence{}, trace);
    const auto printed = G::ProblemFormat::print(cases->front(), trace.observations);
    ASSERT_TRUE(printed);
    EXPECT_EQ(*printed, answer) << simulator.name;
  }
}

TEST(BlockGameJudge, ThePublishedSampleIsAnswered) {
  const auto input = read_file(std::string{LOCKSTEP_CORPUS} + "/block_game/judge/01.in");
  ASSERT_TRUE(input) << input.error();
  expect_judged(*input, "2\n");
}

TEST(BlockGameJudge, OnlyAClearingIsPrinted) {
  const G::Observation answers[] = {{.says = G::Says::cleared, .number = 0, .removed = 3, .numbers = {}}, {}};
  EXPECT_EQ(G::ProblemFormat::print({}, std::span{answers, 1}).value_or("refused"), "3\n");
  EXPECT_EQ(G::ProblemFormat::print({}, answers).value_or("refused"), "refused");
}

TEST(BlockGameJudge, JsonAndRowsAreTheSameBoard) {
  const auto rows = G::ProblemFormat::read("4\n1 0 0 0\n1 1 1 0\n0 0 0 0\n0 0 0 0\n");
  for (const std::string json : {"[[1,0,0,0],[1,1,1,0],[0,0,0,0],[0,0,0,0]]",
                                 " [ [1 , 0,0,0],\r\n [1,1,1,0],\r\n\t[0,0,0,0],\r\n[0,0,0,0] ]\r\n"}) {
    const auto read = G::ProblemFormat::read(json);
    ASSERT_TRUE(rows && read) << json;
    EXPECT_EQ(read->front().scenario, rows->front().scenario);
    expect_judged(json, "1\n");
  }
}

TEST(BlockGameJudge, WhatIsNotABoardIsRefusedWithItsPlace) {
  struct Bad {
    std::string text;
    int line;
    int column;
    std::string expected;
  };
  const std::vector<Bad> inputs = {
      {"", 1, 1, "expected the size of the board"},
      {"3\n0 0 0\n0 0 0\n0 0 0\n", 1, 1, "from 4 to 50"},
      {"51", 1, 1, "from 4 to 50"},
      {"4\n0 0 0 0\n0 0 x 0\n0 0 0 0\n0 0 0 0\n", 3, 5, "expected a cell"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 201 0\n0 0 0 0\n", 4, 5, "from 0 to 200"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 -1 0\n0 0 0 0\n", 4, 5, "from 0 to 200"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0\n", 6, 1, "the end of the input"},
      {"4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n7\n", 6, 1, "expected the end of the input"},
      {"4\n0 0 0 0\n0 1 1 0\n0 1 1 0\n0 0 0 0\n", 3, 3, "block 1"},
      {"4\n1 0 0 0\n1 1 1 0\n0 0 0 0\n0 0 0 1\n", 2, 1, "block 1"},
      {"[", 1, 2, "expected '['"},
      {"[]", 1, 2, "expected '['"},
      {"[[]]", 1, 3, "expected a cell"},
      {"[[0,0,0],[0,0,0],[0,0,0]]", 1, 8, "expected ','"},
      {"[[0,0,0,0],\n[0,0,0,0,0],[0,0,0,0],[0,0,0,0]]", 2, 9, "expected ']'"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,0,0]]", 1, 31, "expected ','"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]]", 1, 42, "expected the end"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,999999999999999999999,0],[0,0,0,0]]", 1, 27, "from 0 to 200"},
      {"[[0,0,0,0],[0,0,0,0],[0,0,5,0],[0,0,0,0]]", 1, 27, "block 5"},
      {"[[-0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", 1, 3, "from 0 to 200"},
      {"[[0,00,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", 1, 5, "from 0 to 200"},
      {"[[0,0,0,1.5],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", 1, 10, "expected ']'"},
  };
  for (const Bad& bad : inputs) {
    const auto read = G::ProblemFormat::read(bad.text);
    ASSERT_FALSE(read) << bad.text;
    EXPECT_EQ(read.error().line, bad.line) << bad.text << ": " << read.error().what;
    EXPECT_EQ(read.error().column, bad.column) << bad.text << ": " << read.error().what;
    EXPECT_NE(read.error().what.find(bad.expected), std::string::npos) << bad.text << ": " << read.error().what;
  }
}

}  // namespace
}  // namespace lockstep
