// Stacking: pieces on a coloured board move in turn, each carrying whatever is stacked on it, until
// four or more stand in one stack. This is the vocabulary only; the rules live in the simulators.
//
// Board: size × size cells, row 0 at the top: white '.', red 'R' (a group lands upside down), blue 'B'
// (a piece turns round). Pieces count from 0; level 0 is the bottom of a stack.
// Source: BOJ 17837; rulings in docs/rules.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

struct Stacking {
  static constexpr std::string_view name = "stacking";

  static constexpr int size_max = 12;
  static constexpr int pieces_max = 10;
  static constexpr int end_height = 4;        // a stack of this many ends the game
  static constexpr int turns_played = 1'000;  // `play` gives up after this turn
  static constexpr int turn_max = 1'000'000;  // the counter stops there; play from 0 never gets near
  static constexpr Alphabet cells = Alphabet::of(".RB");

  enum Colour : std::uint8_t { white, red, blue };
  enum Facing : int { right = 1, left, up, down };
  static constexpr std::array<std::string_view, 4> facings = {"right", "left", "up", "down"};

  struct Piece {
    int row = 0;
    int column = 0;
    int facing = right;
    int level = 0;  // 0 is the bottom of the stack
    bool operator==(const Piece&) const = default;
  };

  /// A position, which is also what a run starts from. The levels of a stack of n are 0 … n − 1, and
  /// the game has ended exactly when a stack of four or more stands.
  struct Setup {
    int size = 1;
    int turn = 0;  // turns begun so far, at most turn_max
    bool ended = false;
    Grid board{1, 1};
    std::vector<Piece> pieces{Piece{}};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// One piece moves, with all that stands on it; not a turn.
  struct Move {
    static constexpr std::string_view name = "move";
    int piece = 0;
    bool operator==(const Move&) const = default;
  };
  /// Every piece moves once, in order, until the game ends.
  struct Turn {
    static constexpr std::string_view name = "turn";
    bool operator==(const Turn&) const = default;
  };
  /// Turns until the game ends or turn 1,000 has passed.
  struct Play {
    static constexpr std::string_view name = "play";
    bool operator==(const Play&) const = default;
  };
  using Action = std::variant<Move, Turn, Play>;

  enum class Says : std::uint8_t { illegal, moved, turned, played };

  struct Observation {
    Says says = Says::illegal;
    bool ended = false;      // moved, turned: this action ended the game
    std::int8_t piece = -1;  // turned: the piece whose move ended it, or −1
    std::int32_t turn = -1;  // played: the turn that ended it, or −1
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.size("size", s.size, 1, size_max);
    io.number("turn", s.turn, 0, turn_max);
    io.flag("ended", s.ended);
    io.board("board", s.board, s.size, s.size, cells);
    io.list("piece", s.pieces, 1, pieces_max, [&s](auto& piece_io, Piece& p) {
      piece_io.number("row", p.row, 0, s.size - 1);
      piece_io.number("column", p.column, 0, s.size - 1);
      piece_io.choice("facing", p.facing, right, facings);
      piece_io.number("level", p.level, 0, pieces_max - 1);
    });
  }
  static void describe(auto& io, const Setup& s, Move& a) {
    io.number("piece", a.piece, 0, static_cast<int>(s.pieces.size()) - 1);
  }
  static void describe(auto& io, Observation& o) {
    bool legal = o.says != Says::illegal;
    io.flag("legal", legal);
    if (o.says == Says::moved || o.says == Says::turned) io.flag("ended", o.ended);
    if (o.says == Says::turned) io.value("piece", o.piece);
    if (o.says == Says::played) io.value("turn", o.turn);
  }

  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  /// Equal positions move alike: the turn counter only decides how long `play` goes on.
  static Snapshot position(Snapshot s) {
    s.turn = 0;
    return s;
  }

  static constexpr std::array<Feature, 18> features = {"illegal",
                                                       "a move ended it",
                                                       "piece that ended a turn",
                                                       "turn that ended play",
                                                       "play without an end",
                                                       "tallest stack",
                                                       "stacks",
                                                       "pieces on red",
                                                       "pieces on blue",
                                                       "blocked both ways",
                                                       {"turn of the end", turns_played},
                                                       {"turn counter at play", turns_played},
                                                       {"turn counter, up to the most", turn_max},
                                                       {"pieces", 8},
                                                       {"size", 8},
                                                       {"tallest stack, up to the most", pieces_max},
                                                       "ways closed to a move",
                                                       {"piece that ended a turn, up to the last", pieces_max}};
  static constexpr std::array<Limit, 12> limits = {{
      {"a stack of four ends the game", "tallest stack", end_height},
      {"the final stack can be taller, up to all ten",
       "tallest stack, up to the most",
       pieces_max,
       {},
       "ten pieces make no taller one"},
      {"play answers the turn that ends it, up to 1000", "turn of the end", turns_played},
      {"with the counter at 1000 or more play moves nothing", "turn counter at play", turns_played},
      {"the turn counter stops at a million", "turn counter, up to the most", turn_max, {}, "it stops there"},
      {"1 × 1 is the smallest board", "size", 1, "there is no smaller board"},
      {"the judge's smallest board is 4 × 4", "size", 4},
      {"12 × 12 is the largest board", "size", size_max, {}, "there is no larger board"},
      {"one piece is the fewest", "pieces", 1, "there is always one"},
      {"ten pieces are the most", "pieces", pieces_max, {}, "there is no eleventh"},
      {"blue or the edge turns a piece round; on both sides it stays", "ways closed to a move", 1},
      {"a turn can end with its last piece",
       "piece that ended a turn, up to the last",
       pieces_max,
       {},
       "there is no eleventh"},
  }};
  static void observe(auto&& emit, const Action&, const Observation& o) {
    switch (o.says) {
      case Says::illegal: return emit(0, 1);
      case Says::moved: return emit(1, o.ended ? 1 : 0);
      case Says::turned: emit(2, o.piece + 1); return emit(17, o.piece + 1);
      case Says::played: return o.turn < 0 ? emit(4, 1) : emit(3, o.turn);
    }
  }
  static void survey(auto&& emit, const Snapshot& s) {
    int tallest = 0;
    int stacks = 0;
    int on_red = 0;
    int on_blue = 0;
    int blocked = 0;
    for (const Piece& p : s.pieces) {
      tallest = std::max(tallest, p.level + 1);
      if (p.level == 1) ++stacks;
      if (s.board.at(p.row, p.column) == red) ++on_red;
      if (s.board.at(p.row, p.column) == blue) ++on_blue;
      if (ways_closed(s, p) == 2) ++blocked;
    }
    emit(5, tallest);
    emit(6, stacks);
    emit(7, on_red);
    emit(8, on_blue);
    emit(9, blocked);
    emit(12, s.turn);
    emit(13, static_cast<int>(s.pieces.size()));
    emit(14, s.size);
    emit(15, tallest);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation& o,
                      const Snapshot& after) {
    if (!before.ended && after.ended) emit(10, after.turn);
    if (o.says == Says::played) emit(11, before.turn);
    const auto* move = std::get_if<Move>(&action);
    if (move != nullptr && o.says == Says::moved) {
      emit(16, ways_closed(before, before.pieces[static_cast<std::size_t>(move->piece)]));
    }
  }

  /// Crowded little boards, stacks of two and three, narrow passages, counters close to turn 1,000.
  class Suggestions {
   public:
    explicit Suggestions(Random& random);
    Setup setup(Random& random);
    Action action(Random& random, const Setup& setup);

   private:
    unsigned weight_move_;
    unsigned weight_turn_;
    unsigned weight_play_;
    unsigned red_;       // of 20 cells, about this many
    unsigned blue_;      // and this many
    unsigned stacked_;   // of 10 pieces, about this many start on another
    unsigned vertical_;  // of 10 pieces, about this many face up or down
    int favourites_;     // moves keep to this many of the first pieces; 0: to none
  };

  static std::vector<Symmetry<Stacking>> symmetries();

  /// N K, then N rows of N colours, then K lines of row, column and direction; the turn or −1 out.
  struct ProblemFormat {
    static Parsed<std::vector<ProblemCase<Stacking>>> read(std::string_view text);
    static Parsed<std::string> print(const ProblemCase<Stacking>&, std::span<const Observation>);
  };

 private:
  /// 0 when a piece finds neither blue nor the board's edge before it; 1 when it does, and none behind it; 2 for both.
  static int ways_closed(const Setup& s, const Piece& p) {
    const int down_by = p.facing == down ? 1 : p.facing == up ? -1 : 0;
    const int right_by = p.facing == right ? 1 : p.facing == left ? -1 : 0;
    const auto closed = [&s](int row, int column) {
      return !s.board.contains(row, column) || s.board.at(row, column) == blue;
    };
    if (!closed(p.row + down_by, p.column + right_by)) return 0;
    return closed(p.row - down_by, p.column - right_by) ? 2 : 1;
  }
};
static_assert(System<Stacking>);

}  // namespace lockstep
