// Features of Puyo Puyo: how deep a scenario went.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/base/limits.hpp"

namespace lockstep {

struct Puyo::Features {
  static constexpr int field_max = rows * columns;  // capacity of a field

  enum : std::size_t {
    illegal,
    chains,
    vanished_in_a_chain,
    colours_in_a_chain,
    tallest_column,
    full_columns,
    puyos,
    largest_group,
    chains_around_most,
    puyos_under_a_drop,
    puyos_around_full,
    column_of_a_drop,
    group_at_a_resolve,
    height_of_what_vanishes,
    column_of_what_vanishes,
  };
  static constexpr std::array<Feature, 15> list = {{
      {illegal, "illegal"},
      {chains, "chains"},
      {vanished_in_a_chain, "vanished in a chain"},
      {colours_in_a_chain, "colours in a chain"},
      {tallest_column, "tallest column"},
      {full_columns, "full columns"},
      {puyos, "cells"},
      {largest_group, "largest group"},
      {chains_around_most, "chains, up to the most", chains_max},
      {puyos_under_a_drop, "puyos in the column of a drop", rows},  // including the dropped one: 13 is a refusal
      {puyos_around_full, "cells of a full field", field_max},
      {column_of_a_drop, "column of a drop"},
      {group_at_a_resolve, "group at a resolve"},
      {height_of_what_vanishes, "height of what vanishes", rows},
      {column_of_what_vanishes, "column of what vanishes"},
  }};
  static constexpr std::array<Limit, 9> limits = {{
      {"four of a colour that touch vanish", group_at_a_resolve, group_min},
      {"a column holds 12", puyos_under_a_drop, rows},
      {"the field has 12 rows: what vanishes can stand in the top one",
       height_of_what_vanishes,
       rows,
       {},
       "there is no row above"},
      {"the field holds 72", puyos_around_full, field_max, {}, "a full column refuses the drop"},
      {"at most 18 chains", chains_around_most, chains_max, {}, "72 cells hold 18 groups of four"},
      {"five colours", colours_in_a_chain, colours, {}, "there is no sixth"},
      {"a resolve without a group makes no chain", chains, 0, "fewer than none"},
      {"the first column", column_of_what_vanishes, 0, "there is none to the left"},
      {"the last column", column_of_what_vanishes, columns - 1, {}, "there is none to the right"},
  }};

  static void observe(auto&& emit, const Action&, const Observation& o) {
    if (o.says == Says::illegal) return emit(illegal, 1);
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
    emit(chains, o.chains);
    emit(chains_around_most, o.chains);
    emit(vanished_in_a_chain, most);
    emit(colours_in_a_chain, most_colours);
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const Tally tally = tally_of(s);
    emit(tallest_column, tally.tallest);
    emit(full_columns, tally.full);
    emit(puyos, tally.puyos);
    emit(puyos_around_full, tally.puyos);
    emit(largest_group, tally.largest_group);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation&, const Snapshot&) {
    if (const auto* drop = std::get_if<Drop>(&action)) {
      emit(puyos_under_a_drop, height_of(before, drop->column) + 1);
      emit(column_of_a_drop, drop->column);
      return;
    }
    for (const Member& member : members_of_groups(before)) {
      emit(group_at_a_resolve, member.group);
      if (member.group < group_min) continue;
      emit(height_of_what_vanishes, rows - member.row);
      emit(column_of_what_vanishes, member.column);
    }
  }

 private:
  /// Counts over one position.
  struct Tally {
    int tallest = 0;  // height of the tallest column
    int full = 0;     // number of full columns
    int puyos = 0;
    int largest_group = 0;
  };
  static Tally tally_of(const Snapshot&);
  static int height_of(const Snapshot&, int column);
  /// A puyo and the size of its group in the position before a resolve: nothing is resolved here. The search is that
  /// of the laws (groups.hpp), which check the chains of every simulator.
  struct Member {
    int row, column, group;
  };
  static std::vector<Member> members_of_groups(const Snapshot&);
};

}  // namespace lockstep
