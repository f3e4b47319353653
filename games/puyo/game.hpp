// Puyo Puyo: coloured puyos are stacked in columns. Connected groups (up, down, left, right) of four or more of one
// colour vanish, the puyos above them fall, and that may connect the next group: a chain. Defines the types only; the
// rules are in the simulators.
//
// Board: always 12 × 6 cells, row 0 at the top, 0 empty, 1 … 5 the colours R G B P Y. Columns fall.
// Source: BOJ 11559, "Puyo Puyo"; rulings in docs/rules.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "lockstep/describe/describe.hpp"

namespace lockstep {

struct Puyo {
  static constexpr std::string_view name = "puyo";

  static constexpr int rows = 12;
  static constexpr int columns = 6;
  static constexpr int group_min = 4;                            // the smallest group that vanishes
  static constexpr int chains_max = rows * columns / group_min;  // every chain removes at least one group
  static constexpr Alphabet cells = Alphabet::of(".RGBPY");
  static constexpr int colours = 5;
  static constexpr std::array<std::string_view, colours> colour_names = {"red", "green", "blue", "purple", "yellow"};

  /// A position; also the setup of a run. Always settled. It may hold groups of four and more, since a drop does not
  /// resolve by itself.
  struct Setup {
    Grid board{rows, columns};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// Drops one puyo on top of the column; nothing vanishes yet.
  struct Drop {
    static constexpr std::string_view name = "drop";
    int colour = 1;
    int column = 0;
    bool operator==(const Drop&) const = default;
  };
  /// Groups vanish and columns fall, until no group is left.
  struct Resolve {
    static constexpr std::string_view name = "resolve";
    bool operator==(const Resolve&) const = default;
  };
  using Action = std::variant<Drop, Resolve>;

  enum class Says : std::uint8_t { illegal, dropped, resolved };

  struct Observation {
    Says says = Says::illegal;
    std::uint8_t chains = 0;  // resolved: the number of chains
    /// resolved: the vanished puyos by chain and colour (R G B P Y); 0 beyond the last chain.
    std::array<std::uint8_t, chains_max * colours> vanished{};
    bool operator==(const Observation&) const = default;

    std::span<std::uint8_t, colours> chain(int number) {
      return std::span<std::uint8_t, colours>{vanished.data() + number * colours, colours};
    }
    std::span<const std::uint8_t, colours> chain(int number) const {
      return std::span<const std::uint8_t, colours>{vanished.data() + number * colours, colours};
    }
  };

  /// A field in bits: the three binary digits of the colours, for each a word per column with row 0 in bit 0.
  using Bits = std::array<std::array<std::uint16_t, columns>, 3>;
  using Answer = std::uint8_t;  // the number of chains when the field is resolved

  static void describe(auto& io, Setup& s) { io.board("board", s.board, rows, columns, cells); }
  static void describe(auto& io, const Setup&, Drop& a) {
    io.choice("colour", a.colour, 1, colour_names);
    io.number("column", a.column, 0, columns - 1);
  }
  static void describe(auto& io, Observation& o) {
    io.flag("legal", o.says != Says::illegal);
    if (o.says != Says::resolved) return;
    io.value("chains", o.chains);
    for (int i = 0; i < std::min<int>(o.chains, chains_max); ++i) {
      io.values(vanished_names[static_cast<std::size_t>(i)], o.chain(i));
    }
  }

  struct Laws;
  struct Features;
  struct Suggestions;
  struct ProblemFormat;
  struct Explorations;
  struct Workloads;

 private:
  static constexpr std::array<std::string_view, chains_max> vanished_names = {
      "vanished[0]",  "vanished[1]",  "vanished[2]",  "vanished[3]",  "vanished[4]",  "vanished[5]",
      "vanished[6]",  "vanished[7]",  "vanished[8]",  "vanished[9]",  "vanished[10]", "vanished[11]",
      "vanished[12]", "vanished[13]", "vanished[14]", "vanished[15]", "vanished[16]", "vanished[17]"};
};
static_assert(System<Puyo>);

}  // namespace lockstep
