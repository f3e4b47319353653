// The JSON of a timeline: one array for each count, with a number for each sample (docs/fuzz-json.md). Only sources include
// this header, as json.hpp says.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "campaign/timeline.hpp"

namespace lockstep {

inline constexpr std::pair<const char*, std::uint64_t EngineTally::*> counts_of_timelines[] = {
    {"scenarios", &EngineTally::scenarios},
    {"steps", &EngineTally::steps},
    {"features_first", &EngineTally::features},
    {"findings", &EngineTally::findings}};

template <class Json>
void to_json(Json& out, const Timeline& timeline) {
  std::map<std::string, EngineTally> all;
  for (const Sample& sample : timeline.samples()) all.insert(sample.engines.begin(), sample.engines.end());
  out = {{"interval", timeline.interval()},
         {"seconds", Json::array()},
         {"features", Json::array()},
         {"engines", Json::object()}};
  for (const Sample& sample : timeline.samples()) {
    out["seconds"].push_back(sample.seconds);
    out["features"].push_back(sample.features);
    for (const auto& [name, unused] : all) {
      const auto found = sample.engines.find(name);
      for (const auto& [count, member] : counts_of_timelines)
        out["engines"][name][count].push_back(found != sample.engines.end() ? found->second.*member : 0);
    }
  }
}

template <class Json>
void from_json(const Json& in, Timeline& timeline) {
  timeline = Timeline{in.at("interval").template get<double>()};
  for (std::size_t i = 0; i < in.at("seconds").size(); ++i) {
    Sample sample{.seconds = in.at("seconds").at(i), .features = in.at("features").at(i)};
    for (const auto& [name, engine] : in.at("engines").items()) {
      for (const auto& [count, member] : counts_of_timelines) sample.engines[name].*member = engine.at(count).at(i);
    }
    timeline.add(std::move(sample));
  }
}

}  // namespace lockstep
