// Two small boards of TS Tetris, explored to a limited depth.
#include "games/ts_tetris/explorations.hpp"

namespace lockstep {

std::vector<Exploration<TsTetris>> TsTetris::Explorations::all() {
  const auto empty = [](int width, int height) {
    return TsTetris::Setup{.width = width, .height = height, .board = Grid{height, width}};
  };
  return {{.name = "5x5",
           .about = "every position of a 5 x 5 board within 20 turns",
           .what = Walk<TsTetris>{empty(5, 5), 20}},
          {.name = "6x6",
           .about = "every position of a 6 x 6 board within 12 turns",
           .what = Walk<TsTetris>{empty(6, 6), 12}}};
}

}  // namespace lockstep
