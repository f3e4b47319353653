#include "games/stacking/laws.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "games/stacking/stacks.hpp"

namespace lockstep {

using namespace stacking;

namespace {

using Setup = Stacking::Setup;
using Snapshot = Stacking::Snapshot;
using Piece = Stacking::Piece;
using Observation = Stacking::Observation;
using Says = Stacking::Says;

bool has_tall_stack(const Setup& s) {
  return std::ranges::any_of(s.pieces, [&](const Piece& p) { return height_at(s, p) >= Stacking::end_height; });
}

}  // namespace

// Lawful setups --------------------------------------------------------------------------------

std::optional<Flaw> Stacking::Laws::flaw(const Setup& s) {
  const Piece* tall = nullptr;  // a piece of a stack that ends the game
  for (std::size_t i = 0; i < s.pieces.size(); ++i) {
    const Piece& p = s.pieces[i];
    const auto refused = [&](const std::string& why) {
      return Flaw{"piece", static_cast<int>(i), -1,
                  "piece " + std::to_string(i) + " stands at level " + std::to_string(p.level) + why};
    };
    const int height = height_at(s, p);
    if (height >= end_height && tall == nullptr) tall = &p;
    if (p.level >= height) return refused(", but its stack holds " + std::to_string(height));
    for (std::size_t j = 0; j < i; ++j) {
      if (share_cell(s.pieces[j], p) && s.pieces[j].level == p.level)
        return refused(", where piece " + std::to_string(j) + " is");
    }
  }
  if (tall != nullptr && !s.ended) {
    return Flaw{"ended", -1, -1,
                "the stack of four or more in row " + std::to_string(tall->row) + ", column " +
                    std::to_string(tall->column) + " has ended the game"};
  }
  if (tall == nullptr && s.ended) return Flaw{"ended", -1, -1, "the game ends only by a stack of four or more"};
  return std::nullopt;
}

/// Levels become ranks within their stack; ties are broken by piece number.
void Stacking::Laws::normalise(Setup& s) {
  std::vector<int> levels;
  for (std::size_t i = 0; i < s.pieces.size(); ++i) {
    const auto under = [&](std::size_t j) {
      return share_cell(s.pieces[j], s.pieces[i]) && std::pair{s.pieces[j].level, j} < std::pair{s.pieces[i].level, i};
    };
    int level = 0;
    for (std::size_t j = 0; j < s.pieces.size(); ++j) level += under(j) ? 1 : 0;
    levels.push_back(level);
  }
  for (std::size_t i = 0; i < s.pieces.size(); ++i) s.pieces[i].level = levels[i];
  s.ended = has_tall_stack(s);
}

// Invariants -----------------------------------------------------------------------------------

// Names of laws contain no piece numbers: the name is part of the signature that makes two findings the same.
namespace {

/// Invariants of any number of moves.
std::string broken_by_any(const Snapshot& before, const Snapshot& after) {
  if (const auto broken = Stacking::Laws::flaw(after)) {
    return broken->field == "ended" ? "the game has not ended exactly when a stack of four or more stands"
                                    : "the levels of a stack are not 0, 1, 2 and so on";
  }
  for (std::size_t i = 0; i < before.pieces.size(); ++i) {
    const Piece& was = before.pieces[i];
    const Piece& is = after.pieces[i];
    if (!share_cell(was, is) && after.board.at(is.row, is.column) == Stacking::blue) {
      return "a piece moved onto blue";
    }
    if ((was.facing >= Stacking::up) != (is.facing >= Stacking::up)) {
      return "a piece made a quarter turn";
    }
  }
  return "";
}

/// Invariants of a single move: the group moves together, by one cell in the direction in which the mover faces
/// afterwards, or not at all; no other piece changes.
std::string broken_by_move(const Snapshot& before, std::size_t mover, const Observation& o, const Snapshot& after) {
  if (after.turn != before.turn) return "a move advanced the turn counter";
  if (o.ended != after.ended) return "the move's answer and the state disagree about the end";
  const Piece& from = before.pieces[mover];
  const Piece& to = after.pieces[mover];
  const bool stays = share_cell(from, to);
  if (stays && to.facing == from.facing) return "a piece that stayed did not turn round";
  const int right_by = to.facing == Stacking::right ? 1 : to.facing == Stacking::left ? -1 : 0;
  const int down_by = to.facing == Stacking::down ? 1 : to.facing == Stacking::up ? -1 : 0;
  if (!stays && (to.row != from.row + down_by || to.column != from.column + right_by)) {
    return "a piece did not move one cell in its direction";
  }
  if (after.ended && height_at(after, to) < Stacking::end_height) return "the end is not where the piece landed";
  for (std::size_t i = 0; i < before.pieces.size(); ++i) {
    const Piece& was = before.pieces[i];
    const Piece& is = after.pieces[i];
    if (i != mover && was.facing != is.facing) return "a piece turned round that did not move";
    const bool carried = !stays && share_cell(was, from) && was.level >= from.level;
    if (carried && !share_cell(is, to)) return "a piece above the mover was not carried";
    if (!carried && (!share_cell(is, was) || is.level != was.level)) {
      return "a piece moved that was not carried";
    }
  }
  const int carried = height_at(before, from) - from.level;
  const int under = height_at(after, to) - carried;
  const bool reverses = before.board.at(to.row, to.column) == Stacking::red;
  for (std::size_t i = 0; !stays && i < before.pieces.size(); ++i) {
    const int above = before.pieces[i].level - from.level;
    if (!share_cell(before.pieces[i], from) || above < 0) continue;
    if (after.pieces[i].level != under + (reverses ? carried - 1 - above : above)) {
      return "the carried pieces are not in the order that the cell's colour asks for";
    }
  }
  return "";
}

std::string broken_by_turn(const Snapshot& before, const Observation& o, const Snapshot& after) {
  if (after.turn != std::min(before.turn + 1, Stacking::turn_max))
    return "a turn did not advance the turn counter by one";
  if (o.ended != after.ended) return "the turn's answer and the state disagree about the end";
  if (o.ended != (o.piece >= 0)) return "a turn names a piece exactly when it ends the game";
  if (!o.ended) return "";
  const std::size_t last = static_cast<std::uint8_t>(o.piece);
  if (last >= after.pieces.size()) return "the turn was ended by no piece";
  if (height_at(after, after.pieces[last]) < Stacking::end_height) return "the end is not where the piece landed";
  for (std::size_t i = last + 1; i < after.pieces.size(); ++i) {
    if (after.pieces[i].facing != before.pieces[i].facing) return "a piece moved after the end";
  }
  return "";
}

std::string broken_by_play(const Snapshot& before, const Observation& o, const Snapshot& after) {
  if (o.turn == -1) {
    if (after.ended) return "play answered -1, but the game has ended";
    if (after.turn != std::max(before.turn, Stacking::turns_played)) return "play gave up at another turn than 1000";
    if (before.turn >= Stacking::turns_played && before != after) return "play moved after turn 1000";
    return "";
  }
  if (!after.ended) return "play named a turn, but the game has not ended";
  if (o.turn != after.turn) return "play's answer is not the turn counter";
  return before.turn < o.turn && o.turn <= Stacking::turns_played ? "" : "play's answer is not a turn that it played";
}

}  // namespace

std::string Stacking::Laws::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                      const Snapshot& after) {
  if (before.size != after.size || before.board != after.board || before.pieces.size() != after.pieces.size()) {
    return "the board or the number of pieces changed";
  }
  if ((o.says == Says::illegal) != before.ended) {
    return before.ended ? "an action after the end was not refused" : "an action before the end was refused";
  }
  if (before.ended) return before == after ? "" : "an illegal action changed the state";
  if (static_cast<std::size_t>(o.says) != action.index() + 1) return "the answer is that of another action";
  if (std::string broken = broken_by_any(before, after); !broken.empty()) return broken;
  if (const auto* move = std::get_if<Move>(&action)) {
    return broken_by_move(before, static_cast<std::size_t>(move->piece), o, after);
  }
  return std::holds_alternative<Turn>(action) ? broken_by_turn(before, o, after) : broken_by_play(before, o, after);
}

// Symmetries -----------------------------------------------------------------------------------

namespace {

/// One of the eight symmetries of the square: first the transposition, then the mirrors.
struct SquareMap {
  bool transposes;
  bool flips_rows;
  bool flips_columns;

  std::pair<int, int> cell(int size, int row, int column) const {
    if (transposes) std::swap(row, column);
    return {flips_rows ? size - 1 - row : row, flips_columns ? size - 1 - column : column};
  }

  int facing(int facing) const {
    constexpr std::array<int, 4> transposed = {Stacking::down, Stacking::up, Stacking::left, Stacking::right};
    constexpr std::array<int, 4> opposite = {Stacking::left, Stacking::right, Stacking::down, Stacking::up};
    if (transposes) facing = transposed[static_cast<std::size_t>(facing - 1)];
    const bool flips = facing >= Stacking::up ? flips_rows : flips_columns;
    return flips ? opposite[static_cast<std::size_t>(facing - 1)] : facing;
  }

  Setup operator()(const Setup& s) const {
    Setup image = s;
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) {
        const auto [to_row, to_column] = cell(s.size, row, column);
        image.board.at(to_row, to_column) = s.board.at(row, column);
      }
    }
    for (Piece& p : image.pieces) {
      std::tie(p.row, p.column) = cell(s.size, p.row, p.column);
      p.facing = facing(p.facing);
    }
    return image;
  }
};

}  // namespace

std::vector<Symmetry<Stacking>> Stacking::Laws::symmetries() {
  struct Named {
    std::string_view name;
    SquareMap map;
  };
  constexpr std::array<Named, 7> all = {{
      {"mirror left-right", {false, false, true}},
      {"mirror up-down", {false, true, false}},
      {"half turn", {false, true, true}},
      {"transpose", {true, false, false}},
      {"quarter turn", {true, false, true}},
      {"quarter turn back", {true, true, false}},
      {"transpose across", {true, true, true}},
  }};
  std::vector<Symmetry<Stacking>> out;
  for (const auto& [label, map] : all) {
    out.push_back({.name = label,
                   .setup = map,
                   .action = [](const Setup&, const Action& action) { return action; },
                   .observation = nullptr,
                   .snapshot = nullptr});
  }
  return out;
}

}  // namespace lockstep
