// More functions with a system's types than lockstep/system/typed.hpp has: those that only tests call. The law of symmetries
// alone needs types.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/describe/symmetry.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/typed.hpp"
#include "props/laws.hpp"

namespace lockstep {

template <class Impl, System S>
  requires Implementation<Impl, S>
void run_trace(const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
  run_made<S>([](const typename S::Setup& setup) { return started<Impl, S>(setup); }, scenario, cadence, out);
}

/// A scenario that a function makes of the default one.
template <System S>
Scenario<S> made(FunctionRef<void(AnyScenario&)> make) {
  AnyScenario out = vocabulary<S>().scenario();
  make(out);
  return std::move(typed<S>(out));
}

/// The code of an implementation that is a function of a scenario: run(const Scenario<S>&, Cadence, Trace<S>&).
template <System S, class Run>
std::shared_ptr<const Runner::Code> typed_code(Run run) {
  return code_of([run = std::move(run)](const AnyScenario& scenario, Cadence cadence, AnyTrace& out) {
    run(std::as_const(typed<S>(scenario)), cadence, typed<S>(out));
  });
}

template <System S>
void mutate(Random& random, Scenario<S>& scenario) {
  edit<S>(scenario, [&](AnyScenario& any) { mutate(random, any); });
}
template <System S>
Scenario<S> crossover(Random& random, const Scenario<S>& one, const Scenario<S>& other) {
  return typed<S>(crossover(random, untyped<S>(one), untyped<S>(other)));
}

template <System S>
std::string setup_text(const typename S::Setup& setup) {
  return setup_text(untyped<S>(Scenario<S>{.setup = setup, .actions = {}}));
}
/// An action after a setup.
template <System S>
std::string action_text(const typename S::Setup& setup, const typename S::Action& action) {
  return action_text(untyped<S>(Scenario<S>{.setup = setup, .actions = {action}}), 0);
}
template <System S>
std::string snapshot_text(const SnapshotOf<S>& snapshot) {
  return text::picture([&](Fields& io) { read_snapshot<S>(io, snapshot); });
}

template <System S>
void refit(Scenario<S>& scenario, Edit edit = {}, std::optional<Dropped> rows = {},
           std::optional<Dropped> columns = {}) {
  lockstep::edit<S>(scenario, [&](AnyScenario& any) { refit(any, edit, rows, columns); });
}
/// Whether some one-step reduction that is smaller than the scenario lets try_one return true.
template <System S>
bool any_reduction(const Scenario<S>& scenario, FunctionRef<bool(const Scenario<S>&)> try_one) {
  const auto try_any = [&](const AnyScenario& any) { return try_one(typed<S>(any)); };
  return reduction_from(untyped<S>(scenario), 0, try_any).has_value();
}

template <System S>
Size size_of(const Scenario<S>& scenario) {
  return size_of(untyped<S>(scenario));
}
template <System S>
bool smaller(const Scenario<S>& scenario, const Scenario<S>& other, const Size& other_size) {
  return smaller(untyped<S>(scenario), untyped<S>(other), other_size);
}

template <System S>
class JudgeOf {
 public:
  explicit JudgeOf(std::vector<Runner> implementations, JudgeProgress* progress = nullptr)
      : judge_{vocabulary<S>(), std::move(implementations), progress} {}

  const std::vector<Runner>& implementations() const { return judge_.implementations(); }
  Verdict judge(const Scenario<S>& scenario, std::uint64_t seed = 0) {
    return judge_.judge(untyped<S>(scenario), seed);
  }
  Verdict confirmed(const Scenario<S>& scenario, const Verdict& failed) {
    return judge_.confirmed(untyped<S>(scenario), failed);
  }
  Verdict not_repeated(const Scenario<S>& scenario) const { return judge_.not_repeated(untyped<S>(scenario)); }
  Judge& any() { return judge_; }

 private:
  Judge judge_;
};

}  // namespace lockstep

namespace lockstep::laws {

template <System S>
Scenario<S> scenario_at(std::uint64_t seed, std::uint64_t index) {
  return typed<S>(scenario_at(vocabulary<S>(), seed, index));
}
template <System S>
Trace<S> dense_trace(const Runner& simulator, const Scenario<S>& scenario) {
  return typed<S>(dense_trace(simulator, untyped<S>(scenario)));
}

/// The image of a scenario under a symmetry gives the images of the answers and of the positions.
template <System S>
Verdict symmetry_holds(const Runner& simulator, const Symmetry<S>& symmetry, const Scenario<S>& scenario) {
  const auto broken_at = [&](std::size_t step, const std::string& law) {
    return broken(untyped<S>(scenario), step, simulator.name, "under " + std::string{symmetry.name} + ", " + law);
  };
  Scenario<S> image{.setup = symmetry.setup(scenario.setup), .actions = {}};
  for (const auto& action : scenario.actions) image.actions.push_back(symmetry.action(scenario.setup, action));
  if (const std::string fault = fault_of(untyped<S>(image)); !fault.empty()) return broken_at(0, fault);

  const Trace<S> trace = dense_trace<S>(simulator, scenario);
  const Trace<S> mapped = dense_trace<S>(simulator, image);
  for (std::size_t step = 0; step <= scenario.actions.size(); ++step) {
    const auto& after = trace.snapshots[step];
    if (step > 0) {
      const auto& action = scenario.actions[step - 1];
      const auto& answer = trace.observations[step - 1];
      const auto expected =
          symmetry.observation ? symmetry.observation(scenario.setup, action, answer, after) : std::optional{answer};
      if (expected && *expected != mapped.observations[step - 1]) return broken_at(step, "another answer");
    }
    const auto expected = [&] {
      if (symmetry.snapshot) return symmetry.snapshot(scenario.setup, after);
      if constexpr (std::same_as<typename S::Setup, SnapshotOf<S>>) return symmetry.setup(after);
      else return after;
    }();
    if (expected != mapped.snapshots[step]) return broken_at(step, "another position");
  }
  return {};
}

}  // namespace lockstep::laws
