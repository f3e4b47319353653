#include "games/block_game/game.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "games/block_game/shapes.hpp"

namespace lockstep {
namespace {

using Setup = BlockGame::Setup;

using namespace block_game;

/// One number's cells on a board. In small integers, since invariants ask for all numbers of every position.
struct Block {
  struct Spot {
    std::uint8_t row, column;
  };
  std::int16_t count = 0;  // how many cells bear the number
  std::uint8_t shape = 0;  // 0: none of the twelve
  std::uint8_t row = 0;    // top-left corner of the rectangle
  std::uint8_t column = 0;
  std::array<Spot, 4> cells{};  // the first four, in reading order
};
using Blocks = std::array<Block, BlockGame::blocks_max + 1>;  // by number; 0 is nobody

/// Four cells inside a square of 3 × 3 as nine bits, row by row from the top left.
constexpr std::size_t bit_in_square(int row, int column) { return std::size_t{1} << (3 * row + column); }

/// The shape whose cells are these bits; 0: none of the twelve.
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

Blocks census(const Grid& board) {
  Blocks blocks{};
  for (int row = 0; row < board.rows; ++row) {
    for (int column = 0; column < board.columns; ++column) {
      const std::uint8_t number = board.at(row, column);
      if (number == 0) continue;
      Block& block = blocks[number];
      if (block.count < 4) {
        block.cells[static_cast<std::size_t>(block.count)] = {static_cast<std::uint8_t>(row),
                                                              static_cast<std::uint8_t>(column)};
      }
      ++block.count;
    }
  }
  for (Block& block : blocks) recognise(block);
  return blocks;
}

/// The numbers over the two gaps of a block, from the gaps up to the top row; calls see(number) for each
/// covered cell. The block's own number is among them when its own cells are in the way.
void look_up_from_gaps(const Grid& board, const Block& block, auto&& see) {
  const Shape& shape = shape_of(block.shape);
  for (int column = 0; column < shape.columns; ++column) {
    int lowest_gap = -1;
    for (int row = 0; row < shape.rows; ++row) {
      if (std::ranges::find(shape.cells, Cell{row, column}) == shape.cells.end()) lowest_gap = row;
    }
    if (lowest_gap < 0) continue;
    for (int row = block.row + lowest_gap; row >= 0; --row) {
      if (const int number = board.at(row, block.column + column); number != 0) see(number);
    }
  }
}

bool removable(const Grid& board, const Block& block) {
  bool open = true;
  look_up_from_gaps(board, block, [&](int) { open = false; });
  return open;
}

/// Which numbers are on a board.
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

/// In how many cells two boards of one size differ.
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
  const auto were = numbers_on(before.board);
  std::array<std::uint8_t, 256> becomes{};  // what a cell is after the clearing
  int removed = 0;
  for (int number = 1; number <= BlockGame::blocks_max; ++number) {
    const auto cell = static_cast<std::uint8_t>(number);
    becomes[cell] = o.numbers.contains(number) ? std::uint8_t{0} : cell;
    if (!o.numbers.contains(number)) continue;
    ++removed;
    if (!were[cell]) return "a block was removed that was not on the board";
  }
  if (removed != o.removed) return "the count of removed blocks differs from their numbers";
  const bool cleared = std::ranges::equal(before.board.cells, after.board.cells,
                                          [&](std::uint8_t was, std::uint8_t is) { return becomes[was] == is; });
  if (!cleared) return "clearing changed something else than the cells of the removed blocks";
  for (const Block& block : left) {
    if (block.shape != 0 && removable(after.board, block)) return "a removable block is left after clearing";
  }
  return "";
}

std::optional<Flaw> flaw_among(const Blocks& blocks, const Grid& board) {
  const Block* first = nullptr;
  for (const Block& block : blocks) {
    if (block.count == 0 || block.shape != 0) continue;
    const auto place = [](const Block& b) { return std::pair{b.cells[0].row, b.cells[0].column}; };
    if (first == nullptr || place(block) < place(*first)) first = &block;
  }
  if (first == nullptr) return std::nullopt;
  const auto& [row, column] = first->cells[0];
  return Flaw{"board", row, column,
              "the cells of block " + std::to_string(board.at(row, column)) +
                  " form none of the twelve shapes (here is its first cell)"};
}

}  // namespace

std::optional<Flaw> BlockGame::flaw(const Setup& s) { return flaw_among(census(s.board), s.board); }

void BlockGame::normalise(Setup& s) {
  const Blocks blocks = census(s.board);
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

std::string BlockGame::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                 const Snapshot& after) {
  const auto shape = [](const Snapshot& s) { return std::array{s.size, s.board.rows, s.board.columns}; };
  if (shape(before) != shape(after)) return "the board changed its size";
  const Blocks blocks = census(after.board);
  if (const auto broken = flaw_among(blocks, after.board)) return broken->what;
  if (const auto* place = std::get_if<Place>(&action)) return violation_of_place(before, *place, o, after);
  return violation_of_clear(before, o, after, blocks);
}

BlockGame::Snapshot BlockGame::position(Snapshot s) {
  std::array<std::uint8_t, blocks_max + 1> names{};
  std::uint8_t last = 0;
  for (std::uint8_t& cell : s.board.cells) {
    if (cell == 0) continue;
    if (names[cell] == 0) names[cell] = ++last;
    cell = names[cell];
  }
  return s;
}

namespace {

constexpr int never = 1'000'000;

/// When each number goes, by rounds of removing all that can go, and by passes in order of numbers.
struct Schedule {
  std::array<int, BlockGame::blocks_max + 1> level;
  std::array<int, BlockGame::blocks_max + 1> pass;
};

/// Whoever frees a block has its lowest cell above the block's bottom row (optimized/block_game has the
/// proof), so in order of bottom rows everything that a block waits for is known before it.
Schedule schedule_of(const Grid& board, const Blocks& blocks) {
  std::vector<std::pair<int, int>> order;  // bottom row and number
  for (int number = 1; number <= BlockGame::blocks_max; ++number) {
    const Block& block = blocks[static_cast<std::size_t>(number)];
    if (block.shape != 0) order.emplace_back(block.cells[3].row, number);
  }
  std::ranges::sort(order);
  Schedule out;
  out.level.fill(never);
  out.pass.fill(never);
  for (const auto& [bottom, number] : order) {
    const auto self = static_cast<std::size_t>(number);
    int waits = 0;
    int pass = 1;
    look_up_from_gaps(board, blocks[self], [&](int over) {
      const auto other = static_cast<std::size_t>(over);
      waits = std::max(waits, out.level[other]);
      pass = std::max(pass, out.pass[other] + (over > number ? 1 : 0));
    });
    if (waits == never) continue;
    out.level[self] = waits + 1;
    out.pass[self] = pass;
  }
  return out;
}

}  // namespace

BlockGame::Depth BlockGame::depth_of(const Snapshot& s) {
  const Blocks blocks = census(s.board);
  const Schedule schedule = schedule_of(s.board, blocks);
  Depth depth;
  for (std::size_t number = 1; number <= blocks_max; ++number) {
    if (blocks[number].count == 0) continue;
    ++depth.blocks;
    depth.highest = static_cast<int>(number);
    if (schedule.level[number] == never) continue;
    depth.levels = std::max(depth.levels, schedule.level[number]);
    depth.passes = std::max(depth.passes, schedule.pass[number]);
  }
  return depth;
}

BlockGame::Placing BlockGame::placing_of(const Snapshot& s, const Place& place) {
  const Shape& shape = shape_of(place.shape);
  Placing out;
  out.beyond = std::max(place.row + shape.rows, place.column + shape.columns) - s.size;
  if (out.beyond > 0) return out;
  for (const Cell& cell : shape.cells) {
    out.in_the_way += s.board.at(place.row + cell.row, place.column + cell.column) != 0 ? 1 : 0;
  }
  for (const Block& block : census(s.board)) out.blocks += block.shape != 0 ? 1 : 0;
  ++out.blocks;
  return out;
}

std::vector<BlockGame::Standing> BlockGame::standing(const Snapshot& s) {
  const auto open = [&](Cell cell) {
    for (int row = cell.row; row >= 0; --row) {
      if (s.board.at(row, cell.column) != 0) return false;
    }
    return true;
  };
  std::vector<Standing> out;
  const Blocks blocks = census(s.board);
  for (int number = 1; number <= blocks_max; ++number) {
    const Block& block = blocks[static_cast<std::size_t>(number)];
    if (block.shape == 0) continue;
    const Shape& shape = shape_of(block.shape);
    int closed = 0;
    for (int row = 0; row < shape.rows; ++row) {
      for (int column = 0; column < shape.columns; ++column) {
        if (std::ranges::find(shape.cells, Cell{row, column}) != shape.cells.end()) continue;
        closed += open({block.row + row, block.column + column}) ? 0 : 1;
      }
    }
    out.push_back({number, block.shape, block.row, closed});
  }
  return out;
}

// Suggestions ----------------------------------------------------------------------------------------

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
void renumber(Random& random, Grid& board, int count, BlockGame::Numbering numbering) {
  using Numbering = BlockGame::Numbering;
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

Setup BlockGame::packed(Random& random, int size, int blocks, unsigned shape_set, Numbering numbering) {
  Setup s{size, Grid{size, size}};
  blocks = std::min(blocks, blocks_max);
  int count = 0;
  if (size < 3) return s;
  // First anywhere, then wherever there is room left.
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
  s = position(s);
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

Setup BlockGame::Suggestions::setup(Random& random) {
  if (random.chance(1, 48)) {                       // nearly as many blocks as there may be
    const int size = random.integer(34, size_max);  // one draw to a statement: the order of arguments is the compiler's
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
  if (model_.rows == 0) model_ = s.board;
  if (random.below(weight_place_ + weight_clear_) >= weight_place_) return clear();
  Place place = placement(random, s.size);
  const auto has_room = [&] { return fits(model_, place.shape, place.row, place.column); };
  for (int tries = 8; tries > 0 && !has_room(); --tries) place = placement(random, s.size);
  if (has_room()) {
    if (const int number = smallest_free(model_); number != 0) {
      lay(model_, place.shape, place.row, place.column, number);
    }
  } else if (random.chance(1, 2)) {
    return clear();
  }
  return place;
}

BlockGame::Clear BlockGame::Suggestions::clear() {
  const Schedule schedule = schedule_of(model_, census(model_));
  for (std::uint8_t& cell : model_.cells) {
    if (schedule.level[cell] != never) cell = 0;
  }
  return {};
}

BlockGame::Place BlockGame::Suggestions::placement(Random& random, int size) const {
  const int shape = draw_shape(random, shape_set_);
  const bool anywhere = size < 3 || random.chance(1, 16);  // sticking out included
  const int last_row = anywhere ? size - 1 : size - shape_of(shape).rows;
  const int last_column = anywhere ? size - 1 : size - shape_of(shape).columns;
  const int row = random.integer(0, last_row);
  if (focus_ == 0) return {shape, row, random.integer(0, last_column)};
  const int middle = centre_ * last_column / 1000;
  return {shape, row, std::clamp(middle + random.integer(-focus_, focus_), 0, last_column)};
}

// Symmetries -----------------------------------------------------------------------------------

std::vector<Symmetry<BlockGame>> BlockGame::symmetries() {
  const auto mirrored = [](const Setup& s) {
    Setup image = s;
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) {
        image.board.at(row, s.size - 1 - column) = s.board.at(row, column);
      }
    }
    return image;
  };
  // A block that sticks out on the right would stick out on the left, where no action reaches: its
  // image sticks out on the right too, and is as illegal.
  const auto placed_in_mirror = [](const Setup& s, const Action& action) -> Action {
    const auto* place = std::get_if<Place>(&action);
    if (place == nullptr) return action;
    const int columns = shape_of(place->shape).columns;
    const int shape = mirrored_shape[static_cast<std::size_t>(place->shape - 1)];
    const int column = place->column + columns <= s.size ? s.size - columns - place->column : place->column;
    return Place{shape, place->row, column};
  };
  // One more row on top and one more column on the right; the largest board stays as it is.
  const auto padded = [](const Setup& s) {
    if (s.size == size_max) return s;
    Setup image{s.size + 1, Grid{s.size + 1, s.size + 1}};
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) image.board.at(row + 1, column) = s.board.at(row, column);
    }
    return image;
  };
  // No shape fits the new last column, so what stuck out on the right goes there and still does.
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

// Judge format ---------------------------------------------------------------------------------

namespace {

using Mark = std::pair<int, int>;  // line and column

/// The cells of a board as the text gives them, with the mark of each for errors that show later.
struct Text {
  std::vector<std::uint8_t> cells;
  std::vector<Mark> marks;
};

constexpr std::string_view cell_meaning = "a cell (0 or a block's number)";

/// N and then N rows of N numbers. Answers N.
Parsed<int> read_rows(TokenReader& in, Text& out) {
  const auto size = in.number("the size of the board", BlockGame::judge_size_min, BlockGame::size_max);
  if (!size) return size;
  for (int i = 0; i < *size * *size; ++i) {
    out.marks.emplace_back(in.line(), in.column());
    const auto cell = in.number(cell_meaning, 0, BlockGame::blocks_max);
    if (!cell) return cell;
    out.cells.push_back(static_cast<std::uint8_t>(*cell));
  }
  return size;
}

/// One row, "[0,1,…]", of `wanted` cells; wanted 0 takes any published number of them. Answers how many.
Parsed<int> read_json_row(TokenReader& in, int wanted, Text& out) {
  if (const auto open = in.character('['); !open) return std::unexpected(open.error());
  const int most = wanted == 0 ? BlockGame::size_max : wanted;
  const int least = wanted == 0 ? BlockGame::judge_size_min : wanted;
  int count = 0;
  for (bool more = true; more;) {
    out.marks.emplace_back(in.line(), in.column());
    const auto cell = in.digits(cell_meaning, 0, BlockGame::blocks_max);
    if (!cell) return cell;
    out.cells.push_back(static_cast<std::uint8_t>(*cell));
    ++count;
    more = count < least || (count < most && in.peek() == ',');
    if (!more) continue;
    if (const auto comma = in.character(','); !comma) return std::unexpected(comma.error());
  }
  if (const auto close = in.character(']'); !close) return std::unexpected(close.error());
  return count;
}

/// "[[…],[…],…]", as many rows as the first has cells. Answers how many.
Parsed<int> read_json(TokenReader& in, Text& out) {
  if (const auto open = in.character('['); !open) return std::unexpected(open.error());
  const auto size = read_json_row(in, 0, out);
  if (!size) return size;
  for (int row = 1; row < *size; ++row) {
    if (const auto comma = in.character(','); !comma) return std::unexpected(comma.error());
    if (const auto cells = read_json_row(in, *size, out); !cells) return cells;
  }
  if (const auto close = in.character(']'); !close) return std::unexpected(close.error());
  return size;
}

}  // namespace

Parsed<std::vector<ProblemCase<BlockGame>>> BlockGame::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  Text given;
  const Mark start{in.line(), in.column()};
  const auto size = in.peek() == '[' ? read_json(in, given) : read_rows(in, given);
  if (!size) return std::unexpected(size.error());
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  ProblemCase<BlockGame> asked;
  Setup& setup = asked.scenario.setup;
  setup.size = *size;
  setup.board = Grid{*size, *size};
  setup.board.cells = given.cells;
  if (const auto broken = flaw(setup)) {
    const auto& [line, column] = given.marks[static_cast<std::size_t>(broken->row * *size + broken->column)];
    return text_error(line, column, broken->what);
  }
  asked.scenario.actions.emplace_back(Clear{});
  asked.places.push_back(start);
  return std::vector{std::move(asked)};
}

Parsed<std::string> BlockGame::ProblemFormat::print(const ProblemCase<BlockGame>&,
                                                    std::span<const Observation> observations) {
  std::string out;
  for (const Observation& o : observations) {
    if (o.says != Says::cleared) return text_error(0, 0, "clearing was answered as something else");
    out += std::to_string(o.removed) + "\n";
  }
  return out;
}

}  // namespace lockstep
