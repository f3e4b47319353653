// Features and limits: what a system counts, and which of its rules' limits those counts show.
//
//   struct Puyo::Features {
//     enum : std::size_t { illegal, chains, puyos_in_a_column };
//     static constexpr std::array<Feature, 3> list = {{
//         {illegal, "illegal"}, {chains, "chains"}, {puyos_in_a_column, "puyos in a column", 12}}};
//     static constexpr std::array<Limit, 1> limits = {{{"a column holds 12", puyos_in_a_column, 12}}};
//
// A limit has labels just below, at and just beyond it: the values at − 1, at and at + 1 of its feature. Where
// a side cannot be reached by any scenario, the limit says why instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

/// A small number that says how deep a scenario went. One that watches a limit has its buckets around it
/// (features.hpp), so that 199, 200 and 201 are told apart.
struct Feature {
  std::size_t number;     // its place in the list
  std::string_view name;  // as people and files of floors write it
  std::optional<std::int64_t> around = std::nullopt;
};

struct Limit {
  std::string_view rule;  // as the rules say it, in a few words
  std::size_t feature;    // whose values show it
  std::int64_t at;
  std::string_view nothing_below = {};   // why no scenario shows at − 1; empty: one must
  std::string_view nothing_beyond = {};  // likewise for at + 1
};

}  // namespace lockstep
