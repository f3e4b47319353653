// The specifications of the claims are right: simulators that are made of them agree with the reference. Each takes its
// answers from the specifications alone where their size admits the board, and is judged like any implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "games/block_game/system.hpp"
#include "games/stacking/system.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"
#include "proof/claim.hpp"
#include "reference/block_game.hpp"
#include "reference/stacking.hpp"

namespace lockstep::proof {
namespace {

using reference::RulebookBlockGame;
using reference::RulebookStacking;

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

TEST(Specifications, OfTheBlockGameAgreeWithTheReference) {
  expect_agreement<BlockGame, RulebookBlockGame, SpecifiedBlockGame>(1'000);
}
TEST(Specifications, OfStackingAgreeWithTheReference) {
  expect_agreement<Stacking, RulebookStacking, SpecifiedStacking>(3'000, moves);
}
}  // namespace
}  // namespace lockstep::proof
