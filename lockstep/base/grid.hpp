// A board of small numbers: rows × columns, row 0 at the top, column 0 at the left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep {

struct Grid {
  int rows = 0;
  int columns = 0;
  std::vector<std::uint8_t> cells;  // row by row; 0 is an empty cell

  Grid() = default;
  Grid(int rows_, int columns_)
      : rows{rows_}, columns{columns_}, cells(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_)) {}

  /// The board with the value cell(row, column) at each (row, column).
  static Grid drawn(int height, int width, auto&& cell) {
    Grid out{height, width};
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) out.at(row, column) = static_cast<std::uint8_t>(cell(row, column));
    }
    return out;
  }

  /// This board with empty rows below and empty columns on the right. Requires at least its own height and width.
  Grid grown(int height, int width) const {
    return drawn(height, width, [&](int row, int column) { return contains(row, column) ? at(row, column) : 0; });
  }

  std::uint8_t& at(int row, int column) { return cells[index(row, column)]; }
  std::uint8_t at(int row, int column) const { return cells[index(row, column)]; }
  bool contains(int row, int column) const { return row >= 0 && row < rows && column >= 0 && column < columns; }
  bool empty() const {
    return std::ranges::all_of(cells, [](std::uint8_t cell) { return cell == 0; });
  }

  bool operator==(const Grid&) const = default;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
  }
};

/// How the cells of a board are printed: value v as symbols[v]. Without symbols, cells are numbers separated by spaces,
/// and 0 is printed as '.'.
struct Alphabet {
  int size;                       // cells are 0 … size − 1
  std::string_view symbols = {};  // empty: numbers

  constexpr bool numeric() const { return symbols.empty(); }
  static constexpr Alphabet of(std::string_view symbols) { return {static_cast<int>(symbols.size()), symbols}; }
  static constexpr Alphabet numbers(int last) { return {last + 1}; }
};

}  // namespace lockstep
