// The small boards of stacking: all of them, with a few pieces in every arrangement.
#include "games/stacking/explorations.hpp"

#include <algorithm>

namespace lockstep {

namespace {

using Setup = Stacking::Setup;
using Piece = Stacking::Piece;

/// Removes the least significant digit, to this base, from the number.
std::uint64_t take_digit(std::uint64_t& number, std::uint64_t base) {
  const std::uint64_t digit = number % base;
  number /= base;
  return digit;
}

/// Inserts piece i among those before it: at the bottom of a cell, or directly on one of them. That generates every
/// arrangement in stacks once: cells × (cells + 1) × … × (cells + pieces − 1) of them.
void insert_piece(Setup& s, std::size_t i, std::uint64_t choice) {
  Piece& p = s.pieces[i];
  const auto cells = static_cast<std::uint64_t>(s.size) * static_cast<std::uint64_t>(s.size);
  if (choice < cells) {
    p.row = static_cast<int>(choice) / s.size;
    p.column = static_cast<int>(choice) % s.size;
    p.level = 0;
  } else {
    const Piece& under = s.pieces[choice - cells];
    p.row = under.row;
    p.column = under.column;
    p.level = under.level + 1;
  }
  for (std::size_t j = 0; j < i; ++j) {
    if (s.pieces[j].row == p.row && s.pieces[j].column == p.column && s.pieces[j].level >= p.level) ++s.pieces[j].level;
  }
}

/// Every board of this size in three colours with every arrangement and every facing of the pieces. In each position,
/// each piece is moved once and one turn is taken; every 997th position is played to its end. (A prime, so that what is
/// played has every facing and colour: the digits of a position's number have the bases 3, 4 and the places in stacks.)
SweepPart<Stacking> all_positions(int size, int pieces) {
  const auto cells = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(size);
  std::uint64_t count = 1;
  for (std::uint64_t i = 0; i < cells; ++i) count *= 3;
  for (int i = 0; i < pieces; ++i) count *= 4 * (cells + static_cast<std::uint64_t>(i));
  const auto scenarios = [=](std::uint64_t number, Scenario<Stacking>& scenario, const Judged& judged) {
    const bool plays = number % 997 == 0;
    Setup& s = scenario.setup;
    if (s.size != size) s.board = Grid{size, size};
    s.size = size;
    s.turn = 0;
    s.pieces.resize(static_cast<std::size_t>(pieces));
    for (Piece& p : s.pieces) p.facing = Stacking::right + static_cast<int>(take_digit(number, 4));
    for (std::size_t i = 0; i < s.pieces.size(); ++i) insert_piece(s, i, take_digit(number, cells + i));
    for (std::uint8_t& cell : s.board.cells) cell = static_cast<std::uint8_t>(take_digit(number, 3));
    s.ended = std::ranges::any_of(s.pieces, [](const Piece& p) { return p.level + 1 >= Stacking::end_height; });
    const auto ask = [&](const Stacking::Action& action) {
      scenario.actions.assign(1, action);
      judged();
    };
    for (int piece = 0; piece < pieces; ++piece) ask(Stacking::Move{piece});
    ask(Stacking::Turn{});
    if (plays) ask(Stacking::Play{});
  };
  return {.name = std::to_string(size) + " x " + std::to_string(size), .numbers = count, .scenarios = scenarios};
}

Exploration<Stacking> every_position(int size, int pieces) {
  const std::string side = std::to_string(size);
  return {.name = side + "x" + side + "_with_" + std::to_string(pieces),
          .about = "every " + side + " x " + side + " board with " + std::to_string(pieces) +
                   " pieces: each moved, one turn, every 997th played",
          .what = [=] { return Sweep<Stacking>{all_positions(size, pieces)}; }};
}

}  // namespace

std::vector<Exploration<Stacking>> Stacking::Explorations::all() {
  return {every_position(2, 2), every_position(2, 4), every_position(3, 2)};
}

}  // namespace lockstep
