// Labels as data: how many scenarios of each way of drawing show which values of which features, and floors under
// those numbers. labelling.hpp counts and searches.
//
// Floors are text, one file per system, so that a change of a generator can't quietly stop reaching deep states:
//
//   seed 1                          the stream that was counted …
//   runs 1000                       … and how many scenarios of it for each way of drawing
//   suggested 12 chains = 7         at least 12 of them must show this
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/features.hpp"

namespace lockstep {

/// One way of drawing, and what its scenarios showed.
struct LabelledGenerator {
  std::string name;
  std::uint64_t scenarios = 0;
  std::vector<std::uint64_t> showing = std::vector<std::uint64_t>(features_max * feature_buckets);  // by feature index

  void add(const FeatureSet& shown) {
    ++scenarios;
    for (std::size_t i = 0; i < shown.size(); ++i) showing[i] += shown[i] ? 1 : 0;
  }
};

/// What a system's scenarios showed, way by way.
struct LabelTable {
  std::string system;
  std::uint64_t seed = 1;
  std::uint64_t runs = 0;
  std::vector<Feature> features;
  std::vector<Limit> limits;
  std::vector<LabelledGenerator> generators;

  std::string bucket_text(std::size_t feature, std::size_t bucket) const {
    return feature_bucket_text(bucket, features[feature].around);
  }
};

/// One side of a limit and the ways that reach it.
struct LimitLabel {
  Limit limit;
  std::string_view side;  // "below", "at" or "beyond"
  std::int64_t value;
  std::string_view nothing;             // why no scenario is there; empty: one must be
  std::vector<std::string> generators;  // that show it

  bool missing() const { return nothing.empty() && generators.empty(); }
};
std::vector<LimitLabel> limit_labels(const LabelTable& table);

/// What is wrong with a system's limits as data: values at and beside one that share a bucket. "" when nothing.
std::string fault_of_limits(const LabelTable& table);

struct Floor {
  std::string generator;
  std::uint64_t least = 0;
  std::string feature;
  std::string bucket;
};
struct Floors {
  std::uint64_t seed = 1;
  std::uint64_t runs = 0;
  std::vector<Floor> floors;
};
Parsed<Floors> parse_floors(std::string_view text);

/// Floors under what the table shows: half of each number for drawn ways, one for the corpus.
std::string floors_text(const LabelTable& table);

/// One line for each floor that the table falls below: "suggested: chains = 7 in 3 of 1000 scenarios, the floor is 12".
std::vector<std::string> below_floors(const LabelTable& table, const Floors& floors);

}  // namespace lockstep
