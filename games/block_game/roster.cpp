// Registers Block Game with the program. Its implementations are compiled beside it, from games/block_game/roster.hpp.
#include "games/block_game/system.hpp"
#include "lockstep/system/registered.hpp"
#include "programs/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<BlockGame> registered;

}  // namespace
}  // namespace lockstep
