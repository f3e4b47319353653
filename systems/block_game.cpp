// Registers Block Game with the program. Its implementations are compiled beside it, from systems/block_game.hpp.
#include "games/block_game/system.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/services/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<BlockGame> registered;

}  // namespace
}  // namespace lockstep
