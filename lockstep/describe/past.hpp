// What the description of an action may depend on, and the calls of a system's `describe`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/system.hpp"

namespace lockstep {

/// What an action's description may depend on: the setup, or the model if the system has one, and how many results of
/// each kind earlier actions returned. Moves along a scenario: `add` each action in order.
template <System S>
class Past {
 public:
  explicit Past(const typename S::Setup& setup) : setup_{&setup} {
    if constexpr (has_model<S>) model_.emplace(setup);
  }

  /// The second argument of `describe` for actions.
  const auto& context() const {
    if constexpr (has_model<S>) return *model_;
    else return *setup_;
  }

  /// Whether the model allows the action.
  bool possible(const typename S::Action& action) const {
    bool out = true;
    if constexpr (has_model<S>) {
      lockstep::with_alternative(action, [&](const auto& a) {
        if constexpr (requires { model_->possible(a); }) out = model_->possible(a);
      });
    }
    return out;
  }

  void add(const typename S::Action& action) {
    if constexpr (has_results<S>) ++counts_[action.index()];
    if constexpr (has_model<S>) {
      lockstep::with_alternative(action, [&](const auto& a) {
        if constexpr (requires { model_->apply(a); }) model_->apply(a);
      });
    }
  }

  Earlier earlier() const {
    if constexpr (has_results<S>) return {kinds, counts_};
    else return {};
  }

 private:
  using Action = typename S::Action;
  static constexpr auto kinds = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{std::variant_alternative_t<I, Action>::name...};
  }(std::make_index_sequence<action_kinds<Action>>{});
  static constexpr bool counts_results = has_results<S>;

  const typename S::Setup* setup_;
  std::optional<ModelOf<S>> model_;
  std::array<std::uint32_t, counts_results ? action_kinds<Action> : 0> counts_{};
};

/// Applies a visitor to a setup (or a snapshot of the same type).
template <System S>
void visit_setup(Fields& io, typename S::Setup& setup) {
  if constexpr (requires { S::describe(io, setup); }) S::describe(io, setup);
  else static_assert(std::is_empty_v<typename S::Setup>, "describe the setup: static void describe(auto& io, Setup&)");
}

/// Applies a visitor to the fields of an action that follows `past`. False if the action cannot occur there.
template <System S>
bool visit_action(Fields& io, const Past<S>& past, typename S::Action& action) {
  const Earlier earlier = past.earlier();
  io.begin_action(&earlier);
  lockstep::with_alternative(action, [&]<class Kind>(Kind& a) {
    // An action without fields needs no description.
    if constexpr (requires { S::describe(io, past.context(), a); }) S::describe(io, past.context(), a);
    else
      static_assert(std::is_empty_v<Kind>,
                    "describe this action's fields: static void describe(auto& io, const Setup&, Action&), or "
                    "const Model& if the system has a model");
  });
  const bool possible = !io.impossible() && past.possible(action);
  io.begin_action(nullptr);
  return possible;
}

/// The past of one action of a scenario.
template <System S>
Past<S> past_of(const Scenario<S>& scenario, std::size_t action) {
  Past<S> past{scenario.setup};
  if constexpr (depends_on_past<S>) {
    for (std::size_t i = 0; i < action; ++i) past.add(scenario.actions[i]);
  }
  return past;
}

// For visitors that only read. The casts are sound because such a visitor never writes.
template <System S>
void read_observation(Fields& io, const typename S::Observation& observation) {
  S::describe(io, const_cast<typename S::Observation&>(observation));
}

template <System S>
void read_snapshot(Fields& io, const SnapshotOf<S>& snapshot) {
  if constexpr (has_snapshot<S>) S::describe(io, const_cast<SnapshotOf<S>&>(snapshot));
}

}  // namespace lockstep
