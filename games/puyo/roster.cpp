// Registers Puyo Puyo with the program. Its implementations are compiled beside it, from games/puyo/roster.hpp.
#include "games/puyo/system.hpp"
#include "lockstep/problems/problems_of.hpp"
#include "lockstep/system/registered.hpp"

namespace lockstep {
namespace {

const Registered<Puyo> registered;

}  // namespace
}  // namespace lockstep
