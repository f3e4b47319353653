// Registers Puyo Puyo with the program. Its implementations are compiled beside it, from systems/puyo.hpp.
#include "games/puyo/system.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/services/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<Puyo> registered;

}  // namespace
}  // namespace lockstep
