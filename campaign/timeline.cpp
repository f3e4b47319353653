#include "campaign/timeline.hpp"

#include <cmath>

namespace lockstep {

EngineTally& EngineTally::operator+=(const EngineTally& other) {
  scenarios += other.scenarios;
  steps += other.steps;
  seconds += other.seconds;
  features += other.features;
  findings += other.findings;
  canaries += other.canaries;
  return *this;
}

void Timeline::add(double now, std::uint64_t reached, const std::map<std::string, EngineTally>& tallies) {
  now = std::round(now * 1000) / 1000;
  if (!seconds.empty() && now < seconds.back()) return;
  const auto change_all = [&](auto&& change) {
    change(seconds);
    change(features);
    for (auto& [name, curve] : engines) {
      for (auto* const counts : {&curve.scenarios, &curve.steps, &curve.features_first, &curve.findings})
        change(*counts);
    }
  };
  const bool replaces = !seconds.empty() && now == seconds.back();
  std::size_t before = seconds.size() - (replaces ? 1 : 0);
  if (before >= samples_max) {
    change_all([](auto& list) {
      for (std::size_t i = 1; i < list.size(); i += 2) list[i / 2] = list[i];
    });
    before /= 2;
    interval *= 2;
  }
  for (const auto& [name, tally] : tallies) engines[name];
  change_all([&](auto& list) {
    list.resize(before);
    list.resize(before + 1);
  });
  seconds.back() = now;
  features.back() = reached;
  for (const auto& [name, tally] : tallies) {
    EngineCurve& curve = engines[name];
    curve.scenarios.back() = tally.scenarios;
    curve.steps.back() = tally.steps;
    curve.features_first.back() = tally.features;
    curve.findings.back() = tally.findings;
  }
}

}  // namespace lockstep
