// Claims that do not hold: mistakes of canaries, stated as specifications of the right kernel. A claim has its canary's
// name. The right claims come first, and lend their functions.
#include <string>

#include "proof/claims/stacking.cpp"

namespace {

/// A board, and a piece on it.
struct Asked {
  Board board;
  std::uint8_t row;
  std::uint8_t column;
  std::uint8_t facing;
  std::uint8_t unused;
};
struct Landing {
  std::uint32_t landing;
};

std::uint32_t of(const Landings& landings, const Asked& in) {
  std::uint32_t out = 0;
  for (int facing = 0; facing < 4; ++facing) {
    for (int row = 0; row < sides; ++row) {
      for (int column = 0; column < sides; ++column) {
        if (facing == in.facing && row == in.row && column == in.column) out = landings.of[facing][row][column];
      }
    }
  }
  return out;
}

/// The piece carries another one, so that it is seen which of them lands first.
std::string scenario_of_asked(const Asked& in) {
  std::string out = "lockstep 1 stacking\nsize " + std::to_string(in.board.size) + "\nturn 0\nended no\nboard\n";
  for (unsigned row = 0; row < in.board.size; ++row) {
    for (unsigned column = 0; column < in.board.size; ++column)
      out += Stacking::cells.symbols[in.board.cells[row][column]];
    out += '\n';
  }
  for (const char* level : {"0", "1"}) {
    out += "piece row=" + std::to_string(in.row) + " column=" + std::to_string(in.column) +
           " facing=" + std::string(Stacking::facings[in.facing]) + " level=" + level + "\n";
  }
  return out + "actions\nmove piece=0\n";
}

struct Place {
  int row;
  int column;
};
Place ahead_of(int row, int column, int facing) { return {row + down[facing], column + right[facing]}; }

/// Lands by the rule; the functions may err about which facing is the opposite one and which cell lies ahead, and a
/// piece that stays may keep its facing.
void land_wrongly(const Asked& in, Landing& out, auto&& opposite, auto&& ahead, bool keeps_facing) {
  out = {};
  const auto is_blocked_at = [&](Place place) { return is_blocked(in.board, place.row, place.column); };
  for (int facing = 0; facing < 4; ++facing) {
    for (int row = 0; row < sides; ++row) {
      for (int column = 0; column < sides; ++column) {
        if (facing != in.facing || row != in.row || column != in.column) continue;
        const bool turns = is_blocked_at(ahead(row, column, facing));
        const int to = turns ? opposite(facing) : facing;
        const Place there = ahead(row, column, to);
        const bool stays = is_blocked_at(there);
        const bool red = !stays && in.board.cells[there.row][there.column] == Stacking::red;
        const int cell = stays ? row_of_cells * row + column : row_of_cells * there.row + there.column;
        const int faces = stays && keeps_facing ? facing : to;
        out.landing =
            static_cast<unsigned>(cell) | (red ? 0xf00u : 0u) | static_cast<std::uint32_t>(faces * cells) << 16;
      }
    }
  }
}

}  // namespace

extern "C" {

bool stacking_any_asked(const Asked& in) {
  return stacking_any_board(in.board) && in.facing < 4 && in.row < in.board.size && in.column < in.board.size &&
         in.unused == 0;
}

void stacking_packed_stacks_landing(const Asked& in, Landing& out) {
  Landings all;
  stacking_packed_stacks_landings(in.board, all);
  out.landing = of(all, in);
}

void stacking_reversed_on_white_after_turning(const Asked& in, Landing& out) {
  Landings all;
  land_by_the_rule(in.board, all, [](bool red, bool turns, bool stays) { return red || (turns && !stays); });
  out.landing = of(all, in);
}

void stacking_red_forgotten_after_turning(const Asked& in, Landing& out) {
  Landings all;
  land_by_the_rule(in.board, all, [](bool red, bool turns, bool) { return red && !turns; });
  out.landing = of(all, in);
}

void stacking_blocked_keeps_facing(const Asked& in, Landing& out) {
  land_wrongly(in, out, [](int facing) { return facing ^ 1; }, ahead_of, true);
}

void stacking_no_opposite_of_up_and_down(const Asked& in, Landing& out) {
  land_wrongly(in, out, [](int facing) { return facing < 2 ? facing ^ 1 : facing; }, ahead_of, false);
}

void stacking_index_minus_one_wraps(const Asked& in, Landing& out) {
  const int last = static_cast<int>(in.board.size) - 1;
  const auto wrapped = [=](int row, int column, int facing) {
    const Place place = ahead_of(row, column, facing);
    return Place{place.row < 0 ? last : place.row, place.column < 0 ? last : place.column};
  };
  land_wrongly(in, out, [](int facing) { return facing ^ 1; }, wrapped, false);
}

}  // extern "C"

#define WRONG_LANDING(NAME)                                                                       \
  claim<Asked, Landing>({.game = "canaries of stacking",                                          \
                         .name = #NAME,                                                           \
                         .says = "a mistake",                                                     \
                         .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_landing),               \
                         .specification = LOCKSTEP_SYMBOL(stacking_##NAME),                       \
                         .invariant = LOCKSTEP_SYMBOL(stacking_any_asked),                        \
                         .draw =                                                                  \
                             [](Draws& draws, Asked& in) {                                        \
                               draw_board(draws, in.board);                                       \
                               in.row = static_cast<std::uint8_t>(draws.below(in.board.size));    \
                               in.column = static_cast<std::uint8_t>(draws.below(in.board.size)); \
                               in.facing = static_cast<std::uint8_t>(draws.below(4));             \
                             },                                                                   \
                         .scenario = scenario_of_asked})

const bool reversed_on_white_after_turning = WRONG_LANDING(reversed_on_white_after_turning);
const bool red_forgotten_after_turning = WRONG_LANDING(red_forgotten_after_turning);
const bool blocked_keeps_facing = WRONG_LANDING(blocked_keeps_facing);
const bool no_opposite_of_up_and_down = WRONG_LANDING(no_opposite_of_up_and_down);
const bool index_minus_one_wraps = WRONG_LANDING(index_minus_one_wraps);

// Standings ---------------------------------------------------------------------------------------

namespace {

/// Whether a piece stands on a cell of the first column, above so many others, and faces that way.
bool stands(const Standings& in, int which, int slot, int row, int level, int facing) {
  return in.cell[which][slot] == row_of_cells * row && in.below[which][slot] == 4 * level &&
         in.facing[which][slot] == facing * cells;
}

/// Whether the pieces are on the same cells, and what else a mistake compares is equal.
void compare(const Standings& in, Same& out, auto&& equal) {
  out.same = 1;
  for (std::size_t slot = 1; slot <= Stacking::pieces_max; ++slot) {
    const bool same = in.cell[0][slot] == in.cell[1][slot] && equal(slot);
    if (slot <= in.count && !same) out.same = 0;
  }
}

std::string scenario_of_turning(const Standings&) {
  return "lockstep 1 stacking\nsize 1\nturn 0\nended no\nboard\n.\npiece row=0 column=0 facing=up level=0\n"
         "actions\nplay\n";
}
std::string scenario_of_overtaking(const Standings&) {
  return "lockstep 1 stacking\nsize 2\nturn 0\nended no\nboard\n..\n..\npiece row=0 column=1 facing=left level=0\n"
         "piece row=0 column=0 facing=up level=0\nactions\nplay\n";
}

}  // namespace

extern "C" {

void stacking_cycle_ignores_facing(const Standings& in, Same& out) {
  compare(in, out, [&](std::size_t slot) { return in.below[0][slot] == in.below[1][slot]; });
}
void stacking_cycle_ignores_order(const Standings& in, Same& out) {
  compare(in, out, [&](std::size_t slot) { return in.facing[0][slot] == in.facing[1][slot]; });
}

/// A piece on a board of one cell turns round each turn.
bool stacking_before_and_after_turning(const Standings& in) {
  return in.count == 1 && stands(in, 0, 1, 0, 0, 2) && stands(in, 1, 1, 0, 0, 3);
}

/// Two pieces on a board of 2 × 2: after turn 1 the first is on the second, after turn 3 the second on the first.
bool stacking_before_and_after_overtaking(const Standings& in) {
  return in.count == 2 && stands(in, 0, 1, 1, 1, 1) && stands(in, 0, 2, 1, 0, 3) && stands(in, 1, 1, 1, 0, 1) &&
         stands(in, 1, 2, 1, 1, 3);
}

}  // extern "C"

#define WRONG_STANDING(NAME, LAWFUL, SCENARIO)                                           \
  claim<Standings, Same>({.game = "canaries of stacking",                                \
                          .name = #NAME,                                                 \
                          .says = "a mistake",                                           \
                          .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_stands_as),   \
                          .specification = LOCKSTEP_SYMBOL(stacking_##NAME),             \
                          .invariant = LOCKSTEP_SYMBOL(stacking_any_standings),          \
                          .rounds = Stacking::pieces_max,                                \
                          .lawful = LOCKSTEP_SYMBOL(stacking_before_and_after_##LAWFUL), \
                          .scenario = SCENARIO})

const bool cycle_ignores_facing = WRONG_STANDING(cycle_ignores_facing, turning, scenario_of_turning);
const bool cycle_ignores_order = WRONG_STANDING(cycle_ignores_order, overtaking, scenario_of_overtaking);

// Moves -------------------------------------------------------------------------------------------

namespace {

/// Where the pieces stand after a move.
struct Standing {
  std::uint8_t cell[slots];
  std::uint8_t below[slots];
  std::uint16_t facing[slots];
  std::uint32_t ended;
};

std::string scenario_of_move(const Moving& in) {
  std::string out = "lockstep 1 stacking\nsize 12\nturn 0\nended no\nboard\n.";
  out += in.upside_down != 0 ? 'R' : '.';
  out += "..........\n";
  for (int row = 1; row < sides; ++row) out += "............\n";
  for (std::size_t piece = 1; piece <= Stacking::pieces_max; ++piece) {
    std::size_t row = piece + 1;  // pieces of neither stack stand alone
    std::size_t column = 0;
    std::size_t level = 0;
    for (std::size_t which = 0; which < 2; ++which) {
      for (std::size_t i = 0; i < height_max; ++i) {
        if (in.stack[which][i] != piece) continue;
        row = 0;
        column = which;
        level = i;
      }
    }
    out += "piece row=" + std::to_string(row) + " column=" + std::to_string(column) +
           " facing=" + std::string(Stacking::facings[in.facing[piece] / cells]) + " level=" + std::to_string(level) +
           "\n";
  }
  return out + "actions\nmove piece=" + std::to_string(mover_of(in) - 1) + "\n";
}

/// What a mistake does with the pieces of the group and of the stack where it lands, by their places in these.
void place_wrongly(const Moving& in, Standing& out, auto&& group, auto&& joined) {
  const int lifted = static_cast<int>(height_of(in.stack[0])) - in.level;
  const int there = static_cast<int>(height_of(in.stack[1]));
  for (std::size_t slot = 0; slot < slots; ++slot) {
    out.cell[slot] = in.cell[slot];
    out.below[slot] = in.below[slot];
    out.facing[slot] = slot == mover_of(in) ? in.faces : in.facing[slot];
    if (slot == 0) continue;
    for (int i = 0; i < static_cast<int>(height_max); ++i) {
      if (in.stack[0][i] == slot && i >= in.level) group(slot, i - in.level, lifted, there);
      if (in.stack[1][i] == slot) joined(slot, i, lifted, there);
    }
  }
  out.cell[0] = out.below[0] = 0;
  out.ended = there + lifted >= Stacking::end_height ? 1 : 0;
}

/// Puts a piece on the other cell.
void put(Standing& out, std::size_t slot, int level) {
  out.cell[slot] = elsewhere;
  out.below[slot] = static_cast<std::uint8_t>(4 * level);
}
constexpr auto stay = [](std::size_t, int, int, int) {};
int turned_over(const Moving& in, int place, int lifted) { return in.upside_down != 0 ? lifted - 1 - place : place; }

}  // namespace

extern "C" {

/// The levels in the stack that is joined are those of its pieces.
bool stacking_any_move(const Moving& in) {
  bool out = stacking_any_moving(in) && in.stays == 0;
  for (unsigned slot = 1; slot < slots; ++slot) {
    for (unsigned i = 0; i < height_max; ++i) {
      if (in.stack[0][i] == slot) out = out && in.cell[slot] == origin && in.below[slot] == 4 * i;
      if (in.stack[1][i] == slot) out = out && in.cell[slot] == elsewhere && in.below[slot] == 4 * i;
    }
  }
  return out;
}
/// The mover goes to the right, or turns round there; on a board of 12 × 12 it lands on the next cell.
bool stacking_move_on_a_board(const Moving& in) {
  bool out = in.stays == 0 && in.faces == 0;
  for (unsigned slot = 1; slot < slots; ++slot) {
    out = out && is_facing(in.facing[slot]);
    if (slot == mover_of(in)) out = out && in.facing[slot] <= cells;  // right or left
  }
  return out;
}

void stacking_packed_stacks_stands(const Moving& in, Standing& out) {
  Moved moved;
  stacking_packed_stacks_move(in, moved);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    out.cell[slot] = moved.cell[slot];
    out.below[slot] = moved.below[slot];
    out.facing[slot] = moved.facing[slot];
  }
  out.ended = moved.ended;
}

void stacking_red_reverses_the_destination(const Moving& in, Standing& out) {
  const auto level = [&](int place, int height) { return in.upside_down != 0 ? height - 1 - place : place; };
  place_wrongly(
      in, out,
      [&](std::size_t slot, int place, int lifted, int there) { put(out, slot, level(there + place, there + lifted)); },
      [&](std::size_t slot, int place, int lifted, int there) { put(out, slot, level(place, there + lifted)); });
}

void stacking_carried_turn_round_too(const Moving& in, Standing& out) {
  const bool turns = in.facing[mover_of(in)] != in.faces;
  place_wrongly(
      in, out,
      [&](std::size_t slot, int place, int lifted, int there) {
        put(out, slot, there + turned_over(in, place, lifted));
        if (!turns || place == 0) return;
        const int facing = in.facing[slot] / cells;
        out.facing[slot] = static_cast<std::uint16_t>((facing ^ 1) * cells);
      },
      stay);
}

void stacking_only_four_land(const Moving& in, Standing& out) {
  place_wrongly(
      in, out,
      [&](std::size_t slot, int place, int lifted, int there) {
        const int room = Stacking::end_height - there;
        const int on = turned_over(in, place, lifted);
        if (on < room) put(out, slot, there + on);
        else out.below[slot] = static_cast<std::uint8_t>(4 * (in.level + on - room));
      },
      stay);
}

void stacking_exactly_four_ends(const Moving& in, Standing& out) {
  place_wrongly(
      in, out,
      [&](std::size_t slot, int place, int lifted, int there) {
        put(out, slot, there + turned_over(in, place, lifted));
      },
      stay);
  out.ended = height_of(in.stack[0]) - in.level + height_of(in.stack[1]) == Stacking::end_height ? 1 : 0;
}

}  // extern "C"

#define WRONG_MOVE(NAME)                                                             \
  claim<Moving, Standing>({.game = "canaries of stacking",                           \
                           .name = #NAME,                                            \
                           .says = "a mistake",                                      \
                           .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_stands), \
                           .specification = LOCKSTEP_SYMBOL(stacking_##NAME),        \
                           .invariant = LOCKSTEP_SYMBOL(stacking_any_move),          \
                           .lawful = LOCKSTEP_SYMBOL(stacking_move_on_a_board),      \
                           .scenario = scenario_of_move})

const bool red_reverses_the_destination = WRONG_MOVE(red_reverses_the_destination);
const bool carried_turn_round_too = WRONG_MOVE(carried_turn_round_too);
const bool only_four_land = WRONG_MOVE(only_four_land);
const bool exactly_four_ends = WRONG_MOVE(exactly_four_ends);
