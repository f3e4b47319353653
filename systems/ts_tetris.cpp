// Registers TS Tetris with the program. Its implementations are compiled beside it, from systems/ts_tetris.hpp.
#include "games/ts_tetris/system.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/services/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<TsTetris> registered;

}  // namespace
}  // namespace lockstep
