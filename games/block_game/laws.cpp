#include "games/block_game/laws.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "games/block_game/blocks.hpp"

namespace lockstep {

using namespace block_game;

namespace {

using Setup = BlockGame::Setup;

bool removable(const Grid& board, const Block& block) {
  bool open = true;
  look_up_from_gaps(board, block, [&](int) { return open = false; });
  return open;
}

/// The number of cells in which two boards of one size differ.
int changed_cells(const Grid& before, const Grid& after) {
  return std::transform_reduce(before.cells.begin(), before.cells.end(), after.cells.begin(), 0, std::plus<>{},
                               [](std::uint8_t was, std::uint8_t is) { return was == is ? 0 : 1; });
}

std::string violation_of_place(const Setup& before, const BlockGame::Place& place, const BlockGame::Observation& o,
                               const Setup& after) {
  const int number = smallest_free(before.board);
  const bool allowed = number != 0 && fits(before.board, place.shape, place.row, place.column);
  if (o.says == BlockGame::Says::illegal) {
    if (allowed) return "a block that had room was refused";
    return before == after ? "" : "an illegal action changed the state";
  }
  if (!allowed) return "a block was placed where none was allowed";
  if (o.says != BlockGame::Says::placed) return "placing was answered as something else";
  if (o.number != number) return "the block's number is not the smallest free one";
  const bool laid = std::ranges::all_of(shape_of(place.shape).cells, [&](const Cell& cell) {
    return after.board.at(place.row + cell.row, place.column + cell.column) == number;
  });
  return laid && changed_cells(before.board, after.board) == 4
             ? ""
             : "placing changed something else than the four cells of the block";
}

std::string violation_of_clear(const Setup& before, const BlockGame::Observation& o, const Setup& after,
                               const Blocks& left) {
  if (o.says != BlockGame::Says::cleared) return "clearing was answered as something else";
  const Blocks were{before.board};
  std::array<std::uint8_t, 256> becomes{};  // the value of a cell after the clear, by its value before
  int removed = 0;
  for (int number = 1; number <= BlockGame::blocks_max; ++number) {
    const auto cell = static_cast<std::uint8_t>(number);
    becomes[cell] = o.numbers.contains(number) ? std::uint8_t{0} : cell;
    if (!o.numbers.contains(number)) continue;
    ++removed;
    if (were[cell].count == 0) return "a block was removed that was not on the board";
  }
  if (removed != o.removed) return "the count of removed blocks differs from their numbers";
  const bool cleared = std::ranges::equal(before.board.cells, after.board.cells,
                                          [&](std::uint8_t was, std::uint8_t is) { return becomes[was] == is; });
  if (!cleared) return "clearing changed something else than the cells of the removed blocks";
  bool blocked = false;
  were.each([&](std::size_t number, const Block& block) {
    if (!o.numbers.contains(static_cast<int>(number))) return;
    look_up_from_gaps(before.board, block, [&](int over) {
      blocked = blocked || static_cast<std::size_t>(over) == number || !o.numbers.contains(over);
      return !blocked;
    });
  });
  if (blocked) return "a block was removed whose gaps cannot be filled from above";
  bool any = false;
  left.each([&](std::size_t, const Block& block) { any = any || (block.shape != 0 && removable(after.board, block)); });
  return any ? "a removable block is left after clearing" : "";
}

std::optional<Flaw> flaw_among(const Blocks& blocks, const Grid& board) {
  const Block* first = nullptr;
  blocks.each([&](std::size_t, const Block& block) {
    if (block.shape != 0) return;
    const auto place = [](const Block& b) { return std::pair{b.cells[0].row, b.cells[0].column}; };
    if (first == nullptr || place(block) < place(*first)) first = &block;
  });
  if (first == nullptr) return std::nullopt;
  const auto& [row, column] = first->cells[0];
  return Flaw{"board", row, column,
              "the cells of block " + std::to_string(board.at(row, column)) +
                  " form none of the twelve shapes (here is its first cell)"};
}

}  // namespace

std::optional<Flaw> BlockGame::Laws::flaw(const Setup& s) { return flaw_among(Blocks{s.board}, s.board); }

void BlockGame::Laws::normalise(Setup& s) {
  const Blocks blocks{s.board};
  std::vector<std::pair<Cell, int>> seeds;  // first cell and number, in reading order
  std::array<bool, blocks_max + 1> seen{};
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      std::uint8_t& cell = s.board.at(row, column);
      const Block& block = blocks[cell];
      if (cell == 0 || block.shape != 0) continue;
      const bool remains = block.count >= 2 && block.count <= 4;
      if (!remains && !std::exchange(seen[cell], true)) seeds.emplace_back(Cell{row, column}, cell);
      cell = 0;
    }
  }
  for (const auto& [first, number] : seeds) lay_from(s.board, 1 + (number - 1) % shapes, first, number);
}

std::string BlockGame::Laws::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                       const Snapshot& after) {
  const auto shape = [](const Snapshot& s) { return std::array{s.size, s.board.rows, s.board.columns}; };
  if (shape(before) != shape(after)) return "the board changed its size";
  const Blocks blocks{after.board};
  if (const auto broken = flaw_among(blocks, after.board)) return broken->what;
  if (const auto* place = std::get_if<Place>(&action)) return violation_of_place(before, *place, o, after);
  return violation_of_clear(before, o, after, blocks);
}

BlockGame::Snapshot BlockGame::Laws::position(Snapshot s) {
  std::array<std::uint8_t, blocks_max + 1> names{};
  std::uint8_t last = 0;
  for (std::uint8_t& cell : s.board.cells) {
    if (cell == 0) continue;
    if (names[cell] == 0) names[cell] = ++last;
    cell = names[cell];
  }
  return s;
}

// Symmetries -----------------------------------------------------------------------------------

std::vector<Symmetry<BlockGame>> BlockGame::Laws::symmetries() {
  const auto mirrored = [](const Setup& s) {
    Setup image = s;
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) {
        image.board.at(row, s.size - 1 - column) = s.board.at(row, column);
      }
    }
    return image;
  };
  // The image of a block that sticks out on the right would stick out on the left, which no action can express. Its
  // image sticks out on the right instead, and is illegal too.
  const auto placed_in_mirror = [](const Setup& s, const Action& action) -> Action {
    const auto* place = std::get_if<Place>(&action);
    if (place == nullptr) return action;
    const int columns = shape_of(place->shape).columns;
    const int shape = mirrored_shape[static_cast<std::size_t>(place->shape - 1)];
    const int column = place->column + columns <= s.size ? s.size - columns - place->column : place->column;
    return Place{shape, place->row, column};
  };
  // Adds a row at the top and a column on the right; the largest board is left unchanged.
  const auto padded = [](const Setup& s) {
    if (s.size == size_max) return s;
    Setup image{s.size + 1, Grid{s.size + 1, s.size + 1}};
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) image.board.at(row + 1, column) = s.board.at(row, column);
    }
    return image;
  };
  // No shape fits into the new last column alone, so a block that stuck out on the right moves there and still does.
  const auto placed_in_padding = [](const Setup& s, const Action& action) -> Action {
    const auto* place = std::get_if<Place>(&action);
    if (place == nullptr || s.size == size_max) return action;
    const bool sticks_out = place->column + shape_of(place->shape).columns > s.size;
    return Place{place->shape, place->row + 1, sticks_out ? s.size : place->column};
  };
  const auto padded_snapshot = [padded](const Setup&, const Snapshot& snapshot) { return padded(snapshot); };
  return {
      {.name = "mirror", .setup = mirrored, .action = placed_in_mirror, .observation = nullptr, .snapshot = nullptr},
      {.name = "padding",
       .setup = padded,
       .action = placed_in_padding,
       .observation = nullptr,
       .snapshot = padded_snapshot}};
}

}  // namespace lockstep
