// The workloads of TS Tetris.
//
//   from_empty_200x200   the largest case of the original problem: 10,000 random drops and 1,000 changes. Random play
//                        keeps the board nearly empty (five rows), so these times are flattering.
//   near_full_200x200    200 actions in the same proportion from 28,500 cells, some 143 rows: the headline.
//                        The cells form a pattern without a run of three: a board of random cells loses
//                        nine tenths of them in the first change, and 200 actions leave about 27,000.
//   flip_all_200x200     one change flips 32,000 cells of a full board, and all 40,000 vanish.
//   play_20x20           100 actions on small boards, as a fuzzing campaign plays them.
#pragma once

#include <vector>

#include "games/ts_tetris/game.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep {

struct TsTetris::Workloads {
  static std::vector<Workload<TsTetris>> all();
};

}  // namespace lockstep
