#include "campaign/result.hpp"

#include <cmath>

namespace lockstep {

std::string ProcessorShare::starved_text() const {
  return "the machine was busy or stopped: this search got " + std::to_string(std::lround(100 * used / available)) +
         "% of the processor time that there was, so it reached less than it does elsewhere in its time";
}

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
