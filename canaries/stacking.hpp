// Stacking canaries: one plain simulator and realistic mistakes, each a compile-time switch.
//
// The simulator works on the snapshot itself: each piece has its cell and level, and the pieces that share a cell are
// a stack. Without a mistake it must agree with the reference, which a test checks, so each canary is wrong in exactly
// the way that its name says. Every canary terminates and stays on the board.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/registry.hpp"

namespace lockstep::canaries {

enum class StackingMistake {
  none,
  reversed_on_white_after_turning,
  red_forgotten_after_turning,
  red_reverses_the_destination,
  carried_turn_round_too,
  blocked_keeps_facing,
  no_opposite_of_up_and_down,
  index_minus_one_wraps,
  only_four_land,
  exactly_four_ends,
  no_stop_in_mid_turn,
  move_after_the_end,
  last_turn_not_counted,
  play_counts_its_own_turns,
  end_at_turn_1000_missed,
  plays_on_past_1000,
  cycle_lands_one_turn_off,
  cycle_ignores_facing,
  cycle_ignores_order,
  cycle_length_in_six_bits,
  blocked_for_ever,
};

template <StackingMistake mistake>
class WrongStacking {
  using enum StackingMistake;
  using Piece = Stacking::Piece;

 public:
  explicit WrongStacking(const Stacking::Setup& setup) : state_{setup} {}

  Stacking::Observation step(const Stacking::Action& action) {
    const auto* one = std::get_if<Stacking::Move>(&action);
    const bool overlooked = mistake == move_after_the_end && one != nullptr;
    if (state_.ended && !overlooked) return {.says = Stacking::Says::illegal};
    if (one != nullptr) {
      move(static_cast<std::size_t>(one->piece));
      return {.says = Stacking::Says::moved, .ended = state_.ended};
    }
    if (std::holds_alternative<Stacking::Turn>(action)) {
      const int last = turn();
      return {.says = Stacking::Says::turned, .ended = state_.ended, .piece = static_cast<std::int8_t>(last)};
    }
    return {.says = Stacking::Says::played, .turn = play()};
  }

  Stacking::Snapshot snapshot() const { return state_; }

 private:
  // Turns ---------------------------------------------------------------------------------------

  /// Moves the pieces in order; returns the piece that ended the game, or −1.
  int turn() {
    state_.turn = std::min(state_.turn + 1, Stacking::turn_max);
    const int count = static_cast<int>(state_.pieces.size());
    for (int piece = 0; piece < count; ++piece) {
      move(static_cast<std::size_t>(piece));
      if (!state_.ended || mistake == no_stop_in_mid_turn) continue;
      if constexpr (mistake == last_turn_not_counted) --state_.turn;
      return piece;
    }
    if constexpr (mistake == no_stop_in_mid_turn) {
      state_.ended =
          std::ranges::any_of(state_.pieces, [](const Piece& p) { return p.level + 1 >= Stacking::end_height; });
    }
    return state_.ended ? count - 1 : -1;
  }

  int play() {
    constexpr int last = Stacking::turns_played;
    if (mistake != plays_on_past_1000 && state_.turn >= last) return -1;
    const int first = state_.turn;
    Stacking::Snapshot kept = state_;
    int since = 0;  // turns since the kept state
    int wait = 1;
    do {
      turn();
      if (state_.ended) return answer(first);
      ++since;
      if (stands_as(kept)) {
        // The first few lengths at which the detector compares fit into six bits; 64 and more do not.
        const int length = mistake == cycle_length_in_six_bits ? std::max(since % 64, 1) : since;
        int left = (last - state_.turn) % length;
        if constexpr (mistake == cycle_lands_one_turn_off) ++left;
        for (; left > 0; --left) turn();
        state_.turn = last;
      } else if (since == wait) {
        kept = state_;
        since = 0;
        wait *= 2;
      }
    } while (state_.turn < last);
    return -1;
  }

  /// The result of `play` when the game has ended.
  int answer(int first) const {
    if constexpr (mistake == play_counts_its_own_turns) return state_.turn - first;
    if constexpr (mistake == end_at_turn_1000_missed) return state_.turn < Stacking::turns_played ? state_.turn : -1;
    if constexpr (mistake == last_turn_not_counted) return state_.turn + 1;
    return state_.turn;
  }

  bool stands_as(const Stacking::Snapshot& then) const {
    return std::ranges::equal(state_.pieces, then.pieces, [](const Piece& a, const Piece& b) {
      return share_cell(a, b) && (mistake == cycle_ignores_facing || a.facing == b.facing) &&
             (mistake == cycle_ignores_order || a.level == b.level);
    });
  }

  // One move ------------------------------------------------------------------------------------

  struct Cell {
    int row;
    int column;
  };

  void move(std::size_t index) {
    Piece& mover = state_.pieces[index];
    if (mistake == blocked_for_ever && blocked_[index]) {
      mover.facing = opposite(mover.facing);
      return;
    }
    Cell to = ahead(mover);
    const bool turns = !can_enter(to);
    if (turns) {
      const int facing = mover.facing;
      mover.facing = opposite(facing);
      to = ahead(mover);
      if (!can_enter(to)) {
        if constexpr (mistake == blocked_keeps_facing) mover.facing = facing;
        blocked_[index] = true;
        return;
      }
    }
    const bool red = state_.board.at(to.row, to.column) == Stacking::red;
    bool upside_down = red;
    if constexpr (mistake == reversed_on_white_after_turning) upside_down = red || turns;
    if constexpr (mistake == red_forgotten_after_turning) upside_down = red && !turns;
    if constexpr (mistake == red_reverses_the_destination) upside_down = false;
    if constexpr (mistake == carried_turn_round_too) {
      for (Piece& p : state_.pieces) {
        if (turns && share_cell(p, mover) && p.level > mover.level) p.facing = opposite(p.facing);
      }
    }
    const int height = carry(mover, to, upside_down);
    if (mistake == red_reverses_the_destination && red) {
      for (Piece& p : state_.pieces) {
        if (p.row == to.row && p.column == to.column) p.level = height - 1 - p.level;
      }
    }
    if (mistake == exactly_four_ends ? height == Stacking::end_height : height >= Stacking::end_height) {
      state_.ended = true;
    }
  }

  /// Moves a piece and all above it to a cell; returns the height of the stack there.
  int carry(const Piece mover, Cell to, bool upside_down) {
    std::vector<Piece*> group;
    int below = 0;  // pieces already there
    for (Piece& p : state_.pieces) {
      if (share_cell(p, mover) && p.level >= mover.level) group.push_back(&p);
      else if (p.row == to.row && p.column == to.column) ++below;
    }
    const int count = static_cast<int>(group.size());
    const int room = mistake == only_four_land ? std::max(0, Stacking::end_height - below) : count;
    for (Piece* p : group) {
      const int place = upside_down ? count - 1 - (p->level - mover.level) : p->level - mover.level;
      if (place < room) {
        p->row = to.row;
        p->column = to.column;
        p->level = below + place;
      } else {
        p->level = mover.level + place - room;  // left behind
      }
    }
    return below + std::min(room, count);
  }

  static bool share_cell(const Piece& a, const Piece& b) { return a.row == b.row && a.column == b.column; }

  static int opposite(int facing) {
    constexpr std::array<int, 5> all = {0, Stacking::left, Stacking::right, Stacking::down, Stacking::up};
    if (mistake == no_opposite_of_up_and_down && facing >= Stacking::up) return facing;
    return all[static_cast<std::size_t>(facing)];
  }

  Cell ahead(const Piece& p) const {
    constexpr std::array<int, 5> down_by = {0, 0, 0, -1, 1};
    constexpr std::array<int, 5> right_by = {0, 1, -1, 0, 0};
    const std::size_t facing = static_cast<std::size_t>(p.facing);
    Cell cell{p.row + down_by[facing], p.column + right_by[facing]};
    if constexpr (mistake == index_minus_one_wraps) {
      if (cell.row < 0) cell.row = state_.size - 1;
      if (cell.column < 0) cell.column = state_.size - 1;
    }
    return cell;
  }

  bool can_enter(Cell cell) const {
    return state_.board.contains(cell.row, cell.column) && state_.board.at(cell.row, cell.column) != Stacking::blue;
  }

  Stacking::Snapshot state_;
  std::array<bool, Stacking::pieces_max> blocked_{};  // has met blue or the edge on both sides before
};
static_assert(Implementation<WrongStacking<StackingMistake::none>, Stacking>);

template <StackingMistake mistake>
Registration enlist_stacking(std::string_view name, std::string_view about,
                             std::source_location where = std::source_location::current()) {
  return register_canary<WrongStacking<mistake>, Stacking>(name, about, where);
}

inline const std::array stacking_canaries = {
    enlist_stacking<StackingMistake::reversed_on_white_after_turning>(
        "reversed_on_white_after_turning", "a group that turned round lands upside down on white too"),
    enlist_stacking<StackingMistake::red_forgotten_after_turning>(
        "red_forgotten_after_turning", "a group that turned round lands the right way up on red"),
    enlist_stacking<StackingMistake::red_reverses_the_destination>(
        "red_reverses_the_destination", "red turns the whole stack upside down, not only the group"),
    enlist_stacking<StackingMistake::carried_turn_round_too>(
        "carried_turn_round_too", "carried pieces turn round with the one that carries them"),
    enlist_stacking<StackingMistake::blocked_keeps_facing>("blocked_keeps_facing",
                                                           "a piece that is blocked both ways does not turn round"),
    enlist_stacking<StackingMistake::no_opposite_of_up_and_down>("no_opposite_of_up_and_down",
                                                                 "the table of opposites lacks up and down"),
    enlist_stacking<StackingMistake::index_minus_one_wraps>("index_minus_one_wraps",
                                                            "row or column -1 is taken for the last one"),
    enlist_stacking<StackingMistake::only_four_land>("only_four_land",
                                                     "a stack keeps four entries, the rest of the group stays behind"),
    enlist_stacking<StackingMistake::exactly_four_ends>(
        "exactly_four_ends", "a stack that jumps from three or less to five or more ends nothing"),
    enlist_stacking<StackingMistake::no_stop_in_mid_turn>("no_stop_in_mid_turn",
                                                          "the end is looked for after the last piece only"),
    enlist_stacking<StackingMistake::move_after_the_end>("move_after_the_end",
                                                         "a single move is allowed after the end"),
    enlist_stacking<StackingMistake::last_turn_not_counted>("last_turn_not_counted",
                                                            "the turn that ends the game does not count"),
    enlist_stacking<StackingMistake::play_counts_its_own_turns>("play_counts_its_own_turns",
                                                                "play answers how many turns it played"),
    enlist_stacking<StackingMistake::end_at_turn_1000_missed>("end_at_turn_1000_missed",
                                                              "an end in turn 1000 is taken for none"),
    enlist_stacking<StackingMistake::plays_on_past_1000>("plays_on_past_1000",
                                                         "play moves once before it looks at the counter"),
    enlist_stacking<StackingMistake::cycle_lands_one_turn_off>("cycle_lands_one_turn_off",
                                                               "the shortcut through a cycle plays a turn too many"),
    enlist_stacking<StackingMistake::cycle_ignores_facing>("cycle_ignores_facing",
                                                           "the cycle detector does not compare directions"),
    enlist_stacking<StackingMistake::cycle_ignores_order>("cycle_ignores_order",
                                                          "the cycle detector does not compare the order in a stack"),
    enlist_stacking<StackingMistake::cycle_length_in_six_bits>(
        "cycle_length_in_six_bits", "the length of a cycle is kept modulo 64, so that longer ones end elsewhere"),
    enlist_stacking<StackingMistake::blocked_for_ever>(
        "blocked_for_ever", "a piece blocked both ways is never tried again, even when it is carried elsewhere"),
};

}  // namespace lockstep::canaries
