#include "games/block_game/blocks.hpp"

namespace lockstep::block_game {
namespace {

/// Four cells inside a square of 3 × 3 as nine bits, row-major from the top left.
constexpr std::size_t bit_in_square(int row, int column) { return std::size_t{1} << (3 * row + column); }

/// The shape that consists of these cells; 0: none of the twelve.
constexpr auto shape_by_bits = [] {
  std::array<std::uint8_t, 512> out{};
  for (std::size_t shape = 0; shape < shape_table.size(); ++shape) {
    std::size_t bits = 0;
    for (const Cell& cell : shape_table[shape].cells) bits |= bit_in_square(cell.row, cell.column);
    out[bits] = static_cast<std::uint8_t>(shape + 1);
  }
  return out;
}();

void recognise(Block& block) {
  if (block.count != 4) return;
  const auto& cells = block.cells;
  block.row = cells[0].row;  // reading order: the first cell is in the top row
  block.column = std::ranges::min(cells, {}, &Block::Spot::column).column;
  std::size_t bits = 0;
  for (const auto& cell : cells) {
    const int row = cell.row - block.row;
    const int column = cell.column - block.column;
    if (row > 2 || column > 2) return;
    bits |= bit_in_square(row, column);
  }
  block.shape = shape_by_bits[bits];
}

}  // namespace

Blocks::Blocks(const Grid& board) {
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      const std::uint8_t number = board.at(row, column);
      if (number == 0) continue;
      present_[number / 64] |= std::uint64_t{1} << number % 64;
      Block& block = by_number_[number];
      if (block.count < 4) {
        block.cells[static_cast<std::size_t>(block.count)] = {static_cast<std::uint8_t>(row),
                                                              static_cast<std::uint8_t>(column)};
      }
      ++block.count;
    }
  }
  each([&](std::size_t number, const Block&) { recognise(by_number_[number]); });
}

void Blocks::add(int number, int shape, int row, int column) {
  const auto at = static_cast<std::size_t>(number);
  Block& block = by_number_[at];
  block = {.count = 4,
           .shape = static_cast<std::uint8_t>(shape),
           .row = static_cast<std::uint8_t>(row),
           .column = static_cast<std::uint8_t>(column)};
  for (std::size_t i = 0; i < block.cells.size(); ++i) {
    const Cell& cell = shape_of(shape).cells[i];
    block.cells[i] = {static_cast<std::uint8_t>(row + cell.row), static_cast<std::uint8_t>(column + cell.column)};
  }
  present_[at / 64] |= std::uint64_t{1} << at % 64;
}

void Blocks::remove(std::size_t number) {
  by_number_[number] = {};
  present_[number / 64] &= ~(std::uint64_t{1} << number % 64);
}

int Blocks::smallest_free() const {
  std::uint64_t unused = 1;  // number 0
  for (std::size_t word = 0; word < present_.size(); ++word, unused = 0) {
    const std::uint64_t free = ~(present_[word] | unused);
    if (free == 0) continue;
    const int number = static_cast<int>(64 * word) + std::countr_zero(free);
    return number <= BlockGame::blocks_max ? number : 0;
  }
  return 0;
}

std::array<bool, 256> numbers_on(const Grid& board) {
  std::array<bool, 256> present{};
  for (const std::uint8_t number : board.cells) present[number] = true;
  return present;
}

int smallest_free(const Grid& board) {
  const auto present = numbers_on(board);
  for (int number = 1; number <= BlockGame::blocks_max; ++number) {
    if (!present[static_cast<std::size_t>(number)]) return number;
  }
  return 0;
}

}  // namespace lockstep::block_game
