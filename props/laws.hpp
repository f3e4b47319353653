// Laws that every system, every simulator and every setup must keep, as functions.
//
// A law of execution takes a scenario and returns a verdict, as the judge does: so the shrinker can shrink a
// counterexample, and tests can show that the law can fail (tests/props/laws.cpp). A law about scenarios as data
// returns "" or a description of the violation. No law depends on a game or a test library. Answers are compared as the
// judge does (Laws::equal). The law of symmetries, which are functions on a system's types, is in typed.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"

namespace lockstep::laws {

// Streams of scenarios -------------------------------------------------------------------------

/// The scenario with this index in a stream that takes the styles in rotation.
AnyScenario scenario_at(const Vocabulary& system, std::uint64_t seed, std::uint64_t index);

/// The scenario, cut so that all its positions fit into memory at once.
AnyScenario bounded(const AnyScenario& scenario);

/// The registered simulators that must agree: all but canaries.
std::vector<Runner> honest(const Vocabulary& system);
std::vector<Runner> canaries(const Vocabulary& system);

std::vector<std::string> names_of(const std::vector<Runner>& simulators);

/// Unregistered implementations of this_system() that must agree as well: the canaries' code without the mistake.
std::vector<Runner>& unregistered();

/// Whether the answer's flag `legal` is set; true if it has none.
bool is_legal(const AnyTrace& trace, std::size_t action);

// Laws of scenarios as data --------------------------------------------------------------------

/// The reason why a simulator cannot take the setup; "" when it can.
std::string fault_of_setup(const AnyScenario& scenario);

/// The same for a whole scenario, including its actions.
std::string fault_of(const AnyScenario& scenario);

/// The law that normalise breaks on the setup, given with all fields inside their bounds; "" when it breaks none.
std::string fault_of_normalise(const AnyScenario& scenario);

/// All bytes decode to a lawful scenario, and encoding that scenario and decoding it again gives the same scenario.
std::string fault_of_bytes(const Vocabulary& system, std::span<const std::uint8_t> bytes);

/// Every one-step reduction is lawful and smaller.
std::string fault_of_reductions(const AnyScenario& scenario);

/// A simulator emits only features of its list.
std::string fault_of_features(const AnyScenario& scenario, const AnyTrace& trace);

// Laws of execution -----------------------------------------------------------------------------

/// A divergence at this step of the scenario, for a law that `blamed` breaks.
Verdict broken(const AnyScenario& scenario, std::size_t step, std::string_view blamed, std::string law);

/// A trace with a snapshot at every position.
AnyTrace dense_trace(const Runner& simulator, const AnyScenario& scenario);

/// Every invariant holds at every step, and every position is a lawful setup.
Verdict invariants_hold(const Runner& simulator, const AnyScenario& scenario);

/// A refused action leaves the state unchanged.
Verdict refusals_change_nothing(const Runner& simulator, const AnyScenario& scenario);

/// Taking snapshots changes no answer.
Verdict looking_changes_nothing(const Runner& simulator, const AnyScenario& scenario);

/// A simulator that starts from a reached position answers like the one that reached it. Tested from the positions of the
/// usual cadence.
Verdict restarts_hold(const Runner& simulator, const AnyScenario& scenario);

/// A simulator that starts from any reached position answers the next action like the one that reached it.
Verdict restarts_at_every_step_hold(const Runner& simulator, const AnyScenario& scenario);

// Agreement --------------------------------------------------------------------------------------

/// The trace of a lawful scenario, on which all implementations must agree. Throws otherwise, which fails tests and
/// properties alike.
AnyTrace agreed_trace(const std::vector<Runner>& all, const AnyScenario& scenario, Cadence cadence = {});

/// The trace of all implementations that must agree, and of `model` when there is one.
AnyTrace played(const AnyScenario& scenario, Cadence cadence = {}, const std::vector<Runner>& model = {});

// Reporting failures -----------------------------------------------------------------------------

/// The shrunk finding's report when the scenario breaks the law; "" when it does not.
std::string complaint(const std::vector<Runner>& simulators, const AnyScenario& scenario, const JudgeFunction& law);

}  // namespace lockstep::laws
