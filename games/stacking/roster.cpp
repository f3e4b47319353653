// Registers Stacking with the program. Its implementations are compiled beside it, from games/stacking/roster.hpp.
#include "games/stacking/system.hpp"
#include "lockstep/problems/problems_of.hpp"
#include "lockstep/system/registered.hpp"

namespace lockstep {
namespace {

const Registered<Stacking> registered;

}  // namespace
}  // namespace lockstep
