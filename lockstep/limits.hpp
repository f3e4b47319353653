// The vocabulary of features and limits: what a system counts, and which of its rules' limits those counts show.
//
//   static constexpr std::array<Feature, 3> features = {"illegal", "chains", {"puyos in a column", 12}};
//   static constexpr std::array<Limit, 1> limits = {{{"a column holds 12", "puyos in a column", 12}}};
//
// A limit has labels just below, at and just beyond it: the values at − 1, at and at + 1 of its feature. Where
// a side cannot be reached by any scenario, the limit says why instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

/// A small number that says how deep a scenario went. One that watches a limit has its buckets around it
/// (features.hpp), so that 199, 200 and 201 are told apart.
struct Feature {
  std::string_view name;
  std::optional<std::int64_t> around = std::nullopt;

  constexpr Feature(const char* plain) : name{plain} {}
  constexpr Feature(const char* watching, std::int64_t limit) : name{watching}, around{limit} {}
};

struct Limit {
  std::string_view rule;     // as the rules say it, in a few words
  std::string_view feature;  // whose values show it
  std::int64_t at;
  std::string_view nothing_below = {};   // why no scenario shows at − 1; empty: one must
  std::string_view nothing_beyond = {};  // likewise for at + 1
};

}  // namespace lockstep
