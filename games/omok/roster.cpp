// Registers Omok with the program. Its implementations are compiled beside it, from games/omok/roster.hpp.
#include "games/omok/system.hpp"
#include "lockstep/problems/problems_of.hpp"
#include "lockstep/system/registered.hpp"

namespace lockstep {
namespace {

const Registered<Omok> registered;

}  // namespace
}  // namespace lockstep
