#include "lockstep/fuzz/bytes_mutator.hpp"

#include <algorithm>
#include <ranges>

#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/fuzz/fuzz_work.hpp"

namespace lockstep {

std::size_t BytesMutator::mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  Random random{seed};
  decode({data, size}, scenario_);
  if (size > max_size) {
    shrink(random);
  } else if (random.chance(1, 16)) {
    // The corpus starts empty, and a random walk from the empty input takes long to reach what the system's generator
    // produces at once.
    const Style style = random.pick(styles);
    draw_scenario(random, style, scenario_);
  } else if (engine_ != nullptr && random.chance(1, 8)) {
    decode({data, engine_(data, size, max_size)}, scenario_);
  } else {
    lockstep::mutate(random, scenario_);
  }
  return put({data, max_size});
}

std::size_t BytesMutator::cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                                     std::span<std::uint8_t> out, unsigned seed) {
  Random random{seed};
  scenario_.reset_setup();
  decode(one, scenario_);
  AnyScenario second = scenario_.vocabulary().scenario();
  decode(other, second);
  scenario_ = crossover(random, scenario_, second);
  return put(out);
}

/// Applies one to eight mutation operators, none of which adds anything.
void BytesMutator::shrink(Random& random) {
  for (std::uint64_t left = std::uint64_t{1} << random.below(4); left > 0; --left) {
    switch (random.below(3)) {
      case 0: mutation::remove(random, scenario_); break;
      case 1: lower_setup_number(random); break;
      default: clear_cells(random); break;
    }
  }
}

void BytesMutator::lower_setup_number(Random& random) {
  const auto fields = numbers_at(scenario_, {}).fields;
  if (fields.empty()) return;
  const std::size_t i = random.below(fields.size());
  refit(scenario_, Edit{i, fields[i].nearer(random.number(0, fields[i].distance()))});
}

void BytesMutator::clear_cells(Random& random) {
  const auto occupied = parts_at(scenario_, {}).occupied;
  const auto [first, count] = mutation::range_of(random, occupied.size());
  scenario_ = with_cells_emptied(scenario_, std::span{occupied}.subspan(first, count));
}

/// Writes the scenario; drops actions from the end until it fits.
std::size_t BytesMutator::put(std::span<std::uint8_t> out) {
  scenario_.truncate(actions_max(scenario_));
  encode(scenario_, bytes_);
  if (bytes_.size() > out.size()) {
    scenario_.truncate(actions_that_fit(out.size()));
    encode(scenario_, bytes_);
    if (bytes_.size() > out.size()) return 0;
  }
  std::ranges::copy(bytes_, out.begin());
  return bytes_.size();
}

/// The largest number of actions for which the encoding fits; 0 also when the setup alone does not fit.
std::size_t BytesMutator::actions_that_fit(std::size_t room) {
  const auto fits = [&](std::size_t count) {
    AnyScenario kept = scenario_;
    kept.truncate(count);
    encode(kept, bytes_);
    return bytes_.size() <= room;
  };
  const auto counts = std::views::iota(std::size_t{1}, scenario_.size() + 1);
  return static_cast<std::size_t>(std::ranges::partition_point(counts, fits) - counts.begin());
}

}  // namespace lockstep
