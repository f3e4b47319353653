// Scenarios, traces and the vocabulary of a system, behind the classes of scenario.hpp: this, and what calls an
// implementation, is all that is compiled for each system.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/describe/past.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/describe/symmetry.hpp"
#include "lockstep/system/check_description.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep {

template <System S>
const Vocabulary& vocabulary();

/// Does what `to = from` does, by `copy(from[i], to[i])`: an assignment of vectors compiles the items' copy constructor.
template <class T>
void copy_items(const std::vector<T>& from, std::vector<T>& to, auto copy) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) copy(from[i], to[i]);
}

/// Holds a scenario, or refers to one of its user.
template <System S>
class ScenarioStore final : public AnyScenario::Store {
 public:
  ScenarioStore() : Store{&own_} {}
  explicit ScenarioStore(Scenario<S> scenario) : Store{&own_}, own_{std::move(scenario)} {}
  explicit ScenarioStore(Scenario<S>* scenario) : Store{scenario} {}

  const Vocabulary& vocabulary() const override { return lockstep::vocabulary<S>(); }
  std::unique_ptr<Store> clone() const override {
    auto out = std::make_unique<ScenarioStore>();
    out->assign(*this);
    return out;
  }
  void assign(const Store& other) override {
    here().setup = of(other).setup;
    lockstep::copy_items(of(other).actions, here().actions, lockstep::copy_action<Action>);
  }
  void assign_setup(const Store& other) override { here().setup = of(other).setup; }
  bool equals(const Store& other) const override {
    return here().setup == of(other).setup &&
           std::ranges::equal(here().actions, of(other).actions, lockstep::same_action<Action>);
  }
  void reset_setup() override { here().setup = {}; }
  void visit_setup(Fields& io) override { lockstep::visit_setup<S>(io, here().setup); }
  void visit_copy_of_setup(Fields& io) const override {
    auto copy = here().setup;
    lockstep::visit_setup<S>(io, copy);
  }
  void normalise() override { lockstep::normalise<S>(here().setup); }
  std::optional<Flaw> flaw() const override { return lockstep::flaw<S>(here().setup); }
  std::size_t size() const override { return here().actions.size(); }
  std::size_t kind(std::size_t action) const override { return here().actions[action].index(); }
  bool action_equals(std::size_t action, const Store& other, std::size_t others) const override {
    return lockstep::same_action(here().actions[action], of(other).actions[others]);
  }
  void at_action(std::size_t action, FunctionRef<void(const AnyScenario::VisitAction&)> use) override {
    const Past<S> past = past_of<S>(here(), action);
    use(Place{past, here().actions[action]});
  }
  void visit_actions(Fields& io, const Store& in_places_of) override {
    const Scenario<S>& places = of(in_places_of);
    Past<S> past{places.setup};
    for (std::size_t i = 0; i < here().actions.size(); ++i) {
      io.visit_kind(here().actions[i].index());
      lockstep::visit_action<S>(io, past, here().actions[i]);
      past.add(places.actions[i]);
    }
  }
  void each_action(FunctionRef<bool(std::size_t action, const AnyScenario::VisitAction& visit)> keep) override {
    auto& actions = here().actions;
    Past<S> past{here().setup};
    std::size_t kept = 0;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!keep(i, Place{past, actions[i]})) continue;
      past.add(actions[i]);
      if (kept != i) lockstep::move_action(actions[i], actions[kept]);
      ++kept;
    }
    actions.resize(kept);
  }
  void grow(FunctionRef<void(AnyScenario::TryAction)> more, bool alternatives) override {
    auto& actions = here().actions;
    Past<S> past = past_of<S>(here(), alternatives ? 0 : actions.size());
    more([&](std::size_t kind, Fields& io) {
      actions.resize(actions.size() + 1);
      auto& action = actions.back();
      lockstep::become(action, kind);
      const bool possible = lockstep::visit_action<S>(io, past, action);
      if (!possible) actions.pop_back();
      else if (!alternatives) past.add(action);
      return possible;
    });
  }
  void set_action(std::size_t action, std::size_t kind) override {
    if (action == here().actions.size()) here().actions.resize(action + 1);
    lockstep::become(here().actions[action], kind);
  }
  void assign_action(std::size_t action, const Store& other, std::size_t others) override {
    lockstep::copy_action(of(other).actions[others], here().actions[action]);
  }
  void insert(std::size_t at, const Store& from, std::size_t first, std::size_t count) override {
    if (count == 0) return;  // nothing may be moved to its own place
    auto& actions = here().actions;
    const std::size_t before = size();
    actions.resize(before + count);
    for (std::size_t i = before; i-- > at;) lockstep::move_action(actions[i], actions[i + count]);
    for (std::size_t i = 0; i < count; ++i) lockstep::copy_action(of(from).actions[first + i], actions[at + i]);
  }
  void erase(std::size_t first, std::size_t count) override {
    if (count == 0) return;
    auto& actions = here().actions;
    for (std::size_t i = first + count; i < actions.size(); ++i) lockstep::move_action(actions[i], actions[i - count]);
    actions.resize(actions.size() - count);
  }
  void swap(std::size_t one, std::size_t other) override {
    if (one == other) return;
    auto& actions = here().actions;
    Action kept = std::move(actions[one]);
    lockstep::move_action(actions[other], actions[one]);
    lockstep::move_action(kept, actions[other]);
  }

 private:
  using Action = typename S::Action;
  class Place final : public AnyScenario::VisitAction {
   public:
    Place(const Past<S>& past, typename S::Action& action) : past_{past}, action_{action} {}
    bool operator()(Fields& io) const override { return lockstep::visit_action<S>(io, past_, action_); }
    bool copy(Fields& io) const override {
      typename S::Action copy;
      lockstep::copy_action(action_, copy);
      return lockstep::visit_action<S>(io, past_, copy);
    }
    std::size_t kind() const override { return action_.index(); }

   private:
    const Past<S>& past_;
    typename S::Action& action_;
  };

  static Scenario<S>& of(const Store& store) { return *static_cast<Scenario<S>*>(store.value()); }
  Scenario<S>& here() const { return of(*this); }

  Scenario<S> own_;
};

/// Holds a trace, or refers to one of its user.
template <System S>
class TraceStore final : public AnyTrace::Store {
 public:
  TraceStore() : Store{&own_} {}
  explicit TraceStore(Trace<S>* trace) : Store{trace} {}

  std::unique_ptr<Store> clone() const override {
    auto out = std::make_unique<TraceStore>();
    out->assign(*this);
    return out;
  }
  void assign(const Store& other) override {
    head() = of(other);
    const auto copy = [](const auto& one, auto& another) { another = one; };
    lockstep::copy_items(of(other).observations, here().observations, copy);
    lockstep::copy_items(of(other).snapshots, here().snapshots, copy);
  }
  TraceHead& head() override { return here(); }
  bool equals(const Store& other) const override {
    const Trace<S>& trace = of(other);
    const auto& answers = here().observations;
    const auto same = [](const auto& one, const auto& another) { return lockstep::same_answer<S>(one, another); };
    return std::equal(answers.begin(), answers.end(), trace.observations.begin(), trace.observations.end(), same) &&
           here().snapshots == trace.snapshots && here().deviation == trace.deviation;
  }
  bool same_answer(std::size_t action, const Store& other, std::size_t others) const override {
    return lockstep::same_answer<S>(here().observations[action], of(other).observations[others]);
  }
  bool same_snapshot(std::size_t taken, const Store& other, std::size_t others) const override {
    return here().snapshots[taken] == of(other).snapshots[others];
  }
  void visit_answer(std::size_t action, Fields& io) const override {
    read_observation<S>(io, here().observations[action]);
  }
  void visit_snapshot(std::size_t taken, Fields& io) const override {
    lockstep::read_snapshot<S>(io, here().snapshots[taken]);
  }
  std::size_t snapshots() const override { return here().snapshots.size(); }

 private:
  static Trace<S>& of(const Store& store) { return *static_cast<Trace<S>*>(store.value()); }
  Trace<S>& here() const { return of(*this); }

  Trace<S> own_;
};

template <System S>
AnyScenario any_of(Scenario<S> scenario) {
  return AnyScenario{std::make_unique<ScenarioStore<S>>(std::move(scenario))};
}

/// Edits a scenario by a function that works without types.
template <System S>
void edit(Scenario<S>& scenario, FunctionRef<void(AnyScenario&)> change) {
  AnyScenario any = any_of<S>(std::move(scenario));
  change(any);
  scenario = std::move(typed<S>(any));
}

/// A scenario or a trace that refers to one of the caller, which must outlive it: for parameters of the type
/// `const AnyScenario&` alone, since no copy is made where one by value is initialized. The cast is sound where nothing
/// is written.
template <System S>
const AnyScenario untyped(const Scenario<S>& scenario) {
  return AnyScenario{std::make_unique<ScenarioStore<S>>(const_cast<Scenario<S>*>(&scenario))};
}
template <System S>
AnyTrace untyped(Trace<S>& trace) {
  return AnyTrace{std::make_unique<TraceStore<S>>(&trace)};
}

/// The weights of the kinds of action: `weight` of each, 1 if it has none.
template <class S>
inline constexpr auto kind_weights = []<class... A>(std::type_identity<std::variant<A...>>) {
  const auto weight = []<class Kind>(std::type_identity<Kind>) -> std::uint64_t {
    // The address, because a field of the action may be called `weight` too.
    if constexpr (requires { *&Kind::weight; }) return Kind::weight;
    else return 1;
  };
  return std::array<std::uint64_t, sizeof...(A)>{weight(std::type_identity<A>{})...};
}(std::type_identity<typename S::Action>{});

template <System S>
class VocabularyOf final : public Vocabulary {
 public:
  std::string_view name() const override { return S::name; }
  std::span<const ActionKind> kinds() const override { return kinds_; }
  std::span<const std::uint64_t> weights() const override { return kind_weights<S>; }
  bool depends_on_past() const override { return lockstep::depends_on_past<S>; }
  bool has_results() const override { return lockstep::has_results<S>; }
  bool has_invariants() const override { return lockstep::has_invariants<S>; }
  bool has_suggestions() const override { return Given<SuggestionsOf<S>>; }
  bool can_restate() const override { return lockstep::can_restate<S>; }
  std::string description_flaw() const override {
    typename S::Observation answer{};
    if (std::string flaw = answer_flaw([&](Fields& io) { S::describe(io, answer); }); !flaw.empty()) return flaw;
    if constexpr (requires { S::description_flaw(); }) return S::description_flaw();
    else return {};
  }
  bool optimized_build() const override {
#if defined(NDEBUG) && defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
  }
  std::vector<Runner>& implementations() const override { return registry<S>(); }
  AnyScenario scenario() const override { return AnyScenario{std::make_unique<ScenarioStore<S>>()}; }
  AnyTrace trace() const override { return AnyTrace{std::make_unique<TraceStore<S>>()}; }

  void suggest([[maybe_unused]] Random& random, [[maybe_unused]] AnyScenario& out, [[maybe_unused]] bool setup,
               [[maybe_unused]] FunctionRef<std::size_t()> count) const override {
    if constexpr (Given<SuggestionsOf<S>>) {
      SuggestionsOf<S> bias{random};
      Scenario<S>& scenario = typed<S>(out);
      if (setup) scenario.setup = bias.setup(random);
      for (std::size_t left = count(); left > 0; --left) {
        scenario.actions.push_back(bias.action(random, scenario.setup));
      }
    }
  }

  void restate([[maybe_unused]] const AnyScenario& from, [[maybe_unused]] const AnyTrace& trace,
               [[maybe_unused]] std::size_t taken, [[maybe_unused]] bool exact,
               [[maybe_unused]] AnyScenario& out) const override {
    if constexpr (lockstep::can_restate<S>) {
      const auto& setup = typed<S>(from).setup;
      const auto& snapshot = typed<S>(trace).snapshots[taken];
      if constexpr (has_position<S>) {
        if (!exact) {
          typed<S>(out).setup = lockstep::restate<S>(setup, LawsOf<S>::position(snapshot));
          return;
        }
      }
      typed<S>(out).setup = lockstep::restate<S>(setup, snapshot);
    }
  }
  bool take_canonical_position([[maybe_unused]] AnyScenario& scenario) const override {
    auto& setup = typed<S>(scenario).setup;
    if constexpr (requires {
                    { LawsOf<S>::position(setup) } -> std::same_as<typename S::Setup>;
                  }) {
      setup = LawsOf<S>::position(setup);
      return true;
    } else {
      return false;
    }
  }
  void add_symmetries([[maybe_unused]] std::vector<SetupSymmetry>& out) const override {
    // Not of a system that inherits the laws of another one.
    if constexpr (requires {
                    { LawsOf<S>::symmetries() } -> std::same_as<std::vector<Symmetry<S>>>;
                  }) {
      for (auto& each : LawsOf<S>::symmetries()) {
        out.push_back({each.name, [map = std::move(each.setup)](const AnyScenario& from, AnyScenario& image) {
                         typed<S>(image).setup = map(typed<S>(from).setup);
                       }});
      }
    }
  }
  std::optional<std::pair<std::size_t, std::string>> broken_invariant([[maybe_unused]] const AnyScenario& untyped,
                                                                      [[maybe_unused]] const AnyTrace& run,
                                                                      [[maybe_unused]] Cadence cadence) const override {
    if constexpr (lockstep::has_invariants<S>) {
      const Scenario<S>& scenario = typed<S>(untyped);
      const Trace<S>& trace = typed<S>(run);
      const std::size_t total = scenario.actions.size();
      const std::size_t end = trace.deviation ? trace.deviation->step : total + 1;
      for (std::size_t done = 0, taken = 0; done < end; ++done) {
        if (!takes_snapshot(cadence, done, total)) continue;
        const auto& after = trace.snapshots[taken++];
        if (done == 0 || !takes_snapshot(cadence, done - 1, total)) continue;
        const auto& before = trace.snapshots[taken - 2];
        std::string law = broken_law([&] {
          return LawsOf<S>::violation(scenario.setup, before, scenario.actions[done - 1], trace.observations[done - 1],
                                      after);
        });
        if (!law.empty()) return std::pair{done, std::move(law)};
      }
    }
    return std::nullopt;
  }
  void ask_in_bits([[maybe_unused]] void (*answer_many)(), [[maybe_unused]] const AnyScenario& untyped,
                   [[maybe_unused]] AnyTrace& run) const override {
    if constexpr (asks_in_bits<S>) {
      const Scenario<S>& scenario = typed<S>(untyped);
      Trace<S>& trace = typed<S>(run);
      const std::optional<BitsOf<S>> question = LawsOf<S>::question(scenario.setup, scenario.actions.front());
      if (!question) return;
      const AnswerOf<S> expected = LawsOf<S>::answer(trace.observations.front());
      AnswerOf<S> actual{};
#ifdef __cpp_exceptions
      try {
#endif
        ask_many<S>(answer_many, {&*question, 1}, {&actual, 1});
#ifdef __cpp_exceptions
      } catch (...) {
        return note_exception(1, false, trace);
      }
#endif
      if (actual == expected) return;
      trace.deviation = Deviation{
          .step = 1, .field = "answer_many", .expected = std::to_string(expected), .actual = std::to_string(actual)};
    }
  }
  void emit_features(const AnyScenario& scenario, const AnyTrace& trace,
                     FunctionRef<void(std::size_t, std::int64_t)> emit) const override {
    lockstep::emit_features<S>(typed<S>(scenario), typed<S>(trace), emit);
  }
  std::span<const Feature> features() const override { return feature_list<S>; }
  std::span<const Limit> limits() const override {
    if constexpr (requires { FeaturesOf<S>::limits; }) return FeaturesOf<S>::limits;
    else return {};
  }

 private:
  template <class... A>
  static constexpr auto kinds_of(std::type_identity<std::variant<A...>>) {
    return std::array{ActionKind{A::name, !std::is_empty_v<A>}...};
  }
  static_assert(action_kinds<typename S::Action> <= 256, "a system has at most 256 kinds of actions");
  static constexpr auto kinds_ = kinds_of(std::type_identity<typename S::Action>{});
};

template <System S>
const Vocabulary& vocabulary() {
  static const VocabularyOf<S> only;
  return only;
}

}  // namespace lockstep
