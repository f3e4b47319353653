#include "games/block_game/suggestions.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "games/block_game/laws.hpp"
#include "games/block_game/schedule.hpp"

namespace lockstep {

using namespace block_game;

namespace {

int draw_shape(Random& random, unsigned shape_set) {
  std::array<int, BlockGame::shapes> allowed{};
  std::size_t count = 0;
  for (int shape = 1; shape <= BlockGame::shapes; ++shape) {
    if ((shape_set >> (shape - 1) & 1) != 0) allowed[count++] = shape;
  }
  return count == 0 ? random.integer(1, BlockGame::shapes) : allowed[random.below(count)];
}

/// Replaces the numbers 1 … count, given in reading order of the first cells.
void renumber(Random& random, Grid& board, int count, BlockGame::Suggestions::Numbering numbering) {
  using Numbering = BlockGame::Suggestions::Numbering;
  std::vector<std::uint8_t> names(numbering == Numbering::scattered ? BlockGame::blocks_max
                                                                    : static_cast<std::size_t>(count));
  std::iota(names.begin(), names.end(), std::uint8_t{1});
  if (numbering == Numbering::upward) std::ranges::reverse(names);
  if (numbering == Numbering::shuffled || numbering == Numbering::scattered) {
    for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[random.below(i)]);
  }
  for (std::uint8_t& cell : board.cells) {
    if (cell != 0) cell = names[cell - 1u];
  }
}

}  // namespace

BlockGame::Setup BlockGame::Suggestions::packed(Random& random, int size, int blocks, unsigned shape_set,
                                                Numbering numbering) {
  Setup s{size, Grid{size, size}};
  blocks = std::min(blocks, blocks_max);
  int count = 0;
  if (size < 3) return s;
  // First at random places, then wherever there is room left.
  for (int tries = 4 * blocks; tries > 0 && count < blocks; --tries) {
    const int shape = draw_shape(random, shape_set);
    const int row = random.integer(0, size - shape_of(shape).rows);
    const int column = random.integer(0, size - shape_of(shape).columns);
    if (fits(s.board, shape, row, column)) lay(s.board, shape, row, column, ++count);
  }
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size && count < blocks; ++column) {
      for (int tries = 3; tries > 0; --tries) {
        if (!lay_from(s.board, draw_shape(random, shape_set), {row, column}, count + 1)) continue;
        ++count;
        break;
      }
    }
  }
  s = Laws::position(s);
  renumber(random, s.board, count, numbering);
  return s;
}

BlockGame::Suggestions::Suggestions(Random& random)
    : shape_set_{random.chance(1, 3)   ? open_shapes
                 : random.chance(1, 5) ? all_shapes & ~open_shapes
                                       : static_cast<unsigned>(random.below(all_shapes)) + 1},
      numbering_{static_cast<Numbering>(random.integer(0, 3))},
      weight_place_{1 + static_cast<unsigned>(random.below(12))},
      weight_clear_{static_cast<unsigned>(random.below(4))},
      focus_{random.chance(1, 2) ? random.integer(1, 4) : 0},
      centre_{random.integer(0, 1000)} {}

BlockGame::Setup BlockGame::Suggestions::setup(Random& random) {
  if (random.chance(1, 48)) {                       // nearly the maximum number of blocks
    const int size = random.integer(34, size_max);  // one draw per statement: argument order is unspecified
    const int blocks = random.integer(blocks_max - 2, blocks_max);
    return packed(random, size, blocks, shape_set_, numbering_);
  }
  const bool large = random.chance(1, 32);
  const int size = large ? random.integer(17, size_max) : random.integer(3, random.chance(1, 3) ? 16 : 8);
  if (random.chance(1, 6)) return Setup{size, Grid{size, size}};
  const int room = size * size / 4;
  return packed(random, size, random.chance(1, 3) ? room : random.integer(1, 1 + room), shape_set_, numbering_);
}

BlockGame::Action BlockGame::Suggestions::action(Random& random, const Setup& s) {
  if (model_.rows == 0) {
    model_ = s.board;
    blocks_ = Blocks{model_};
  }
  if (random.below(weight_place_ + weight_clear_) >= weight_place_) return clear();
  Place place = placement(random, s.size);
  const auto has_room = [&] { return fits(model_, place.shape, place.row, place.column); };
  for (int tries = 8; tries > 0 && !has_room(); --tries) place = placement(random, s.size);
  if (has_room()) {
    if (const int number = blocks_.smallest_free(); number != 0) {
      lay(model_, place.shape, place.row, place.column, number);
      blocks_.add(number, place.shape, place.row, place.column);
      cleared_ = false;
    }
  } else if (random.chance(1, 2)) {
    return clear();
  }
  return place;
}

BlockGame::Clear BlockGame::Suggestions::clear() {
  if (std::exchange(cleared_, true)) return {};
  const Schedule schedule = schedule_of(model_, blocks_);
  blocks_.each([&](std::size_t number, const Block& block) {
    if (schedule.level[number] == never) return;
    for (const auto& [row, column] : block.cells) model_.at(row, column) = 0;
    blocks_.remove(number);
  });
  return {};
}

BlockGame::Place BlockGame::Suggestions::placement(Random& random, int size) const {
  const int shape = draw_shape(random, shape_set_);
  const bool anywhere = size < 3 || random.chance(1, 16);  // may stick out
  const int last_row = anywhere ? size - 1 : size - shape_of(shape).rows;
  const int last_column = anywhere ? size - 1 : size - shape_of(shape).columns;
  const int row = random.integer(0, last_row);
  if (focus_ == 0) return {shape, row, random.integer(0, last_column)};
  const int middle = centre_ * last_column / 1000;
  return {shape, row, std::clamp(middle + random.integer(-focus_, focus_), 0, last_column)};
}

}  // namespace lockstep
