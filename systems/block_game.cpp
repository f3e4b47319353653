// Registers Block Game with the program. Its implementations are compiled beside it, from systems/block_game.hpp.
#include "games/block_game/game.hpp"
#include "lockstep/registered.hpp"

namespace lockstep {

template <>
std::vector<Exploration<BlockGame>> explorations<BlockGame>();

namespace {
const Registered<BlockGame> registered;
}

}  // namespace lockstep
