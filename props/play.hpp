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
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/registry.hpp"
#include "programs/problem_domain.hpp"
#include "programs/problem_format.hpp"
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

template <class Impl, System G>
Runner implementation(std::string_view name) {
  return {name, Kind::optimized, name, typed_code<G>(&run_trace<Impl, G>)};
}

/// Adds one to those that must agree (laws.hpp). Returns true, so that the initialiser of a constant can call it.
template <class Impl, System G>
bool also_compare() {
  unregistered().push_back(implementation<Impl, G>("no_mistake"));
  return true;
}

template <System G>
Trace<G> played(const Scenario<G>& scenario, Cadence cadence = {}, const std::vector<Runner>& model = {}) {
  return typed<G>(played(untyped<G>(scenario), cadence, model));
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

/// The format of the system under test.
inline const AnyProblem& problem() { return *this_system().problem(); }

/// "read", or the error in the form that an editor shows.
inline std::string reading(std::string_view text) {
  const auto cases = problem().read(text);
  return cases ? "read" : cases.error().message("in");
}

/// The only scenario of a text.
template <System G>
Scenario<G> read_scenario(std::string_view text) {
  const auto cases = problem().read(text);
  if (!cases) throw std::runtime_error(cases.error().message("in"));
  if (cases->size() != 1) throw std::runtime_error("not one case");
  return typed<G>(cases->front().scenario);
}

/// The output for a text; the error when the text is rejected.
inline std::string solved(std::string_view text) {
  const auto cases = problem().read(text);
  if (!cases) return cases.error().message("in");
  std::string out;
  for (const auto& each : *cases) {
    const auto printed = problem().print(each, played(each.scenario));
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
  return ProblemDomain{problem(), this_system().implementations().front()}
      .outside(untyped<G>(scenario))
      .value_or("inside");
}

struct Refused {
  std::string text;
  std::string error;  // in the form that `reading` returns
};

inline void expect_refused(std::initializer_list<Refused> all) {
  for (const auto& [text, error] : all) EXPECT_EQ(reading(text), error) << text;
}

}  // namespace lockstep::laws
