// The JSON of verdicts, findings and explanations, for messages between processes and state files. Only sources include this
// header, as json.hpp says.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/enumerators.hpp"
#include "lockstep/error.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/optional_json.hpp"

namespace lockstep {

template <NamedEnum E>
void to_json(nlohmann::json& out, E value) {
  out = to_string(value);
}
template <NamedEnum E>
void from_json(const nlohmann::json& in, E& value) {
  const auto& names = Enumerators<E>::names;
  const auto found = std::ranges::find(names, in.get<std::string>());
  if (found == names.end()) throw InternalError{"no such word between processes: " + in.dump()};
  value = Enumerators<E>::values[static_cast<std::size_t>(found - names.begin())];
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Divergence, kind, step, system, blamed, action, field, expected, actual, last_words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Verdict, state, divergence, reason, wavers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedWord, name, text, matter)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedLine, kind, name, matter, words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Explanation, signature, system, lines, complete, judgements, redrawn,
                                   redrawn_that_fail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, signature, file_name, implementations, scenario, explanation, divergence,
                                   minimal, hidden_state, restated, unstable, why, actions_before, actions, judgements,
                                   kinds, other_cause, engine, seconds, scenarios)

}  // namespace lockstep
