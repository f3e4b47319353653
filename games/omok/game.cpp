#include "games/omok/game.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

using Setup = Omok::Setup;

/// One step along a line. Each goes to the right, or straight down: the first cell of a line in these
/// directions is its leftmost, or the topmost of an upright one, which is the stone that names a win.
struct Direction {
  int down;
  int right;
};
constexpr std::array<Direction, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};  // across, down, falling, rising

std::uint8_t cell_at(const Grid& board, int row, int column) {
  return board.contains(row, column) ? board.at(row, column) : std::uint8_t{0};
}

/// The colour that wins on the five cells from (row, column) on; 0 when they are no win.
int winner_from(const Grid& board, int row, int column, Direction to) {
  constexpr int steps = Omok::win_length - 1;
  if (!board.contains(row + steps * to.down, column + steps * to.right)) return 0;
  const std::uint8_t colour = board.at(row, column);
  for (int i = 1; i <= steps; ++i) {
    if (board.at(row + i * to.down, column + i * to.right) != colour) return 0;
  }
  const bool longer = cell_at(board, row - to.down, column - to.right) == colour ||
                      cell_at(board, row + Omok::win_length * to.down, column + Omok::win_length * to.right) == colour;
  return longer ? 0 : colour;
}

Omok::Win win_from(int colour, int row, int column, Direction to) {
  Omok::Win win{.line = {}, .colour = colour};
  for (int i = 0; i < Omok::win_length; ++i) {
    win.line[static_cast<std::size_t>(i)] = {.column = column + i * to.right, .row = row + i * to.down};
  }
  return win;
}

/// Why an answer of the judge contradicts the board; "" when it doesn't.
std::string wrong_answer(const Grid& board, const Omok::Observation& o) {
  const std::vector<Omok::Win> all = Omok::wins(board);
  if (all.empty()) return o.winner == 0 ? "" : "a winner is named, but no run is exactly five";
  if (o.winner == 0) return "a run is exactly five, but nobody is said to have won";
  const Omok::Cell stone{.column = o.column - 1, .row = o.row - 1};
  const auto named = std::ranges::find_if(all, [&](const Omok::Win& win) { return win.line.front() == stone; });
  if (named == all.end()) return "the winning stone is not the first of a run of exactly five";
  if (named->colour != o.winner) return "the winning stone is not the winner's";
  if (named->line.front() != all.front().line.front()) return "another win is further left, or as far left and higher";
  return "";
}

/// Why a board is not what `before` becomes when one cell changes from one value to another.
std::string wrong_change(const Setup& before, const Setup& after, int row, int column, int to) {
  Setup expected = before;
  expected.board.at(row, column) = static_cast<std::uint8_t>(to);
  return after == expected ? "" : "the board did not change in the named cell alone";
}

}  // namespace

std::vector<Omok::Win> Omok::wins(const Grid& board) {
  std::vector<Win> found;
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      if (board.at(row, column) == 0) continue;
      for (const Direction to : directions) {
        const int colour = winner_from(board, row, column, to);
        if (colour != 0) found.push_back(win_from(colour, row, column, to));
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

std::string Omok::violation(const Setup& setup, const Snapshot& before, const Action& action, const Observation& o,
                            const Snapshot& after) {
  const auto fits = [&](const Snapshot& s) {
    return s.size == setup.size && s.board.rows == s.size && s.board.columns == s.size;
  };
  if (!fits(before) || !fits(after)) return "the board changed its size";
  if (o.says == Says::illegal && before != after) return "an illegal action changed the board";
  if (const auto* place = std::get_if<Place>(&action)) {
    const bool allowed = before.board.at(place->row, place->column) == 0;
    if (o.says != (allowed ? Says::done : Says::illegal)) return "place is legal on empty cells, and only there";
    return allowed ? wrong_change(before, after, place->row, place->column, place->colour) : "";
  }
  if (const auto* remove = std::get_if<Remove>(&action)) {
    const bool allowed = before.board.at(remove->row, remove->column) != 0;
    if (o.says != (allowed ? Says::done : Says::illegal)) return "remove is legal on stones, and only there";
    return allowed ? wrong_change(before, after, remove->row, remove->column, 0) : "";
  }
  if (o.says != Says::judged) return "the judge did not answer";
  if (before != after) return "asking the judge changed the board";
  return wrong_answer(after.board, o);
}

std::array<int, 11> Omok::tally(const Snapshot& s) {
  const std::vector<Win> all = wins(s.board);
  std::array<int, 4> by_direction{};
  std::array<bool, 2> winning{};
  int on_edge = 0;
  for (const Win& win : all) {
    const Cell first = win.line.front();
    const Cell last = win.line.back();
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const int steps = win_length - 1;
      const bool along = last.row - first.row == steps * directions[d].down &&
                         last.column - first.column == steps * directions[d].right;
      by_direction[d] += along ? 1 : 0;
    }
    winning[static_cast<std::size_t>(win.colour - 1)] = true;
    const auto touches = [&](Cell c) {
      return c.row == 0 || c.column == 0 || c.row == s.size - 1 || c.column == s.size - 1;
    };
    on_edge += touches(first) || touches(last) ? 1 : 0;
  }
  int longest = 0;
  int overlong = 0;
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      const std::uint8_t colour = s.board.at(row, column);
      if (colour == 0) continue;
      for (const auto& [down, right] : directions) {
        if (cell_at(s.board, row - down, column - right) == colour) continue;  // not where the run begins
        int length = 1;
        while (cell_at(s.board, row + length * down, column + length * right) == colour) ++length;
        longest = std::max(longest, length);
        overlong += length > win_length ? 1 : 0;
      }
    }
  }
  const auto stones = std::ranges::count_if(s.board.cells, [](std::uint8_t cell) { return cell != 0; });
  return {static_cast<int>(all.size()),
          winning[0] + winning[1],
          by_direction[0],
          by_direction[1],
          by_direction[2],
          by_direction[3],
          on_edge,
          longest,
          overlong,
          static_cast<int>(stones),
          s.size};
}

// Suggestions ----------------------------------------------------------------------------------------

namespace {

struct Line {
  int row, column;  // its first cell
  Direction to;
  int length;

  std::pair<int, int> cell(int i) const { return {row + i * to.down, column + i * to.right}; }
};

/// A straight line that lies on the board; clinging, it starts or ends at a border where it can.
Line draw_line(Random& random, int size, int length, bool clinging) {
  Line line{0, 0, random.pick(directions), std::min(length, size)};
  const int room = size - line.length;  // how far a line that moves along an axis can be shifted on it
  const auto place = [&](bool moves) {
    const int last = moves ? room : size - 1;
    if (clinging) return random.chance(1, 2) ? 0 : last;
    return random.integer(0, last);
  };
  line.column = place(line.to.right != 0);
  line.row = place(line.to.down != 0);
  if (line.to.down < 0) line.row += line.length - 1;  // a rising line begins at its lowest cell
  return line;
}

/// Mostly what decides a game (four to seven), now and then anything.
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
  Setup s;
  s.size = draw_size(random);
  s.board = Grid{s.size, s.size};
  const int style = random.integer(0, 5);
  if (style == 0) return s;  // empty
  if (style <= 2) {          // noise, each cell likely to copy the one before it in some direction
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
    // One draw to a statement: the order of arguments is the compiler's.
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

/// A line laid in a drawn order and then worked on: its cells are taken away and put back, so that runs
/// of four, five and six turn into one another.
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
    const int j = random.integer(0, i);  // Fisher and Yates, inside out
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

// Symmetries -----------------------------------------------------------------------------------

namespace {

/// A symmetry of the square: transposed or not, then mirrored or not in either axis.
struct Turn {
  std::string_view name;
  bool transposes, mirrors_rows, mirrors_columns;

  Omok::Cell operator()(int size, Omok::Cell cell) const {
    if (transposes) std::swap(cell.row, cell.column);
    if (mirrors_rows) cell.row = size - 1 - cell.row;
    if (mirrors_columns) cell.column = size - 1 - cell.column;
    return cell;
  }
};

constexpr std::array<Turn, 7> turns = {{
    {"left_right", false, false, true},
    {"top_bottom", false, true, false},
    {"half_turn", false, true, true},
    {"transposed", true, false, false},
    {"quarter_turn", true, false, true},
    {"three_quarter_turn", true, true, false},
    {"other_transposed", true, true, true},
}};

Setup turned(const Turn& turn, const Setup& s) {
  Setup image = s;
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      const Omok::Cell to = turn(s.size, {.column = column, .row = row});
      image.board.at(to.row, to.column) = s.board.at(row, column);
    }
  }
  return image;
}

Omok::Action turned(const Turn& turn, int size, const Omok::Action& action) {
  if (const auto* place = std::get_if<Omok::Place>(&action)) {
    const Omok::Cell to = turn(size, {.column = place->column, .row = place->row});
    return Omok::Place{place->colour, to.row, to.column};
  }
  if (const auto* remove = std::get_if<Omok::Remove>(&action)) {
    const Omok::Cell to = turn(size, {.column = remove->column, .row = remove->row});
    return Omok::Remove{to.row, to.column};
  }
  return action;
}

/// The image of an answer. With several wins another one may come to stand leftmost, so that the image
/// cannot be told from the answer; with one, its stone is the first of its five cells' images.
std::optional<Omok::Observation> turned(const Turn& turn, Omok::Observation o, const Setup& after) {
  if (o.says != Omok::Says::judged || o.winner == 0) return o;
  const std::vector<Omok::Win> all = Omok::wins(after.board);
  if (all.size() != 1) return std::nullopt;
  Omok::Cell stone = turn(after.size, all.front().line.front());
  for (const Omok::Cell cell : all.front().line) stone = std::min(stone, turn(after.size, cell));
  o.row = static_cast<std::int8_t>(stone.row + 1);
  o.column = static_cast<std::int8_t>(stone.column + 1);
  return o;
}

/// Black for white. The stones stay where they stand, so the answer's stone does too, however many
/// wins there are.
Symmetry<Omok> swapped_colours() {
  const auto setup = [](const Setup& s) {
    Setup image = s;
    for (std::uint8_t& cell : image.board.cells) cell = static_cast<std::uint8_t>(cell == 0 ? 0 : 3 - cell);
    return image;
  };
  const auto action = [](const Setup&, const Omok::Action& a) -> Omok::Action {
    const auto* place = std::get_if<Omok::Place>(&a);
    return place != nullptr ? Omok::Place{3 - place->colour, place->row, place->column} : a;
  };
  const auto observation = [](const Setup&, const Omok::Action&, Omok::Observation o,
                              const Setup&) -> std::optional<Omok::Observation> {
    if (o.winner != 0) o.winner = static_cast<std::int8_t>(3 - o.winner);
    return o;
  };
  return {.name = "swapped_colours", .setup = setup, .action = action, .observation = observation, .snapshot = nullptr};
}

}  // namespace

std::vector<Symmetry<Omok>> Omok::symmetries() {
  std::vector<Symmetry<Omok>> all;
  for (const Turn& turn : turns) {
    all.push_back({.name = turn.name,
                   .setup = [turn](const Setup& s) { return turned(turn, s); },
                   .action = [turn](const Setup& s, const Action& a) { return turned(turn, s.size, a); },
                   .observation = [turn](const Setup&, const Action&, const Observation& o,
                                         const Snapshot& after) { return turned(turn, o, after); },
                   .snapshot = nullptr});
  }
  all.push_back(swapped_colours());
  return all;
}

// Judge format ---------------------------------------------------------------------------------

Parsed<std::vector<ProblemCase<Omok>>> Omok::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  ProblemCase<Omok> asked;
  Setup& setup = asked.scenario.setup;
  setup.size = size_max;
  setup.board = Grid{size_max, size_max};
  for (int row = 0; row < size_max; ++row) {
    for (int column = 0; column < size_max; ++column) {
      const auto cell = in.number("the cell of row " + std::to_string(row + 1) + ", column " +
                                      std::to_string(column + 1) + " (0 empty, 1 black, 2 white)",
                                  0, 2);
      if (!cell) return std::unexpected(cell.error());
      setup.board.at(row, column) = static_cast<std::uint8_t>(*cell);
    }
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  asked.scenario.actions.emplace_back(Judge{});
  asked.places.emplace_back(1, 1);
  return std::vector{std::move(asked)};
}

Parsed<std::string> Omok::ProblemFormat::print(const ProblemCase<Omok>&, std::span<const Observation> observations) {
  std::string out;
  for (const Observation& o : observations) {
    if (o.says != Says::judged) return text_error(0, 0, "the answer is not the judge's");
    out += std::to_string(o.winner) + "\n";
    if (o.winner != 0) out += std::to_string(o.row) + " " + std::to_string(o.column) + "\n";
  }
  return out;
}

}  // namespace lockstep
