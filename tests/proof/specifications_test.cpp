// The specifications of the claims are right: simulators that are made of them agree with the reference. Each takes its
// answers from the specifications alone where their size admits the board, and is judged like any implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "games/block_game/system.hpp"
#include "games/omok/system.hpp"
#include "games/puyo/system.hpp"
#include "games/stacking/system.hpp"
#include "games/ts_tetris/system.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"
#include "proof/claim.hpp"
#include "reference/block_game.hpp"
#include "reference/omok.hpp"
#include "reference/puyo.hpp"
#include "reference/stacking.hpp"
#include "reference/ts_tetris.hpp"

namespace lockstep::proof {
namespace {

using reference::RulebookBlockGame;
using reference::RulebookOmok;
using reference::RulebookPuyo;
using reference::RulebookStacking;
using reference::RulebookTsTetris;

/// The output of a claim's specification. In and Out are laid out like the claim's own types. Inputs that a scenario
/// leads to must meet the claim's invariant.
template <class Out, class In>
Out specified(std::string_view game, std::string_view name, const In& in) {
  for (const Claim& claim : claims()) {
    if (claim.game != game || claim.name != name) continue;
    const auto* first = reinterpret_cast<const std::byte*>(&in);
    if (sizeof in != claim.input_size || sizeof(Out) != claim.output_size) throw std::logic_error{"sizes differ"};
    if (!claim.meets_invariant({first, sizeof in})) throw std::logic_error{"an input that no claim is about"};
    Out out;
    std::memcpy(&out, claim.run_specification({first, sizeof in}).data(), sizeof out);
    return out;
  }
  throw std::out_of_range{std::string(name)};
}

std::uint64_t answered_by_specifications = 0;

class SpecifiedPuyo {
 public:
  explicit SpecifiedPuyo(const Puyo::Setup& setup) : state_{setup} {}

  Puyo::Observation step(const Puyo::Action& action) {
    if (std::holds_alternative<Puyo::Drop>(action)) {
      RulebookPuyo reference{state_};
      const auto answer = reference.step(action);
      state_ = reference.snapshot();
      return answer;
    }
    ++answered_by_specifications;
    Puyo::Observation out{.says = Puyo::Says::resolved};
    for (;; ++out.chains) {
      Falling in{};
      for (int row = 0; row < Puyo::rows; ++row) {
        for (int column = 0; column < Puyo::columns; ++column) {
          const int bit = Puyo::rows - 1 - row;
          const unsigned colour = state_.board.at(row, column);
          for (unsigned plane = 0; plane < 3; ++plane) {
            in.board.planes[plane][column] |= static_cast<std::uint16_t>((colour >> plane & 1) << bit);
          }
        }
      }
      in.doomed = specified<Cells>("puyo", "lanes.find_doomed", in.board);
      bool any = false;
      for (const std::uint16_t column : in.doomed.columns) any = any || column != 0;
      if (!any) return out;
      for (int row = 0; row < Puyo::rows; ++row) {
        for (int column = 0; column < Puyo::columns; ++column) {
          if ((in.doomed.columns[column] >> (Puyo::rows - 1 - row) & 1) == 0) continue;
          ++out.chain(out.chains)[state_.board.at(row, column) - 1u];
        }
      }
      const auto fallen = specified<Board>("puyo", "lanes.fall", in);
      state_.board = Grid::drawn(Puyo::rows, Puyo::columns, [&](int row, int column) {
        int colour = 0;
        for (int plane = 0; plane < 3; ++plane) {
          colour |= (fallen.planes[plane][column] >> (Puyo::rows - 1 - row) & 1) << plane;
        }
        return colour;
      });
    }
  }

  const Puyo::Snapshot& snapshot() const { return state_; }

 private:
  struct alignas(16) Board {
    std::uint16_t planes[3][8];
  };
  struct alignas(16) Cells {
    std::uint16_t columns[8];
  };
  struct Falling {
    Board board;
    Cells doomed;
  };
  Puyo::Snapshot state_;
};

class SpecifiedOmok {
 public:
  explicit SpecifiedOmok(const Omok::Setup& setup) : state_{setup} {}

  Omok::Observation step(const Omok::Action& action) {
    if (!std::holds_alternative<Omok::Judge>(action)) {
      RulebookOmok reference{state_};
      const auto answer = reference.step(action);
      const Omok::Snapshot before = std::exchange(state_, reference.snapshot());
      if (const auto* place = std::get_if<Omok::Place>(&action); place != nullptr && answer.says == Omok::Says::done) {
        expect_wins_change(before, *place);
      }
      return answer;
    }
    ++answered_by_specifications;
    struct {
      std::int32_t size;
      std::uint32_t unused;
      std::uint64_t words[Omok::size_max + 10];
    } in{.size = state_.size, .unused = 0, .words = {}};
    for (int row = 0; row < state_.size; ++row) {
      for (int column = 0; column < state_.size; ++column) {
        in.words[row + 5] |= std::uint64_t{state_.board.at(row, column)} << (2 * column);
      }
    }
    return specified<Omok::Observation>("omok", "shifts.judge", in);
  }

  const Omok::Snapshot& snapshot() const { return state_; }

 private:
  /// The reference's answers change only where the specification says that wins do, on a board of one row.
  static void expect_wins_change(const Omok::Snapshot& before, const Omok::Place& place) {
    struct {
      std::uint32_t stones[4];
      std::uint32_t places[4];
    } in{};
    struct Wins {
      std::uint64_t begin[4];
    };
    Omok::Setup row{before.size, Grid{before.size, before.size}};
    for (int column = 0; column < before.size; ++column) {
      const bool stone = before.board.at(place.row, column) == place.colour;
      in.stones[0] |= std::uint32_t{stone} << column;
      row.board.at(0, column) = stone ? std::uint8_t{1} : std::uint8_t{0};
    }
    in.places[0] = static_cast<std::uint32_t>(place.column);
    const auto wins = specified<Wins>("omok", "lines.changed_wins", in);
    // Of a row, the reference tells the leftmost win: so the wins before the stone's are compared, too.
    const auto first = [](const Omok::Setup& setup) {
      RulebookOmok reference{setup};
      const auto answer = reference.step(Omok::Judge{});
      return answer.winner == 0 ? -1 : answer.column - 1;
    };
    const int old = first(row);
    row.board.at(0, place.column) = 1;
    const int now = first(row);
    const auto changed = [&](int column) { return column >= 0 && (wins.begin[0] >> (column + 6) & 1) != 0; };
    EXPECT_EQ(old != now, changed(old) || changed(now));
  }

  Omok::Snapshot state_;
};

class SpecifiedBlockGame {
 public:
  explicit SpecifiedBlockGame(const BlockGame::Setup& setup) : state_{setup} {}

  BlockGame::Observation step(const BlockGame::Action& action) {
    if (std::holds_alternative<BlockGame::Place>(action)) {
      RulebookBlockGame reference{state_};
      const auto answer = reference.step(action);
      state_ = reference.snapshot();
      return answer;
    }
    ++answered_by_specifications;
    BlockGame::Observation out{.says = BlockGame::Says::cleared, .numbers = {}};
    for (int row = 0; row < state_.size; ++row) remove_at(row, out);
    return out;
  }

  const BlockGame::Snapshot& snapshot() const { return state_; }

 private:
  static constexpr int columns = BlockGame::size_max;
  struct Window {
    std::uint32_t swept;
    std::uint8_t above[columns];
    std::uint8_t cells[4][columns];
    std::uint8_t unused[2];
  };
  struct Words {
    std::uint64_t removed;
    std::uint64_t removed_elsewhere;
    std::uint64_t changed_elsewhere;
    std::uint64_t occupied[4];
    std::uint64_t right[4];
    std::uint64_t below[4];
  };

  void remove_at(int lowest, BlockGame::Observation& out) {
    Window in{};
    in.swept = 4;
    const int top = lowest - 2;
    for (int row = 0; row <= std::min(lowest + 1, state_.size - 1); ++row) {
      for (int column = 0; column < state_.size; ++column) {
        const std::uint8_t cell = state_.board.at(row, column);
        if (row >= top) in.cells[row - top][column] = cell;
        else if (cell != 0) in.above[column] = 1;
      }
    }
    const auto words = specified<Words>("block_game", "bit_rows.row", in);
    for (int column = 0; column < state_.size; ++column) {
      if ((words.removed >> column & 1) == 0) continue;
      const std::uint8_t number = state_.board.at(lowest, column);
      ++out.removed;
      out.numbers.words[(number - 1u) / 64] |= std::uint64_t{1} << ((number - 1u) % 64);
    }
    for (int row = std::max(top, 0); row <= lowest; ++row) {
      for (int column = 0; column < state_.size; ++column) {
        if ((words.occupied[row - top] >> column & 1) == 0) state_.board.at(row, column) = 0;
      }
    }
  }

  BlockGame::Snapshot state_;
};

/// Drops on boards that fit a window of 16 × 16; all else is the reference's.
class SpecifiedTsTetris {
 public:
  explicit SpecifiedTsTetris(const TsTetris::Setup& setup) : state_{setup} {}

  TsTetris::Observation step(const TsTetris::Action& action) {
    RulebookTsTetris reference{state_};
    const auto* drop = std::get_if<TsTetris::Drop>(&action);
    if (drop == nullptr || state_.width > columns || state_.height > 16) {
      const auto answer = reference.step(action);
      state_ = reference.snapshot();
      return answer;
    }
    return dropped(*drop);
  }

  const TsTetris::Snapshot& snapshot() const { return state_; }

 private:
  static constexpr int columns = 16;
  struct alignas(32) Plane {
    std::uint16_t columns[16];
  };
  struct Cells {
    Plane of[2];
  };
  struct Runs {
    Plane cells, any;
  };
  struct Falling {
    Cells cells;
    Plane doomed;
  };
  struct Fallen {
    Cells cells;
    Plane vanished, vanished_first, staying;
  };
  static constexpr int counted_before = 1'000;
  struct Dropping {
    std::uint64_t cells[2][4][3];
    std::uint32_t left[2];
    std::uint8_t heights[3];
    std::uint8_t height;
    std::uint32_t player;
  };
  struct Dropped {
    std::uint64_t cells[2][4][3];
    std::uint32_t left[2];
    std::uint8_t heights[3];
    std::uint8_t legal;
    std::uint8_t lowest, highest;
    std::uint16_t astray;
  };

  TsTetris::Observation dropped(const TsTetris::Drop& drop) {
    ++answered_by_specifications;
    Cells cells{};
    for (int column = 0; column < state_.width; ++column) {
      for (int row = 0; row < state_.height; ++row) {
        const std::uint8_t player = state_.board.at(state_.height - 1 - row, column);
        if (player != 0) set(cells, player - 1, column, row);
      }
    }
    Dropping in{};
    in.height = static_cast<std::uint8_t>(state_.height);
    in.player = static_cast<std::uint32_t>(state_.to_move - 1);
    for (int i = 0; i < 3; ++i) {
      for (int player = 0; player < 2; ++player) {
        const std::uint16_t column = cells.of[player].columns[drop.column + i];
        in.cells[player][0][i] = column;
        in.left[player] += static_cast<std::uint32_t>(std::popcount(column));
        in.heights[i] = static_cast<std::uint8_t>(in.heights[i] + std::popcount(column));
      }
    }
    const auto landed = specified<Dropped>("ts_tetris", "bit_planes.drop", in);
    if (landed.legal == 0) return {.says = TsTetris::Says::illegal};
    for (int i = 0; i < 3; ++i) {
      for (int player = 0; player < 2; ++player)
        cells.of[player].columns[drop.column + i] = static_cast<std::uint16_t>(landed.cells[player][0][i]);
    }
    TsTetris::Observation out{.says = TsTetris::Says::turn};
    for (;;) {
      const auto runs = specified<Runs>("ts_tetris", "window.runs_16", cells);
      if (runs.any.columns[0] == 0) break;
      const auto fallen = specified<Fallen>("ts_tetris", "window.gravity", Falling{cells, runs.cells});
      cells = fallen.cells;
      for (int column = 0; column < columns; ++column) {
        out.vanished[0] += fallen.vanished_first.columns[column] - counted_before;
        out.vanished[1] += fallen.vanished.columns[column] - fallen.vanished_first.columns[column];
      }
    }
    for (int column = 0; column < state_.width; ++column) {
      for (int row = 0; row < state_.height; ++row) {
        const int cell = (cells.of[0].columns[column] >> row & 1) + 2 * (cells.of[1].columns[column] >> row & 1);
        state_.board.at(state_.height - 1 - row, column) = static_cast<std::uint8_t>(cell);
      }
    }
    out.points = out.vanished[static_cast<std::size_t>(state_.to_move - 1)];
    int& score = state_.to_move == 1 ? state_.score_1 : state_.score_2;
    score = std::min(score + out.points, TsTetris::score_max);
    state_.to_move = 3 - state_.to_move;
    return out;
  }

  static void set(Cells& cells, int player, int column, int row) {
    std::uint16_t& word = cells.of[player].columns[column];
    word = static_cast<std::uint16_t>(word | 1 << row);
  }

  TsTetris::Snapshot state_;
};

class SpecifiedStacking {
 public:
  explicit SpecifiedStacking(const Stacking::Setup& setup) : state_{setup} {}

  Stacking::Observation step(const Stacking::Action& action) {
    const auto* one = std::get_if<Stacking::Move>(&action);
    if (one == nullptr || state_.ended) {
      RulebookStacking reference{state_};
      const auto answer = reference.step(action);
      state_ = reference.snapshot();
      return answer;
    }
    ++answered_by_specifications;
    move(static_cast<std::size_t>(one->piece));
    return {.says = Stacking::Says::moved, .ended = state_.ended};
  }

  const Stacking::Snapshot& snapshot() const { return state_; }

 private:
  static constexpr int sides = Stacking::size_max;
  static constexpr std::size_t slots = 16;
  struct Board {
    std::uint32_t size;
    std::uint8_t cells[sides][sides];
  };
  struct Landings {
    std::uint32_t of[4][sides][sides];
  };
  struct Moving {
    std::uint8_t stack[2][3];
    std::uint8_t level;
    std::uint8_t stays;
    std::uint8_t cell[slots];
    std::uint8_t below[slots];
    std::uint16_t facing[slots];
    std::uint16_t faces;
    std::uint16_t upside_down;
  };
  struct Moved {
    std::uint16_t pieces[2];
    std::uint16_t bits[2];
    std::uint8_t cell[slots];
    std::uint8_t below[slots];
    std::uint16_t facing[slots];
    std::uint32_t ended;
  };
  static constexpr std::uint8_t origin = 17, elsewhere = 32;  // the claim's two cells

  void move(std::size_t number) {
    Board board{.size = static_cast<std::uint32_t>(state_.size), .cells = {}};
    for (int row = 0; row < state_.size; ++row) {
      for (int column = 0; column < state_.size; ++column) board.cells[row][column] = state_.board.at(row, column);
    }
    const Stacking::Piece mover = state_.pieces[number];
    const auto landing =
        specified<Landings>("stacking", "packed_stacks.landings", board).of[mover.facing - 1][mover.row][mover.column];
    const int row = static_cast<int>(landing & 0xff) / 16;
    const int column = static_cast<int>(landing & 0xff) % 16;
    Moving in{};
    in.level = static_cast<std::uint8_t>(mover.level);
    in.stays = row == mover.row && column == mover.column ? 1 : 0;
    in.faces = static_cast<std::uint16_t>(landing >> 16);
    in.upside_down = (landing >> 8 & 0xf) != 0 ? 1 : 0;
    for (std::size_t i = 0; i < state_.pieces.size(); ++i) {
      const Stacking::Piece& piece = state_.pieces[i];
      const bool here = piece.row == mover.row && piece.column == mover.column;
      const bool there = piece.row == row && piece.column == column;
      if (here || there) in.stack[here ? 0 : 1][piece.level] = static_cast<std::uint8_t>(i + 1);
      in.cell[i + 1] = here ? origin : there ? elsewhere : 0;
      in.below[i + 1] = static_cast<std::uint8_t>(4 * piece.level);
      in.facing[i + 1] = static_cast<std::uint16_t>((piece.facing - 1) * sides * 16);
    }
    const auto out = specified<Moved>("stacking", "packed_stacks.move", in);
    for (std::size_t i = 0; i < state_.pieces.size(); ++i) {
      Stacking::Piece& piece = state_.pieces[i];
      if (out.cell[i + 1] == origin) std::tie(piece.row, piece.column) = std::pair{mover.row, mover.column};
      if (out.cell[i + 1] == elsewhere) std::tie(piece.row, piece.column) = std::pair{row, column};
      piece.level = out.below[i + 1] / 4;
      piece.facing = out.facing[i + 1] / (sides * 16) + 1;
    }
    state_.ended = out.ended != 0;
  }

  Stacking::Snapshot state_;
};

/// Boards as drawn, and moves.
Scenario<Stacking> moves(Random& random) {
  Scenario<Stacking> out = draw_scenario<Stacking>(random, Style::uniform);
  out.actions.clear();
  const int pieces = static_cast<int>(out.setup.pieces.size());
  for (int i = 0; i < 40; ++i) out.actions.push_back(Stacking::Move{random.integer(0, pieces - 1)});
  return out;
}

/// Boards of at most 16 × 16, dense, and drops.
Scenario<TsTetris> small_board(Random& random) {
  Scenario<TsTetris> out;
  out.setup.width = random.integer(3, 16);
  out.setup.height = random.integer(1, 16);
  out.setup.to_move = random.integer(1, 2);
  const unsigned full = static_cast<unsigned>(random.integer(0, 8));
  out.setup.board = Grid::drawn(out.setup.height, out.setup.width,
                                [&](int, int) { return random.chance(full, 8) ? random.integer(1, 2) : 0; });
  TsTetris::Laws::normalise(out.setup);
  for (int i = 0; i < 20; ++i) out.actions.push_back(TsTetris::Drop{random.integer(0, out.setup.width - 3)});
  return out;
}

template <class Impl, class S>
std::shared_ptr<const Runner::Code> code() {
  return std::make_shared<MadeCode<S, MadeFromSetup<Impl, S>>>(MadeFromSetup<Impl, S>{});
}

template <class S, class Reference, class Specified>
void expect_agreement(std::size_t scenarios, Scenario<S> (*drawn)(Random&) = nullptr) {
  answered_by_specifications = 0;
  Judge judge{vocabulary<S>(),
              {{"rulebook", Kind::reference, "", code<Reference, S>()},
               {"specified", Kind::optimized, "", code<Specified, S>()}}};
  Random random{1};
  for (std::size_t i = 0; i < scenarios; ++i) {
    const auto scenario = drawn != nullptr ? drawn(random) : draw_scenario<S>(random, styles[i % styles.size()]);
    ASSERT_TRUE(judge.judge(untyped<S>(scenario)).agreed()) << scenario_text(scenario);
  }
  EXPECT_GT(answered_by_specifications, scenarios / 4);
}

TEST(Specifications, OfPuyoAgreeWithTheReference) { expect_agreement<Puyo, RulebookPuyo, SpecifiedPuyo>(3'000); }
TEST(Specifications, OfOmokAgreeWithTheReference) { expect_agreement<Omok, RulebookOmok, SpecifiedOmok>(3'000); }
TEST(Specifications, OfTheBlockGameAgreeWithTheReference) {
  expect_agreement<BlockGame, RulebookBlockGame, SpecifiedBlockGame>(1'000);
}
TEST(Specifications, OfStackingAgreeWithTheReference) {
  expect_agreement<Stacking, RulebookStacking, SpecifiedStacking>(3'000, moves);
}
TEST(Specifications, OfTsTetrisAgreeWithTheReference) {
  expect_agreement<TsTetris, RulebookTsTetris, SpecifiedTsTetris>(3'000, small_board);
}

}  // namespace
}  // namespace lockstep::proof
