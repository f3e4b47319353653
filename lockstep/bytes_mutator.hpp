// Mutation and crossover for byte-based engines: bytes → scenario → changed scenario → bytes.
//
// Ensures: the result is the encoding of a lawful scenario, is at most max_size bytes long, stays within the bound of
// fuzz_work.hpp, and depends on the arguments alone. Returns 0 when the setup alone is longer than max_size: the engine then
// tries again.
//
// Engines handle sizes in unexpected ways. `-minimize_crash` passes more bytes than it allows back: then only shrinking
// makes sense. With `-mutate_depth` above 1, libFuzzer 19 repeats the size of the first input, so that the last bytes
// may be leftovers (LLVM issue 149942). That needs no handling here: decoding is total, so all bytes decode to a lawful
// scenario.
#pragma once

#include <ranges>
#include <span>
#include <utility>

#include "lockstep/codec.hpp"
#include "lockstep/fuzz_work.hpp"
#include "lockstep/mutate.hpp"

namespace lockstep {

template <System S>
class BytesMutator {
 public:
  /// The engine's own in-place byte mutation (LLVMFuzzerMutate); null when it has none.
  using EngineMutate = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t max_size);

  explicit BytesMutator(EngineMutate engine) : engine_{engine} {}

  /// `data` has room for max_size bytes and holds `size`; either of the two may be larger.
  std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Random random{seed};
    decode<S>({data, size}, scenario_);
    if (size > max_size) {
      shrink(random);
    } else if (random.chance(1, 16)) {
      // The corpus starts empty, and a random walk from the empty input takes long to reach what the system's generator
      // produces at once.
      scenario_ = draw_scenario<S>(random, random.pick(styles));
    } else if (engine_ != nullptr && random.chance(1, 8)) {
      decode<S>({data, engine_(data, size, max_size)}, scenario_);
    } else {
      lockstep::mutate<S>(random, scenario_);
    }
    return put({data, max_size});
  }

  /// Joins the beginning of `one` and the end of `other`.
  std::size_t cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                         std::span<std::uint8_t> out, unsigned seed) {
    Random random{seed};
    scenario_ = crossover<S>(random, decode<S>(one), decode<S>(other));
    return put(out);
  }

 private:
  /// Applies one to eight mutation operators, none of which adds anything.
  void shrink(Random& random) {
    for (std::uint64_t left = std::uint64_t{1} << random.below(4); left > 0; --left) {
      switch (random.below(3)) {
        case 0: mutation::remove<S>(random, scenario_); break;
        case 1: lower_setup_number(random); break;
        default: clear_cells(random); break;
      }
    }
  }

  void lower_setup_number(Random& random) {
    const auto fields = setup_numbers<S>(scenario_.setup).fields;
    if (fields.empty()) return;
    const std::size_t i = random.below(fields.size());
    refit<S>(scenario_, Edit{i, fields[i].nearer(random.number(0, fields[i].distance()))});
  }

  void clear_cells(Random& random) {
    const auto occupied = parts_of<S>(scenario_.setup).occupied;
    const auto [first, count] = mutation::range_of(random, occupied.size());
    scenario_ = with_cells<S>(scenario_, std::span{occupied}.subspan(first, count), 0);
  }

  /// Writes the scenario; drops actions from the end until it fits.
  std::size_t put(std::span<std::uint8_t> out) {
    auto& actions = scenario_.actions;
    actions.resize(std::min(actions.size(), actions_max<S>(scenario_.setup)));
    encode<S>(scenario_, bytes_);
    if (bytes_.size() > out.size()) {
      keep_first(actions_that_fit(out.size()));
      encode<S>(scenario_, bytes_);
      if (bytes_.size() > out.size()) return 0;
    }
    std::ranges::copy(bytes_, out.begin());
    return bytes_.size();
  }

  /// The largest number of actions for which the encoding fits; 0 also when the setup alone does not fit.
  std::size_t actions_that_fit(std::size_t room) {
    const auto fits = [&](std::size_t count) {
      const std::span kept = std::span{scenario_.actions}.first(count);
      encode<S>({.setup = scenario_.setup, .actions = {kept.begin(), kept.end()}}, bytes_);
      return bytes_.size() <= room;
    };
    const auto counts = std::views::iota(std::size_t{1}, scenario_.actions.size() + 1);
    return static_cast<std::size_t>(std::ranges::partition_point(counts, fits) - counts.begin());
  }

  void keep_first(std::size_t count) {
    scenario_.actions.erase(scenario_.actions.begin() + static_cast<std::ptrdiff_t>(count), scenario_.actions.end());
  }

  EngineMutate engine_;
  // Kept between calls to reuse their memory.
  Scenario<S> scenario_;
  Bytes bytes_;
};

}  // namespace lockstep
