// Registers TS Tetris with the program. Its implementations are compiled beside it, from games/ts_tetris/roster.hpp.
#include "games/ts_tetris/system.hpp"
#include "lockstep/system/registered.hpp"
#include "programs/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<TsTetris> registered;

}  // namespace
}  // namespace lockstep
