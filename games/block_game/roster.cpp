// Registers Block Game with the program. Its implementations are compiled beside it, from games/block_game/roster.hpp.
#include "games/block_game/system.hpp"
#include "lockstep/problems/problems_of.hpp"
#include "lockstep/system/registered.hpp"

namespace lockstep {
namespace {

const Registered<BlockGame> registered;

}  // namespace
}  // namespace lockstep
