// Omok (five in a row): stones are placed and removed, and `judge` reports the winner and the winning stone. Defines
// the types only; the rules are in the simulators.
//
// Board: size × size cells, row 0 at the top, 0 empty, 1 black, 2 white. A win is a maximal straight run of exactly
// five stones of one colour; a run of six or more is not a win. A win is named by its leftmost stone, or by its
// topmost one when it is vertical. Of several wins, the one with the leftmost, then topmost, naming stone is reported.
// Every board of the right shape is lawful: the game has no turns.
// Source: BOJ 2615; rulings in docs/rules.md.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>
#include <variant>

#include "lockstep/describe/describe.hpp"

namespace lockstep {

struct Omok {
  static constexpr std::string_view name = "omok";

  static constexpr int size_min = 1;
  static constexpr int size_max = 19;  // also the only size of the original problem
  static constexpr int win_length = 5;
  static constexpr Alphabet cells = Alphabet::of(".BW");
  static constexpr std::array<std::string_view, 2> colours = {"black", "white"};  // named from 1

  /// A position; also the setup of a run.
  struct Setup {
    int size = size_min;
    Grid board{size_min, size_min};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// Places a stone on an empty cell; illegal on a stone.
  struct Place {
    static constexpr std::string_view name = "place";
    int colour = 1;
    int row = 0;
    int column = 0;
    bool operator==(const Place&) const = default;
  };
  /// Removes a stone from the board; illegal on an empty cell.
  struct Remove {
    static constexpr std::string_view name = "remove";
    int row = 0;
    int column = 0;
    bool operator==(const Remove&) const = default;
  };
  /// Asks for the winner.
  struct Judge {
    static constexpr std::string_view name = "judge";
    bool operator==(const Judge&) const = default;
  };
  using Action = std::variant<Place, Remove, Judge>;

  enum class Says : std::uint8_t { illegal, done, judged };

  struct Observation {
    Says says = Says::illegal;
    std::int8_t winner = 0;  // judged: 1, 2, or 0 when no player has won
    std::int8_t row = 0;     // judged, with a winner: the winning stone's row and column,
    std::int8_t column = 0;  // counted from 1 as in the original problem
    bool operator==(const Observation&) const = default;
  };

  /// The answer to `judge` when the reported win is named by this stone, its row and column counted from 0.
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
    io.flag("legal", o.says != Says::illegal);
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

  struct Laws;
  struct Features;
  struct Suggestions;
  struct ProblemFormat;
  struct Explorations;
  struct Workloads;
};
static_assert(System<Omok>);

}  // namespace lockstep
