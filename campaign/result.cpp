#include "campaign/result.hpp"

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

EngineTally CampaignResult::total() const {
  EngineTally sum;
  for (const auto& [name, tally] : engines) sum += tally;
  return sum;
}

}  // namespace lockstep
