// The JSON of verdicts, findings and explanations, for messages between processes and state files. Only sources include this
// header, as json.hpp says.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/enumerators.hpp"
#include "lockstep/error.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/json.hpp"
#include "lockstep/optional_json.hpp"

namespace lockstep {

/// Of the files that hold findings, of runs and of shards. Raise it when what they hold changes.
inline constexpr int state_version = 12;

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

LOCKSTEP_JSON(Divergence, kind, step, system, blamed, action, field, expected, actual, last_words)
LOCKSTEP_JSON(Verdict, state, divergence, reason, wavers)
LOCKSTEP_JSON(ExplainedWord, name, text, matter)
LOCKSTEP_JSON(ExplainedLine, kind, name, matter, words)
LOCKSTEP_JSON(Explanation, signature, system, lines, complete, judgements, redrawn, redrawn_that_fail)
LOCKSTEP_JSON(Finding, signature, file_name, implementations, scenario, explanation, divergence, minimal, hidden_state,
              restated, unstable, why, actions_before, actions, judgements, shrinking_seconds, kinds, other_cause,
              engine, seconds, scenarios)

}  // namespace lockstep
