// Judges a scenario and shows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/base/guard.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/process/side_by_side.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/services/memory.hpp"
#include "lockstep/shrink/explain.hpp"

namespace lockstep {

/// The result of judging one scenario.
struct Replay {
  std::vector<std::string> implementations;
  std::size_t actions = 0;
  Verdict verdict;
  std::string explanation;    // one line; empty if all agree
  bool hidden_state = false;  // the failure vanishes when it starts from the position before its last step
};

/// How a process ended that judged many scenarios.
struct Death {
  std::size_t implementation = 0;  // that was running, as an index
  std::size_t step = 0;            // number of the action in flight
  bool hung = false;
  std::string kind = {};          // as ChildResult has it
  std::string reason = {};        // likewise
  std::string error_output = {};  // child.hpp
};

/// Scenarios as bytes (codec.hpp), in the order in which a process judged them, the last one in flight.
using History = std::span<const std::span<const std::uint8_t>>;

struct ShowOptions {
  std::optional<std::size_t> step;  // position in actions done; by default the position that differs, or the last
  Layout layout = {};
  std::string file = {};  // the scenario's, for people who look up its actions; empty: none
};

// Implementations run in a child process, so that a crash or a hang is a verdict too. `names` are names of
// implementations as resolve_implementations returns them, the reference first.

Replay replay_of(const AnyScenario& scenario, const std::vector<std::string>& names, Guard guard);
/// All implementations side by side. An error if the options select a position beyond the scenario.
Parsed<std::string> show_text(const AnyScenario& scenario, const std::vector<std::string>& names,
                              const ShowOptions& options, Guard guard);
/// nullopt if the scenario does not diverge. A failure that one of the `known` signatures covers is not shrunk, and with a
/// signature `as`, only failures count that it covers. Shrinking ends early, with what it has reached, when `stopped` says
/// true.
std::optional<Finding> shrunk_finding(const AnyScenario& scenario, const std::vector<std::string>& names, Guard guard,
                                      std::chrono::milliseconds time, const Signatures& known = {},
                                      const std::function<bool()>& stopped = {}, const std::string& as = {});
/// Finds out why a process failed on its last scenario. In this order: the last scenario fails alone; an earlier one fails
/// alone, with a look at every step; the last ones fail together, in one process. Only the latter is an unstable finding.
/// nullopt if nothing fails again. The history must have a scenario.
std::optional<Finding> cause_of_failure(const Vocabulary& system, History history,
                                        const std::vector<std::string>& names, Guard guard,
                                        std::chrono::milliseconds time, const Signatures& known);
/// The unstable finding of a crash or hang that cannot be reproduced.
Finding unexplained_failure(const Vocabulary& system, History history, const Death& death,
                            const std::vector<std::string>& names);
/// The leak of a process that judged these scenarios: a known one, not shrunk, if there is no other. nullopt if none
/// leaks alone.
std::optional<Finding> cause_of_leak(const Vocabulary& system, History history, const std::vector<std::string>& names,
                                     Guard guard, std::chrono::milliseconds time, const Signatures& known);
/// The parts of the scenario on which the failure depends; nullopt if the scenario does not diverge.
std::optional<Explanation> explanation_of(const AnyScenario& scenario, const std::vector<std::string>& names,
                                          Guard guard, std::chrono::milliseconds time);

}  // namespace lockstep
