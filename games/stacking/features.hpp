// Features of stacking: how deep a scenario went.
#pragma once

#include <algorithm>
#include <array>
#include <variant>

#include "games/stacking/game.hpp"
#include "lockstep/base/limits.hpp"

namespace lockstep {

struct Stacking::Features {
  enum : std::size_t {
    illegal,
    move_ended_it,
    ending_piece,
    ending_turn,
    endless_play,
    tallest_stack,
    stacks,
    pieces_on_red,
    pieces_on_blue,
    blocked_both_ways,
    turn_of_the_end,
    counter_at_play,
    counter_around_most,
    piece_count,
    board_size,
    tallest_stack_around_most,
    ways_closed,
    ending_piece_around_last,
    turn_of_the_end_played_on,
  };
  static constexpr std::array<Feature, 19> list = {{
      {illegal, "illegal"},
      {move_ended_it, "a move ended it"},
      {ending_piece, "piece that ended a turn"},
      {ending_turn, "turn that ended play"},
      {endless_play, "play without an end"},
      {tallest_stack, "tallest stack"},
      {stacks, "stacks"},
      {pieces_on_red, "pieces on red"},
      {pieces_on_blue, "pieces on blue"},
      {blocked_both_ways, "blocked both ways"},
      {turn_of_the_end, "turn of the end", turns_played},
      {counter_at_play, "turn counter at play", turns_played},
      {counter_around_most, "turn counter, up to the most", turn_max},
      {piece_count, "pieces", 8},
      {board_size, "size", 8},
      {tallest_stack_around_most, "tallest stack, up to the most", pieces_max},
      {ways_closed, "ways closed to a move"},
      {ending_piece_around_last, "piece that ended a turn, up to the last", pieces_max},
      {turn_of_the_end_played_on, "turn of the end if play went on", turns_played},
  }};
  static constexpr std::array<Limit, 14> limits = {{
      {"a stack of four ends the game", tallest_stack, end_height},
      {"the final stack can be taller, up to all ten",
       tallest_stack_around_most,
       pieces_max,
       {},
       "ten pieces make no taller one"},
      {"play answers the turn that ends it, up to 1000", turn_of_the_end, turns_played},
      {"play stops after turn 1000, whatever the next one brings", turn_of_the_end_played_on, turns_played},
      {"with the counter at 1000 or more play moves nothing", counter_at_play, turns_played},
      {"the turn counter stops at a million", counter_around_most, turn_max, {}, "it stops there"},
      {"1 × 1 is the smallest board", board_size, 1, "there is no smaller board"},
      {"the judge's smallest board is 4 × 4", board_size, 4},
      {"12 × 12 is the largest board", board_size, size_max, {}, "there is no larger board"},
      {"one piece is the fewest", piece_count, 1, "there is always one"},
      {"the judge's fewest are four pieces", piece_count, 4},
      {"ten pieces are the most", piece_count, pieces_max, {}, "there is no eleventh"},
      {"blue or the edge turns a piece round; on both sides it stays", ways_closed, 1},
      {"a turn can end with its last piece", ending_piece_around_last, pieces_max, {}, "there is no eleventh"},
  }};

  static void observe(auto&& emit, const Action&, const Observation& o) {
    switch (o.says) {
      case Says::illegal: return emit(illegal, 1);
      case Says::moved: return emit(move_ended_it, o.ended ? 1 : 0);
      case Says::turned: emit(ending_piece, o.piece + 1); return emit(ending_piece_around_last, o.piece + 1);
      case Says::played: return o.turn < 0 ? emit(endless_play, 1) : emit(ending_turn, o.turn);
    }
  }
  static void survey(auto&& emit, const Snapshot& s) {
    const Tally tally = tally_of(s);
    emit(tallest_stack, tally.tallest);
    emit(tallest_stack_around_most, tally.tallest);
    emit(stacks, tally.stacks);
    emit(pieces_on_red, tally.on_red);
    emit(pieces_on_blue, tally.on_blue);
    emit(blocked_both_ways, tally.blocked);
    emit(counter_around_most, s.turn);
    emit(piece_count, static_cast<int>(s.pieces.size()));
    emit(board_size, s.size);
  }
  static void witness(auto&& emit, const Snapshot& before, const Action& action, const Observation& o,
                      const Snapshot& after) {
    if (!before.ended && after.ended) emit(turn_of_the_end, after.turn);
    if (o.says == Says::played) {
      emit(counter_at_play, before.turn);
      if (o.turn >= 0) emit(turn_of_the_end_played_on, o.turn);
      else if (before.turn < turns_played && ends_next(after)) emit(turn_of_the_end_played_on, after.turn + 1);
    }
    const auto* move = std::get_if<Move>(&action);
    if (move != nullptr && o.says == Says::moved) {
      emit(ways_closed, closed_to(before, before.pieces[static_cast<std::size_t>(move->piece)]));
    }
  }

 private:
  /// Counts over one position.
  struct Tally {
    int tallest = 0;  // height of the tallest stack
    int stacks = 0;   // stacks of two or more
    int on_red = 0;   // pieces on red
    int on_blue = 0;
    int blocked = 0;  // pieces blocked both ways
  };
  static Tally tally_of(const Snapshot&);
  /// 0 when neither blue nor the edge is ahead of a piece; 1 when only ahead; 2 when ahead and behind.
  static int closed_to(const Snapshot&, const Piece&);
  /// Whether the next turn would end the game.
  static bool ends_next(const Snapshot&);
};

}  // namespace lockstep
