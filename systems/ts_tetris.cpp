// Registers TS Tetris with the program. Its implementations are compiled beside it, from systems/ts_tetris.hpp.
#include "games/ts_tetris/game.hpp"
#include "lockstep/registered.hpp"

namespace lockstep {

template <>
std::vector<Exploration<TsTetris>> explorations<TsTetris>();

namespace {
const Registered<TsTetris> registered;
}

}  // namespace lockstep
