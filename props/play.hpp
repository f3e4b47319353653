// Shared by the tests of single systems: boards as pictures, the answers on which all implementations agree, models,
// falsified steps and the problem format.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe/trace.hpp"
#include "lockstep/system/registry.hpp"
#include "programs/problem_domain.hpp"
#include "props/generators.hpp"
#include "props/laws.hpp"
#include "props/typed.hpp"

namespace lockstep::laws {

// Pictures ---------------------------------------------------------------------------------------

/// The rows of a board, top row first, one character per cell.
using Picture = std::vector<std::string_view>;

/// The board with this picture; the symbol of value v is symbols[v].
inline Grid grid_of(const Picture& rows, std::string_view symbols) {
  const std::size_t width = rows.front().size();
  return Grid::drawn(static_cast<int>(rows.size()), static_cast<int>(width), [&](int row, int column) {
    const std::string_view line = rows[static_cast<std::size_t>(row)];
    const std::size_t value = symbols.find(line[static_cast<std::size_t>(column)]);
    if (line.size() != width || value == std::string_view::npos) throw std::invalid_argument(std::string{line});
    return value;
  });
}

// Execution ----------------------------------------------------------------------------------------

/// Unregistered implementations that must agree as well: the canaries' code without the mistake.
template <System G>
std::vector<Runner>& unregistered() {
  static std::vector<Runner> all;
  return all;
}

template <class Impl, System G>
Runner implementation(std::string_view name) {
  return {name, Kind::optimized, name, typed_code<G>(&run_trace<Impl, G>)};
}

/// Adds one. Returns true, so that the initialiser of a constant can call it.
template <class Impl, System G>
bool also_compare() {
  unregistered<G>().push_back(implementation<Impl, G>("no_mistake"));
  return true;
}

/// The trace of a lawful scenario, on which all implementations must agree. Throws otherwise, which fails tests and
/// properties alike.
template <System G>
Trace<G> agreed_trace(const std::vector<Runner>& all, const Scenario<G>& scenario, Cadence cadence = {}) {
  if (const std::string fault = fault_of<G>(scenario); !fault.empty()) throw std::invalid_argument(fault);
  Trace<G> expected;
  run_typed<G>(all.front(), scenario, cadence, expected);
  static Trace<G> actual;  // reused for its memory
  for (const Runner& each : std::span{all}.subspan(1)) {
    run_typed<G>(each, scenario, cadence, actual);
    if (actual.observations == expected.observations && actual.snapshots == expected.snapshots) continue;
    const Verdict verdict = JudgeOf<G>{{all.front(), each}}.judge(scenario);
    const std::string difference =
        verdict.diverged() ? describe_divergence(untyped<G>(scenario), *verdict.divergence) : verdict.reason;
    throw std::runtime_error(difference + "\n" + scenario_text<G>(scenario));
  }
  return expected;
}

/// The answers of all implementations that must agree, and of `model` when there is one.
template <System G>
Trace<G> played(const Scenario<G>& scenario, Cadence cadence = {}, const std::vector<Runner>& model = {}) {
  static const auto correct = [] {
    auto all = honest<G>();
    all.insert(all.end(), unregistered<G>().begin(), unregistered<G>().end());
    return all;
  }();
  if (model.empty()) return agreed_trace<G>(correct, scenario, cadence);
  auto all = correct;
  all.insert(all.end(), model.begin(), model.end());
  return agreed_trace<G>(all, scenario, cadence);
}

template <System G>
typename G::Observation answer_from(const typename G::Setup& setup, const typename G::Action& action) {
  return played<G>({.setup = setup, .actions = {action}}).observations.front();
}

/// From this setup on, all implementations answer as the model does. RapidCheck draws the actions and removes those
/// that do not matter.
template <class Model, System G>
void require_model(const typename G::Setup& setup, const rc::Gen<typename G::Action>& actions) {
  const auto asked = *rc::gen::container<std::vector<typename G::Action>>(actions);
  played<G>({.setup = setup, .actions = asked}, Cadence::every(), {implementation<Model, G>("model")});
}

/// Restarts the reference from the position at each step, so that the position is its only memory.
template <System G>
class Restarted {
 public:
  explicit Restarted(const typename G::Setup& setup)
      : setup_{setup},
        position_{dense_trace<G>(registry<G>().front(), {.setup = setup, .actions = {}}).snapshots.front()} {}

  typename G::Observation step(const typename G::Action& action) {
    const Scenario<G> one_step{.setup = restate<G>(setup_, position_), .actions = {action}};
    const Trace<G> trace = dense_trace<G>(registry<G>().front(), one_step);
    position_ = trace.snapshots.back();
    return trace.observations.front();
  }
  typename G::Snapshot snapshot() const { return position_; }

 private:
  typename G::Setup setup_;
  typename G::Snapshot position_;
};

// Invariants ---------------------------------------------------------------------------------------

/// The invariant that fails when `falsify` changes the reference's answer or the position after it; "" when none fails.
template <System G, class Falsify>
std::string broken_by(const typename G::Setup& setup, const typename G::Action& action, Falsify&& falsify) {
  Trace<G> trace = dense_trace<G>(registry<G>().front(), {.setup = setup, .actions = {action}});
  falsify(trace.observations.front(), trace.snapshots.back());
  return LawsOf<G>::violation(setup, trace.snapshots.front(), action, trace.observations.front(),
                              trace.snapshots.back());
}

// Problem format -------------------------------------------------------------------------------------

/// "read", or the error in the form that an editor shows.
template <System G>
std::string reading(std::string_view text) {
  const auto cases = G::ProblemFormat::read(text);
  return cases ? "read" : cases.error().message("in");
}

/// The only scenario of a text.
template <System G>
Scenario<G> read_scenario(std::string_view text) {
  const auto cases = G::ProblemFormat::read(text);
  if (!cases) throw std::runtime_error(cases.error().message("in"));
  if (cases->size() != 1) throw std::runtime_error("not one case");
  return cases->front().scenario;
}

/// The output for a text; the error when the text is rejected.
template <System G>
std::string solved(std::string_view text) {
  const auto cases = G::ProblemFormat::read(text);
  if (!cases) return cases.error().message("in");
  std::string out;
  for (const ProblemCase<G>& each : *cases) {
    const auto printed = G::ProblemFormat::print(each, played<G>(each.scenario).observations);
    out += printed ? *printed : printed.error().message("in");
  }
  return out;
}

/// The output for the answers of one case; "refused" when they break a promise of the input.
template <System G>
std::string printed(std::initializer_list<typename G::Observation> answers) {
  const ProblemCase<G> asked{.scenario = {}, .places = {{1, 1}}};
  return G::ProblemFormat::print(asked, std::span{answers.begin(), answers.size()}).value_or("refused");
}

/// Why the scenario is no case of the problem; "inside" if it is one.
template <System G>
std::string outside(const Scenario<G>& scenario) {
  return ProblemDomain<G>{honest<G>().back()}.outside(scenario).value_or("inside");
}

struct Refused {
  std::string text;
  std::string error;  // in the form that `reading` returns
};

template <System G>
void expect_refused(std::initializer_list<Refused> all) {
  for (const auto& [text, error] : all) EXPECT_EQ(reading<G>(text), error) << text;
}

}  // namespace lockstep::laws
