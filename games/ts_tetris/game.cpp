#include "games/ts_tetris/game.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

using Setup = TsTetris::Setup;

constexpr std::array<std::pair<int, int>, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

/// The first cell, in reading order, that ends a run of five: (row, column), or nothing. Every position that the judge
/// sees is asked, and nearly none has one, so each direction is first looked at as a whole: no branch inside a row.
std::optional<std::pair<int, int>> run_of_five(const Grid& board) {
  constexpr int steps = TsTetris::run_min - 1;
  std::optional<std::pair<int, int>> first;
  for (const auto& [down, right] : directions) {
    const int left = right > 0 ? steps : 0;
    const int end = right < 0 ? board.columns - steps : board.columns;
    const std::ptrdiff_t back = -(down * board.columns + right);
    for (int row = steps * down; row < board.rows; ++row) {
      const std::uint8_t* const cells = board.cells.data() + std::ptrdiff_t{row} * board.columns;
      const auto ends_run = [&](int column) {
        unsigned same = cells[column] != 0 ? 1 : 0;
        for (int i = 1; i <= steps; ++i) same &= cells[column] == cells[column + i * back] ? 1 : 0;
        return same;
      };
      unsigned any = 0;
      for (int column = left; column < end; ++column) any |= ends_run(column);
      if (any == 0) continue;
      int column = left;
      while (ends_run(column) == 0) ++column;
      first = std::min(first.value_or(std::pair{row, column}), std::pair{row, column});
      break;
    }
  }
  return first;
}

/// The first cell, in reading order, above an empty one: its index, or nothing.
std::optional<std::size_t> hanging_cell(const Grid& board) {
  const std::size_t width = static_cast<std::size_t>(board.columns);
  const auto hangs = [&](std::size_t i) { return board.cells[i] != 0 && board.cells[i + width] == 0; };
  const std::size_t end = board.cells.size() - std::min(width, board.cells.size());
  unsigned any = 0;
  for (std::size_t i = 0; i < end; ++i) any |= hangs(i) ? 1 : 0;
  if (any == 0) return std::nullopt;
  std::size_t first = 0;
  while (!hangs(first)) ++first;
  return first;
}

void settle(Grid& board) {
  for (int column = 0; column < board.columns; ++column) {
    int floor = board.rows - 1;
    for (int row = board.rows - 1; row >= 0; --row) {
      const std::uint8_t cell = board.at(row, column);
      if (cell == 0) continue;
      board.at(row, column) = 0;
      board.at(floor--, column) = cell;
    }
  }
}

/// Empties every fifth cell of every run.
void break_runs(Grid& board) {
  std::vector<std::pair<int, int>> fifths;
  for (const auto& [down, right] : directions) {
    for (int row = 0; row < board.rows; ++row) {
      for (int column = 0; column < board.columns; ++column) {
        const std::uint8_t player = board.at(row, column);
        const bool starts = player != 0 && !(board.contains(row - down, column - right) &&
                                             board.at(row - down, column - right) == player);
        if (!starts) continue;
        for (int i = 0, r = row, c = column; board.contains(r, c) && board.at(r, c) == player;
             ++i, r += down, c += right) {
          if (i % TsTetris::run_min == TsTetris::run_min - 1) fifths.emplace_back(r, c);
        }
      }
    }
  }
  for (const auto& [row, column] : fifths) board.at(row, column) = 0;
}

std::array<int, 2> count(const Grid& board) {
  return {static_cast<int>(std::ranges::count(board.cells, 1)), static_cast<int>(std::ranges::count(board.cells, 2))};
}

}  // namespace

std::optional<Flaw> TsTetris::flaw(const Setup& s) {
  if (const auto hanging = hanging_cell(s.board)) {
    const int index = static_cast<int>(*hanging);
    return Flaw{"board", index / s.width, index % s.width, "a settled board has no cell above an empty one"};
  }
  if (const auto run = run_of_five(s.board)) {
    return Flaw{"board", run->first, run->second, "this cell ends a run of five, which would have vanished"};
  }
  return std::nullopt;
}

void TsTetris::normalise(Setup& s) {
  settle(s.board);
  while (run_of_five(s.board)) {
    break_runs(s.board);
    settle(s.board);
  }
}

namespace {

/// Whether the state refuses the action: only a drop into a full column is refused.
bool refused(const Setup& s, const TsTetris::Action& action) {
  const auto* drop = std::get_if<TsTetris::Drop>(&action);
  if (drop == nullptr) return false;
  return s.board.at(0, drop->column) != 0 || s.board.at(0, drop->column + 1) != 0 ||
         s.board.at(0, drop->column + 2) != 0;
}

std::string violation_of_result(const Setup& before, const TsTetris::Observation& o, const Setup& after) {
  if (before != after) return "asking for the result changed the state";
  if (o.left != count(after.board)) return "the counts of the result differ from a recount of the board";
  if (o.scores != std::array{after.score_1, after.score_2}) return "the scores of the result differ from the state's";
  const int leader = after.score_1 > after.score_2 ? 1 : after.score_1 < after.score_2 ? 2 : 0;
  return o.winner == leader ? "" : "the winner is not the player with more points";
}

/// The turn and the points of a drop or a change.
std::string violation_of_turn(const Setup& before, const TsTetris::Observation& o, const Setup& after) {
  if (const auto broken = TsTetris::flaw(after)) return broken->what;
  if (after.to_move != 3 - before.to_move) return "the turn did not pass";
  const std::size_t mover = static_cast<std::size_t>(before.to_move - 1);
  if (o.points != o.vanished[mover]) return "the points are not the mover's vanished cells";
  std::array<int, 2> scores = {before.score_1, before.score_2};
  scores[mover] = std::min(scores[mover] + o.points, TsTetris::score_max);
  return scores == std::array{after.score_1, after.score_2} ? "" : "the scores did not grow by the points";
}

std::string violation_of_drop(const Setup& before, const TsTetris::Observation& o, const Setup& after) {
  std::array<int, 2> left = count(before.board);
  left[static_cast<std::size_t>(before.to_move - 1)] += 3;
  for (std::size_t player = 0; player < 2; ++player) left[player] -= o.vanished[player];
  return left == count(after.board) ? "" : "cells dropped − cells vanished is not the cells left";
}

std::string violation_of_change(const Setup& before, const TsTetris::Change& change, const TsTetris::Observation& o,
                                const Setup& after) {
  const bool flips = before.board.at(before.height - 1, change.column) == 3 - before.to_move;
  if (!flips && before.board != after.board)
    return "a change that starts on no cell of the opponent's changed the board";
  const auto was = count(before.board);
  const auto is = count(after.board);
  return was[0] + was[1] - o.vanished[0] - o.vanished[1] == is[0] + is[1]
             ? ""
             : "cells before − cells vanished is not the cells left";
}

}  // namespace

std::string TsTetris::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                const Snapshot& after) {
  const auto shape = [](const Snapshot& s) { return std::array{s.width, s.height, s.board.columns, s.board.rows}; };
  if (shape(before) != shape(after)) return "the board changed its size";
  if (refused(before, action) != (o.says == Says::illegal)) {
    return "a drop is refused when one of its columns is full, and nothing else is";
  }
  if (o.says == Says::illegal) return before == after ? "" : "an illegal action changed the state";
  if (std::holds_alternative<Result>(action) != (o.says == Says::standing)) {
    return "asking for the result is answered by the standing, and nothing else is";
  }
  if (o.says == Says::standing) return violation_of_result(before, o, after);
  if (std::string broken = violation_of_turn(before, o, after); !broken.empty()) return broken;
  if (const auto* change = std::get_if<Change>(&action)) return violation_of_change(before, *change, o, after);
  return violation_of_drop(before, o, after);
}

// Features ------------------------------------------------------------------------------------

namespace {

bool one_player_along(const Grid& board, int row, int column, int down, int right, int length) {
  const std::uint8_t player = board.at(row, column);
  for (int i = 1; i < length; ++i) {
    const int r = row + i * down;
    const int c = column + i * right;
    if (!board.contains(r, c) || board.at(r, c) != player) return false;
  }
  return true;
}

}  // namespace

TsTetris::Shape TsTetris::shape(const Snapshot& s) {
  Shape out;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column) {
      if (s.board.at(row, column) == 0) continue;
      ++out.cells;
      out.tallest = std::max(out.tallest, s.height - row);
      if (row == 0) ++out.full_columns;
      for (const auto& [down, right] : directions) {
        if (one_player_along(s.board, row, column, down, right, run_min - 1)) ++out.near_runs;
      }
    }
  }
  return out;
}

namespace {

/// The player's three cells fall into the columns from the given one on, which have room.
void drop_into(Grid& board, int column, std::uint8_t player) {
  for (int c = column; c < column + 3; ++c) {
    int row = board.rows - 1;
    while (board.at(row, c) != 0) --row;
    board.at(row, c) = player;
  }
}

/// The region of the cell becomes the player's, when it is the other player's.
void change_region(Grid& board, int row, int column, std::uint8_t player) {
  const std::uint8_t other = static_cast<std::uint8_t>(3 - player);
  if (board.at(row, column) != other) return;
  std::vector<std::pair<int, int>> waiting = {{row, column}};
  board.at(row, column) = player;
  while (!waiting.empty()) {
    const auto [r, c] = waiting.back();
    waiting.pop_back();
    for (const auto& [down, right] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      if (!board.contains(r + down, c + right) || board.at(r + down, c + right) != other) continue;
      board.at(r + down, c + right) = player;
      waiting.emplace_back(r + down, c + right);
    }
  }
}

}  // namespace

int TsTetris::rows_left(const Snapshot& s, const Drop& drop) {
  int left = s.height;
  for (int column = drop.column; column < drop.column + 3; ++column) {
    int free = 0;
    while (free < s.height && s.board.at(free, column) == 0) ++free;
    left = std::min(left, free);
  }
  return left - 1;
}

TsTetris::Run TsTetris::longest_run(Snapshot s, const Action& action) {
  const auto player = static_cast<std::uint8_t>(s.to_move);
  if (const auto* drop = std::get_if<Drop>(&action)) drop_into(s.board, drop->column, player);
  if (const auto* change = std::get_if<Change>(&action)) change_region(s.board, s.height - 1, change->column, player);
  Run best;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column) {
      const std::uint8_t owner = s.board.at(row, column);
      if (owner == 0) continue;
      for (const auto& [down, right] : directions) {
        const auto mine = [&](int steps) {
          const int r = row + steps * down;
          const int c = column + steps * right;
          return s.board.contains(r, c) && s.board.at(r, c) == owner;
        };
        if (mine(-1)) continue;  // not where the run begins
        int length = 1;
        while (mine(length)) ++length;
        if (length <= best.length) continue;
        const auto touched = [&](int r, int c) {
          return (r == 0) + (r == s.height - 1) + (c == 0) + (c == s.width - 1);
        };
        best = {length, touched(row, column) + touched(row + (length - 1) * down, column + (length - 1) * right)};
      }
    }
  }
  return best;
}

// Suggestions ----------------------------------------------------------------------------------------

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

/// Every line in every direction repeats four cells of one player and one of the other: no run, but a
/// flip of the region that the fours form leaves runs as long as the board, in all directions.
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

/// Two rows in which one player's fours form a chain: flipped, both rows become one run each, of any length.
/// A cap of 12 on a run is wrong because of boards like this one.
///
///     1 1 2 2 2 2 1 1 2 2 2 2 1 1 2 2 2 2
///     2 2 2 1 1 2 2 2 2 1 1 2 2 2 2 1 1 2
///
/// The lower row stands `base` rows above the ground, on random cells; random cells lie on the upper one.
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

Setup TsTetris::Suggestions::setup(Random& random) {
  Setup s;
  const unsigned shape = static_cast<unsigned>(random.below(64));
  const bool large = shape == 0;
  const bool tall = shape == 1 || shape == 2;
  s.width = random.integer(width_min, large ? side_max : tall ? 10 : 20);
  s.height = random.integer(height_min, large || tall ? side_max : 20);
  s.to_move = random.integer(1, 2);
  s.board = Grid{s.height, s.width};
  switch (random.below(8)) {
    case 0: return s;  // the judge's start
    case 1: paint_lattice(s.board, random); break;
    case 2: paint_chain(s.board, random); break;
    case 3: paint_columns(s.board, random, s.height - 1, s.height); break;
    case 4: paint_columns(s.board, random, s.height / 2, s.height); break;
    default: paint_columns(s.board, random, 0, random.integer(1, s.height)); break;
  }
  normalise(s);
  return s;
}

TsTetris::Action TsTetris::Suggestions::action(Random& random, const Setup& s) {
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

// Symmetries -----------------------------------------------------------------------------------

namespace {

Setup mirrored(const Setup& s) {
  Setup image = s;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column)
      image.board.at(row, s.width - 1 - column) = s.board.at(row, column);
  }
  return image;
}

TsTetris::Action moved(const Setup& s, const TsTetris::Action& action) {
  if (const auto* drop = std::get_if<TsTetris::Drop>(&action)) return TsTetris::Drop{s.width - 3 - drop->column};
  if (const auto* change = std::get_if<TsTetris::Change>(&action))
    return TsTetris::Change{s.width - 1 - change->column};
  return action;
}

/// The players trade names, cells, scores and turns.
Setup traded(const Setup& s) {
  Setup image = s;
  for (auto& cell : image.board.cells) cell = cell == 0 ? cell : static_cast<std::uint8_t>(3 - cell);
  image.to_move = 3 - s.to_move;
  std::swap(image.score_1, image.score_2);
  return image;
}

TsTetris::Observation traded_answer(TsTetris::Observation o) {
  if (o.winner != 0) o.winner = static_cast<std::int8_t>(3 - o.winner);
  for (auto* pair : {&o.vanished, &o.scores, &o.left}) std::swap((*pair)[0], (*pair)[1]);
  return o;
}

}  // namespace

std::vector<Symmetry<TsTetris>> TsTetris::symmetries() {
  return {{.name = "mirror", .setup = mirrored, .action = moved, .observation = nullptr, .snapshot = nullptr},
          {.name = "trade players",
           .setup = traded,
           .action = [](const Setup&, const Action& action) { return action; },
           .observation = [](const Setup&, const Action&, const Observation& o,
                             const Snapshot&) -> std::optional<Observation> { return traded_answer(o); },
           .snapshot = nullptr}};
}

// Judge format ---------------------------------------------------------------------------------

namespace {

/// One test case as it is read, call by call.
class CaseReader {
 public:
  explicit CaseReader(TokenReader& in) : in_{in} {}

  Parsed<ProblemCase<TsTetris>> read() {
    const auto calls = in_.number("the number of calls", 1, 1 + drops_max + changes_max + results_max);
    if (!calls) return std::unexpected(calls.error());
    for (int i = 0; i < *calls; ++i) {
      const std::pair place{in_.line(), in_.column()};
      const auto call = in_.number("a call (100, 200, 300 or 400)", 100, 400);
      if (!call) return std::unexpected(call.error());
      if (*call % 100 != 0) return text_error(place.first, place.second, "a call is 100, 200, 300 or 400");
      if ((i == 0) != (*call == 100)) {
        return text_error(
            place.first, place.second,
            i == 0 ? "the first call of a case is 100 (init)" : "100 (init) is the first call of a case only");
      }
      const auto read = i == 0 ? read_init() : *call == 400 ? read_result(place) : read_turn(*call == 200, place);
      if (!read) return std::unexpected(read.error());
    }
    return std::move(case_);
  }

 private:
  using Place = std::pair<int, int>;  // line and column of a call

  static constexpr int drops_max = 10'000;
  static constexpr int changes_max = 1'000;
  static constexpr int results_max = 1'000;

  Setup& setup() { return case_.scenario.setup; }

  Parsed<bool> read_init() {
    const auto width = in_.number("the width", 10, TsTetris::side_max);
    if (!width) return std::unexpected(width.error());
    const auto height = in_.number("the height", 10, TsTetris::side_max);
    if (!height) return std::unexpected(height.error());
    setup() = {.width = *width, .height = *height, .board = Grid{*height, *width}};
    return true;
  }

  Parsed<bool> read_result(Place place) {
    if (++results_ > results_max) return text_error(place.first, place.second, "more than 1,000 results");
    return add(TsTetris::Result{}, place);
  }

  Parsed<bool> read_turn(bool drops, Place place) {
    const Place mover_place{in_.line(), in_.column()};
    const auto mover = in_.number("the player", 1, 2);
    if (!mover) return std::unexpected(mover.error());
    if (*mover != to_move_) {
      return text_error(mover_place.first, mover_place.second, "it is the turn of player " + std::to_string(to_move_));
    }
    to_move_ = 3 - to_move_;
    const auto column = in_.number("the column", 0, setup().width - (drops ? 3 : 1));
    if (!column) return std::unexpected(column.error());
    if (drops) {
      if (++drops_ > drops_max) return text_error(place.first, place.second, "more than 10,000 drops");
      return add(TsTetris::Drop{*column}, place);
    }
    if (++changes_ > changes_max) return text_error(place.first, place.second, "more than 1,000 changes");
    return add(TsTetris::Change{*column}, place);
  }

  bool add(const TsTetris::Action& action, Place place) {
    case_.scenario.actions.push_back(action);
    case_.places.push_back(place);
    return true;
  }

  TokenReader& in_;
  ProblemCase<TsTetris> case_;
  int drops_ = 0;
  int changes_ = 0;
  int results_ = 0;
  int to_move_ = 1;
};

}  // namespace

Parsed<std::vector<ProblemCase<TsTetris>>> TsTetris::ProblemFormat::read(std::string_view text) {
  constexpr int cases_max = 1'000;
  TokenReader in{text};
  const auto cases = in.number("the number of test cases", 1, cases_max);
  if (!cases) return std::unexpected(cases.error());
  std::vector<ProblemCase<TsTetris>> out;
  for (int i = 0; i < *cases; ++i) {
    auto read = CaseReader{in}.read();
    if (!read) return std::unexpected(read.error());
    out.push_back(std::move(*read));
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  return out;
}

Parsed<std::string> TsTetris::ProblemFormat::print(const ProblemCase<TsTetris>& asked,
                                                   std::span<const Observation> observations) {
  std::string out;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& o = observations[i];
    switch (o.says) {
      case Says::illegal:
        return text_error(asked.places[i].first, asked.places[i].second, "one of the three columns is full");
      case Says::turn: out += std::to_string(o.points) + "\n"; break;
      case Says::standing:
        out += std::to_string(o.winner) + " " + std::to_string(o.left[0]) + " " + std::to_string(o.left[1]) + "\n";
        break;
    }
  }
  return out;
}

}  // namespace lockstep
