// What a page draws, as JSON: parts of the object that films.js reads. Used by the program and, in the browser, by the
// module that judges changed scenarios (module.cpp).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/base/json.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/recording.hpp"
#include "lockstep/shrink/explain.hpp"

namespace lockstep::page {

using Json = nlohmann::ordered_json;

/// The bytes of a part of the page as JSON: of its texts, actions and the explanation each.
inline constexpr std::size_t part_bytes_max = 256 << 10;

/// The beginning of a text that is too long, and no half of a character.
std::string cut(std::string text, std::size_t bytes_max);

/// The divergence, or null. Of long texts the beginning.
Json divergence_json(const std::optional<Divergence>& divergence);

/// A list of [name, words]; words beyond the bytes of a part are left out.
Json actions_json(const std::vector<RecordedAction>& actions);

/// The explanation; the lines of actions outside of the range are left out, and all lines if they are too many.
Json explanation_json(const Explanation& explanation, PositionRange range);

/// The object up to its closing brace, then the run's positions, which are JSON already.
std::string with_positions(const Json& object, const RecordedRun& run);

}  // namespace lockstep::page
