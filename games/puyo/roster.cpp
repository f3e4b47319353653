// Registers Puyo Puyo with the program. Its implementations are compiled beside it, from games/puyo/roster.hpp.
#include "games/puyo/system.hpp"
#include "lockstep/system/registered.hpp"
#include "programs/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<Puyo> registered;

}  // namespace
}  // namespace lockstep
