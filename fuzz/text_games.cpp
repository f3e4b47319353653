#include "fuzz/text_game.hpp"

namespace lockstep {

std::vector<TextSystem>& text_systems() {
  static std::vector<TextSystem> systems;
  return systems;
}

}  // namespace lockstep
