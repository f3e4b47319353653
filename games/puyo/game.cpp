#include "games/puyo/game.hpp"

#include <utility>

namespace lockstep {
namespace {

using Setup = Puyo::Setup;

constexpr std::array<std::pair<int, int>, 4> neighbours = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

constexpr int cell_count = Puyo::rows * Puyo::columns;

/// A number for each cell, row by row.
using PerCell = std::array<int, cell_count>;

/// For each cell the size of the group that it belongs to; 0 for an empty cell.
PerCell group_sizes(const Grid& board) {
  PerCell sizes{};
  std::array<std::uint8_t, cell_count> members;  // of the group at hand, those before `next` already asked
  for (std::uint8_t start = 0; start < cell_count; ++start) {
    if (board.cells[start] == 0 || sizes[start] != 0) continue;
    std::size_t size = 0;
    members[size++] = start;
    sizes[start] = 1;
    for (std::size_t next = 0; next < size; ++next) {
      for (const auto& [down, right] : neighbours) {
        const int row = members[next] / Puyo::columns + down;
        const int column = members[next] % Puyo::columns + right;
        if (!board.contains(row, column) || board.at(row, column) != board.cells[start]) continue;
        const auto cell = static_cast<std::uint8_t>(row * Puyo::columns + column);
        if (sizes[cell] != 0) continue;
        sizes[cell] = 1;
        members[size++] = cell;
      }
    }
    for (std::size_t i = 0; i < size; ++i) sizes[members[i]] = static_cast<int>(size);
  }
  return sizes;
}

int height(const Grid& board, int column) {
  int row = 0;
  while (row < Puyo::rows && board.at(row, column) == 0) ++row;
  return Puyo::rows - row;
}

std::array<int, Puyo::colours> count(const Grid& board) {
  std::array<int, Puyo::colours> out{};
  for (const std::uint8_t cell : board.cells) {
    if (cell != 0) ++out[cell - 1u];
  }
  return out;
}

std::string violation_of_illegal(const Setup& before, const Puyo::Action& action, const Setup& after) {
  if (before != after) return "an illegal action changed the state";
  const auto* drop = std::get_if<Puyo::Drop>(&action);
  if (drop == nullptr) return "a resolve was refused";
  return height(before.board, drop->column) == Puyo::rows ? "" : "a drop into a column with room was refused";
}

std::string violation_of_drop(const Setup& before, const Puyo::Drop& drop, const Setup& after) {
  const int tall = height(before.board, drop.column);
  if (tall == Puyo::rows) return "a drop into a full column was accepted";
  Setup expected = before;
  expected.board.at(Puyo::rows - 1 - tall, drop.column) = static_cast<std::uint8_t>(drop.colour);
  return after == expected ? "" : "a drop did more or less than to put one puyo on top of its column";
}

std::string violation_of_resolve(const Setup& before, const Puyo::Observation& o, const Setup& after) {
  if (o.chains > Puyo::chains_max) return "more chains than 72 puyos can make";
  if ((Puyo::largest_group(before.board) < Puyo::group_min) != (o.chains == 0)) {
    return "there were chains without a group of four, or a group of four without chains";
  }
  if (Puyo::largest_group(after.board) >= Puyo::group_min) return "a group of four or more was left after a resolve";
  std::array<int, Puyo::colours> vanished{};
  for (int i = 0; i < Puyo::chains_max; ++i) {
    int sum = 0;
    for (std::size_t colour = 0; colour < vanished.size(); ++colour) {
      const int gone = o.chain(i)[colour];
      if (gone != 0 && gone < Puyo::group_min) return "fewer than four of a colour vanished in one chain";
      vanished[colour] += gone;
      sum += gone;
    }
    if ((sum > 0) != (i < o.chains)) return "a chain took nothing, or something vanished beyond the last chain";
  }
  const auto was = count(before.board);
  const auto is = count(after.board);
  for (std::size_t colour = 0; colour < vanished.size(); ++colour) {
    if (was[colour] - vanished[colour] != is[colour]) {
      return "puyos in − puyos vanished is not puyos on the field, " + std::string{Puyo::colour_names[colour]};
    }
  }
  return "";
}

}  // namespace

std::optional<Flaw> Puyo::flaw(const Setup& s) {
  for (int row = 0; row + 1 < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (s.board.at(row, column) != 0 && s.board.at(row + 1, column) == 0) {
        return Flaw{"board", row, column, "a settled field has no puyo above an empty cell"};
      }
    }
  }
  return std::nullopt;
}

void Puyo::normalise(Setup& s) {
  for (int column = 0; column < columns; ++column) {
    int floor = rows - 1;
    for (int row = rows - 1; row >= 0; --row) {
      const std::uint8_t cell = std::exchange(s.board.at(row, column), std::uint8_t{0});
      if (cell != 0) s.board.at(floor--, column) = cell;
    }
  }
}

std::vector<Puyo::Member> Puyo::members_of_groups(const Grid& board) {
  const PerCell sizes = group_sizes(board);
  std::vector<Member> out;
  for (int cell = 0; cell < cell_count; ++cell) {
    const int group = sizes[static_cast<std::size_t>(cell)];
    if (group > 0) out.push_back({cell / columns, cell % columns, group});
  }
  return out;
}

int Puyo::largest_group(const Grid& board) { return std::ranges::max(group_sizes(board)); }

std::string Puyo::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                            const Snapshot& after) {
  if (o.says == Says::illegal) return violation_of_illegal(before, action, after);
  if (const auto broken = flaw(after)) return broken->what;
  const auto* drop = std::get_if<Drop>(&action);
  if ((o.says == Says::dropped) != (drop != nullptr)) return "the answer is one to another action";
  return drop != nullptr ? violation_of_drop(before, *drop, after) : violation_of_resolve(before, o, after);
}

// Suggestions ----------------------------------------------------------------------------------------

namespace {

/// Builds a chain from its end. Whatever field stands, put a group under and between its puyos so that
/// this group, and no other, vanishes: the new field resolves into the old one, one chain later.
///
///     . . . . .        . . R . .
///     . . . . .        . . R . .        the four G keep the R apart: take them away,
///     . . . . .   →    . . G . .        and two R and two R meet again
///     . R R . .        . R G . .
///     . R R . .        . R G G .
///
/// Nothing of the old field has to be known; a random group is tried and kept if it is the only one.
class ChainBuilder {
 public:
  ChainBuilder(Random& random, int first_colour, int palette)
      : random_{random}, first_colour_{first_colour}, palette_{palette} {}

  /// Puts chains under the field until `wanted` stand or too many groups in a row did not fit; answers
  /// how many it put.
  int build(Grid& board, int wanted) {
    constexpr int tries = 64;
    int built = 0;
    for (int left = tries; built < wanted && left > 0; --left) {
      if (!put_under(board)) continue;
      left = tries + 1;
      ++built;
    }
    return built;
  }

  /// Takes a puyo of the last group away, one that is dropped back on top; nothing if all are buried.
  std::optional<Puyo::Drop> take_trigger(Grid& board) const {
    for (const auto& [row, column] : group_) {
      if (!board.contains(row, column) || height(board, column) != Puyo::rows - row) continue;
      const int colour = std::exchange(board.at(row, column), std::uint8_t{0});
      return Puyo::Drop{.colour = colour, .column = column};
    }
    return std::nullopt;
  }

 private:
  using Cell = std::pair<int, int>;  // row, column

  bool put_under(Grid& board) {
    const std::vector<Cell> group = connected_cells(board);
    Grid raised = board;
    for (const auto& [row, column] : group) {
      if (!push_up(raised, row, column)) return false;
    }
    const auto colour =
        static_cast<std::uint8_t>((first_colour_ - 1 + random_.integer(0, palette_ - 1)) % Puyo::colours + 1);
    for (const auto& [row, column] : group) raised.at(row, column) = colour;
    if (!vanishes_alone(raised, group)) return false;
    board = std::move(raised);
    group_ = group;
    return true;
  }

  /// Four cells that touch, sometimes more, within reach of the field; the lowest first, so that each
  /// pushes up what stands above it and none that was put before.
  std::vector<Cell> connected_cells(const Grid& board) {
    const std::size_t size = static_cast<std::size_t>(random_.chance(1, 12) ? random_.integer(5, 8) : Puyo::group_min);
    const int column = random_.integer(0, Puyo::columns - 1);
    const int above_floor = random_.integer(0, std::min(height(board, column), Puyo::rows - 1));
    std::vector<Cell> cells = {{Puyo::rows - 1 - above_floor, column}};
    for (int tries = 64; cells.size() < size && tries > 0; --tries) {
      const auto [down, right] = random_.pick(neighbours);
      Cell next = random_.pick(cells);
      next.first += down;
      next.second += right;
      if (board.contains(next.first, next.second) && std::ranges::find(cells, next) == cells.end()) {
        cells.push_back(next);
      }
    }
    std::ranges::sort(cells, std::greater{});
    return cells;
  }

  /// Lifts a cell and all above it by one; false when the column is full or would be left hanging.
  static bool push_up(Grid& board, int row, int column) {
    if (board.at(0, column) != 0) return false;
    if (row + 1 < Puyo::rows && board.at(row + 1, column) == 0) return false;
    for (int r = 0; r < row; ++r) board.at(r, column) = board.at(r + 1, column);
    board.at(row, column) = group_mark;
    return true;
  }

  static bool vanishes_alone(const Grid& board, const std::vector<Cell>& group) {
    const PerCell sizes = group_sizes(board);
    const auto doomed = std::ranges::count_if(sizes, [](int size) { return size >= Puyo::group_min; });
    const auto [row, column] = group.front();
    const int own = sizes[static_cast<std::size_t>(row * Puyo::columns + column)];
    return own == static_cast<int>(group.size()) && doomed == own;
  }

  static constexpr std::uint8_t group_mark = 1;  // any puyo: a place that is taken

  Random& random_;
  int first_colour_;
  int palette_;
  std::vector<Cell> group_ = {};
};

}  // namespace

Puyo::Setup Puyo::chain_field(Random& random, int chains) {
  for (;;) {
    Setup field;
    if (ChainBuilder{random, 1, colours}.build(field.board, chains) == chains) return field;
  }
}

Puyo::Suggestions::Suggestions(Random& random)
    : resolves_{1u << random.below(4)},
      palette_{random.integer(1, colours)},
      first_colour_{random.integer(1, colours)},
      width_{random.chance(1, 2) ? columns : random.integer(1, 3)},
      left_{random.integer(0, columns - width_)} {}

int Puyo::Suggestions::colour(Random& random) const {
  return (first_colour_ - 1 + random.integer(0, palette_ - 1)) % colours + 1;
}

Setup Puyo::Suggestions::setup(Random& random) {
  Setup s;
  const int style = random.integer(0, 7);
  if (style == 0) return s;  // empty: drops alone make the field
  if (style >= 5) {
    palette_ = std::max(palette_, 3);
    ChainBuilder builder{random, first_colour_, palette_};
    builder.build(s.board, random.chance(1, 2) ? chains_max : random.integer(1, 6));
    if (random.chance(1, 2)) {
      if (const auto drop = builder.take_trigger(s.board)) opening_ = {Resolve{}, *drop};
    } else {
      opening_ = {Resolve{}};
    }
    return s;
  }
  const bool brimful = style == 4;
  const int fullest = random.integer(1, rows);
  const unsigned same = static_cast<unsigned>(random.integer(0, 9));  // how often a puyo copies a neighbour
  for (int column = 0; column < columns; ++column) {
    const int tall = brimful ? rows - (random.chance(1, 6) ? 1 : 0) : random.integer(0, fullest);
    for (int row = rows - 1; row >= rows - tall; --row) {
      std::uint8_t puyo = static_cast<std::uint8_t>(colour(random));
      const bool sideways = random.chance(1, 2);
      const int from_row = sideways ? row : row + 1;
      const int from_column = sideways ? column - 1 : column;
      if (s.board.contains(from_row, from_column) && s.board.at(from_row, from_column) != 0 &&
          random.chance(same, 10)) {
        puyo = s.board.at(from_row, from_column);
      }
      s.board.at(row, column) = puyo;
    }
  }
  return s;
}

Puyo::Action Puyo::Suggestions::action(Random& random, const Setup&) {
  if (!opening_.empty()) {
    const Action next = opening_.back();
    opening_.pop_back();
    return next;
  }
  if (random.chance(resolves_, 32)) return Resolve{};
  const int column = random.chance(1, 16) ? random.integer(0, columns - 1) : left_ + random.integer(0, width_ - 1);
  return Drop{.colour = colour(random), .column = column};
}

// Symmetries -----------------------------------------------------------------------------------

namespace {

Setup mirrored(const Setup& s) {
  Setup image = s;
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      image.board.at(row, Puyo::columns - 1 - column) = s.board.at(row, column);
    }
  }
  return image;
}

/// What each cell becomes; the empty cell stays empty.
using Renaming = std::array<std::uint8_t, Puyo::colours + 1>;

Symmetry<Puyo> renaming(std::string_view name, const Renaming& to) {
  return {.name = name,
          .setup =
              [to](const Setup& s) {
                Setup image = s;
                for (auto& cell : image.board.cells) cell = to[cell];
                return image;
              },
          .action = [to](const Setup&, const Puyo::Action& action) -> Puyo::Action {
            const auto* drop = std::get_if<Puyo::Drop>(&action);
            if (drop == nullptr) return action;
            return Puyo::Drop{.colour = to[static_cast<std::size_t>(drop->colour)], .column = drop->column};
          },
          .observation = [to](const Setup&, const Puyo::Action&, const Puyo::Observation& o,
                              const Puyo::Snapshot&) -> std::optional<Puyo::Observation> {
            Puyo::Observation image = o;
            for (int chain = 0; chain < Puyo::chains_max; ++chain) {
              for (std::size_t colour = 0; colour < Puyo::colours; ++colour) {
                image.chain(chain)[to[colour + 1] - 1u] = o.chain(chain)[colour];
              }
            }
            return image;
          },
          .snapshot = nullptr};
}

}  // namespace

std::vector<Symmetry<Puyo>> Puyo::symmetries() {
  const auto moved = [](const Setup&, const Action& action) -> Action {
    const auto* drop = std::get_if<Drop>(&action);
    if (drop == nullptr) return action;
    return Drop{.colour = drop->colour, .column = columns - 1 - drop->column};
  };
  // A rotation of all five colours and a swap of two generate every renaming.
  return {{.name = "mirror", .setup = mirrored, .action = moved, .observation = nullptr, .snapshot = nullptr},
          renaming("rotate colours", {0, 2, 3, 4, 5, 1}),
          renaming("swap red and green", {0, 2, 1, 3, 4, 5})};
}

// Judge format ---------------------------------------------------------------------------------

Parsed<std::vector<ProblemCase<Puyo>>> Puyo::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  ProblemCase<Puyo> asked;
  Grid& board = asked.scenario.setup.board;
  std::array<std::pair<int, int>, rows> places;  // where each row stands in the text
  const std::pair start{in.line(), in.column()};
  for (int row = 0; row < rows; ++row) {
    auto& [line, first] = places[static_cast<std::size_t>(row)];
    line = in.line();
    first = in.column();
    const std::string expected =
        "row " + std::to_string(row + 1) + " of 12, six characters of '" + std::string{cells.symbols} + "'";
    const auto word = in.word(expected);
    if (!word) return std::unexpected(word.error());
    for (int column = 0; column < static_cast<int>(word->size()); ++column) {
      const char symbol = (*word)[static_cast<std::size_t>(column)];
      const std::size_t cell = cells.symbols.find(symbol);
      if (column >= columns || cell == std::string_view::npos) {
        const std::string got = TokenReader::shown(word->substr(static_cast<std::size_t>(column), 1));
        return text_error(line, first + column,
                          "expected " + expected + ", got '" + got + (column < columns ? "'" : "' as a seventh"));
      }
      board.at(row, column) = static_cast<std::uint8_t>(cell);
    }
    if (word->size() < columns) {
      return text_error(line, first + static_cast<int>(word->size()),
                        "expected " + expected + ", got " + std::to_string(word->size()));
    }
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  if (const auto broken = flaw(asked.scenario.setup)) {
    const auto& [line, first] = places[static_cast<std::size_t>(broken->row)];
    return text_error(line, first + broken->column, broken->what);
  }
  asked.scenario.actions.emplace_back(Resolve{});
  asked.places.push_back(start);
  return std::vector{std::move(asked)};
}

Parsed<std::string> Puyo::ProblemFormat::print(const ProblemCase<Puyo>&, std::span<const Observation> observations) {
  std::string out;
  for (const Observation& o : observations) {
    if (o.says != Says::resolved) return text_error(0, 0, "resolving was answered as something else");
    out += std::to_string(o.chains) + "\n";
  }
  return out;
}

}  // namespace lockstep
