// Registers Omok with the program. Its implementations are compiled beside it, from systems/omok.hpp.
#include "games/omok/game.hpp"
#include "lockstep/registered.hpp"

namespace lockstep {

template <>
std::vector<Exploration<Omok>> explorations<Omok>();

namespace {
const Registered<Omok> registered;
}

}  // namespace lockstep
