// Puyo Puyo, many fields at once: a 16-bit lane of a register is one field, and each of the six columns has registers
// of its own. The theorem that finds the vanishing cells is that of lanes.hpp. Here the neighbour to the right is in
// another register, and the one below is another bit.
//
//       register      column 0       column 1       …     three planes of each:
//       lane          f f f f …      f f f f …            the binary digits of the colours
//
// Row r is bit r: the top row is bit 0 and the floor is above bit 11, so that falling is a doubling.
//
// Fields differ in their number of chains. So one pass over all fields plays one chain in each, and moves the fields
// that had a chain to the front. The next pass processes only these, so no lane waits for another.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::optimized {

/// Fields side by side: word i of a column's plane belongs to field i, the top row in its bit 0.
class PuyoFields {
 public:
  static constexpr std::size_t lanes = 32;
  static constexpr std::size_t planes = 3;
  static constexpr std::size_t columns = Puyo::columns;
  /// As many fields stay in the level 1 cache from pass to pass.
  static constexpr std::size_t chunk = 512;
  using Field = Puyo::Bits;

  explicit PuyoFields(std::size_t count) : count_{count}, chunks_((count + chunk - 1) / chunk) {}

  void set(std::size_t number, const Field& field) {
    Chunk& fields = chunks_[number / chunk];
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t c = 0; c < columns; ++c) fields.words[p][c][number % chunk] = field[p][c];
    }
  }
  Field get(std::size_t number) const {
    const Chunk& fields = chunks_[number / chunk];
    Field out;
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t c = 0; c < columns; ++c) out[p][c] = fields.words[p][c][number % chunk];
    }
    return out;
  }

  /// Counts the chains of all fields (the question of the original problem): `chains` has a place for each. The fields
  /// are used up.
  void count_chains(std::span<std::uint8_t> chains) {
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      for (std::size_t first = 0; first < count_; first += chunk) {
        const Kernel<decltype(level)> kernel{chunks_[first / chunk]};
        kernel.count_chains(chains.subspan(first, std::min(chunk, count_ - first)));
      }
    });
  }

  /// One chain in each of the 32 fields from the given one on, a multiple of 32; bit i says whether field first + i had
  /// one.
  std::uint32_t play_chain(std::size_t first) {
    std::uint32_t more = 0;
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      using Here = Kernel<decltype(level)>;
      const Here kernel{chunks_[first / chunk]};
      for (std::size_t lane = 0; lane < lanes; lane += Here::lanes) {
        more |= kernel.play_chain(first % chunk + lane) << lane;
      }
    });
    return more;
  }

 private:
  using Words = std::array<std::uint16_t, chunk + lanes>;  // with room for one more register
  struct alignas(lanes * sizeof(std::uint16_t)) Chunk {
    std::array<std::array<Words, columns>, planes> words{};
    Words numbers{};   // of the fields
    Words finished{};  // the places of the fields without a chain in this pass
  };

  /// Plays as many fields of a chunk at once as a register has lanes.
  template <class Compiled>
  class Kernel {
   public:
    static constexpr std::size_t lanes = Compiled::bytes / sizeof(std::uint16_t);

    [[gnu::always_inline]] explicit Kernel(Chunk& fields) : fields_{fields} {}

    /// Without an instruction that packs, moving a field costs as much as playing half a chain in it, and only the
    /// places of finished fields are filled.
    [[gnu::always_inline]] void count_chains(std::span<std::uint8_t> chains) const {
      for (std::size_t i = 0; i < chains.size(); ++i) fields_.numbers[i] = static_cast<std::uint16_t>(i);
      std::size_t active = chains.size();
      for (std::uint8_t done = 0; active > 0; ++done) {
        std::size_t kept = 0;
        std::size_t finished = 0;
        for (std::size_t first = 0; first < active; first += lanes) {
          const std::uint32_t here = ~std::uint32_t{0} >> (32 - std::min(lanes, active - first));
          Register field[planes][columns];
          take(field, first);
          const std::uint32_t more = chain(field) & here;
          for (std::uint32_t left = here & ~more; left != 0; left &= left - 1) {
            const std::size_t place = first + static_cast<std::size_t>(std::countr_zero(left));
            chains[fields_.numbers[place]] = done;
            if constexpr (!packs) fields_.finished[finished++] = static_cast<std::uint16_t>(place);
          }
          if constexpr (packs) {
            Register numbers;
            load(numbers, &fields_.numbers[first]);
            pack(field, numbers, more, kept);
            kept += static_cast<std::size_t>(std::popcount(more));
          } else {
            put(field, first);
          }
        }
        active = packs ? kept : active - finished;
        if constexpr (!packs) fill(active, finished);
      }
    }

    [[gnu::always_inline]] std::uint32_t play_chain(std::size_t first) const {
      Register field[planes][columns];
      take(field, first);
      const std::uint32_t more = chain(field);
      put(field, first);
      return more;
    }

   private:
    using Register = Vector<std::uint16_t, Compiled::bytes>;

    [[gnu::always_inline]] void take(Register (&field)[planes][columns], std::size_t first) const {
      for (std::size_t p = 0; p < planes; ++p) {
        for (std::size_t c = 0; c < columns; ++c) load(field[p][c], &fields_.words[p][c][first]);
      }
    }
    [[gnu::always_inline]] void put(const Register (&field)[planes][columns], std::size_t first) const {
      for (std::size_t p = 0; p < planes; ++p) {
        for (std::size_t c = 0; c < columns; ++c) store(&fields_.words[p][c][first], field[p][c]);
      }
    }

    // Chains ------------------------------------------------------------------------------------

    /// Plays one chain; returns the lanes that had one.
    [[gnu::always_inline]] static std::uint32_t chain(Register (&field)[planes][columns]) {
      Register doomed[columns];
      find_doomed(field, doomed);
      Register any{};
      for (const Register& column : doomed) any |= column;
      const std::uint32_t more = lanes_of(any);
      if (more == 0) return 0;
      if constexpr (Compiled::level >= Level::avx512vbmi) {
        for (std::size_t c = 0; c < columns; ++c) fall_by_runs(field[0][c], field[1][c], field[2][c], doomed[c]);
      } else {
        // Three columns of three planes and their holes are what sixteen registers hold.
        fall<0>(field, doomed);
        fall<3>(field, doomed);
      }
      return more;
    }

    /// As LanesPuyo::find_doomed. A link downward is kept at its upper cell, a link to the right at its left cell.
    [[gnu::always_inline]] static void find_doomed(const Register (&field)[planes][columns],
                                                   Register (&doomed)[columns]) {
      Register down[columns], right[columns], two[columns], core[columns];
      for (std::size_t c = 0; c < columns; ++c) {
        const Register &ones = field[0][c], &twos = field[1][c], &fours = field[2][c];
        const Register here = ones | twos | fours;
        down[c] = here & ~((ones ^ ones >> 1) | (twos ^ twos >> 1) | (fours ^ fours >> 1));
        right[c] = Register{};
        if (c + 1 == columns) continue;
        right[c] = here & ~((ones ^ field[0][c + 1]) | (twos ^ field[1][c + 1]) | (fours ^ field[2][c + 1]));
      }
      for (std::size_t c = 0; c < columns; ++c) {
        const Register up = down[c] << 1;
        const Register left = c > 0 ? right[c - 1] : Register{};
        core[c] = (up & down[c] & (left | right[c])) | (left & right[c] & (up | down[c]));
        two[c] = (up & down[c]) | (left & right[c]) | ((up | down[c]) & (left | right[c]));
      }
      for (std::size_t c = 0; c < columns; ++c) {
        const Register pair_down = two[c] & two[c] >> 1 & down[c];
        core[c] |= pair_down | pair_down << 1;
        if (c + 1 == columns) continue;
        const Register pair_right = two[c] & two[c + 1] & right[c];
        core[c] |= pair_right;
        core[c + 1] |= pair_right;
      }
      for (std::size_t c = 0; c < columns; ++c) {
        doomed[c] = core[c] | (core[c] & down[c]) << 1 | (core[c] >> 1 & down[c]);
        if (c > 0) doomed[c] |= core[c - 1] & right[c - 1];
        if (c + 1 < columns) doomed[c] |= core[c + 1] & right[c];
      }
    }

    /// Removes the doomed cells of three columns; the cells above them fall. Each round closes the highest hole below
    /// a cell, in every lane that has one: the cells above that hole are doubled, which moves them down by one.
    ///
    ///     plane              0 1 1 0 0 1 0 1     (the floor is on the left)
    ///     holes              0 0 0 1 1 0 0 0
    ///     less               0 0 0 1 0 1 1 1     holes − 1; 0 where there is no hole, instead of all ones
    ///     above              0 0 0 0 0 1 1 1     less & ~holes
    ///     plane + above part 0 1 1 0 1 0 1 0     the bits of 101 are added to themselves
    ///     holes & less       0 0 0 1 0 0 0 0     the next hole: the one that was closed is lost
    ///
    /// The sum carries nothing into other cells: doubled, the cells above the hole end at most in the hole, which is 0
    /// in every plane. Each plane can be doubled by itself, since the same bits of all planes are one cell.
    ///
    /// Vanished cells above the highest cell left are no holes: nothing falls through them. They are zero bits of −x, x
    /// being the cells left: in −x the lowest set bit of x (the highest cell) is 1, the bits towards the floor are those of
    /// ~x, and the bits towards the top are 0; in a column without cells −x is 0. So a column needs as many rounds as its
    /// highest cell falls rows, 11 at most.
    template <std::size_t first>
    [[gnu::always_inline]] static void fall(Register (&field)[planes][columns], const Register (&doomed)[columns]) {
      constexpr std::size_t together = 3;
      Register holes[together];
      Register some{};
      for (std::size_t i = 0; i < together; ++i) {
        for (auto& plane : field) plane[first + i] &= ~doomed[first + i];
        holes[i] = doomed[first + i] & -(field[0][first + i] | field[1][first + i] | field[2][first + i]);
        some |= holes[i];
      }
      while (any(some)) {
        // Two rounds: one too many does nothing, and half as many ends of the loop are predicted wrongly.
        for (int round = 0; round < 2; ++round) {
          some = Register{};
          for (std::size_t i = 0; i < together; ++i) {
            const Register less = holes[i] != 0 ? holes[i] - 1 : Register{};
            const Register above = less & ~holes[i];
            for (auto& plane : field) plane[first + i] += plane[first + i] & above;
            holes[i] &= less;
            some |= holes[i];
          }
        }
      }
    }

    /// The same for one column, a run of doomed cells in each round: the highest one in every lane. It needs the number
    /// of bits of each lane, and a shift by it; only the highest level has an instruction for both.
    ///
    ///     doomed              0 0 1 1 0 0 1 0     (the floor is on the left)
    ///     highest             0 0 0 0 0 0 1 0     doomed & −doomed
    ///     doomed + highest    0 0 1 1 0 1 0 0     the sum carries through the run
    ///     run                 0 0 0 0 0 0 1 0     doomed & ~(doomed + highest)
    ///     replaced            0 0 0 0 0 0 1 1     the run and what is above it; the cells below it stay
    [[gnu::always_inline]] static void fall_by_runs(Register& ones, Register& twos, Register& fours,
                                                    const Register& doomed_cells) {
      for (Register doomed = doomed_cells; any(doomed);) {
        const Register highest = doomed & -doomed;
        const Register carried = doomed + highest;
        const Register run = doomed & ~carried;
        const Register replaced = run | (highest - 1);
        Register length;
        for (std::size_t i = 0; i < lanes; ++i) length[i] = static_cast<std::uint16_t>(std::popcount(run[i]));
        ones = (ones & ~replaced) | (ones << length & replaced);
        twos = (twos & ~replaced) | (twos << length & replaced);
        fours = (fours & ~replaced) | (fours << length & replaced);
        doomed &= carried;
      }
    }

    [[gnu::always_inline]] static bool any(const Register& x) {
      std::uint64_t all = 0;
      for (const std::uint64_t word : std::bit_cast<std::array<std::uint64_t, lanes / 4>>(x)) all |= word;
      return all != 0;
    }

    /// A bit for each lane that is not 0. Each lane keeps a bit of its own, so that they can be ORed.
    [[gnu::always_inline]] static std::uint32_t lanes_of(const Register& x) {
#if defined(__x86_64__)
      if constexpr (Compiled::level >= Level::avx512) return tested(x);
#endif
      Register own;
      for (std::size_t i = 0; i < lanes; ++i) own[i] = static_cast<std::uint16_t>(1u << i % 16);
      std::uint64_t lane_bits = 0;
      for (const std::uint64_t word : std::bit_cast<std::array<std::uint64_t, lanes / 4>>((Register)(x != 0) & own)) {
        lane_bits |= word;
      }
      lane_bits |= lane_bits >> 32;
      return (lane_bits | lane_bits >> 16) & 0xffff;
    }

    // Packing -----------------------------------------------------------------------------------

    /// Moves the fields that continue to the first `active` places: the ones behind them into the places of finished
    /// fields, which are listed in order.
    [[gnu::always_inline]] void fill(std::size_t active, std::size_t finished) const {
      const std::uint16_t* const places = fields_.finished.data();
      std::size_t gone = static_cast<std::size_t>(std::lower_bound(places, places + finished, active) - places);
      std::size_t from = active;
      for (std::size_t i = 0; i < finished && places[i] < active; ++i) {
        for (; gone < finished && places[gone] == from; ++gone) ++from;
        for (auto& plane : fields_.words) {
          for (Words& column : plane) column[places[i]] = column[from];
        }
        fields_.numbers[places[i]] = fields_.numbers[from++];
      }
    }

#if defined(__x86_64__)
    static constexpr bool packs = Compiled::level >= Level::avx2;

    /// Stores the fields of some lanes side by side from the place `to` on. That is at most the place of the first lane,
    /// so what is overwritten has been loaded.
    [[gnu::always_inline]] void pack(const Register (&field)[planes][columns], const Register& numbers,
                                     std::uint32_t which, std::size_t to) const {
      if constexpr (Compiled::level >= Level::avx512vbmi) return compress(field, numbers, which, to);
      for (std::size_t lane = 0; lane < lanes; lane += 8, which >>= 8) {
        shuffle(field, numbers, lane, which & 0xff, to);
        to += static_cast<std::size_t>(std::popcount(which & 0xff));
      }
    }

    // Functions with intrinsics name their instructions; compilers inline them into kernels all the same.

    [[gnu::target(LOCKSTEP_AVX512)]] static std::uint32_t tested(const Register& x) {
      const __m512i all = _mm512_loadu_si512(&x);
      return _mm512_test_epi16_mask(all, all);
    }

    [[gnu::target(LOCKSTEP_AVX512VBMI)]] void compress(const Register (&field)[planes][columns],
                                                       const Register& numbers, std::uint32_t which,
                                                       std::size_t to) const {
      for (std::size_t p = 0; p < planes; ++p) {
        for (std::size_t c = 0; c < columns; ++c) compress(&fields_.words[p][c][to], which, field[p][c]);
      }
      compress(&fields_.numbers[to], which, numbers);
    }
    [[gnu::target(LOCKSTEP_AVX512VBMI)]] static void compress(std::uint16_t* to, std::uint32_t which,
                                                              const Register& from) {
      _mm512_storeu_si512(to, _mm512_maskz_compress_epi16(which, _mm512_loadu_si512(&from)));
    }

    /// For each set of eight lanes: the order of the bytes that packs them.
    struct Orders {
      std::array<std::array<std::uint8_t, 16>, 256> of{};
      consteval Orders() {
        for (unsigned which = 0; which < 256; ++which) {
          std::size_t to = 0;
          for (unsigned lane = 0; lane < 8; ++lane) {
            if ((which >> lane & 1) == 0) continue;
            of[which][to++] = static_cast<std::uint8_t>(2 * lane);
            of[which][to++] = static_cast<std::uint8_t>(2 * lane + 1);
          }
        }
      }
    };
    static constexpr Orders orders{};

    [[gnu::target(LOCKSTEP_AVX2)]] void shuffle(const Register (&field)[planes][columns], const Register& numbers,
                                                std::size_t lane, std::uint32_t which, std::size_t to) const {
      const __m128i order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&orders.of[which]));
      for (std::size_t p = 0; p < planes; ++p) {
        for (std::size_t c = 0; c < columns; ++c) shuffle(&fields_.words[p][c][to], order, field[p][c], lane);
      }
      shuffle(&fields_.numbers[to], order, numbers, lane);
    }
    [[gnu::target(LOCKSTEP_AVX2)]] static void shuffle(std::uint16_t* to, __m128i order, const Register& from,
                                                       std::size_t lane) {
      const auto* const eight = reinterpret_cast<const std::uint16_t*>(&from) + lane;
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                       _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(eight)), order));
    }
#else
    static constexpr bool packs = false;
#endif

    Chunk& fields_;
  };

  std::size_t count_;
  std::vector<Chunk> chunks_;
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
  static constexpr std::size_t first_used = PuyoFields::chunk - PuyoFields::lanes;  // one register in either chunk

  static std::size_t at(int column) { return static_cast<std::size_t>(column); }

  std::uint8_t colour_at(int row, int column) const {
    unsigned colour = 0;
    for (std::size_t p = 0; p < PuyoFields::planes; ++p) colour |= (field_[p][at(column)] >> row & 1u) << p;
    return static_cast<std::uint8_t>(colour);
  }
  void put(int row, int column, unsigned colour) {
    for (std::size_t p = 0; p < PuyoFields::planes; ++p) {
      field_[p][at(column)] = static_cast<std::uint16_t>(field_[p][at(column)] | (colour >> p & 1) << row);
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
    std::array<std::uint8_t, first_used + fields> chains;
    batch_.count_chains(chains);
    out.chains = chains[first_used + lane_];
    fill();
    const std::size_t first = lane_ / PuyoFields::lanes * PuyoFields::lanes;
    for (int number = 0; (batch_.play_chain(first_used + first) >> (lane_ - first) & 1) != 0; ++number) {
      count(out.chain(number), 1);
      field_ = batch_.get(first_used + lane_);
      count(out.chain(number), -1);
    }
    return out;
  }

  /// Puts this field into its lane. (Fields before the first lane are empty, or what an earlier question left.) Of the
  /// other lanes, every second one gets the field with its columns rotated by one or two, the lanes between them by
  /// three to five; one field is empty. So three cases of packing occur: all fields but the empty one continue, or half
  /// of them, or this one alone.
  void fill() {
    std::array<PuyoFields::Field, Puyo::columns> pushed;
    for (std::size_t by = 0; by < pushed.size(); ++by) {
      pushed[by] = field_;
      for (auto& plane : pushed[by]) std::ranges::rotate(plane, plane.begin() + static_cast<std::ptrdiff_t>(by));
    }
    for (std::size_t lane = 0; lane < fields; ++lane) {
      const std::size_t further = (lane + fields - lane_) % fields;
      batch_.set(first_used + lane,
                 further == PuyoFields::lanes - 1 ? PuyoFields::Field{} : pushed[pushed_by(further)]);
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
  PuyoFields batch_{first_used + fields};
  std::size_t lane_ = fields - 2;  // the lane used last; the next one is the last lane, then the first
};

static_assert(Implementation<BatchPuyo, Puyo>);
inline const auto puyo_batch =
    register_batch<BatchPuyo, Puyo>("batch", "one of many fields in the lanes of a register");

}  // namespace lockstep::optimized
