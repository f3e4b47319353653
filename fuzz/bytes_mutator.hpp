// Mutation and crossover for engines that think in bytes: bytes → scenario → changed scenario → bytes.
//
// Ensures: what comes out is the encoding of a lawful scenario, is at most as long as allowed, can be
// played within work.hpp's bound, and depends on the arguments alone. 0 means that the setup by itself
// is longer than allowed: the engine tries again.
//
// Engines do odd things with sizes. `-minimize_crash` hands over more bytes than it allows back: then
// nothing but shrinking makes sense. With `-mutate_depth` above 1, libFuzzer 19 repeats the size of the
// first input, so that the bytes at the end may be leftovers (LLVM issue 149942): that needs no care
// here, because decoding is total and whatever is read becomes some lawful scenario.
#pragma once

#include <ranges>
#include <span>
#include <utility>

#include "fuzz/work.hpp"
#include "lockstep/codec.hpp"
#include "lockstep/mutate.hpp"

namespace lockstep {

template <System S>
class BytesMutator {
 public:
  /// The engine's own way to change bytes in place (LLVMFuzzerMutate); null when it has none.
  using EngineMutate = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t max_size);

  explicit BytesMutator(EngineMutate engine) : engine_{engine} {}

  /// `data` has room for max_size bytes and holds `size`; both bounds may be the larger one.
  std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Random random{seed};
    decode<S>({data, size}, scenario_);
    if (size > max_size) {
      shrink(random);
    } else if (random.chance(1, 16)) {
      // The corpus starts with nothing, and a random walk from nothing takes long to meet what the
      // system's own drawing makes at once.
      scenario_ = draw_scenario<S>(random, random.pick(styles));
    } else if (engine_ != nullptr && random.chance(1, 8)) {
      decode<S>({data, engine_(data, size, max_size)}, scenario_);
    } else {
      lockstep::mutate<S>(random, scenario_);
    }
    return put({data, max_size});
  }

  /// The beginning of one and the end of the other.
  std::size_t cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                         std::span<std::uint8_t> out, unsigned seed) {
    Random random{seed};
    scenario_ = crossover<S>(random, decode<S>(one), decode<S>(other));
    return put(out);
  }

 private:
  /// One to eight changes, none of which adds anything.
  void shrink(Random& random) {
    for (std::uint64_t left = std::uint64_t{1} << random.below(4); left > 0; --left) {
      switch (random.below(3)) {
        case 0: mutation::remove<S>(random, scenario_); break;
        case 1: lower_setup_number(random); break;
        case 2: clear_cells(random); break;
      }
    }
  }

  void lower_setup_number(Random& random) {
    const auto fields = setup_numbers<S>(scenario_.setup).fields;
    if (fields.empty()) return;
    const std::size_t i = random.below(fields.size());
    refit<S>(scenario_, Edit{i, random.between(fields[i].lo, fields[i].value)});
  }

  void clear_cells(Random& random) {
    const auto occupied = parts_of<S>(scenario_.setup).occupied;
    const auto [first, count] = mutation::range_of(random, occupied.size());
    scenario_ = with_cells<S>(scenario_, std::span{occupied}.subspan(first, count), 0);
  }

  /// Writes the scenario; actions leave from the end until it fits.
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

  /// The largest number of actions whose encoding fits; 0 also when not even the setup does.
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
  // Kept from call to call for their memory only.
  Scenario<S> scenario_;
  Bytes bytes_;
};

}  // namespace lockstep
