// What a game is, what a simulator of it is, and what a scenario is.
//
// A game is a struct that holds the rules' vocabulary and no rules:
//
//   struct Nim {
//     static constexpr std::string_view name = "nim";      // letters, digits, '_'
//     struct Setup { int heap; bool operator==… };         // what a run starts from
//     struct Take  { static constexpr std::string_view name = "take"; int count; bool operator==… };
//     using Action = std::variant<Take>;                   // what may be asked
//     struct Observation { … };                            // what an action answers; trivially copyable
//     using Snapshot = Setup;                              // the whole state, comparable
//     static void describe(auto& io, Setup&);              // the fields of each and their bounds: describe.hpp
//     static void describe(auto& io, const Setup&, Take&);
//     static void describe(auto& io, Observation&);
//     static std::optional<Flaw> flaw(const Setup&);       // the first law that a setup breaks, beyond its bounds
//     static void normalise(Setup&);                       // repairs those; idempotent; leaves lawful setups alone
//     static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
//                                  const Snapshot& after); // "" when the step is sound, else the broken invariant
//     static constexpr std::array<std::string_view, N> features = {…};      // names, or Feature with a limit; at most 32
//     static void observe(auto&& emit, const Action&, const Observation&);  // emit(feature index, value)
//     static void survey(auto&& emit, const Snapshot&);
//   };
//
// Optional members, each with a meaning of its own when absent:
//   struct Bias                     how play is steered into deep states (draw.hpp); absent: only generic drawing
//   static std::vector<Symmetry<G>> symmetries()   maps that change no answer (symmetry.hpp); absent: none
//   static Setup restate(const Setup&, const Snapshot&)   a position as a setup; absent: Snapshot is Setup
//   static Snapshot position(Snapshot)  for deduplication: counters dropped, numbers canonical; absent: identity
//   static void witness(auto&& emit, const Snapshot& before, const Action&, const Observation&, const Snapshot& after)
//                                   features that a step shows only with both its positions; absent: none
//   static constexpr std::array<Limit, N> limits   limits of the rules that scenarios must reach (limits.hpp); absent: none
//   struct JudgeFormat              reader and printer of the original problem's text (judge_format.hpp)
//
// A simulator is any class that is constructible from the setup, answers actions and shows its state.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace lockstep {

/// Why a setup is refused although every field is inside its bounds. For a board's cell, row and
/// column name it; −1 when the flaw is the field's as a whole.
struct Flaw {
  std::string_view field;
  int row = -1;
  int column = -1;
  std::string what;
};

/// A setup and the actions that follow it.
template <class G>
struct Scenario {
  typename G::Setup setup{};
  std::vector<typename G::Action> actions;

  bool operator==(const Scenario&) const = default;
};

template <class G>
concept Game = std::default_initializable<typename G::Setup> && std::equality_comparable<typename G::Setup> &&
               std::equality_comparable<typename G::Action> && std::equality_comparable<typename G::Observation> &&
               std::equality_comparable<typename G::Snapshot> &&
               std::is_trivially_copyable_v<typename G::Observation> && (std::variant_size_v<typename G::Action> > 0) &&
               requires(typename G::Setup& setup, const typename G::Setup& given, const typename G::Snapshot& snapshot,
                        const typename G::Action& action, const typename G::Observation& observation) {
                 { G::name } -> std::convertible_to<std::string_view>;
                 { G::features.size() } -> std::convertible_to<std::size_t>;
                 { G::flaw(given) } -> std::same_as<std::optional<Flaw>>;
                 { G::normalise(setup) } -> std::same_as<void>;
                 { G::violation(given, snapshot, action, observation, snapshot) } -> std::same_as<std::string>;
               };

/// Every action is answered: an action that the present state refuses is answered as illegal and
/// changes nothing. `step` is never called with a field outside the bounds that the game describes.
template <class S, class G>
concept Simulator = Game<G> && std::constructible_from<S, const typename G::Setup&> &&
                    requires(S simulator, const S& observed, const typename G::Action& action) {
                      { simulator.step(action) } -> std::same_as<typename G::Observation>;
                      { observed.snapshot() } -> std::same_as<typename G::Snapshot>;
                    };

/// A position as a setup, so that a failure can be restated as one position and one action.
template <Game G>
typename G::Setup restate(const typename G::Setup& setup, const typename G::Snapshot& snapshot) {
  if constexpr (requires { G::restate(setup, snapshot); }) {
    return G::restate(setup, snapshot);
  } else {
    static_assert(std::same_as<typename G::Setup, typename G::Snapshot>,
                  "a game whose snapshot is not its setup needs restate()");
    return snapshot;
  }
}

/// The action alternative with the given index, its fields still at their defaults.
template <class Variant, std::size_t I = 0>
Variant alternative(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Variant>) {
    if (index != I) return alternative<Variant, I + 1>(index);
  }
  return Variant{std::in_place_index<I>};
}

/// The action's name, as text files spell it.
template <class Variant>
std::string_view action_name(const Variant& action) {
  return std::visit([](const auto& a) -> std::string_view { return std::remove_cvref_t<decltype(a)>::name; }, action);
}

template <class Variant>
inline constexpr std::size_t action_kinds = std::variant_size_v<Variant>;

}  // namespace lockstep
