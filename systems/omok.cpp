// Registers Omok with the program. Its implementations are compiled beside it, from systems/omok.hpp.
#include "games/omok/system.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/services/problems_of.hpp"

namespace lockstep {
namespace {

const Registered<Omok> registered;

}  // namespace
}  // namespace lockstep
