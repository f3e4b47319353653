// TS Tetris: two players in turn drop 1 × 3 pieces or flip regions; straight runs of five or more cells of one player
// vanish. Defines the types only; the rules are in the simulators.
//
// Board: height × width cells, row 0 at the top, 0 empty, 1 and 2 the players' cells. Columns fall.
// Source: "TS테트리스" (also known as SWEA 23011); rulings in docs/rules.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include "lockstep/describe/describe.hpp"

namespace lockstep {

struct TsTetris {
  static constexpr std::string_view name = "ts_tetris";

  static constexpr int width_min = 3;
  static constexpr int height_min = 1;
  static constexpr int side_max = 200;
  static constexpr int run_min = 5;                // the shortest run that vanishes
  static constexpr int score_max = 1'000'000'000;  // scores saturate here; a game from empty never reaches it
  static constexpr Alphabet cells = Alphabet::of(".12");

  /// A position; also the setup of a run. Settled, without a run of five.
  struct Setup {
    int width = width_min;
    int height = height_min;
    int to_move = 1;
    int score_1 = 0;
    int score_2 = 0;
    Grid board{height_min, width_min};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// Three cells of the player to move fall into column, column + 1 and column + 2.
  struct Drop {
    static constexpr std::string_view name = "drop";
    int column = 0;
    bool operator==(const Drop&) const = default;
  };
  /// The opponent's region at the bottom of the column becomes the mover's.
  struct Change {
    static constexpr std::string_view name = "change";
    int column = 0;
    bool operator==(const Change&) const = default;
  };
  /// Asks for the standing; not a turn.
  struct Result {
    static constexpr std::string_view name = "result";
    bool operator==(const Result&) const = default;
  };
  using Action = std::variant<Drop, Change, Result>;

  enum class Says : std::uint8_t { illegal, turn, standing };

  struct Observation {
    Says says = Says::illegal;
    std::int8_t winner = 0;                  // standing: 1, 2, or 0 for a tie
    std::int32_t points = 0;                 // turn: the mover's vanished cells
    std::array<std::int32_t, 2> vanished{};  // turn: vanished cells of player 1 and 2
    std::array<std::int32_t, 2> scores{};    // standing
    std::array<std::int32_t, 2> left{};      // standing: cells on the board
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.size("width", s.width, width_min, side_max);
    io.size("height", s.height, height_min, side_max);
    io.number("to_move", s.to_move, 1, 2);
    io.number("score_1", s.score_1, 0, score_max);
    io.number("score_2", s.score_2, 0, score_max);
    io.board("board", s.board, s.height, s.width, cells);
  }
  static void describe(auto& io, const Setup& s, Drop& a) { io.number("column", a.column, 0, s.width - 3); }
  static void describe(auto& io, const Setup& s, Change& a) { io.number("column", a.column, 0, s.width - 1); }
  static void describe(auto& io, Observation& o) {
    io.flag("legal", o.says != Says::illegal);
    if (o.says == Says::turn) {
      io.value("points", o.points);
      io.values("vanished", o.vanished);
    } else if (o.says == Says::standing) {
      io.value("winner", o.winner);
      io.values("scores", o.scores);
      io.values("left", o.left);
    }
  }

  struct Laws;
  struct Features;
  struct Suggestions;
  struct ProblemFormat;
  struct Explorations;
  struct Workloads;
};
static_assert(System<TsTetris>);

}  // namespace lockstep
