// A claim that does not hold: a canary's mistake as a specification of the right kernel. The claim has the canary's name.
// The right claims come first, and lend their functions.
#include "proof/claims/stacking.cpp"

extern "C" {

void stacking_cycle_ignores_facing(const Standings& in, Same& out) {
  Standings alike = in;
  for (std::size_t slot = 0; slot < slots; ++slot) alike.facing[1][slot] = alike.facing[0][slot];
  stacking_same_standing(alike, out);
}

/// A piece on a board of one cell turns round each turn.
bool stacking_before_and_after_turning(const Standings& in) {
  return in.count == 1 && in.cell[0][1] == 0 && in.cell[1][1] == 0 && in.below[0][1] == 0 && in.below[1][1] == 0 &&
         in.facing[0][1] == 2 * cells && in.facing[1][1] == 3 * cells;
}

}  // extern "C"

const bool cycle_ignores_facing =
    claim<Standings, Same>({.game = "canaries of stacking",
                            .name = "cycle_ignores_facing",
                            .says = "a mistake",
                            .kernel = LOCKSTEP_SYMBOL(stacking_packed_stacks_stands_as),
                            .specification = LOCKSTEP_SYMBOL(stacking_cycle_ignores_facing),
                            .invariant = LOCKSTEP_SYMBOL(stacking_any_standings),
                            .rounds = Stacking::pieces_max,
                            .lawful = LOCKSTEP_SYMBOL(stacking_before_and_after_turning),
                            .scenario = [](const Standings&) -> std::string {
                              return "lockstep 1 stacking\nsize 1\nturn 0\nended no\nboard\n.\n"
                                     "piece row=0 column=0 facing=up level=0\nactions\nplay\n";
                            }});
