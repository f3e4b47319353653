// Defines what a system, an implementation and a scenario are.
//
// A system is a struct with the vocabulary of some rules, but without the rules:
//
//   struct Nim {
//     static constexpr std::string_view name = "nim";      // letters, digits, '_'
//     struct Setup { int heap; bool operator==… };         // the state that a run starts from
//     struct Take  { static constexpr std::string_view name = "take"; int count; bool operator==… };
//     using Action = std::variant<Take>;                   // the possible actions
//     struct Observation { … };                            // the answer to an action; trivially copyable
//     using Snapshot = Setup;                              // the whole state, comparable
//     static void describe(auto& io, Setup&);              // the fields of each and their bounds: describe.hpp
//     static void describe(auto& io, const Setup&, Take&);
//     static void describe(auto& io, Observation&);
//     struct Laws;                                         // the parts below that the system has
//   };
//
// All other information for the library is in parts: nested structs of static members, each optional. The vocabulary
// declares the parts that a system has, and other headers define them. An implementation includes the vocabulary alone,
// so that the compiler refuses any use of a part there (it is an incomplete type).
//
//   struct Nim::Laws {                                     // each member is optional
//     static std::optional<Flaw> flaw(const Setup&);       // the first law that a setup breaks, beyond its bounds
//     static void normalise(Setup&);                       // repairs those; idempotent; leaves lawful setups alone
//     static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
//                                  const Snapshot& after); // "" when the step is sound, else the broken invariant
//     static Setup restate(const Setup&, const Snapshot&); // a position as a setup; absent: Snapshot is Setup
//     static Snapshot position(Snapshot);                  // for deduplication: counters dropped, numbers canonical
//     static std::vector<Symmetry<Nim>> symmetries();      // maps that change no answer: symmetry.hpp
//   };
//   struct Nim::Features { … };       // how deep a scenario went, as small numbers: features.hpp
//   struct Nim::Suggestions { … };    // how to draw scenarios that reach deep states: draw.hpp
//   struct Nim::Explorations { … };   // what can be covered exhaustively: exploration.hpp
//   struct Nim::ProblemFormat { … };  // reads and prints the original problem's text: problem_format.hpp
//
// An implementation is a class that is constructed from a setup, answers actions and returns snapshots of its state.
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

/// Why a setup is refused although every field is inside its bounds. `row` and `column` locate a cell of a board; both
/// are −1 if the flaw concerns the whole field.
struct Flaw {
  std::string_view field;
  int row = -1;
  int column = -1;
  std::string what;
};

/// A setup and the actions that follow it.
template <class S>
struct Scenario {
  typename S::Setup setup{};
  std::vector<typename S::Action> actions;

  bool operator==(const Scenario&) const = default;
};

/// Stands for a part that a system does not have.
struct NoPart {};

namespace parts {

/// A part that the vocabulary declares. The assertion catches a missing include, which would otherwise make the part
/// silently empty.
template <class Part>
struct Declared {
  static_assert(requires { sizeof(Part); }, "the system declares this part: include the header that defines it");
  using type = Part;
};

// clang-format off
template <class S> struct Laws : std::type_identity<NoPart> {};
template <class S> struct Features : std::type_identity<NoPart> {};
template <class S> struct Suggestions : std::type_identity<NoPart> {};
template <class S> struct Explorations : std::type_identity<NoPart> {};
template <class S> struct ProblemFormat : std::type_identity<NoPart> {};

template <class S> requires requires { typename S::Laws; } struct Laws<S> : Declared<typename S::Laws> {};
template <class S> requires requires { typename S::Features; } struct Features<S> : Declared<typename S::Features> {};
template <class S> requires requires { typename S::Suggestions; } struct Suggestions<S> : Declared<typename S::Suggestions> {};
template <class S> requires requires { typename S::Explorations; } struct Explorations<S> : Declared<typename S::Explorations> {};
template <class S> requires requires { typename S::ProblemFormat; } struct ProblemFormat<S> : Declared<typename S::ProblemFormat> {};
// clang-format on

}  // namespace parts

// The parts of a system; NoPart for a part that it does not declare.
template <class S>
using LawsOf = typename parts::Laws<S>::type;
template <class S>
using FeaturesOf = typename parts::Features<S>::type;
template <class S>
using SuggestionsOf = typename parts::Suggestions<S>::type;
template <class S>
using ExplorationsOf = typename parts::Explorations<S>::type;
template <class S>
using ProblemFormatOf = typename parts::ProblemFormat<S>::type;

/// Whether the system has the part: Given<SuggestionsOf<S>>.
template <class Part>
concept Given = !std::same_as<Part, NoPart>;

template <class S>
concept System =
    std::default_initializable<typename S::Setup> && std::equality_comparable<typename S::Setup> &&
    std::equality_comparable<typename S::Action> && std::equality_comparable<typename S::Observation> &&
    std::equality_comparable<typename S::Snapshot> && std::is_trivially_copyable_v<typename S::Observation> &&
    (std::variant_size_v<typename S::Action> > 0) && requires {
      { S::name } -> std::convertible_to<std::string_view>;
    };

/// `step` answers every action: an action that the present state refuses is answered as illegal and changes nothing.
/// `step` is never called with a field outside the described bounds. `snapshot` may return a reference to a member: the
/// caller copies it at once, into memory that it reuses.
template <class Impl, class S>
concept Implementation =
    System<S> && std::constructible_from<Impl, const typename S::Setup&> &&
    requires(Impl implementation, const Impl& observed, const typename S::Action& action) {
      { implementation.step(action) } -> std::same_as<typename S::Observation>;
      requires std::same_as<std::remove_cvref_t<decltype(observed.snapshot())>, typename S::Snapshot>;
    };

/// The first law that a setup breaks; nullopt if it is lawful.
template <System S>
std::optional<Flaw> flaw(const typename S::Setup& setup) {
  if constexpr (requires { LawsOf<S>::flaw(setup); }) return LawsOf<S>::flaw(setup);
  else return std::nullopt;
}

/// Repairs a setup that `flaw` would refuse.
template <System S>
void normalise(typename S::Setup& setup) {
  if constexpr (requires { LawsOf<S>::normalise(setup); }) LawsOf<S>::normalise(setup);
}

/// The invariant that a step breaks; "" if none.
template <System S>
std::string violation(const typename S::Setup& setup, const typename S::Snapshot& before,
                      const typename S::Action& action, const typename S::Observation& observation,
                      const typename S::Snapshot& after) {
  if constexpr (requires { LawsOf<S>::violation(setup, before, action, observation, after); }) {
    return LawsOf<S>::violation(setup, before, action, observation, after);
  } else {
    return {};
  }
}

/// A position as a setup, so that a failure can be restated as one position and one action.
template <System S>
typename S::Setup restate(const typename S::Setup& setup, const typename S::Snapshot& snapshot) {
  if constexpr (requires { LawsOf<S>::restate(setup, snapshot); }) {
    return LawsOf<S>::restate(setup, snapshot);
  } else {
    static_assert(std::same_as<typename S::Setup, typename S::Snapshot>,
                  "a system whose snapshot is not its setup needs Laws::restate");
    return snapshot;
  }
}

/// Whether the system defines which snapshots are one position.
template <System S>
inline constexpr bool has_position = requires(typename S::Snapshot s) { LawsOf<S>::position(s); };

/// The action alternative with the given index, with default fields.
template <class Variant, std::size_t I = 0>
Variant alternative(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Variant>) {
    if (index != I) return alternative<Variant, I + 1>(index);
  }
  return Variant{std::in_place_index<I>};
}

/// The action's name in text files.
template <class Variant>
std::string_view action_name(const Variant& action) {
  return std::visit([](const auto& a) -> std::string_view { return std::remove_cvref_t<decltype(a)>::name; }, action);
}

template <class Variant>
inline constexpr std::size_t action_kinds = std::variant_size_v<Variant>;

}  // namespace lockstep
