// Registers Omok with the program. Its implementations are compiled beside it, from games/omok/roster.hpp.
#include "games/omok/system.hpp"
#include "lockstep/system/registered.hpp"
#include "programs/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<Omok> registered;

}  // namespace
}  // namespace lockstep
