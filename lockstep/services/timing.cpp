#include "lockstep/services/timing.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep {

Quartiles quartiles(std::vector<double> sample) {
  if (sample.empty()) return {};
  std::ranges::sort(sample);
  const auto at = [&](double part) {
    return sample[static_cast<std::size_t>(std::lround(part * static_cast<double>(sample.size() - 1)))];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

}  // namespace lockstep
