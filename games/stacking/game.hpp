// Stacking: pieces on a coloured board move in turn, each carrying the pieces on top of it, until a stack has four or
// more pieces. Defines the types only; the rules are in the simulators.
//
// Board: size × size cells, row 0 at the top: white '.', red 'R' (a group lands upside down), blue 'B'
// (a piece turns round). Pieces count from 0; level 0 is the bottom of a stack.
// Source: BOJ 17837; rulings in docs/rules.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/describe/describe.hpp"

namespace lockstep {

struct Stacking {
  static constexpr std::string_view name = "stacking";

  static constexpr int size_max = 12;
  static constexpr int pieces_max = 10;
  static constexpr int end_height = 4;        // a stack of this many ends the game
  static constexpr int turns_played = 1'000;  // `play` stops after this turn
  static constexpr int turn_max = 1'000'000;  // the counter saturates here; a game from turn 0 never reaches it
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

  /// A position; also the setup of a run. The levels of a stack of n are 0 … n − 1, and the game has ended exactly
  /// when there is a stack of four or more.
  struct Setup {
    int size = 1;
    int turn = 0;  // turns started so far, at most turn_max
    bool ended = false;
    Grid board{1, 1};
    std::vector<Piece> pieces{Piece{}};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// Moves one piece with all pieces on top of it; not a turn.
  struct Move {
    static constexpr std::string_view name = "move";
    int piece = 0;
    bool operator==(const Move&) const = default;
  };
  /// Moves every piece once, in order, until the game ends.
  struct Turn {
    static constexpr std::string_view name = "turn";
    bool operator==(const Turn&) const = default;
  };
  /// Plays turns until the game ends or turn 1,000 has passed.
  struct Play {
    static constexpr std::string_view name = "play";
    bool operator==(const Play&) const = default;
  };
  using Action = std::variant<Move, Turn, Play>;

  enum class Says : std::uint8_t { illegal, moved, turned, played };

  struct Observation {
    Says says = Says::illegal;
    bool ended = false;      // moved, turned: this action ended the game
    std::int8_t piece = -1;  // turned: the piece that ended it by its move, or −1
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
    io.flag("legal", o.says != Says::illegal);
    if (o.says == Says::moved || o.says == Says::turned) io.flag("ended", o.ended);
    if (o.says == Says::turned) io.value("piece", o.piece);
    if (o.says == Says::played) io.value("turn", o.turn);
  }

  struct Laws;
  struct Features;
  struct Suggestions;
  struct ProblemFormat;
  struct Explorations;
  struct Workloads;
};
static_assert(System<Stacking>);

}  // namespace lockstep
