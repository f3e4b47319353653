// TS Tetris: two players in turn drop 1 × 3 pieces or flip regions; straight runs of five or more
// of one player vanish. This is the vocabulary only; the rules live in the simulators.
//
// Board: height × width cells, row 0 at the top, 0 empty, 1 and 2 the players' cells. Columns fall.
// Source: "TS테트리스" (also known as SWEA 23011); rulings in docs/rules.md.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
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

struct TsTetris {
  static constexpr std::string_view name = "ts_tetris";

  static constexpr int width_min = 3;
  static constexpr int height_min = 1;
  static constexpr int side_max = 200;
  static constexpr int run_min = 5;                // this many in a line vanish
  static constexpr int score_max = 1'000'000'000;  // a score stops there; play from 0 never gets near
  static constexpr Alphabet cells = Alphabet::of(".12");

  /// A position, which is also what a run starts from: settled, without a run of five.
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
    bool legal = o.says != Says::illegal;
    io.flag("legal", legal);
    if (o.says == Says::turn) {
      io.value("points", o.points);
      io.values("vanished", o.vanished);
    } else if (o.says == Says::standing) {
      io.value("winner", o.winner);
      io.values("scores", o.scores);
      io.values("left", o.left);
    }
  }

  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// Equal positions play alike: scores are only added to, so they count from here.
  static Snapshot position(Snapshot s) {
    s.score_1 = 0;
    s.score_2 = 0;
    return s;
  }

  static constexpr std::array<Feature, 19> features = {
      "illegal",
      "points of a drop",
      "points of a change",
      "opponent's vanished",
      "lead",
      "tallest column",
      "full columns",
      "cells",
      "near-runs",
      "longest run of a turn",
      {"longest run of a turn, around 12", 12},
      {"rows left by a drop", 0},  // −1: refused
      "columns right of a drop",
      {"width", 10},
      {"width, up to the most", side_max},
      {"height", 8},
      {"height, up to the most", side_max},
      {"score that a turn asks for", score_max},  // before it stops at the limit
      "borders that a run touches"};
  static constexpr std::array<Limit, 13> limits = {{
      {"a run of five or more vanishes", "longest run of a turn", run_min},
      {"runs can be longer than 12", "longest run of a turn, around 12", 12},
      {"a drop is illegal when one of its columns is full", "rows left by a drop", 0},
      {"drop: column ≤ W − 3", "columns right of a drop", 0, "fewer than none"},
      {"3 columns are the fewest", "width", width_min, "there is no narrower board"},
      {"the judge's fewest are 10 columns", "width", 10},
      {"200 columns are the most", "width, up to the most", side_max, {}, "there is no wider board"},
      {"1 row is the fewest", "height", height_min, "there is no lower board"},
      {"the judge's fewest are 10 rows", "height", 10},
      {"200 rows are the most", "height, up to the most", side_max, {}, "there is no higher board"},
      {"a score stops at a billion", "score that a turn asks for", score_max},
      {"the opponent's vanished cells score nothing", "opponent's vanished", 0, "fewer than none",
       "they vanish by fives at least"},
      {"a run can lie along a border", "borders that a run touches", 0, "fewer than none"},
  }};
  static void observe(auto&& emit, const Action& action, const Observation& o) {
    if (o.says == Says::illegal) return emit(0, 1);
    if (o.says == Says::standing) return emit(4, std::abs(o.scores[0] - o.scores[1]));
    emit(std::holds_alternative<Drop>(action) ? 1 : 2, o.points);
    emit(3, o.vanished[0] + o.vanished[1] - o.points);
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const Shape now = shape(s);
    emit(5, now.tallest);
    emit(6, now.full_columns);
    emit(7, now.cells);
    emit(8, now.near_runs);
    emit(13, s.width);
    emit(14, s.width);
    emit(15, s.height);
    emit(16, s.height);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation& o,
                      const Snapshot&) {
    if (const auto* drop = std::get_if<Drop>(&action)) {
      emit(11, rows_left(before, *drop));
      emit(12, before.width - 3 - drop->column);
    }
    if (o.says != Says::turn) return;
    const Run run = longest_run(before, action);
    emit(9, run.length);
    emit(10, run.length);
    if (run.length >= run_min) emit(18, run.borders);
    emit(17, std::int64_t{before.to_move == 1 ? before.score_1 : before.score_2} + o.points);
  }
  struct Shape {
    int tallest = 0;
    int full_columns = 0;
    int cells = 0;
    int near_runs = 0;  // lines of four cells of one player
  };
  static Shape shape(const Snapshot&);
  /// How many rows stay free over the tallest of a drop's three columns; −1 when it does not fit.
  static int rows_left(const Snapshot&, const Drop&);
  /// The longest straight run of one player that a drop or change makes before anything vanishes.
  struct Run {
    int length = 0;
    int borders = 0;  // of the board, that its two end cells touch
  };
  static Run longest_run(Snapshot before, const Action&);

  /// Boards close to runs and cascades, full ones, regions that wind or span the board, flips that make runs
  /// of any length; play that stays in a few columns.
  class Suggestions {
   public:
    explicit Suggestions(Random& random);
    Setup setup(Random& random);
    Action action(Random& random, const Setup& setup);

   private:
    unsigned weight_drop_;
    unsigned weight_change_;
    int focus_;   // columns stay within this many of the centre; 0: anywhere
    int centre_;  // 0 … 1000, a share of the width
  };

  static std::vector<Symmetry<TsTetris>> symmetries();

  /// T, then per case Q and Q lines 100 W H, 200 player column, 300 player column, 400.
  struct ProblemFormat {
    static Parsed<std::vector<ProblemCase<TsTetris>>> read(std::string_view text);
    static Parsed<std::string> print(const ProblemCase<TsTetris>&, std::span<const Observation>);
  };
};
static_assert(System<TsTetris>);

}  // namespace lockstep
