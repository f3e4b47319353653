// Omok (five in a row): stones are placed and removed, and the judge says who has won, and where.
// This is the vocabulary only; the rules live in the simulators.
//
// Board: size × size cells, row 0 at the top, 0 empty, 1 black, 2 white. A win is a maximal straight
// run of exactly five stones of one colour; six or more is none. A win is named by its leftmost stone,
// or by its topmost one when it stands upright; of several wins the leftmost stone answers, then the
// topmost. Every board of the right shape is lawful: the game has no turns.
// Source: BOJ 2615; rulings in docs/rules.md.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/describe.hpp"
#include "lockstep/limits.hpp"
#include "lockstep/problem_format.hpp"
#include "lockstep/random.hpp"
#include "lockstep/symmetry.hpp"

namespace lockstep {

struct Omok {
  static constexpr std::string_view name = "omok";

  static constexpr int size_min = 1;
  static constexpr int size_max = 19;  // also the only size that the original problem knows
  static constexpr int win_length = 5;
  static constexpr Alphabet cells = Alphabet::of(".BW");
  static constexpr std::array<std::string_view, 2> colours = {"black", "white"};  // named from 1

  /// A position, which is also what a run starts from.
  struct Setup {
    int size = size_min;
    Grid board{size_min, size_min};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// A stone is put on an empty cell; illegal on a stone.
  struct Place {
    static constexpr std::string_view name = "place";
    int colour = 1;
    int row = 0;
    int column = 0;
    bool operator==(const Place&) const = default;
  };
  /// A stone is taken off the board; illegal on an empty cell.
  struct Remove {
    static constexpr std::string_view name = "remove";
    int row = 0;
    int column = 0;
    bool operator==(const Remove&) const = default;
  };
  /// Asks who has won.
  struct Judge {
    static constexpr std::string_view name = "judge";
    bool operator==(const Judge&) const = default;
  };
  using Action = std::variant<Place, Remove, Judge>;

  enum class Says : std::uint8_t { illegal, done, judged };

  struct Observation {
    Says says = Says::illegal;
    std::int8_t winner = 0;  // judged: 1, 2, or 0 when nobody has won
    std::int8_t row = 0;     // judged, with a winner: the winning stone's row and column,
    std::int8_t column = 0;  //   counted from 1 as the original problem counts
    bool operator==(const Observation&) const = default;
  };

  /// The answer to `judge` when this stone, its row and column counted from 0, names the win that answers.
  static constexpr Observation won(int colour, int row, int column) {
    return {.says = Says::judged,
            .winner = static_cast<std::int8_t>(colour),
            .row = static_cast<std::int8_t>(row + 1),
            .column = static_cast<std::int8_t>(column + 1)};
  }

  static void describe(auto& io, Setup& s) {
    io.size("size", s.size, size_min, size_max);
    io.board("board", s.board, s.size, s.size, cells);
  }
  static void describe(auto& io, const Setup& s, Place& a) {
    io.choice("colour", a.colour, 1, colours);
    io.number("row", a.row, 0, s.size - 1);
    io.number("column", a.column, 0, s.size - 1);
  }
  static void describe(auto& io, const Setup& s, Remove& a) {
    io.number("row", a.row, 0, s.size - 1);
    io.number("column", a.column, 0, s.size - 1);
  }
  static void describe(auto& io, Observation& o) {
    bool legal = o.says != Says::illegal;
    io.flag("legal", legal);
    if (o.says != Says::judged) return;
    io.value("winner", o.winner);
    if (o.winner == 0) return;
    io.value("row", o.row);
    io.value("column", o.column);
  }

  /// A cell, ordered as the ruling orders winning stones: leftmost first, then topmost.
  struct Cell {
    int column = 0;
    int row = 0;
    auto operator<=>(const Cell&) const = default;
  };
  /// A maximal run of exactly five: its cells in order, so that the first one is its stone. The least
  /// of several wins is the one that answers.
  struct Win {
    std::array<Cell, win_length> line{};
    int colour = 0;
    auto operator<=>(const Win&) const = default;
  };
  /// All wins on a board, in order. For invariants, symmetries and properties only: a simulator that
  /// called it would be checked against itself.
  static std::vector<Win> wins(const Grid& board);

  /// Every board is lawful, so nothing is ever refused or repaired.
  static std::optional<Flaw> flaw(const Setup&) { return std::nullopt; }
  static void normalise(Setup&) {}
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  static constexpr std::array<Feature, 20> features = {"illegal place",
                                                       "illegal remove",
                                                       "winner",
                                                       "wins",
                                                       "colours that win",
                                                       "wins across",
                                                       "wins down",
                                                       "wins falling",
                                                       "wins rising",
                                                       "wins on an edge",
                                                       "longest run",
                                                       "runs of six or more",
                                                       "stones",
                                                       "size",
                                                       {"size, up to the largest", size_max},
                                                       {"row of the winning stone", size_max},
                                                       {"column of the winning stone", size_max},
                                                       "empty cells",
                                                       "stones in the way of a place",
                                                       "stones for a remove"};
  static constexpr std::array<Limit, 11> limits = {{
      {"a run of exactly five wins, six is none", "longest run", win_length},
      {"the text promises at most one win; of several the leftmost answers", "wins", 1},
      {"1 × 1 is the smallest board", "size", size_min, "there is no smaller board"},
      {"a board of five has room for a win", "size", win_length},
      {"19 × 19 is the largest board", "size, up to the largest", size_max, {}, "there is no larger board"},
      {"a win can lie in the last row", "row of the winning stone", size_max, {}, "there is no row below"},
      {"a win can lie in the last column", "column of the winning stone", size_max, {}, "there is no column beyond"},
      {"place is illegal on a stone", "stones in the way of a place", 0, "fewer than none"},
      {"remove is illegal on an empty cell", "stones for a remove", 1, {}, "a cell holds one stone"},
      {"a full board", "empty cells", 0, "fewer than none"},
      {"a win that touches an edge", "wins on an edge", 0, "fewer than none"},
  }};
  static void observe(auto&& emit, const Action& action, const Observation& o) {
    if (o.says == Says::illegal) emit(std::holds_alternative<Place>(action) ? 0 : 1, 1);
    if (o.says != Says::judged) return;
    emit(2, o.winner);
    if (o.winner == 0) return;
    emit(15, o.row);
    emit(16, o.column);
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const std::array<int, 11> values = tally(s);
    for (std::size_t i = 0; i < values.size(); ++i) emit(3 + i, values[i]);
    emit(14, s.size);
    emit(17, s.size * s.size - values[9]);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation&, const Snapshot&) {
    if (const auto* place = std::get_if<Place>(&action)) {
      emit(18, before.board.at(place->row, place->column) != 0 ? 1 : 0);
    } else if (const auto* remove = std::get_if<Remove>(&action)) {
      emit(19, before.board.at(remove->row, remove->column) != 0 ? 1 : 0);
    }
  }

  /// Boards of drawn lines, of blots and of noise; play in little plans: a line of about five is laid
  /// in some order, judged, made one longer or one shorter, and judged again.
  class Suggestions {
   public:
    explicit Suggestions(Random& random);
    Setup setup(Random& random);
    Action action(Random& random, const Setup& setup);

   private:
    Action noise(Random& random, int size) const;
    void plan(Random& random, int size);

    unsigned noise_;                   // in 16: how often an action ignores the plan
    unsigned place_, remove_, judge_;  // weights of the noise
    unsigned ask_;                     // in 16: how often the judge is asked within a plan
    unsigned edge_;                    // in 8: how often a line clings to the border
    unsigned long_;                    // in 8: how often a line may have any length
    std::vector<Action> pending_;      // the plan, last action first
  };

  static std::vector<Symmetry<Omok>> symmetries();

  /// 19 rows of 19 numbers in; 0, or the colour and, on a second line, row and column, out.
  struct ProblemFormat {
    static Parsed<std::vector<ProblemCase<Omok>>> read(std::string_view text);
    static Parsed<std::string> print(const ProblemCase<Omok>&, std::span<const Observation>);
  };

 private:
  /// The values of the features that a position shows, from "wins" on.
  static std::array<int, 11> tally(const Snapshot&);
};
static_assert(System<Omok>);

}  // namespace lockstep
