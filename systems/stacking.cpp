// Registers Stacking with the program. Its implementations are compiled beside it, from systems/stacking.hpp.
#include "games/stacking/game.hpp"
#include "lockstep/registered.hpp"

namespace lockstep {

template <>
std::vector<Exploration<Stacking>> explorations<Stacking>();

namespace {
const Registered<Stacking> registered;
}

}  // namespace lockstep
