#include "games/ts_tetris/suggestions.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "games/ts_tetris/laws.hpp"

namespace lockstep {

namespace {

/// Columns of random heights, cells that often copy the neighbour on their left.
void paint_columns(Grid& board, Random& random, int lowest, int highest) {
  const unsigned same = static_cast<unsigned>(random.integer(0, 9));   // of 10
  const unsigned first = static_cast<unsigned>(random.integer(2, 8));  // player 1's share, of 10
  for (int column = 0; column < board.columns; ++column) {
    const int tall = random.integer(lowest, highest);
    for (int row = board.rows - 1; row >= board.rows - tall; --row) {
      const bool copies = column > 0 && board.at(row, column - 1) != 0 && random.chance(same, 10);
      board.at(row, column) = copies ? board.at(row, column - 1) : random.chance(first, 10) ? 1 : 2;
    }
  }
}

/// Every line in every direction repeats four cells of one player and one of the other: no run, but flipping the
/// region that the fours form creates runs as long as the board, in all directions.
///
///     2 2 1 2 2 2 2 1
///     1 2 2 2 2 1 2 2        (column + 2 · row) mod 5
///     2 2 2 1 2 2 2 2
///     2 1 2 2 2 2 1 2
///     2 2 2 2 1 2 2 2
///
/// Some scattered cells of the other colour bend the region.
void paint_lattice(Grid& board, Random& random) {
  const int slope = random.integer(2, 3);
  const int offset = random.integer(0, 4);
  const std::uint8_t rare = static_cast<std::uint8_t>(random.integer(1, 2));
  const unsigned scattered = static_cast<unsigned>(random.chance(1, 2) ? 0 : random.integer(1, 20));  // of 100
  const int ragged = random.chance(1, 2) ? 0 : random.integer(0, board.rows);
  for (int column = 0; column < board.columns; ++column) {
    for (int row = random.integer(0, ragged); row < board.rows; ++row) {
      const bool one_in_five = (column + slope * row + offset) % TsTetris::run_min == 0;
      board.at(row, column) = one_in_five == random.chance(scattered, 100) ? static_cast<std::uint8_t>(3 - rare) : rare;
    }
  }
}

/// Two rows in which the fours of one player form a chain: flipped, both rows become one run each, of any length.
/// Boards like this one refute a limit of 12 on the length of a run.
///
///     1 1 2 2 2 2 1 1 2 2 2 2 1 1 2 2 2 2
///     2 2 2 1 1 2 2 2 2 1 1 2 2 2 2 1 1 2
///
/// The lower row is `base` rows above the ground, on random cells; random cells lie on the upper one.
void paint_chain(Grid& board, Random& random) {
  constexpr std::array<std::string_view, 2> chain = {"222112", "112222"};  // from below
  paint_columns(board, random, std::min(2, board.rows), board.rows);
  const int base = random.chance(2, 3) ? 0 : random.integer(0, board.rows - 1);
  const int offset = random.integer(0, 5);
  const int swap = random.integer(0, 1);
  for (int up = 0; up < 2 && base + up < board.rows; ++up) {
    for (int column = 0; column < board.columns; ++column) {
      const int player = chain[static_cast<std::size_t>(up)][static_cast<std::size_t>((column + offset) % 6)] - '0';
      board.at(board.rows - 1 - base - up, column) = static_cast<std::uint8_t>(swap == 1 ? 3 - player : player);
    }
  }
}

}  // namespace

TsTetris::Suggestions::Suggestions(Random& random)
    : weight_drop_{1 + static_cast<unsigned>(random.below(12))},
      weight_change_{static_cast<unsigned>(random.below(random.chance(1, 4) ? 16 : 4))},
      focus_{random.chance(2, 3) ? random.integer(1, 6) : 0},
      centre_{random.integer(0, 1000)} {}

TsTetris::Setup TsTetris::Suggestions::setup(Random& random) {
  // Another generator decides, so that all other scenarios of a seed are what they would be without these.
  if (Random other = random.apart(); other.chance(1, 24)) return at_a_limit(other);
  Setup s;
  const unsigned shape = static_cast<unsigned>(random.below(64));
  const bool large = shape == 0;
  const bool tall = shape == 1 || shape == 2;
  s.width = random.integer(width_min, large ? side_max : tall ? 10 : 20);
  s.height = random.integer(height_min, large || tall ? side_max : 20);
  s.to_move = random.integer(1, 2);
  s.board = Grid{s.height, s.width};
  switch (random.below(8)) {
    case 0: return s;  // the start of the original problem
    case 1: paint_lattice(s.board, random); break;
    case 2: paint_chain(s.board, random); break;
    case 3: paint_columns(s.board, random, s.height - 1, s.height); break;
    case 4: paint_columns(s.board, random, s.height / 2, s.height); break;
    default: paint_columns(s.board, random, 0, random.integer(1, s.height)); break;
  }
  Laws::normalise(s);
  return s;
}

TsTetris::Setup TsTetris::Suggestions::at_a_limit(Random& random) {
  constexpr int low = 10;  // the least of the judge
  const int most = side_max - random.integer(0, 1);
  Setup s;
  s.width = random.integer(low, low + 2);
  s.height = s.width;
  switch (random.below(4)) {
    case 0:  // a tower: the players alternate, so no column gets a run
      s.height = most;
      tower_ = random.integer(0, s.width - 3);
      break;
    case 1:
      s.width = most;
      centre_ = random.chance(1, 2) ? 0 : 1000;
      focus_ = 4;
      break;
    case 2:
      chained_ = random.integer(8, 16);
      s.width = 18;
      break;
    default:  // a turn of five points that goes just below, to or just beyond the highest score
      s.score_1 = score_max - random.integer(0, run_min + 1);
      s.score_2 = score_max - random.integer(0, run_min + 1);
      focus_ = 3;
      break;
  }
  s.board = Grid{s.height, s.width};
  return s;
}

/// Six drops, repeated five columns further right, build a board without a run on which player 1's cells are connected:
///
///     . . . . . . 2 . . . . 2 . .
///     . . . . . 2 1 2 . . 2 1 2 .
///     . . 2 . 1 1 1 1 . 1 1 1 1 .
///     . 2 1 1 1 2 2 1 1 1 2 2 1 1
///     2 1 1 1 2 2 2 2 1 2 2 2 2 1
///
/// Then the players change column 1. Player 1, whose cell is at its bottom, changes nothing. Player 2 makes the lowest row
/// one run: of 8 cells after 8 drops, of 12 after 9, of 13 after 10 to 14, and of 17 or 18 after 15 and 16.
TsTetris::Action TsTetris::Suggestions::dropped_chain() {
  constexpr std::array<int, 6> drops = {1, 4, 2, 5, 4, 0};
  const int turn = turn_++;
  if (turn >= chained_) return Change{1};
  return Drop{drops[static_cast<std::size_t>(turn) % drops.size()] + 5 * (turn / static_cast<int>(drops.size()))};
}

TsTetris::Action TsTetris::Suggestions::action(Random& random, const Setup& s) {
  if (tower_) return Drop{*tower_};
  if (chained_ > 0) return dropped_chain();
  const auto column = [&](int last) {
    if (focus_ == 0) return random.integer(0, last);
    const int middle = centre_ * last / 1000;
    return std::clamp(middle + random.integer(-focus_, focus_), 0, last);
  };
  const unsigned kind = static_cast<unsigned>(random.below(weight_drop_ + weight_change_ + 1));
  if (kind < weight_drop_) return Drop{column(s.width - 3)};
  if (kind < weight_drop_ + weight_change_) return Change{column(s.width - 1)};
  return Result{};
}

}  // namespace lockstep
