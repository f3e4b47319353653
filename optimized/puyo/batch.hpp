// Puyo Puyo, many fields at once with AVX-512: 32 fields in the 16-bit lanes of a register; each of the six columns
// has registers of its own. The theorem that finds the vanishing cells is that of lanes.hpp. Here the neighbour to the
// right is in another register, and the one above is another bit.
//
//       register      column 0       column 1       …     three planes of each:
//       lane          f f f f …      f f f f …            the binary digits of the colours
//
// Fields differ in their number of chains. So one pass over all fields plays one chain in each, and packs the fields
// that had a chain to the front. The next pass processes only these, so no lane waits for another.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/processor.hpp"
#include "lockstep/registry.hpp"

namespace lockstep::optimized {

/// Fields side by side: word i of a column's plane belongs to field i, the floor in its bit 0.
class PuyoFields {
 public:
  static constexpr std::size_t lanes = 32;
  static constexpr std::size_t planes = 3;
  using Field = Puyo::Bits;

  explicit PuyoFields(std::size_t count) : count_{count}, numbers_(count + lanes) {
    for (auto& plane : words_) {
      for (auto& column : plane) column.resize(count + lanes);
    }
  }

  std::size_t count() const { return count_; }

  void set(std::size_t number, const Field& field) {
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t c = 0; c < Puyo::columns; ++c) words_[p][c][number] = field[p][c];
    }
  }
  Field get(std::size_t number) const {
    Field out;
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t c = 0; c < Puyo::columns; ++c) out[p][c] = words_[p][c][number];
    }
    return out;
  }

  /// Counts the chains of all fields (the question of the original problem). The fields are used up.
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx512bitalg,popcnt,bmi")]] void count_chains(
      std::span<std::uint8_t> chains) {
    for (std::size_t i = 0; i < count_; ++i) numbers_[i] = static_cast<std::uint16_t>(i);
    std::size_t active = count_;
    for (std::uint8_t done = 0; active > 0; ++done) {
      std::size_t kept = 0;
      for (std::size_t first = 0; first < active; first += lanes) {
        const std::uint32_t here = active - first >= lanes ? ~0u : (1u << (active - first)) - 1;
        Register field[planes][columns];
        load(field, first);
        const std::uint32_t more = chain(field) & here;
        for (std::uint32_t left = here & ~more; left != 0; left &= left - 1) {
          chains[numbers_[first + static_cast<std::size_t>(__builtin_ctz(left))]] = done;
        }
        // Writes never overtake reads: kept ≤ first.
        for (std::size_t p = 0; p < planes; ++p) {
          for (std::size_t c = 0; c < columns; ++c) pack(&words_[p][c][kept], more, (__m512i)field[p][c]);
        }
        pack(&numbers_[kept], more, _mm512_loadu_si512(&numbers_[first]));
        kept += static_cast<std::size_t>(__builtin_popcount(more));
      }
      active = kept;
    }
  }

  /// One chain in each of the 32 fields from the given one on; bit i says whether field first + i had one.
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx512bitalg")]] std::uint32_t play_chain(std::size_t first) {
    Register field[planes][columns];
    load(field, first);
    const std::uint32_t more = chain(field);
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t c = 0; c < columns; ++c) _mm512_storeu_si512(&words_[p][c][first], (__m512i)field[p][c]);
    }
    return more;
  }

 private:
  static constexpr std::size_t columns = Puyo::columns;
  using Register = std::uint16_t __attribute__((vector_size(lanes * sizeof(std::uint16_t))));

  [[gnu::target("avx512f")]] void load(Register (&field)[planes][columns], std::size_t first) const {
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t c = 0; c < columns; ++c) field[p][c] = (Register)_mm512_loadu_si512(&words_[p][c][first]);
    }
  }

  [[gnu::target("avx512f,avx512bw,avx512vbmi2")]] static void pack(std::uint16_t* to, std::uint32_t which,
                                                                   __m512i from) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi16(which, from));
  }

  /// Plays one chain; returns the lanes that had one.
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512bitalg")]] static std::uint32_t chain(
      Register (&field)[planes][columns]) {
    Register doomed[columns];
    find_doomed(field, doomed);
    Register any{};
    for (const Register& column : doomed) any |= column;
    const std::uint32_t more = _mm512_test_epi16_mask((__m512i)any, (__m512i)any);
    if (more != 0) {
      for (std::size_t c = 0; c < columns; ++c) fall(field[0][c], field[1][c], field[2][c], doomed[c]);
    }
    return more;
  }

  /// As LanesPuyo::find_doomed. A link upward is kept at its lower cell, a link to the right at its left cell.
  [[gnu::target("avx512f,avx512bw,avx512vl")]] static void find_doomed(const Register (&field)[planes][columns],
                                                                       Register (&doomed)[columns]) {
    Register up[columns], right[columns], two[columns], core[columns];
    for (std::size_t c = 0; c < columns; ++c) {
      const Register &ones = field[0][c], &twos = field[1][c], &fours = field[2][c];
      const Register here = ones | twos | fours;
      up[c] = here & ~((ones ^ ones >> 1) | (twos ^ twos >> 1) | (fours ^ fours >> 1));
      right[c] = Register{};
      if (c + 1 == columns) continue;
      right[c] = here & ~((ones ^ field[0][c + 1]) | (twos ^ field[1][c + 1]) | (fours ^ field[2][c + 1]));
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const Register down = up[c] << 1;
      const Register left = c > 0 ? right[c - 1] : Register{};
      core[c] = (up[c] & down & (left | right[c])) | (left & right[c] & (up[c] | down));
      two[c] = (up[c] & down) | (left & right[c]) | ((up[c] | down) & (left | right[c]));
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const Register pair_up = two[c] & two[c] >> 1 & up[c];
      core[c] |= pair_up | pair_up << 1;
      if (c + 1 == columns) continue;
      const Register pair_right = two[c] & two[c + 1] & right[c];
      core[c] |= pair_right;
      core[c + 1] |= pair_right;
    }
    for (std::size_t c = 0; c < columns; ++c) {
      doomed[c] = core[c] | (core[c] & up[c]) << 1 | (core[c] >> 1 & up[c]);
      if (c > 0) doomed[c] |= core[c - 1] & right[c - 1];
      if (c + 1 < columns) doomed[c] |= core[c + 1] & right[c];
    }
  }

  /// Removes the lowest run of doomed cells from the column of every field, and repeats this while there is one. The
  /// cells above the run move down by its length. Adding the lowest doomed bit to the doomed bits carries through the
  /// run.
  ///
  ///     doomed              0 1 0 0 1 1 0 0     (the floor is on the right)
  ///     lowest              0 0 0 0 0 1 0 0     doomed & -doomed
  ///     doomed + lowest     0 1 0 1 0 0 0 0
  ///     run                 0 0 0 0 1 1 0 0     doomed & ~(doomed + lowest)
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512bitalg")]] static void fall(Register& ones, Register& twos,
                                                                             Register& fours, Register doomed) {
    while (_mm512_test_epi16_mask((__m512i)doomed, (__m512i)doomed) != 0) {
      const Register lowest = doomed & -doomed;
      const Register run = doomed & ~(doomed + lowest);
      const Register length = (Register)_mm512_popcnt_epi16((__m512i)run);
      const Register below = lowest - 1;
      ones = (ones & below) | (ones >> length & ~below);
      twos = (twos & below) | (twos >> length & ~below);
      fours = (fours & below) | (fours >> length & ~below);
      doomed = (doomed & ~run) >> length;
    }
  }

  std::size_t count_;
  std::vector<std::uint16_t> numbers_;
  std::array<std::array<std::vector<std::uint16_t>, columns>, planes> words_;  // with room for one more register
};

/// Plays one field in one lane, and changes the lane at every resolve. The other lanes hold this field with its
/// columns rotated. The vanished puyos are the difference that each chain makes.
class BatchPuyo {
 public:
  explicit BatchPuyo(const Puyo::Setup& setup) {
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) put(row, column, setup.board.at(row, column));
    }
  }

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) return play(*drop);
    return resolve();
  }

  Puyo::Snapshot snapshot() const {
    return {Grid::drawn(Puyo::rows, Puyo::columns, [&](int row, int column) { return colour_at(row, column); })};
  }

  static void answer_many(std::span<const Puyo::Bits> given, std::span<Puyo::Answer> chains) {
    PuyoFields batch{given.size()};
    for (std::size_t i = 0; i < given.size(); ++i) batch.set(i, given[i]);
    batch.count_chains(chains);
  }

 private:
  static constexpr std::size_t fields = 2 * PuyoFields::lanes;

  static std::size_t at(int column) { return static_cast<std::size_t>(column); }
  static constexpr int bit(int row) { return Puyo::rows - 1 - row; }

  std::uint8_t colour_at(int row, int column) const {
    unsigned colour = 0;
    for (std::size_t p = 0; p < PuyoFields::planes; ++p) colour |= (field_[p][at(column)] >> bit(row) & 1u) << p;
    return static_cast<std::uint8_t>(colour);
  }
  void put(int row, int column, unsigned colour) {
    for (std::size_t p = 0; p < PuyoFields::planes; ++p) {
      field_[p][at(column)] = static_cast<std::uint16_t>(field_[p][at(column)] | (colour >> p & 1) << bit(row));
    }
  }

  Puyo::Observation play(const Puyo::Drop& drop) {
    for (int row = Puyo::rows - 1; row >= 0; --row) {
      if (colour_at(row, drop.column) != 0) continue;
      put(row, drop.column, static_cast<unsigned>(drop.colour));
      return {.says = Puyo::Says::dropped};
    }
    return {.says = Puyo::Says::illegal};
  }

  Puyo::Observation resolve() {
    lane_ = (lane_ + 1) % fields;
    fill();
    Puyo::Observation out{.says = Puyo::Says::resolved};
    std::array<std::uint8_t, fields> chains;
    batch_.count_chains(chains);
    out.chains = chains[lane_];
    fill();
    const std::size_t first = lane_ / PuyoFields::lanes * PuyoFields::lanes;
    for (int number = 0; (batch_.play_chain(first) >> (lane_ - first) & 1) != 0; ++number) {
      count(out.chain(number), 1);
      field_ = batch_.get(lane_);
      count(out.chain(number), -1);
    }
    return out;
  }

  /// Puts this field into its lane. Of the other lanes, every second one gets the field with its columns rotated by
  /// one or two, the lanes between them by three to five; one field is empty. So three cases of packing occur: all
  /// fields but the empty one continue, or half of them, which fill a register, or this one alone.
  void fill() {
    std::array<PuyoFields::Field, Puyo::columns> pushed;
    for (std::size_t by = 0; by < pushed.size(); ++by) {
      pushed[by] = field_;
      for (auto& plane : pushed[by]) std::ranges::rotate(plane, plane.begin() + static_cast<std::ptrdiff_t>(by));
    }
    for (std::size_t lane = 0; lane < fields; ++lane) {
      const std::size_t further = (lane + fields - lane_) % fields;
      batch_.set(lane, further == PuyoFields::lanes - 1 ? PuyoFields::Field{} : pushed[pushed_by(further)]);
    }
  }
  static std::size_t pushed_by(std::size_t further) {
    if (further == 0) return 0;
    return further % 2 == 1 ? 1 + further / 2 % 2 : 3 + further / 2 % 3;
  }

  /// Adds `times` for each puyo of the field to the count of its colour.
  void count(std::span<std::uint8_t, Puyo::colours> counts, int times) const {
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        const std::uint8_t colour = colour_at(row, column);
        if (colour != 0) counts[colour - 1u] = static_cast<std::uint8_t>(counts[colour - 1u] + times);
      }
    }
  }

  PuyoFields::Field field_{};
  PuyoFields batch_{fields};
  std::size_t lane_ = fields - 2;  // the lane used last; the next one is the last lane, then the first
};

static_assert(Implementation<BatchPuyo, Puyo>);
inline const auto puyo_batch =
    has_level(Level::avx512vbmi)
        ? register_batch<BatchPuyo, Puyo>("batch", "one of 32 fields in the lanes of a register (AVX-512)")
        : Registration{};

}  // namespace lockstep::optimized

#endif
