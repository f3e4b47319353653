// The laws of laws.hpp. properties.cpp checks them for each game; tests/props/laws.cpp shows that each can fail.
#include "props/laws.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/round_trip.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep::laws {

namespace {

/// The scenario without its actions.
AnyScenario setup_of(const AnyScenario& scenario) {
  AnyScenario out = scenario.vocabulary().scenario();
  out.assign_setup(scenario);
  return out;
}

AnyTrace trace_of(const Runner& simulator, const AnyScenario& scenario, Cadence cadence) {
  AnyTrace out = scenario.vocabulary().trace();
  simulator.run(scenario, cadence, out);
  if (const auto& deviation = out.deviation()) {
    throw std::runtime_error{std::string{simulator.name} + " ended at step " + std::to_string(deviation->step) + ": " +
                             deviation->field};
  }
  return out;
}

}  // namespace

AnyScenario scenario_at(const Vocabulary& system, std::uint64_t seed, std::uint64_t index) {
  Random random{seed_of(seed, index)};
  return drawn_scenario(system, random, styles[index % styles.size()]);
}

AnyScenario bounded(const AnyScenario& scenario) {
  AnyScenario out = scenario;
  constexpr std::uint64_t cells_max = std::uint64_t{4} << 20;
  out.truncate(cells_max / (area_of(scenario) + 64));
  return out;
}

std::vector<Runner> honest(const Vocabulary& system) {
  std::vector<Runner> out = system.implementations();
  std::erase_if(out, [](const Runner& simulator) { return simulator.kind == Kind::canary; });
  return out;
}

std::vector<Runner> canaries(const Vocabulary& system) {
  std::vector<Runner> out = system.implementations();
  std::erase_if(out, [](const Runner& simulator) { return simulator.kind != Kind::canary; });
  return out;
}

std::vector<std::string> names_of(const std::vector<Runner>& simulators) {
  std::vector<std::string> names;
  for (const auto& simulator : simulators) names.emplace_back(simulator.name);
  return names;
}

std::vector<Runner>& unregistered() {
  static std::vector<Runner> all;
  return all;
}

bool is_legal(const AnyTrace& trace, std::size_t action) {
  bool legal = true;
  EachNumber read{[&](std::string_view name, Number value, Number, Number, const NumberAs&) {
    if (name == "legal") legal = value != 0;
  }};
  trace.read_answer(action, read);
  return legal;
}

std::string fault_of_setup(const AnyScenario& scenario) {
  const AnyScenario setup = setup_of(scenario);
  AnyScenario copy = setup;
  Fit fit;
  copy.visit_setup(fit);
  if (copy != setup) return "a field of the setup is outside its bounds";
  if (const auto flaw = setup.flaw()) return "the setup has a flaw: " + std::string{flaw->field} + ": " + flaw->what;
  copy.normalise();
  return copy == setup ? "" : "normalise changes a setup without a flaw";
}

std::string fault_of(const AnyScenario& scenario) {
  if (std::string fault = fault_of_setup(scenario); !fault.empty()) return fault;
  AnyScenario fitted = scenario;
  refit(fitted);
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    if (i < fitted.size() && fitted.action_equals(i, scenario, i)) continue;
    return "action " + std::to_string(i + 1) + " (" + action_text(scenario, i) + ") is outside its bounds";
  }
  return "";
}

std::string fault_of_normalise(const AnyScenario& scenario) {
  const AnyScenario setup = setup_of(scenario);
  AnyScenario once = setup;
  once.normalise();
  if (const auto flaw = once.flaw()) return "normalise leaves a flaw: " + std::string{flaw->field} + ": " + flaw->what;
  AnyScenario twice = once;
  twice.normalise();
  if (twice != once) return "normalise is not idempotent";
  if (!setup.flaw() && once != setup) return "normalise changes a setup without a flaw";
  return fault_of_setup(once);
}

std::string fault_of_bytes(const Vocabulary& system, std::span<const std::uint8_t> bytes) {
  const AnyScenario scenario = decoded(system, bytes);
  if (std::string fault = fault_of(scenario); !fault.empty()) return fault;
  return fault_of_round_trips(scenario);
}

std::string fault_of_reductions(const AnyScenario& scenario) {
  const Size size = size_of(scenario);
  std::string fault;
  reduction_from(scenario, 0, [&](const AnyScenario& reduced) {
    fault = fault_of(reduced);
    if (fault.empty() && !smaller(reduced, scenario, size)) fault = "a reduction is not smaller";
    return !fault.empty();
  });
  return fault.empty() ? "" : "a reduction is not lawful: " + fault;
}

std::string fault_of_features(const AnyScenario& scenario, const AnyTrace& trace) {
  const Vocabulary& system = scenario.vocabulary();
  std::size_t largest = 0;
  system.emit_features(scenario, trace,
                       [&](std::size_t feature, std::int64_t) { largest = std::max(largest, feature); });
  return largest < system.features().size() ? "" : "a feature beyond the list of features";
}

Verdict broken(const AnyScenario& scenario, std::size_t step, std::string_view blamed, std::string law) {
  Divergence d;
  d.kind = DivergenceKind::invariant;
  d.step = step;
  d.system = scenario.vocabulary().name();
  d.blamed = blamed;
  d.action = step == 0 ? "setup" : scenario.action_name(step - 1);
  d.field = std::move(law);
  return {Verdict::State::diverged, std::move(d), {}};
}

AnyTrace dense_trace(const Runner& simulator, const AnyScenario& scenario) {
  return trace_of(simulator, scenario, Cadence::every());
}

Verdict invariants_hold(const Runner& simulator, const AnyScenario& scenario) {
  const Vocabulary& system = scenario.vocabulary();
  const AnyTrace trace = dense_trace(simulator, scenario);
  const auto invariant = system.broken_invariant(scenario, trace, Cadence::every());
  AnyScenario position = system.scenario();
  for (std::size_t step = 0; step < trace.snapshots(); ++step) {
    if (invariant && invariant->first == step) return broken(scenario, step, simulator.name, invariant->second);
    if (!system.can_restate()) continue;
    system.restate(scenario, trace, step, true, position);
    const std::string fault = fault_of_setup(position);
    if (!fault.empty()) return broken(scenario, step, simulator.name, "as a setup, " + fault);
  }
  return {};
}

Verdict refusals_change_nothing(const Runner& simulator, const AnyScenario& scenario) {
  const AnyTrace trace = dense_trace(simulator, scenario);
  for (std::size_t step = 1; step <= scenario.size(); ++step) {
    if (is_legal(trace, step - 1) || trace.same_snapshot(step, trace, step - 1)) continue;
    return broken(scenario, step, simulator.name, "an illegal action changed the state");
  }
  return {};
}

Verdict looking_changes_nothing(const Runner& simulator, const AnyScenario& scenario) {
  const AnyTrace dense = dense_trace(simulator, scenario);
  const AnyTrace sparse = trace_of(simulator, scenario, Cadence{});
  for (std::size_t step = 1; step <= scenario.size(); ++step) {
    if (dense.same_answer(step - 1, sparse, step - 1)) continue;
    return broken(scenario, step, simulator.name, "taking snapshots changes an answer");
  }
  return {};
}

namespace {

/// Restarts a simulator from positions of its trace.
class Restarts {
 public:
  Restarts(const Runner& simulator, const AnyScenario& scenario, Cadence cadence)
      : simulator_{simulator}, scenario_{scenario}, whole_{trace_of(simulator, scenario, cadence)} {
    if (!scenario.vocabulary().can_restate()) throw std::invalid_argument{"the system has no positions to start from"};
  }

  /// From snapshot `from`, the position after `done` actions, the next `count` actions have the same answers and end in
  /// snapshot `to`.
  Verdict hold(std::size_t done, std::size_t count, std::size_t from, std::size_t to) const {
    AnyScenario rest = scenario_;
    rest.truncate(done + count);
    rest.erase(0, done);
    scenario_.vocabulary().restate(scenario_, whole_, from, true, rest);
    // Bounds may depend on the setup: no restart from a position in which a remaining action is out of bounds.
    if (const std::string fault = fault_of(rest); !fault.empty()) return broken_at(done, "as a start, " + fault);
    const AnyTrace trace = trace_of(simulator_, rest, Cadence{});
    for (std::size_t i = 0; i < count; ++i) {
      if (trace.same_answer(i, whole_, done + i)) continue;
      return broken_at(done + i + 1, "another answer after a restart: it carries hidden state");
    }
    if (trace.same_snapshot(trace.snapshots() - 1, whole_, to)) return {};
    return broken_at(done + count, "another end after a restart: it carries hidden state");
  }

  std::size_t snapshots() const { return whole_.snapshots(); }

 private:
  Verdict broken_at(std::size_t step, std::string law) const {
    return broken(scenario_, step, simulator_.name, std::move(law));
  }

  const Runner& simulator_;
  const AnyScenario& scenario_;
  AnyTrace whole_;
};

}  // namespace

Verdict restarts_hold(const Runner& simulator, const AnyScenario& scenario) {
  const std::size_t total = scenario.size();
  const Restarts restarts{simulator, scenario, Cadence{}};
  for (std::size_t done = 0, taken = 0; done <= total; ++done) {
    if (!takes_snapshot(Cadence{}, done, total)) continue;
    const Verdict verdict = restarts.hold(done, total - done, taken++, restarts.snapshots() - 1);
    if (!verdict.agreed()) return verdict;
  }
  return {};
}

Verdict restarts_at_every_step_hold(const Runner& simulator, const AnyScenario& scenario) {
  const Restarts restarts{simulator, scenario, Cadence::every()};
  for (std::size_t done = 0; done < scenario.size(); ++done) {
    const Verdict verdict = restarts.hold(done, 1, done, done + 1);
    if (!verdict.agreed()) return verdict;
  }
  return {};
}

AnyTrace agreed_trace(const std::vector<Runner>& all, const AnyScenario& scenario, Cadence cadence) {
  if (const std::string fault = fault_of(scenario); !fault.empty()) throw std::invalid_argument(fault);
  AnyTrace expected = trace_of(all.front(), scenario, cadence);
  for (const Runner& each : std::span{all}.subspan(1)) {
    if (trace_of(each, scenario, cadence) == expected) continue;
    const Verdict verdict = Judge{scenario.vocabulary(), {all.front(), each}}.judge(scenario);
    const std::string difference =
        verdict.diverged() ? describe_divergence(scenario, *verdict.divergence) : verdict.reason;
    throw std::runtime_error(difference + "\n" + scenario_text(scenario));
  }
  return expected;
}

AnyTrace played(const AnyScenario& scenario, Cadence cadence, const std::vector<Runner>& model) {
  std::vector<Runner> all = honest(scenario.vocabulary());
  all.insert(all.end(), unregistered().begin(), unregistered().end());
  all.insert(all.end(), model.begin(), model.end());
  return agreed_trace(all, scenario, cadence);
}

std::string complaint(const std::vector<Runner>& simulators, const AnyScenario& scenario, const JudgeFunction& law) {
  const Verdict verdict = law(scenario);
  if (verdict.agreed()) return "";
  if (!verdict.diverged()) return verdict.reason + "\n" + scenario_text(scenario);
  const Shrinker shrinker{law, simulators.front()};
  const Finding finding = finding_of(shrinker.shrink(scenario), names_of(simulators), scenario.size());
  return report_text(finding, finding.file_name);
}

}  // namespace lockstep::laws
