// Registers Stacking with the program. Its implementations are compiled beside it, from systems/stacking.hpp.
#include "games/stacking/system.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/services/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<Stacking> registered;

}  // namespace
}  // namespace lockstep
