// Claims about the simulators of omok: 19 × 19 and every smaller side, all boards.
#include <bit>
#include <cstdint>
#include <string>

#include "games/omok/game.hpp"
#include "optimized/omok/shifts.hpp"
#include "proof/claim.hpp"

namespace {

using lockstep::Omok;
using lockstep::optimized::ShiftsOmok;
using lockstep::proof::claim;
using lockstep::proof::Draws;

constexpr int sides = Omok::size_max;
constexpr int border = 5;  // empty rows above and below

/// The simulator's memory: a row is a word, a cell two bits, column 0 lowest.
struct Rows {
  std::int32_t size;
  std::uint32_t unused;
  std::uint64_t words[sides + 2 * border];
};
struct Answer {
  std::uint8_t says;
  std::int8_t winner;
  std::int8_t row;
  std::int8_t column;
};

int cell(const Rows& board, int row, int column) {
  return static_cast<int>(board.words[row + border] >> (2 * column) & 3);
}

void put(Rows& board, int row, int column, int colour) {
  const int shift = 2 * column;
  board.words[row + border] =
      (board.words[row + border] & ~(std::uint64_t{3} << shift)) | static_cast<std::uint64_t>(colour) << shift;
}

/// The colour of the board's stone at a place; 0 where there is none, and outside.
int stone(const Rows& board, int row, int column) {
  const bool inside = row >= 0 && row < sides && column >= 0 && column < sides;
  return inside && row < board.size && column < board.size ? cell(board, row, column) : 0;
}

/// Whether the stone begins a maximal run of exactly five that steps by `down` rows and `right` columns.
bool wins(const Rows& board, int row, int column, int down, int right) {
  const int colour = stone(board, row, column);
  bool five = colour != 0;
  for (int k = 1; k < Omok::win_length; ++k) five = five && stone(board, row + k * down, column + k * right) == colour;
  const bool before = stone(board, row - down, column - right) == colour;
  const bool behind = stone(board, row + Omok::win_length * down, column + Omok::win_length * right) == colour;
  return five && !before && !behind;
}

std::string scenario_of(const Rows& board) {
  std::string out = "lockstep 1 omok\nsize " + std::to_string(board.size) + "\nboard\n";
  for (int row = 0; row < board.size; ++row) {
    for (int column = 0; column < board.size; ++column) {
      out += Omok::cells.symbols[static_cast<std::size_t>(cell(board, row, column))];
    }
    out += '\n';
  }
  return out + "actions\njudge\n";
}

/// Sparse stones, and runs of four to seven.
void draw_board(Draws& draws, Rows& board) {
  const auto below = [&](int bound) { return static_cast<int>(draws.below(static_cast<std::uint64_t>(bound))); };
  board.size = 1 + below(sides);
  const int stones = below(4) * board.size * board.size / 4;
  for (int i = 0; i < stones; ++i) put(board, below(board.size), below(board.size), below(3));
  for (int runs = below(4); runs > 0; --runs) {
    const int colour = 1 + below(2);
    const int way = below(4);
    int row = below(board.size);
    int column = below(board.size);
    for (int length = 4 + below(4); length > 0; --length) {
      if (row < 0 || row >= board.size || column < 0 || column >= board.size) break;
      put(board, row, column, colour);
      row += way == 0 ? 0 : way == 3 ? -1 : 1;
      column += way == 1 ? 0 : 1;
    }
  }
}

}  // namespace

extern "C" {

/// Cells inside of the board's side are empty, black or white; everything else is 0.
bool omok_any_board(const Rows& in) {
  bool out = in.size >= Omok::size_min && in.size <= Omok::size_max && in.unused == 0;
  for (int row = -border; row < sides + border; ++row) {
    out = out && in.words[row + border] >> (2 * sides) == 0;
    for (int column = 0; column < sides; ++column) {
      const int colour = cell(in, row, column);
      const bool inside = row >= 0 && row < in.size && column < in.size;
      out = out && (inside ? colour != 3 : colour == 0);
    }
  }
  return out;
}

void omok_shifts_judge(const Rows& in, Answer& out) {
  auto board = std::bit_cast<ShiftsOmok>(in);
  out = std::bit_cast<Answer>(board.has_five() ? board.leftmost_win() : Omok::Observation{.says = Omok::Says::judged});
}

/// The leftmost, then topmost stone that begins a win; a line begins at its left end, a vertical one at its top.
void omok_leftmost_win(const Rows& in, Answer& out) {
  out = {.says = static_cast<std::uint8_t>(Omok::Says::judged), .winner = 0, .row = 0, .column = 0};
  for (int column = 0; column < sides; ++column) {
    for (int row = 0; row < sides; ++row) {
      const bool won = wins(in, row, column, 0, 1) || wins(in, row, column, 1, 0) || wins(in, row, column, 1, 1) ||
                       wins(in, row, column, -1, 1);
      if (!won || out.winner != 0) continue;
      out.winner = static_cast<std::int8_t>(stone(in, row, column));
      out.row = static_cast<std::int8_t>(row + 1);
      out.column = static_cast<std::int8_t>(column + 1);
    }
  }
}

}  // extern "C"

const bool shifts_judge = claim<Rows, Answer>(
    {.game = "omok",
     .name = "shifts.judge",
     .says = "the answer is the leftmost, then topmost run of exactly five: all boards of all sides up to 19",
     .kernel = LOCKSTEP_SYMBOL(omok_shifts_judge),
     .specification = LOCKSTEP_SYMBOL(omok_leftmost_win),
     .invariant = LOCKSTEP_SYMBOL(omok_any_board),
     .draw = draw_board,
     .rounds = sides,
     .scenario = scenario_of});
