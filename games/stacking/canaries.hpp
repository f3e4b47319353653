// Stacking canaries: one plain simulator that makes one of several realistic mistakes.
//
// The simulator works on the snapshot itself: each piece has its cell and level, and the pieces that share a cell are
// a stack. Without a mistake it must agree with the reference, which a test checks, so each canary is wrong in exactly
// the way that its name says. Every canary terminates and stays on the board.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/system/registry.hpp"

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
  end_at_turn_1001_told,
  plays_on_past_1000,
  cycle_lands_one_turn_off,
  cycle_ignores_facing,
  cycle_ignores_order,
  cycle_length_in_six_bits,
  blocked_for_ever,
};

class WrongStacking {
  using enum StackingMistake;
  using Piece = Stacking::Piece;

 public:
  explicit WrongStacking(const Stacking::Setup& setup, StackingMistake mistake = none)
      : mistake_{mistake}, state_{setup} {}

  Stacking::Observation step(const Stacking::Action& action) {
    const auto* one = std::get_if<Stacking::Move>(&action);
    const bool overlooked = mistake_ == move_after_the_end && one != nullptr;
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
      if (!state_.ended || mistake_ == no_stop_in_mid_turn) continue;
      if (mistake_ == last_turn_not_counted) --state_.turn;
      return piece;
    }
    if (mistake_ == no_stop_in_mid_turn) {
      state_.ended =
          std::ranges::any_of(state_.pieces, [](const Piece& p) { return p.level + 1 >= Stacking::end_height; });
    }
    return state_.ended ? count - 1 : -1;
  }

  int play() {
    constexpr int last = Stacking::turns_played;
    if (mistake_ != plays_on_past_1000 && state_.turn >= last) return -1;
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
        const int length = mistake_ == cycle_length_in_six_bits ? std::max(since % 64, 1) : since;
        int left = (last - state_.turn) % length;
        if (mistake_ == cycle_lands_one_turn_off) ++left;
        for (; left > 0; --left) turn();
        state_.turn = last;
      } else if (since == wait) {
        kept = state_;
        since = 0;
        wait *= 2;
      }
    } while (state_.turn < last);
    if (mistake_ == end_at_turn_1001_told) {
      WrongStacking next = *this;
      if (next.turn() >= 0) return (state_ = next.state_).turn;
    }
    return -1;
  }

  /// The result of `play` when the game has ended.
  int answer(int first) const {
    if (mistake_ == play_counts_its_own_turns) return state_.turn - first;
    if (mistake_ == end_at_turn_1000_missed) return state_.turn < Stacking::turns_played ? state_.turn : -1;
    if (mistake_ == last_turn_not_counted) return state_.turn + 1;
    return state_.turn;
  }

  bool stands_as(const Stacking::Snapshot& then) const {
    return std::ranges::equal(state_.pieces, then.pieces, [this](const Piece& a, const Piece& b) {
      return share_cell(a, b) && (mistake_ == cycle_ignores_facing || a.facing == b.facing) &&
             (mistake_ == cycle_ignores_order || a.level == b.level);
    });
  }

  // One move ------------------------------------------------------------------------------------

  struct Cell {
    int row;
    int column;
  };

  void move(std::size_t index) {
    Piece& mover = state_.pieces[index];
    if (mistake_ == blocked_for_ever && blocked_[index]) {
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
        if (mistake_ == blocked_keeps_facing) mover.facing = facing;
        blocked_[index] = true;
        return;
      }
    }
    const bool red = state_.board.at(to.row, to.column) == Stacking::red;
    bool upside_down = red;
    if (mistake_ == reversed_on_white_after_turning) upside_down = red || turns;
    if (mistake_ == red_forgotten_after_turning) upside_down = red && !turns;
    if (mistake_ == red_reverses_the_destination) upside_down = false;
    if (mistake_ == carried_turn_round_too) {
      for (Piece& p : state_.pieces) {
        if (turns && share_cell(p, mover) && p.level > mover.level) p.facing = opposite(p.facing);
      }
    }
    const int height = carry(mover, to, upside_down);
    if (mistake_ == red_reverses_the_destination && red) {
      for (Piece& p : state_.pieces) {
        if (p.row == to.row && p.column == to.column) p.level = height - 1 - p.level;
      }
    }
    if (mistake_ == exactly_four_ends ? height == Stacking::end_height : height >= Stacking::end_height) {
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
    const int room = mistake_ == only_four_land ? std::max(0, Stacking::end_height - below) : count;
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

  int opposite(int facing) const {
    constexpr std::array<int, 5> all = {0, Stacking::left, Stacking::right, Stacking::down, Stacking::up};
    if (mistake_ == no_opposite_of_up_and_down && facing >= Stacking::up) return facing;
    return all[static_cast<std::size_t>(facing)];
  }

  Cell ahead(const Piece& p) const {
    constexpr std::array<int, 5> down_by = {0, 0, 0, -1, 1};
    constexpr std::array<int, 5> right_by = {0, 1, -1, 0, 0};
    const std::size_t facing = static_cast<std::size_t>(p.facing);
    Cell cell{p.row + down_by[facing], p.column + right_by[facing]};
    if (mistake_ == index_minus_one_wraps) {
      if (cell.row < 0) cell.row = state_.size - 1;
      if (cell.column < 0) cell.column = state_.size - 1;
    }
    return cell;
  }

  bool can_enter(Cell cell) const {
    return state_.board.contains(cell.row, cell.column) && state_.board.at(cell.row, cell.column) != Stacking::blue;
  }

  StackingMistake mistake_;
  Stacking::Snapshot state_;
  std::array<bool, Stacking::pieces_max> blocked_{};  // has met blue or the edge on both sides before
};
static_assert(Implementation<WrongStacking, Stacking>);

inline const std::array stacking_canaries = {
    register_canary<WrongStacking, Stacking>("reversed_on_white_after_turning",
                                             StackingMistake::reversed_on_white_after_turning,
                                             "a group that turned round lands upside down on white too"),
    register_canary<WrongStacking, Stacking>("red_forgotten_after_turning",
                                             StackingMistake::red_forgotten_after_turning,
                                             "a group that turned round lands the right way up on red"),
    register_canary<WrongStacking, Stacking>("red_reverses_the_destination",
                                             StackingMistake::red_reverses_the_destination,
                                             "red turns the whole stack upside down, not only the group"),
    register_canary<WrongStacking, Stacking>("carried_turn_round_too", StackingMistake::carried_turn_round_too,
                                             "carried pieces turn round with the one that carries them"),
    register_canary<WrongStacking, Stacking>("blocked_keeps_facing", StackingMistake::blocked_keeps_facing,
                                             "a piece that is blocked both ways does not turn round"),
    register_canary<WrongStacking, Stacking>("no_opposite_of_up_and_down", StackingMistake::no_opposite_of_up_and_down,
                                             "the table of opposites lacks up and down"),
    register_canary<WrongStacking, Stacking>("index_minus_one_wraps", StackingMistake::index_minus_one_wraps,
                                             "row or column -1 is taken for the last one"),
    register_canary<WrongStacking, Stacking>("only_four_land", StackingMistake::only_four_land,
                                             "a stack keeps four entries, the rest of the group stays behind"),
    register_canary<WrongStacking, Stacking>("exactly_four_ends", StackingMistake::exactly_four_ends,
                                             "a stack that jumps from three or less to five or more ends nothing"),
    register_canary<WrongStacking, Stacking>("no_stop_in_mid_turn", StackingMistake::no_stop_in_mid_turn,
                                             "the end is looked for after the last piece only"),
    register_canary<WrongStacking, Stacking>("move_after_the_end", StackingMistake::move_after_the_end,
                                             "a single move is allowed after the end"),
    register_canary<WrongStacking, Stacking>("last_turn_not_counted", StackingMistake::last_turn_not_counted,
                                             "the turn that ends the game does not count"),
    register_canary<WrongStacking, Stacking>("play_counts_its_own_turns", StackingMistake::play_counts_its_own_turns,
                                             "play answers how many turns it played"),
    register_canary<WrongStacking, Stacking>("end_at_turn_1000_missed", StackingMistake::end_at_turn_1000_missed,
                                             "an end in turn 1000 is taken for none"),
    register_canary<WrongStacking, Stacking>("end_at_turn_1001_told", StackingMistake::end_at_turn_1001_told,
                                             "play looks at the counter after the turn, so that turn 1001 can end it"),
    register_canary<WrongStacking, Stacking>("plays_on_past_1000", StackingMistake::plays_on_past_1000,
                                             "play moves once before it looks at the counter"),
    register_canary<WrongStacking, Stacking>("cycle_lands_one_turn_off", StackingMistake::cycle_lands_one_turn_off,
                                             "the shortcut through a cycle plays a turn too many"),
    register_canary<WrongStacking, Stacking>("cycle_ignores_facing", StackingMistake::cycle_ignores_facing,
                                             "the cycle detector does not compare directions"),
    register_canary<WrongStacking, Stacking>("cycle_ignores_order", StackingMistake::cycle_ignores_order,
                                             "the cycle detector does not compare the order in a stack"),
    register_canary<WrongStacking, Stacking>(
        "cycle_length_in_six_bits", StackingMistake::cycle_length_in_six_bits,
        "the length of a cycle is kept modulo 64, so that longer ones end elsewhere"),
    register_canary<WrongStacking, Stacking>(
        "blocked_for_ever", StackingMistake::blocked_for_ever,
        "a piece blocked both ways is never tried again, even when it is carried elsewhere"),
};

}  // namespace lockstep::canaries
