// Features and limits: the numbers that a system counts, and the limits of its rules that those numbers show.
//
//   struct Puyo::Features {
//     enum : std::size_t { illegal, chains, puyos_in_a_column };
//     static constexpr std::array<Feature, 3> list = {{
//         {illegal, "illegal"}, {chains, "chains"}, {puyos_in_a_column, "puyos in a column", 12}}};
//     static constexpr std::array<Limit, 1> limits = {{{"a column holds 12", puyos_in_a_column, 12}}};
//
// A limit has labels just below, at and just beyond it: the values at − 1, at and at + 1 of its feature. If no scenario
// can reach a side, the limit says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

/// A small number that measures how deep a scenario went. `around`: the buckets are centred on this value
/// (features.hpp), so that 199, 200 and 201 have a bucket each.
struct Feature {
  std::size_t number;     // its index in the list
  std::string_view name;  // in reports and in files of floors
  std::optional<std::int64_t> around = std::nullopt;
};

struct Limit {
  std::string_view rule;  // the rule's limit in a few words
  std::size_t feature;    // the feature that shows it
  std::int64_t at;
  std::string_view nothing_below = {};   // why no scenario shows at − 1; empty: one must
  std::string_view nothing_beyond = {};  // likewise for at + 1
};

}  // namespace lockstep
