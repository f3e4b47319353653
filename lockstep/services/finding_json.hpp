// The JSON of verdicts, findings, explanations and sizes, for messages between processes and state files. Only sources
// include this header, as json.hpp says.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/base/enumerators.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/json.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/services/finding.hpp"

namespace lockstep {

/// Of the files that hold findings, of runs and of shards. Raise it when what they hold changes.
inline constexpr int state_version = 15;
/// Version 14 has other words (rename_words).
bool is_read(const auto& version) { return version == state_version || version == 14; }

// nlohmann's own, which write numbers, take any Json.
template <template <class, class, class...> class Map, NamedEnum E>
void to_json(nlohmann::basic_json<Map>& out, E value) {
  out = to_string(value);
}
template <template <class, class, class...> class Map, NamedEnum E>
void from_json(const nlohmann::basic_json<Map>& in, E& value) {
  const auto& values = Enumerators<E>::values;
  const auto found = std::ranges::find(values, in.template get<std::string>(), [](E each) { return to_string(each); });
  if (found == values.end()) throw InternalError{"no such word between processes: " + in.dump()};
  value = *found;
}

LOCKSTEP_JSON(Divergence, kind, step, system, blamed, action, field, expected, actual, conditions, last_words)
LOCKSTEP_JSON(Verdict, state, divergence, reason, wavers)
LOCKSTEP_JSON(ExplainedWord, name, text, matter)
LOCKSTEP_JSON(ExplainedLine, kind, name, matter, words)
LOCKSTEP_JSON(Explanation, signature, system, lines, complete, judgements, redrawn, redrawn_that_fail)
LOCKSTEP_JSON(Finding, signature, file_name, implementations, scenario, explanation, divergence, minimal, hidden_state,
              restated, unstable, why, actions_before, actions, judgements, wider, shrinking_seconds, engine, seconds,
              scenarios)

/// {"actions": …, "occupied": …, "area": …, "spans": …, "fields": …}; a sum beyond 64 bits is a text.
template <class Json>
void to_json(Json& out, const Size& size) {
  const auto sum = [](Number value) -> Json {
    if (value >> 64 == 0) return static_cast<std::uint64_t>(value);
    return to_text(value);
  };
  out = {{"actions", size.actions},
         {"occupied", size.occupied},
         {"area", size.area},
         {"spans", sum(size.spans)},
         {"fields", sum(size.fields)}};
}
template <class Json>
void from_json(const Json& in, Size& size) {
  const auto sum = [](const Json& value) -> Number {
    if (value.is_string()) return number_in(value.template get<std::string>()).value_or(0);
    return value.template get<std::uint64_t>();
  };
  size = {in.at("actions"), in.at("occupied"), in.at("area"), sum(in.at("spans")), sum(in.at("fields"))};
}

}  // namespace lockstep
