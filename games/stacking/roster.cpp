// Registers Stacking with the program. Its implementations are compiled beside it, from games/stacking/roster.hpp.
#include "games/stacking/system.hpp"
#include "lockstep/system/registered.hpp"
#include "programs/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<Stacking> registered;

}  // namespace
}  // namespace lockstep
