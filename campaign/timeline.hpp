// How a campaign went: its counts at moments that are equally far apart, as a curve shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// The counts of one engine.
struct EngineTally {
  std::uint64_t scenarios = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  std::uint64_t features = 0;  // pairs of feature and bucket that this engine reached first
  std::uint64_t findings = 0;
  std::uint64_t canaries = 0;

  EngineTally& operator+=(const EngineTally& other);
};

struct Sample {
  double seconds = 0;                               // of the campaign
  std::uint64_t features = 0;                       // pairs of feature and bucket that were reached
  std::map<std::string, EngineTally> engines = {};  // in JSON without seconds and canaries
};

/// At most samples_max samples, however long the campaign takes: when there are more, every second one is dropped, and
/// the following ones come half as often.
class Timeline {
 public:
  static constexpr std::size_t samples_max = 200;

  Timeline() = default;
  explicit Timeline(double interval) : interval_{interval} {}

  /// Whether the distance to the last sample has passed.
  bool due(double seconds) const { return samples_.empty() || seconds >= samples_.back().seconds + interval_; }
  /// A sample of an earlier time than the last one is not added.
  void add(Sample sample);
  const std::vector<Sample>& samples() const { return samples_; }
  double interval() const { return interval_; }

 private:
  double interval_ = 0.1;
  std::vector<Sample> samples_;
};

}  // namespace lockstep
