#include "campaign/timeline.hpp"

#include <cmath>
#include <utility>

namespace lockstep {

void Timeline::add(Sample sample) {
  sample.seconds = std::round(sample.seconds * 1000) / 1000;
  if (!samples_.empty() && sample.seconds < samples_.back().seconds) return;
  if (!samples_.empty() && sample.seconds == samples_.back().seconds) samples_.pop_back();
  if (samples_.size() >= samples_max) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < samples_.size(); i += 2) samples_[kept++] = std::move(samples_[i]);
    samples_.resize(kept);
    interval_ *= 2;
  }
  samples_.push_back(std::move(sample));
}

}  // namespace lockstep
