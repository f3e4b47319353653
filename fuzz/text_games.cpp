#include "fuzz/text_game.hpp"

namespace lockstep {

std::vector<TextGame>& text_games() {
  static std::vector<TextGame> games;
  return games;
}

}  // namespace lockstep
