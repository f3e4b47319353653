#include "games/puyo/features.hpp"

#include "games/puyo/groups.hpp"

namespace lockstep {

Puyo::Features::Tally Puyo::Features::tally_of(const Snapshot& s) {
  Tally tally;
  for (int column = 0; column < columns; ++column) {
    const int height = puyo::height(s.board, column);
    tally.tallest = std::max(tally.tallest, height);
    tally.full += height == rows ? 1 : 0;
    tally.puyos += height;
  }
  tally.largest_group = puyo::largest_group(s.board);  // a law compares it with the chains (laws.cpp)
  return tally;
}

int Puyo::Features::height_of(const Snapshot& s, int column) { return puyo::height(s.board, column); }

std::vector<Puyo::Features::Member> Puyo::Features::members_of_groups(const Snapshot& s) {
  const puyo::PerCell sizes = puyo::group_sizes(s.board);
  std::vector<Member> out;
  for (int cell = 0; cell < puyo::cell_count; ++cell) {
    const int group = sizes[static_cast<std::size_t>(cell)];
    if (group > 0) out.push_back({cell / columns, cell % columns, group});
  }
  return out;
}

}  // namespace lockstep
