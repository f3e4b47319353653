#include "games/omok/suggestions.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "games/omok/wins.hpp"

namespace lockstep {

using namespace omok;

namespace {

struct Line {
  int row, column;  // its first cell
  Direction to;
  int length;

  std::pair<int, int> cell(int i) const { return {row + i * to.down, column + i * to.right}; }
};

/// A straight line that lies on the board; with `clinging`, it starts or ends at a border where possible.
Line draw_line(Random& random, int size, int length, bool clinging) {
  Line line{0, 0, random.pick(directions), std::min(length, size)};
  const int room = size - line.length;  // number of possible shifts of a line along an axis on which it moves
  const auto place = [&](bool moves) {
    const int last = moves ? room : size - 1;
    if (clinging) return random.chance(1, 2) ? 0 : last;
    return random.integer(0, last);
  };
  line.column = place(line.to.right != 0);
  line.row = place(line.to.down != 0);
  if (line.to.down < 0) line.row += line.length - 1;  // a rising line starts at its lowest cell
  return line;
}

/// Mostly the lengths that decide a game (four to seven), sometimes any.
int draw_length(Random& random, int size, unsigned any_in_8) {
  return random.chance(any_in_8, 8) ? random.integer(1, size) : random.integer(4, 7);
}

int draw_size(Random& random) {
  const unsigned kind = static_cast<unsigned>(random.below(16));
  if (kind == 0) return random.integer(Omok::size_min, Omok::win_length - 1);
  if (kind < 12) return random.integer(Omok::win_length, 10);
  if (kind < 14) return random.integer(11, Omok::size_max);
  return Omok::size_max;
}

/// A full board of the largest size without a win: no line has five of a colour. One cell may be empty, or change its
/// colour, which may make a five or six.
///
///     1 2 2 2 2 1 2 2
///     2 2 1 2 2 2 2 1        (column + 2 · row) mod 5
///     2 2 2 2 1 2 2 2
Omok::Setup full_board(Random& random) {
  Omok::Setup s;
  s.size = Omok::size_max;
  s.board = Grid{s.size, s.size};
  const int slope = random.integer(2, 3);
  const int offset = random.integer(0, Omok::win_length - 1);
  const int rare = random.integer(1, 2);
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      const bool one_in_five = (column + slope * row + offset) % Omok::win_length == 0;
      s.board.at(row, column) = static_cast<std::uint8_t>(one_in_five ? rare : 3 - rare);
    }
  }
  const int change = random.integer(0, 2);
  std::uint8_t& cell = s.board.cells[random.below(s.board.cells.size())];
  if (change > 0) cell = static_cast<std::uint8_t>(change == 1 ? 0 : 3 - cell);
  return s;
}

}  // namespace

Omok::Suggestions::Suggestions(Random& random)
    : noise_{random.chance(1, 2) ? 0u : static_cast<unsigned>(random.below(9))},
      place_{1 + static_cast<unsigned>(random.below(6))},
      remove_{static_cast<unsigned>(random.below(4))},
      judge_{static_cast<unsigned>(random.below(4))},
      ask_{1 + static_cast<unsigned>(random.below(8))},
      edge_{static_cast<unsigned>(random.below(5))},
      long_{random.chance(1, 2) ? 0u : static_cast<unsigned>(random.below(5))} {}

Omok::Setup Omok::Suggestions::setup(Random& random) {
  // Another generator decides, so that all other scenarios of a seed are what they would be without full boards.
  if (Random other = random.apart(); other.chance(1, 128)) {
    pending_ = {Judge{}};
    return full_board(other);
  }
  Setup s;
  s.size = draw_size(random);
  s.board = Grid{s.size, s.size};
  const int style = random.integer(0, 5);
  if (style == 0) return s;  // empty
  if (style <= 2) {          // noise, each cell likely to copy the previous one in some direction
    const unsigned full = 1 + static_cast<unsigned>(random.below(16));
    const unsigned same = static_cast<unsigned>(random.below(14));
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) {
        if (!random.chance(full, 16)) continue;
        const Direction to = random.pick(directions);
        const std::uint8_t before = cell_at(s.board, row - to.down, column - to.right);
        const bool copies = before != 0 && random.chance(same, 16);
        s.board.at(row, column) = copies ? before : static_cast<std::uint8_t>(random.integer(1, 2));
      }
    }
    return s;
  }
  for (int lines = random.integer(1, 2 + s.size); lines > 0; --lines) {
    // One draw per statement: compilers may evaluate arguments in any order.
    const int length = draw_length(random, s.size, long_);
    const bool clings = random.chance(edge_, 8);
    const Line line = draw_line(random, s.size, length, clings);
    const int colour = random.integer(1, 2);
    const int gap = style == 5 ? random.integer(0, line.length - 1) : -1;  // one cell short of a run
    for (int i = 0; i < line.length; ++i) {
      const auto [row, column] = line.cell(i);
      if (i != gap) s.board.at(row, column) = static_cast<std::uint8_t>(colour);
    }
  }
  return s;
}

Omok::Action Omok::Suggestions::noise(Random& random, int size) const {
  const unsigned kind = static_cast<unsigned>(random.below(place_ + remove_ + judge_));
  const int row = random.integer(0, size - 1);
  const int column = random.integer(0, size - 1);
  if (kind < place_) return Place{random.integer(1, 2), row, column};
  if (kind < place_ + remove_) return Remove{row, column};
  return Judge{};
}

/// Plans a line: its cells are placed in a random order, then some are removed and placed again, so that runs of four,
/// five and six turn into each other.
void Omok::Suggestions::plan(Random& random, int size) {
  const int length = draw_length(random, size, long_);
  const bool clings = random.chance(edge_, 8);
  const Line line = draw_line(random, size, length, clings);
  const int colour = random.integer(1, 2);
  const auto put = [&](int i) { return Place{colour, line.cell(i).first, line.cell(i).second}; };
  const auto take = [&](int i) { return Remove{line.cell(i).first, line.cell(i).second}; };
  const auto ask = [&] {
    if (random.chance(ask_, 16)) pending_.emplace_back(Judge{});
  };
  std::array<int, size_max> order{};
  for (int i = 0; i < line.length; ++i) {
    const int j = random.integer(0, i);  // Fisher–Yates shuffle, inside-out
    order[static_cast<std::size_t>(i)] = order[static_cast<std::size_t>(j)];
    order[static_cast<std::size_t>(j)] = i;
  }
  for (int i = 0; i < line.length; ++i) {
    pending_.emplace_back(put(order[static_cast<std::size_t>(i)]));
    ask();
  }
  for (int rounds = random.integer(0, 4); rounds > 0; --rounds) {
    const int end = random.chance(1, 2) ? line.length - 1 : 0;
    const int i = random.chance(1, 2) ? end : random.integer(0, line.length - 1);
    pending_.emplace_back(Judge{});
    pending_.emplace_back(take(i));
    ask();
    if (random.chance(1, 2)) pending_.emplace_back(put(i));
  }
  pending_.emplace_back(Judge{});
  std::ranges::reverse(pending_);
}

Omok::Action Omok::Suggestions::action(Random& random, const Setup& setup) {
  if (random.chance(noise_, 16)) return noise(random, setup.size);
  if (pending_.empty()) plan(random, setup.size);
  const Action next = pending_.back();
  pending_.pop_back();
  return next;
}

}  // namespace lockstep
