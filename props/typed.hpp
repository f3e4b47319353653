// More functions with a system's types than lockstep/system/typed.hpp has: those that only properties and tests call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/system/typed.hpp"

namespace lockstep {

template <class Impl, System S>
  requires Implementation<Impl, S>
void run_trace(const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
  run_made<S>([](const typename S::Setup& setup) { return started<Impl, S>(setup); }, scenario, cadence, out);
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
template <System S>
std::optional<std::size_t> reduction_from(const Scenario<S>& scenario, std::size_t first,
                                          FunctionRef<bool(const Scenario<S>&)> try_one) {
  return reduction_from(untyped<S>(scenario), first, [&](const AnyScenario& any) { return try_one(typed<S>(any)); });
}
/// Whether some one-step reduction that is smaller than the scenario lets try_one return true.
template <System S>
bool any_reduction(const Scenario<S>& scenario, FunctionRef<bool(const Scenario<S>&)> try_one) {
  return reduction_from<S>(scenario, 0, try_one).has_value();
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
  Verdict judge_every_step(const Scenario<S>& scenario) { return judge_.judge_every_step(untyped<S>(scenario)); }
  Verdict confirmed(const Scenario<S>& scenario, const Verdict& failed) {
    return judge_.confirmed(untyped<S>(scenario), failed);
  }
  Verdict not_repeated(const Scenario<S>& scenario) const { return judge_.not_repeated(untyped<S>(scenario)); }
  const Trace<S>& trace() const { return typed<S>(judge_.trace()); }
  Judge& any() { return judge_; }

 private:
  Judge judge_;
};

}  // namespace lockstep
