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

/// The counts of one engine at each moment.
struct EngineCurve {
  std::vector<std::uint64_t> scenarios = {};
  std::vector<std::uint64_t> steps = {};
  std::vector<std::uint64_t> features_first = {};
  std::vector<std::uint64_t> findings = {};
};

/// At most samples_max moments, however long the campaign takes: when there are more, every second one is dropped, and
/// the following ones come half as often. All lists have one length: an engine that began later has zeros before.
struct Timeline {
  static constexpr std::size_t samples_max = 200;

  double interval = 0.1;                     // between two moments
  std::vector<double> seconds = {};          // of the campaign
  std::vector<std::uint64_t> features = {};  // pairs of feature and bucket that were reached
  std::map<std::string, EngineCurve> engines = {};

  /// Whether the distance to the last moment has passed.
  bool due(double now) const { return seconds.empty() || now >= seconds.back() + interval; }
  /// A moment before the last one is not added.
  void add(double now, std::uint64_t reached, const std::map<std::string, EngineTally>& tallies);
};

}  // namespace lockstep
