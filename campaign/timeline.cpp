#include "campaign/timeline.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/error.hpp"
#include "lockstep/json.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<const char*, std::uint64_t EngineTally::*> counts[] = {{"scenarios", &EngineTally::scenarios},
                                                                           {"steps", &EngineTally::steps},
                                                                           {"features_first", &EngineTally::features},
                                                                           {"findings", &EngineTally::findings}};

}  // namespace

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

std::string to_json(const Timeline& timeline) {
  std::map<std::string, EngineTally> all;
  for (const Sample& sample : timeline.samples_) all.insert(sample.engines.begin(), sample.engines.end());
  Json seconds = Json::array();
  Json features = Json::array();
  for (const Sample& sample : timeline.samples_) {
    seconds.push_back(sample.seconds);
    features.push_back(sample.features);
  }
  Json engines = Json::object();
  for (const auto& [name, unused] : all) {
    for (const auto& [count, member] : counts) {
      Json& values = engines[name][count] = Json::array();
      for (const Sample& sample : timeline.samples_) {
        const auto found = sample.engines.find(name);
        values.push_back(found != sample.engines.end() ? found->second.*member : 0);
      }
    }
  }
  return dumped({{"interval", timeline.interval_}, {"seconds", seconds}, {"features", features}, {"engines", engines}});
}

Timeline timeline_from(std::string_view json) {
  try {
    const Json in = Json::parse(json);
    Timeline out;
    out.interval_ = in.at("interval");
    for (std::size_t i = 0; i < in.at("seconds").size(); ++i) {
      Sample sample{.seconds = in.at("seconds").at(i), .features = in.at("features").at(i)};
      for (const auto& [name, engine] : in.at("engines").items()) {
        for (const auto& [count, member] : counts) sample.engines[name].*member = engine.at(count).at(i);
      }
      if (i > 0 && sample.seconds <= out.samples_.back().seconds)
        throw BadInput{"the seconds of a timeline do not grow"};
      out.samples_.push_back(std::move(sample));
    }
    return out;
  } catch (const nlohmann::json::exception& fault) {
    throw BadInput{std::string{"not a timeline: "} + fault.what()};
  }
}

}  // namespace lockstep
