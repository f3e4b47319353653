// Labels as data: for each generator, the number of scenarios that show each value of each feature, and floors under
// those numbers. labelling.hpp counts and searches.
//
// Floors are text, one file per system, of the values at and beside the limits of the rules. They detect a generator that no
// longer reaches them:
//
//   seed 1                                 the seed of the counted stream
//   runs 1000                              scenarios of each generator
//   chains = 7: suggested 12 corpus 1      at least 12 scenarios of `suggested` must show chains = 7, and one of the corpus
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/describe/features.hpp"

namespace lockstep {

/// A generator and what its scenarios showed.
struct LabelledGenerator {
  std::string name;
  std::uint64_t scenarios = 0;
  std::vector<std::uint64_t> showing = std::vector<std::uint64_t>(feature_indices);  // by feature index

  void add(const FeatureSet& shown) {
    ++scenarios;
    for (std::size_t i = 0; i < shown.size(); ++i) showing[i] += shown[i] ? 1 : 0;
  }
};

/// What a system's scenarios showed, per generator.
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

/// A value at or beside a limit, and the generators that reach it.
struct LimitLabel {
  Limit limit;
  std::string_view side;  // "below", "at" or "beyond"
  std::int64_t value;
  std::string_view nothing = {};             // why no scenario shows it; empty: one must
  std::vector<std::string> generators = {};  // generators that show it

  bool missing() const { return nothing.empty() && generators.empty(); }
};
std::vector<LimitLabel> limit_labels(const LabelTable& table);

/// The error in a system's limits as data: a value at or beside a limit that shares its bucket. "" if there is none.
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

/// The file of a system's floors: FOLDER/SYSTEM.txt.
std::string floors_file(const std::filesystem::path& folder, std::string_view system);

/// Floors for the values that limits watch: half of each number for generators, one for the corpus.
std::string floors_text(const LabelTable& table);

/// One line for each number below its floor: "suggested: chains = 7 in 3 of 1000 scenarios, the floor is 12".
std::vector<std::string> below_floors(const LabelTable& table, const Floors& floors);

}  // namespace lockstep
