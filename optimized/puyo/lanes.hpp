// Puyo Puyo on bits: the whole field in three vectors of 16-bit lanes, no flood fill, no loop over cells.
//
// Board: a column is a lane, a row is a bit, row 0 at the *bottom* (the floor), so that falling is a
// shift to the right. Bits 12 … 15 and lanes 6 and 7 are always 0: they are the walls.
//
//   bit 11 (top)   . . . . . .              A cell's colour, 1 … 5, is written in binary across three
//     ⋮            . . . . . .              planes of that shape; 0 is the empty cell. The board is
//   bit 1          . R G . . .              settled, so the occupied bits of a lane are 2ʰ − 1, where
//   bit 0 (floor)  R R G G . .              h is the column's height.
//            lane  0 1 2 3 4 5 │ 6 7
//
// Links. Two neighbouring cells are linked when all three planes agree in them and they are not empty. One XOR of each
// plane with its shifted self finds all vertical links of all colours at once, another one all horizontal links. A
// group is a connected component of the graph of links; its colour no longer matters.
//
// Which cells vanish. Let deg be a cell's number of links (0 … 4). A cell is a *core* when
//
//     deg ≥ 3              o          or deg ≥ 2 and it is linked       o         o o
//                        o X o        to a cell with deg ≥ 2          o X X o     X X
//
//   and a cell vanishes exactly if it is a core or linked to one:
//
//   1. A core lies in a group of four or more. With deg ≥ 3 the cell and three neighbours are four.
//      For linked X, Y with deg ≥ 2 each: X has another neighbour A, Y another neighbour B. A ≠ B, for
//      the grid has no triangles (colour it like a chessboard: links join black and white), so A, X,
//      Y, B are four. What is linked to a core is in the core's group, so only such groups are touched.
//   2. In a group of four or more every cell v is a core or linked to one. Suppose not.
//      deg v ≥ 3 is a core, and deg v = 0 is a group of one. If deg v = 2 and a neighbour had deg ≥ 2,
//      v would be a core; so both have deg 1 and the group is these three. If deg v = 1, let u be its
//      neighbour: deg u = 1 makes a group of two; deg u ≥ 3 makes u a core; with deg u = 2 let w be
//      u's other neighbour: deg w ≥ 2 makes u a core, deg w = 1 makes a group of three.     ∎
//
//   So one step along the links replaces the flood fill, however large and winding the groups are.
//
// Gravity. In a column that has holes, adding 1 to the occupied bits carries through the stretch that
// stands on the floor, up to the lowest hole, and leaves what is above it alone:
//
//     occupied               0 1 1 0 0 1 1    (the floor is on the right)
//     carried = occupied + 1 0 1 1 0 1 0 0
//     occupied & carried     0 1 1 0 0 0 0    loose: above the lowest hole
//     occupied & ~carried    0 0 0 0 0 1 1    settled
//
//   The hole itself is in no plane, so `plane & carried` is the loose part of the plane. The loose part falls by one
//   in all columns at once, and again while anything is loose: as many rounds as the farthest fall, usually one to
//   four.
//
// Gravity by BMI 2, where its instructions are fast (has_fast_pext). `pext` moves the bits of a word that a mask names
// to the lowest places, in order; `pdep` moves the bits of the lowest places to those that a mask names:
//
//     kept                   1 1 0 1 │ 0 1 1 0    what does not vanish: two columns of a word
//     plane                  a b 0 c │ 0 d e 0
//     pext(plane, kept)      0 0 0 a   b c d e
//     settled                0 1 1 1 │ 0 0 1 1    2ʰ − 1 in each column, h being its number of kept bits
//     pdep(…, settled)       0 a b c │ 0 0 d e
//
//   The k-th kept bit of a word becomes the k-th settled one. Each column has as many of these as of those, so both are
//   in one column, and there the k-th cell from the floor becomes the cell at height k. A word holds four columns.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "games/puyo/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

class LanesPuyo {
 public:
  explicit LanesPuyo(const Puyo::Setup& setup) {
    // From the top row down: every row pushes the rows above it one bit further from the floor.
    Planes p{};
    for (int row = 0; row < Puyo::rows; ++row) {
      std::array<std::uint8_t, 8> cells{};
      std::memcpy(cells.data(), &setup.board.cells[first_cell(row)], Puyo::columns);
      const Lanes colours = __builtin_convertvector(std::bit_cast<Bytes>(cells), Lanes);
      p.ones = upward(p.ones) | (colours & 1);
      p.twos = upward(p.twos) | ((colours >> 1) & 1);
      p.fours = upward(p.fours) | (colours >> 2);
    }
    store(p);
  }

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) return play(*drop);
    return resolve();
  }

  Puyo::Snapshot snapshot() const {
    Puyo::Snapshot out;
    const Planes p = load();
    for (int row = 0; row < Puyo::rows; ++row) {
      const int bit = Puyo::rows - 1 - row;
      const Lanes colours = ((p.ones >> bit) & 1) | (((p.twos >> bit) & 1) << 1) | (((p.fours >> bit) & 1) << 2);
      const auto cells = std::bit_cast<std::array<std::uint8_t, 8>>(__builtin_convertvector(colours, Bytes));
      std::memcpy(&out.board.cells[first_cell(row)], cells.data(), Puyo::columns);
    }
    return out;
  }

  /// Counts the chains (the question of the original problem). Resolves the field; only the colour counts are skipped.
  int count_chains() {
    return play_chains([](const Planes&, Lanes, int) __attribute__((always_inline)) {});
  }

  /// Two fields in turn: the processor computes one while it waits for what it needs of the other. Where a field has no
  /// chain left, nothing is doomed and nothing falls. Without a second field, the first is played twice.
  static void answer_many(std::span<const Puyo::Bits> fields, std::span<Puyo::Answer> chains) {
    at_level_used([&](auto compiled) __attribute__((always_inline)) {
      for (std::size_t i = 0; i < fields.size(); i += 2) {
        const std::array<std::size_t, 2> numbers = {i, std::min(i + 1, fields.size() - 1)};
        std::array<Planes, 2> planes = {planes_of(fields[numbers[0]]), planes_of(fields[numbers[1]])};
        std::array<Lanes, 2> doomed = {find_doomed(planes[0]), find_doomed(planes[1])};
        std::array<Puyo::Answer, 2> counts{};
        while (any(doomed[0] | doomed[1])) {
          for (std::size_t each = 0; each < 2; ++each) {
            if (any(doomed[each])) ++counts[each];
            fall<compiled.level>(planes[each], doomed[each]);
            doomed[each] = find_doomed(planes[each]);
          }
        }
        for (std::size_t each = 0; each < 2; ++each) chains[numbers[each]] = counts[each];
      }
    });
  }

 private:
  /// Eight lanes of 16 bits: a vector register where the machine has one, plain words elsewhere.
  using Lanes = std::uint16_t __attribute__((vector_size(16)));
  /// The same in memory.
  using ColumnBits = std::array<std::uint16_t, 8>;
  /// Lanes four by four.
  using Words = std::array<std::uint64_t, 2>;
  /// A row of the board, a byte a column.
  using Bytes = std::uint8_t __attribute__((vector_size(8)));
  /// The three binary digits of every cell's colour.
  struct Planes {
    Lanes ones;
    Lanes twos;
    Lanes fours;
  };

  static constexpr unsigned full = (1u << Puyo::rows) - 1;

  static constexpr std::size_t first_cell(int row) { return static_cast<std::size_t>(row * Puyo::columns); }

  /// What each cell would read if the whole plane moved by a row: the walls take bit 12.
  [[gnu::always_inline]] static Lanes upward(Lanes x) { return x << 1; }
  [[gnu::always_inline]] static Lanes downward(Lanes x) { return x >> 1; }
  /// The same if it moved by a column: an empty lane moves in.
  [[gnu::always_inline]] static Lanes rightward(Lanes x) {
    return __builtin_shufflevector(x, Lanes{}, 8, 0, 1, 2, 3, 4, 5, 6);
  }
  [[gnu::always_inline]] static Lanes leftward(Lanes x) {
    return __builtin_shufflevector(x, Lanes{}, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  [[gnu::always_inline]] static Planes planes_of(const Puyo::Bits& field) {
    const auto plane = [&](std::size_t digit) __attribute__((always_inline)) {
      ColumnBits columns{};
      std::ranges::copy(field[digit], columns.begin());
      return upside_down(std::bit_cast<Lanes>(columns));
    };
    return {plane(0), plane(1), plane(2)};
  }

  /// Row r of each lane becomes row 11 − r: neighbouring bits, pairs, nibbles and bytes change places.
  [[gnu::always_inline]] static Lanes upside_down(Lanes x) {
    x = (x >> 1 & 0x5555) | (x & 0x5555) << 1;
    x = (x >> 2 & 0x3333) | (x & 0x3333) << 2;
    x = (x >> 4 & 0x0f0f) | (x & 0x0f0f) << 4;
    return (x >> 8 | x << 8) >> (16 - Puyo::rows);
  }

  [[gnu::always_inline]] static bool any(Lanes x) {
    const auto words = std::bit_cast<Words>(x);
    return (words[0] | words[1]) != 0;
  }

  [[gnu::always_inline]] Planes load() const {
    return {std::bit_cast<Lanes>(ones_), std::bit_cast<Lanes>(twos_), std::bit_cast<Lanes>(fours_)};
  }
  [[gnu::always_inline]] void store(const Planes& p) {
    ones_ = std::bit_cast<ColumnBits>(p.ones);
    twos_ = std::bit_cast<ColumnBits>(p.twos);
    fours_ = std::bit_cast<ColumnBits>(p.fours);
  }

  Puyo::Observation play(const Puyo::Drop& drop) {
    const auto column = static_cast<std::size_t>(drop.column);
    const unsigned colour = static_cast<unsigned>(drop.colour);
    // The occupied bits of a settled column are 2ʰ − 1, so adding 1 gives the next free cell.
    const unsigned occupied = static_cast<unsigned>(ones_[column] | twos_[column] | fours_[column]);
    if (occupied == full) return {.says = Puyo::Says::illegal};
    const unsigned free = occupied + 1;
    ones_[column] |= static_cast<std::uint16_t>(free * (colour & 1));
    twos_[column] |= static_cast<std::uint16_t>(free * (colour >> 1 & 1));
    fours_[column] |= static_cast<std::uint16_t>(free * (colour >> 2));
    return {.says = Puyo::Says::dropped};
  }

  Puyo::Observation resolve() {
    Puyo::Observation out{.says = Puyo::Says::resolved};
    const int chains = play_chains([&](const Planes& planes, Lanes doomed, int number) __attribute__((always_inline)) {
      count_colours(planes, doomed, out.chain(number));
    });
    out.chains = static_cast<std::uint8_t>(chains);
    return out;
  }

  /// Plays chains until none is left and returns their number. Calls `seen(planes, doomed, number)` for each chain
  /// before it vanishes. The planes stay in registers throughout.
  int play_chains(const auto& seen) {
    int chains = 0;
    at_level_used([&](auto compiled) __attribute__((always_inline)) {
      Planes planes = load();
      for (Lanes doomed = find_doomed(planes); any(doomed); doomed = find_doomed(planes)) {
        seen(planes, doomed, chains++);
        fall<compiled.level>(planes, doomed);
      }
      store(planes);
    });
    return chains;
  }

  /// Calls the kernel as compiled for the level in use. Above baseline it falls by pext, so that must be fast.
  static void at_level_used(const auto& kernel) {
    return has_fast_pext() ? at_level_in_use(kernel) : at_level<Level::baseline>(kernel);
  }

  /// Every cell of a group of four or more, by the theorem at the top.
  [[gnu::always_inline]] static Lanes find_doomed(const Planes& p) {
    const Lanes here = p.ones | p.twos | p.fours;
    // A link upward is kept at its lower cell, a link to the right at its left cell.
    const Lanes up =
        here & ~((p.ones ^ downward(p.ones)) | (p.twos ^ downward(p.twos)) | (p.fours ^ downward(p.fours)));
    const Lanes right =
        here & ~((p.ones ^ leftward(p.ones)) | (p.twos ^ leftward(p.twos)) | (p.fours ^ leftward(p.fours)));
    const Lanes down = upward(up);
    const Lanes left = rightward(right);

    const Lanes vertical = up | down;
    const Lanes horizontal = left | right;
    const Lanes both_vertical = up & down;
    const Lanes both_horizontal = left & right;
    const Lanes three = (both_vertical & horizontal) | (both_horizontal & vertical);
    const Lanes two = both_vertical | both_horizontal | (vertical & horizontal);

    const Lanes pair_up = two & downward(two) & up;
    const Lanes pair_right = two & leftward(two) & right;
    const Lanes core = three | pair_up | upward(pair_up) | pair_right | rightward(pair_right);
    return core | upward(core & up) | (downward(core) & up) | rightward(core & right) | (leftward(core) & right);
  }

  /// Removes the doomed cells and lets the rest fall.
  template <Level level>
  [[gnu::always_inline]] static void fall(Planes& p, Lanes doomed) {
#if defined(__x86_64__)
    if constexpr (level >= Level::avx2) return fall_by_pext(p, doomed);
#endif
    p.ones &= ~doomed;
    p.twos &= ~doomed;
    p.fours &= ~doomed;
    Lanes occupied = p.ones | p.twos | p.fours;
    for (;;) {
      const Lanes carried = occupied + 1;
      if (!any(occupied & carried)) return;
      p.ones = (p.ones & ~carried) | downward(p.ones & carried);
      p.twos = (p.twos & ~carried) | downward(p.twos & carried);
      p.fours = (p.fours & ~carried) | downward(p.fours & carried);
      occupied = (occupied & ~carried) | downward(occupied & carried);
    }
  }

#if defined(__x86_64__)
  [[gnu::always_inline]] static void fall_by_pext(Planes& p, Lanes doomed) {
    const Lanes kept = (p.ones | p.twos | p.fours) & ~doomed;
    Lanes heights{};
    for (std::size_t i = 0; i < Puyo::columns; ++i) heights[i] = static_cast<std::uint16_t>(std::popcount(kept[i]));
    const Lanes settled = ((Lanes{} + 1) << heights) - 1;
    for (Lanes* plane : {&p.ones, &p.twos, &p.fours}) *plane = moved(*plane, kept, settled);
  }

  /// The bits at `from` move to `to`: in each half of the plane, the k-th of these is the k-th of those.
  [[gnu::target(LOCKSTEP_AVX2)]] static Lanes moved(Lanes plane, Lanes from, Lanes to) {
    auto words = std::bit_cast<Words>(plane);
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = _pdep_u64(_pext_u64(words[i], std::bit_cast<Words>(from)[i]), std::bit_cast<Words>(to)[i]);
    }
    return std::bit_cast<Lanes>(words);
  }
#endif

  /// How many cells of each colour are doomed; colour c + 1 goes into counts[c].
  [[gnu::always_inline]] static void count_colours(const Planes& p, Lanes doomed,
                                                   std::span<std::uint8_t, Puyo::colours> counts) {
    const Lanes with_ones = doomed & p.ones;
    const Lanes with_twos = doomed & p.twos;
    const Lanes with_fours = doomed & p.fours;
    counts[0] = count(with_ones & ~p.twos & ~p.fours);
    counts[1] = count(with_twos & ~p.ones);
    counts[2] = count(with_twos & p.ones);
    counts[3] = count(with_fours & ~p.ones);
    counts[4] = count(with_fours & p.ones);
  }

  /// The number of set bits. Partial sums are added in parallel and never overflow their fields: pairs of bits hold up
  /// to 2, nibbles 4, the nibbles of both words together 8, bytes 16; the product's top byte is the sum of all eight
  /// bytes, at most 72.
  [[gnu::always_inline]] static std::uint8_t count(Lanes x) {
    x -= (x >> 1) & 0x5555;
    x = (x & 0x3333) + ((x >> 2) & 0x3333);
    const auto words = std::bit_cast<Words>(x);
    const std::uint64_t nibbles = words[0] + words[1];
    const std::uint64_t bytes = (nibbles & 0x0f0f0f0f0f0f0f0f) + ((nibbles >> 4) & 0x0f0f0f0f0f0f0f0f);
    return static_cast<std::uint8_t>((bytes * 0x0101010101010101) >> 56);
  }

  // Between steps the planes are stored as plain words, so that a drop touches one column only.
  alignas(Lanes) ColumnBits ones_{};
  alignas(Lanes) ColumnBits twos_{};
  alignas(Lanes) ColumnBits fours_{};
};

static_assert(Implementation<LanesPuyo, Puyo>);
inline const auto puyo_lanes = register_implementation<LanesPuyo, Puyo>(
    "lanes", Kind::optimized, "three bit-planes, columns as 16-bit lanes: links of all colours at once, no flood fill");

}  // namespace lockstep::optimized
