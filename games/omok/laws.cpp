#include "games/omok/laws.hpp"

#include <algorithm>
#include <utility>

#include "games/omok/wins.hpp"

namespace lockstep {

using namespace omok;

namespace {

using Setup = Omok::Setup;

/// Why an answer to `judge` contradicts the board; "" when it doesn't.
std::string wrong_answer(const Grid& board, const Omok::Observation& o) {
  const std::vector<Win> all = wins(board);
  if (all.empty()) return o.winner == 0 ? "" : "a winner is named, but no run is exactly five";
  if (o.winner == 0) return "a run is exactly five, but no winner is reported";
  const Omok::Cell stone{.column = o.column - 1, .row = o.row - 1};
  const auto named = std::ranges::find_if(all, [&](const Win& win) { return win.line.front() == stone; });
  if (named == all.end()) return "the winning stone is not the first of a run of exactly five";
  if (named->colour != o.winner) return "the winning stone is not the winner's";
  if (named->line.front() != all.front().line.front()) return "another win is further left, or as far left and higher";
  return "";
}

/// Why `after` is not `before` with this one cell set to `to`; "" when it is.
std::string wrong_change(const Setup& before, const Setup& after, int row, int column, int to) {
  Setup expected = before;
  expected.board.at(row, column) = static_cast<std::uint8_t>(to);
  return after == expected ? "" : "the board did not change in the named cell alone";
}

}  // namespace

std::string Omok::Laws::violation(const Setup& setup, const Snapshot& before, const Action& action,
                                  const Observation& o, const Snapshot& after) {
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

/// The image of an answer. With several wins another one may become leftmost, so the image does not follow from the
/// answer. With one win, its naming stone is the first of the images of its five cells.
std::optional<Omok::Observation> turned(const Turn& turn, Omok::Observation o, const Setup& after) {
  if (o.says != Omok::Says::judged || o.winner == 0) return o;
  const std::vector<Win> all = wins(after.board);
  if (all.size() != 1) return std::nullopt;
  Omok::Cell stone = turn(after.size, all.front().line.front());
  for (const Omok::Cell cell : all.front().line) stone = std::min(stone, turn(after.size, cell));
  o.row = static_cast<std::int8_t>(stone.row + 1);
  o.column = static_cast<std::int8_t>(stone.column + 1);
  return o;
}

/// Swaps black and white. The cells do not move, so the answer's stone stays the same, however many wins there are.
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

std::vector<Symmetry<Omok>> Omok::Laws::symmetries() {
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

}  // namespace lockstep
