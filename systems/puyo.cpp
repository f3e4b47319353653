// Registers Puyo Puyo with the program. Its implementations are compiled beside it, from systems/puyo.hpp.
#include "games/puyo/game.hpp"
#include "lockstep/registered.hpp"

namespace lockstep {

template <>
std::vector<Exploration<Puyo>> explorations<Puyo>();

namespace {
const Registered<Puyo> registered;
}

}  // namespace lockstep
