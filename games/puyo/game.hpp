// Puyo Puyo: coloured puyos stand in columns; four or more of one colour that touch side by side
// vanish, what stood on them falls, and that may make the next four touch: a chain. This is the
// vocabulary only; the rules live in the simulators.
//
// Board: always 12 × 6 cells, row 0 at the top, 0 empty, 1 … 5 the colours R G B P Y. Columns fall.
// Source: BOJ 11559, "Puyo Puyo"; rulings in docs/rules.md.
#pragma once

#include <algorithm>
#include <array>
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

struct Puyo {
  static constexpr std::string_view name = "puyo";

  static constexpr int rows = 12;
  static constexpr int columns = 6;
  static constexpr int group_min = 4;                            // this many that touch vanish
  static constexpr int chains_max = rows * columns / group_min;  // every chain takes a group at least
  static constexpr Alphabet cells = Alphabet::of(".RGBPY");
  static constexpr int colours = 5;
  static constexpr std::array<std::string_view, colours> colour_names = {"red", "green", "blue", "purple", "yellow"};

  /// A position, which is also what a run starts from: settled. It may hold groups of four and more,
  /// since a drop does not resolve by itself.
  struct Setup {
    Grid board{rows, columns};
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  /// One puyo lands on top of the column; nothing vanishes yet.
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
    std::uint8_t chains = 0;  // resolved: how often something vanished
    /// resolved: what vanished, chain by chain, colour by colour (R G B P Y); 0 beyond the last chain.
    std::array<std::uint8_t, chains_max * colours> vanished{};
    bool operator==(const Observation&) const = default;

    std::span<std::uint8_t, colours> chain(int number) {
      return std::span<std::uint8_t, colours>{vanished.data() + number * colours, colours};
    }
    std::span<const std::uint8_t, colours> chain(int number) const {
      return std::span<const std::uint8_t, colours>{vanished.data() + number * colours, colours};
    }
  };

  static void describe(auto& io, Setup& s) { io.board("board", s.board, rows, columns, cells); }
  static void describe(auto& io, const Setup&, Drop& a) {
    io.choice("colour", a.colour, 1, colour_names);
    io.number("column", a.column, 0, columns - 1);
  }
  static void describe(auto& io, Observation& o) {
    bool legal = o.says != Says::illegal;
    io.flag("legal", legal);
    if (o.says != Says::resolved) return;
    io.value("chains", o.chains);
    for (int i = 0; i < std::min<int>(o.chains, chains_max); ++i) {
      io.values(vanished_names[static_cast<std::size_t>(i)], o.chain(i));
    }
  }

  static std::optional<Flaw> flaw(const Setup&);
  static void normalise(Setup&);
  static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
                               const Snapshot& after);

  static constexpr std::array<Feature, 15> features = {
      "illegal",
      "chains",
      "vanished in a chain",
      "colours in a chain",
      "tallest column",
      "full columns",
      "cells",
      "largest group",
      {"chains, up to the most", chains_max},
      {"puyos in the column of a drop", rows},  // with the one that drops, so that 13 is a refusal
      {"cells of a full field", rows* columns},
      "column of a drop",
      "group at a resolve",
      {"height of what vanishes", rows},
      "column of what vanishes"};
  static constexpr std::array<Limit, 9> limits = {{
      {"four of a colour that touch vanish", "group at a resolve", group_min},
      {"a column holds 12", "puyos in the column of a drop", rows},
      {"the field has 12 rows: what vanishes can stand in the top one",
       "height of what vanishes",
       rows,
       {},
       "there is no row above"},
      {"the field holds 72", "cells of a full field", rows* columns, {}, "a full column refuses the drop"},
      {"at most 18 chains", "chains, up to the most", chains_max, {}, "72 cells hold 18 groups of four"},
      {"five colours", "colours in a chain", colours, {}, "there is no sixth"},
      {"a resolve without a group makes no chain", "chains", 0, "fewer than none"},
      {"the first column", "column of what vanishes", 0, "there is none to the left"},
      {"the last column", "column of what vanishes", columns - 1, {}, "there is none to the right"},
  }};
  static void observe(auto&& emit, const Action&, const Observation& o) {
    if (o.says == Says::illegal) return emit(0, 1);
    if (o.says != Says::resolved) return;
    int most = 0;
    int most_colours = 0;
    for (int i = 0; i < std::min<int>(o.chains, chains_max); ++i) {
      int sum = 0;
      int kinds = 0;
      for (const std::uint8_t count : o.chain(i)) {
        sum += count;
        kinds += count > 0 ? 1 : 0;
      }
      most = std::max(most, sum);
      most_colours = std::max(most_colours, kinds);
    }
    emit(1, o.chains);
    emit(8, o.chains);
    emit(2, most);
    emit(3, most_colours);
  }
  static void survey(auto&& emit, const Snapshot& s) {
    int tallest = 0;
    int full = 0;
    int standing = 0;
    for (int column = 0; column < columns; ++column) {
      int height = 0;
      for (int row = 0; row < rows; ++row) height += s.board.at(row, column) != 0 ? 1 : 0;
      tallest = std::max(tallest, height);
      full += height == rows ? 1 : 0;
      standing += height;
    }
    emit(4, tallest);
    emit(5, full);
    emit(6, standing);
    emit(10, standing);
    emit(7, largest_group(s.board));
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation&, const Snapshot&) {
    if (const auto* drop = std::get_if<Drop>(&action)) {
      int height = 0;
      while (height < rows && before.board.at(rows - 1 - height, drop->column) != 0) ++height;
      emit(9, height + 1);
      emit(11, drop->column);
      return;
    }
    for (const Member& member : members_of_groups(before.board)) {
      emit(12, member.group);
      if (member.group < group_min) continue;
      emit(13, rows - member.row);
      emit(14, member.column);
    }
  }
  /// A puyo and the size of the group that it belongs to.
  struct Member {
    int row, column, group;
  };
  static std::vector<Member> members_of_groups(const Grid& board);
  /// How many puyos the largest group of one colour has.
  static int largest_group(const Grid& board);

  /// Fields that wait for one puyo: long chains built backwards, random fields of few colours, fields
  /// full to the brim; and play that keeps to some colours and some columns.
  class Suggestions {
   public:
    explicit Suggestions(Random& random);
    Setup setup(Random& random);
    Action action(Random& random, const Setup& setup);

   private:
    int colour(Random& random) const;

    unsigned resolves_;            // how often an action resolves, of 32
    int palette_;                  // how many colours are in play, 1 … 5 …
    int first_colour_;             // … from this one on, going round
    int width_;                    // columns in play …
    int left_;                     // … from this one on
    std::vector<Action> opening_;  // what sets the field off, last action first
  };

  /// A field that resolves in exactly this many chains. Up to 12 take milliseconds, beyond 16 it may search
  /// for minutes. Benchmarks draw their fields here: a change of its stream is a change of their work.
  static Setup chain_field(Random& random, int chains);

  static std::vector<Symmetry<Puyo>> symmetries();

  /// 12 lines of 6 characters in, the number of chains out.
  struct ProblemFormat {
    static Parsed<std::vector<ProblemCase<Puyo>>> read(std::string_view text);
    static Parsed<std::string> print(const ProblemCase<Puyo>&, std::span<const Observation>);
  };

 private:
  static constexpr std::array<std::string_view, chains_max> vanished_names = {
      "vanished[0]",  "vanished[1]",  "vanished[2]",  "vanished[3]",  "vanished[4]",  "vanished[5]",
      "vanished[6]",  "vanished[7]",  "vanished[8]",  "vanished[9]",  "vanished[10]", "vanished[11]",
      "vanished[12]", "vanished[13]", "vanished[14]", "vanished[15]", "vanished[16]", "vanished[17]"};
};
static_assert(System<Puyo>);

}  // namespace lockstep
