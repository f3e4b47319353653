// Laws that every game, every simulator and every setup must keep, as functions.
//
// A law of execution takes a scenario and returns a verdict, as the judge does: so the shrinker can shrink a
// counterexample, and tests can show that the law can fail (tests/props/laws.cpp). A law about scenarios as data
// returns "" or a description of the violation. No law depends on a game or a test library.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/describe/symmetry.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/round_trip.hpp"
#include "lockstep/text/text.hpp"
#include "props/typed.hpp"

namespace lockstep::laws {

// Streams of scenarios -------------------------------------------------------------------------

/// The scenario with this index in a stream that takes the styles in rotation.
template <System G>
Scenario<G> scenario_at(std::uint64_t seed, std::uint64_t index) {
  Random random{seed_of(seed, index)};
  return draw_scenario<G>(random, styles[index % styles.size()]);
}

/// The scenario, cut so that all its positions fit into memory at once.
template <System G>
Scenario<G> bounded(Scenario<G> scenario) {
  constexpr std::uint64_t cells_max = std::uint64_t{4} << 20;
  const std::uint64_t positions = cells_max / (size_of<G>(scenario).area + 64);
  if (scenario.actions.size() > positions) scenario.actions.resize(positions);
  return scenario;
}

/// The registered simulators that must agree: all but canaries.
template <System G>
std::vector<Runner> honest() {
  std::vector<Runner> out = registry<G>();
  std::erase_if(out, [](const Runner& simulator) { return simulator.kind == Kind::canary; });
  return out;
}

template <System G>
std::vector<Runner> canaries() {
  std::vector<Runner> out = registry<G>();
  std::erase_if(out, [](const Runner& simulator) { return simulator.kind != Kind::canary; });
  return out;
}

inline std::vector<std::string> names_of(const std::vector<Runner>& simulators) {
  std::vector<std::string> names;
  for (const auto& simulator : simulators) names.emplace_back(simulator.name);
  return names;
}

/// The maps that a game declares to change no answer; empty when it declares none.
template <System G>
std::vector<Symmetry<G>> symmetries_of() {
  if constexpr (requires { LawsOf<G>::symmetries(); }) return LawsOf<G>::symmetries();
  else return {};
}

/// The observation's `legal` flag; true if it has none.
template <System G>
bool is_legal(const typename G::Observation& observation) {
  bool legal = true;
  EachNumber read{[&](std::string_view name, Number value, Number, Number, const NumberAs&) {
    if (name == "legal") legal = value != 0;
  }};
  read_observation<G>(read, observation);
  return legal;
}

// Laws of scenarios as data --------------------------------------------------------------------

/// The reason why a simulator cannot take the setup; "" when it can.
template <System G>
std::string fault_of_setup(const typename G::Setup& setup) {
  typename G::Setup copy = setup;
  Fit fit;
  visit_setup<G>(fit, copy);
  if (copy != setup) return "a field of the setup is outside its bounds";
  if (const auto flaw = lockstep::flaw<G>(setup))
    return "the setup has a flaw: " + std::string{flaw->field} + ": " + flaw->what;
  normalise<G>(copy);
  return copy == setup ? "" : "normalise changes a setup without a flaw";
}

/// The same for a whole scenario, including its actions.
template <System G>
std::string fault_of(const Scenario<G>& scenario) {
  if (std::string fault = fault_of_setup<G>(scenario.setup); !fault.empty()) return fault;
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    auto fitted = scenario.actions[i];
    Fit fit;
    visit_action<G>(fit, Past<G>{scenario.setup}, fitted);
    if (fitted != scenario.actions[i]) {
      return "action " + std::to_string(i + 1) + " (" + action_text<G>(scenario.setup, scenario.actions[i]) +
             ") is outside its bounds";
    }
  }
  return "";
}

/// The law that normalise breaks on this setup, given with all fields inside their bounds; "" when it breaks none.
template <System G>
std::string fault_of_normalise(const typename G::Setup& setup) {
  typename G::Setup once = setup;
  normalise<G>(once);
  if (const auto flaw = lockstep::flaw<G>(once))
    return "normalise leaves a flaw: " + std::string{flaw->field} + ": " + flaw->what;
  typename G::Setup twice = once;
  normalise<G>(twice);
  if (twice != once) return "normalise is not idempotent";
  if (!flaw<G>(setup) && once != setup) return "normalise changes a setup without a flaw";
  return fault_of_setup<G>(once);
}

/// All bytes decode to a lawful scenario, and encoding that scenario and decoding it again gives the same scenario.
template <System G>
std::string fault_of_bytes(std::span<const std::uint8_t> bytes) {
  const Scenario<G> scenario = decode<G>(bytes);
  if (std::string fault = fault_of<G>(scenario); !fault.empty()) return fault;
  return fault_of_round_trips<G>(scenario);
}

/// Every one-step reduction is lawful and smaller.
template <System G>
std::string fault_of_reductions(const Scenario<G>& scenario) {
  std::string fault;
  any_reduction<G>(scenario, [&](const Scenario<G>& smaller) {
    fault = fault_of<G>(smaller);
    if (fault.empty() && !lockstep::smaller<G>(smaller, scenario, size_of<G>(scenario)))
      fault = "a reduction is not smaller";
    return !fault.empty();
  });
  return fault.empty() ? "" : "a reduction is not lawful: " + fault;
}

/// A simulator emits only features of its list.
template <System G>
std::string fault_of_features(const Scenario<G>& scenario, const Trace<G>& trace) {
  std::size_t largest = 0;
  emit_features<G>(scenario, trace, [&](std::size_t feature, std::int64_t) { largest = std::max(largest, feature); });
  return largest < feature_list<G>.size() ? "" : "a feature beyond the list of features";
}

// Laws of execution -----------------------------------------------------------------------------

/// A divergence at this step of the scenario, for a law that `blamed` breaks.
template <System G>
Verdict broken(const Scenario<G>& scenario, std::size_t step, std::string_view blamed, std::string law) {
  Divergence d;
  d.kind = DivergenceKind::invariant;
  d.step = step;
  d.system = G::name;
  d.blamed = blamed;
  d.action = step == 0 ? "setup" : std::string{action_name(scenario.actions[step - 1])};
  d.field = std::move(law);
  return {Verdict::State::diverged, std::move(d), {}};
}

/// A trace with a snapshot at every position.
template <System G>
Trace<G> dense_trace(const Runner& simulator, const Scenario<G>& scenario) {
  Trace<G> trace;
  run_typed<G>(simulator, scenario, Cadence::every(), trace);
  return trace;
}

/// Every invariant holds at every step, and every position is a lawful setup.
template <System G>
Verdict invariants_hold(const Runner& simulator, const Scenario<G>& scenario) {
  const Trace<G> trace = dense_trace(simulator, scenario);
  for (std::size_t step = 0; step <= scenario.actions.size(); ++step) {
    const auto& after = trace.snapshots[step];
    if constexpr (has_invariants<G>) {
      std::string law = step == 0
                            ? ""
                            : LawsOf<G>::violation(scenario.setup, trace.snapshots[step - 1],
                                                   scenario.actions[step - 1], trace.observations[step - 1], after);
      if (!law.empty()) return broken(scenario, step, simulator.name, std::move(law));
    }
    const std::string fault = fault_of_setup<G>(restate<G>(scenario.setup, after));
    if (!fault.empty()) return broken(scenario, step, simulator.name, "as a setup, " + fault);
  }
  return {};
}

/// A refused action leaves the state unchanged.
template <System G>
Verdict refusals_change_nothing(const Runner& simulator, const Scenario<G>& scenario) {
  const Trace<G> trace = dense_trace(simulator, scenario);
  for (std::size_t step = 1; step <= scenario.actions.size(); ++step) {
    if (is_legal<G>(trace.observations[step - 1]) || trace.snapshots[step] == trace.snapshots[step - 1]) continue;
    return broken(scenario, step, simulator.name, "an illegal action changed the state");
  }
  return {};
}

/// Taking snapshots changes no answer.
template <System G>
Verdict looking_changes_nothing(const Runner& simulator, const Scenario<G>& scenario) {
  const Trace<G> dense = dense_trace(simulator, scenario);
  Trace<G> sparse;
  run_typed<G>(simulator, scenario, Cadence{}, sparse);
  for (std::size_t step = 1; step <= scenario.actions.size(); ++step) {
    if (dense.observations[step - 1] == sparse.observations[step - 1]) continue;
    return broken(scenario, step, simulator.name, "taking snapshots changes an answer");
  }
  return {};
}

/// The image of a scenario under a symmetry gives the images of the answers and of the positions.
template <System G>
Verdict symmetry_holds(const Runner& simulator, const Symmetry<G>& symmetry, const Scenario<G>& scenario) {
  const std::string under = "under " + std::string{symmetry.name} + ", ";
  Scenario<G> image{.setup = symmetry.setup(scenario.setup), .actions = {}};
  for (const auto& action : scenario.actions) image.actions.push_back(symmetry.action(scenario.setup, action));
  if (const std::string fault = fault_of<G>(image); !fault.empty())
    return broken(scenario, 0, simulator.name, under + fault);

  const Trace<G> trace = dense_trace(simulator, scenario);
  const Trace<G> mapped = dense_trace(simulator, image);
  for (std::size_t step = 0; step <= scenario.actions.size(); ++step) {
    const auto& after = trace.snapshots[step];
    if (step > 0) {
      const auto& action = scenario.actions[step - 1];
      const auto& answer = trace.observations[step - 1];
      const auto expected =
          symmetry.observation ? symmetry.observation(scenario.setup, action, answer, after) : std::optional{answer};
      if (expected && *expected != mapped.observations[step - 1]) {
        return broken(scenario, step, simulator.name, under + "another answer");
      }
    }
    const auto expected = [&] {
      if (symmetry.snapshot) return symmetry.snapshot(scenario.setup, after);
      if constexpr (std::same_as<typename G::Setup, typename G::Snapshot>) return symmetry.setup(after);
      else return after;
    }();
    if (expected != mapped.snapshots[step]) return broken(scenario, step, simulator.name, under + "another position");
  }
  return {};
}

/// A simulator that starts from a reached position answers like the one that reached it. Tested from the positions of
/// the usual cadence.
template <System G>
Verdict restarts_hold(const Runner& simulator, const Scenario<G>& scenario) {
  const std::size_t total = scenario.actions.size();
  Trace<G> whole;
  run_typed<G>(simulator, scenario, Cadence{}, whole);
  Trace<G> rest;
  for (std::size_t done = 0, taken = 0; done <= total; ++done) {
    if (!takes_snapshot(Cadence{}, done, total)) continue;
    const auto split = static_cast<std::ptrdiff_t>(done);
    const Scenario<G> restarted{.setup = restate<G>(scenario.setup, whole.snapshots[taken++]),
                                .actions = {scenario.actions.begin() + split, scenario.actions.end()}};
    // Bounds may depend on the setup: no restart from a position in which a remaining action is out of bounds.
    if (const std::string fault = fault_of<G>(restarted); !fault.empty()) {
      return broken(scenario, done, simulator.name, "as a start, " + fault);
    }
    run_typed<G>(simulator, restarted, Cadence{}, rest);
    const auto answers = std::mismatch(rest.observations.begin(), rest.observations.end(),
                                       whole.observations.begin() + split, whole.observations.end());
    if (answers.first != rest.observations.end()) {
      const auto step = static_cast<std::size_t>(answers.second - whole.observations.begin()) + 1;
      return broken(scenario, step, simulator.name, "another answer after a restart: it carries hidden state");
    }
    if (rest.snapshots.back() != whole.snapshots.back()) {
      return broken(scenario, total, simulator.name, "another end after a restart: it carries hidden state");
    }
  }
  return {};
}

// Reporting failures -----------------------------------------------------------------------------

/// The shrunk finding's report when the scenario breaks the law; "" when it does not.
template <System G, class Law>
std::string complaint(const std::vector<Runner>& simulators, const Scenario<G>& scenario, Law&& law) {
  const Verdict verdict = law(scenario);
  if (verdict.agreed()) return "";
  if (!verdict.diverged()) return verdict.reason + "\n" + scenario_text<G>(scenario);
  const Shrinker shrinker{[&](const AnyScenario& any) { return law(typed<G>(any)); }, simulators.front()};
  const Finding finding =
      finding_of(shrinker.shrink(any_of<G>(scenario)), names_of(simulators), scenario.actions.size());
  return report_text(finding, finding.file_name);
}

}  // namespace lockstep::laws
