// Defines what a system, an implementation and a scenario are.
//
// A system is a struct with the vocabulary of some rules, but without the rules:
//
//   struct Nim {
//     static constexpr std::string_view name = "nim";      // letters, digits, '_'
//     struct Setup { int heap; bool operator==… };         // the state that a run starts from; Nothing: always the same
//     struct Take  { static constexpr std::string_view name = "take"; int count; bool operator==… };
//     using Action = std::variant<Take>;                   // the possible actions
//     struct Observation { … };                            // the answer to an action; comparable
//     using Snapshot = Setup;                              // the whole state, comparable; absent: it cannot be seen
//     static void describe(auto& io, Setup&);              // the fields of each and their bounds: describe.hpp
//     static void describe(auto& io, const Setup&, Take&);
//     static void describe(auto& io, Observation&);
//     struct Laws;                                         // the parts below that the system has
//   };
//
// An action can declare `static constexpr unsigned weight = 3;` (drawn three times as often as others) and
// `static constexpr bool has_result = true;` (later actions may refer to its result: Result<Take>).
//
// An observation that can be constructed from Thrown turns exceptions into answers; without, an exception ends the run.
//
// If bounds of actions depend on earlier actions, the system has a model: as little of the state as the bounds need.
//
//   struct Nim::Model {
//     explicit Model(const Setup&);
//     void apply(const Take&);            // for each kind of action that changes it
//     bool possible(const Take&) const;   // optional: whether the action may occur now
//   };
//   static void describe(auto& io, const Model&, Take&);   // instead of const Setup&
//
// All other information for the library is in parts: nested structs of static members, each optional. The vocabulary
// declares the parts that a system has, and other headers define them. An implementation includes the vocabulary alone,
// so that the compiler refuses any use of a part there (it is an incomplete type).
//
//   struct Nim::Laws {                                     // each member is optional
//     static std::optional<Flaw> flaw(const Setup&);       // the first law that a setup breaks, beyond its bounds
//     static void normalise(Setup&);                       // repairs those; idempotent; leaves lawful setups alone
//     static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation&,
//                                  const Snapshot& after); // "" when the step is sound; an exception breaks it
//     static Setup restate(const Setup&, const Snapshot&); // a position as a setup; absent: Snapshot is Setup
//     static bool equal(const Observation& expected, const Observation& actual);  // absent: ==
//     static Snapshot position(Snapshot);                  // for deduplication: counters dropped, numbers canonical
//     static std::vector<Symmetry<Nim>> symmetries();      // maps that change no answer: symmetry.hpp
//     static std::optional<Bits> question(const Setup&, const Action&);  // what answer_many is asked: bulk.hpp
//     static Answer answer(const Observation&);                          // the action's answer to it
//   };
//   struct Nim::Features { … };       // how deep a scenario went, as small numbers: features.hpp
//   struct Nim::Suggestions { … };    // how to draw scenarios that reach deep states: draw.hpp
//   struct Nim::Explorations { … };   // what can be covered exhaustively: exploration.hpp
//   struct Nim::Workloads { … };      // what benchmarks time: workload.hpp
//   struct Nim::ProblemFormat { … };  // reads and prints the original problem's text: problem_format.hpp
//
// An implementation is a class that is constructed from a setup, answers actions and returns snapshots of its state. A
// system whose setup is Nothing also takes implementations with a default constructor.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

/// A setup without fields.
struct Nothing {
  bool operator==(const Nothing&) const = default;
};

/// The snapshot of a system whose state cannot be seen.
struct Unseen {
  bool operator==(const Unseen&) const = default;
};

/// What the index-th earlier action of a kind returned, counted from 0 (describe.hpp).
template <class Kind>
struct Result {
  std::uint32_t index = 0;
  bool operator==(const Result&) const = default;
};

/// An exception that an implementation threw.
struct Thrown {
  std::string type;  // "std::out_of_range"
  std::string what;  // "" if it is not derived from std::exception
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
template <class S> using Laws = typename Declared<typename S::Laws>::type;
template <class S> using Features = typename Declared<typename S::Features>::type;
template <class S> using Suggestions = typename Declared<typename S::Suggestions>::type;
template <class S> using Explorations = typename Declared<typename S::Explorations>::type;
template <class S> using Workloads = typename Declared<typename S::Workloads>::type;

template <class S> using Snapshot = typename S::Snapshot;
template <class S> using Bits = typename S::Bits;
template <class S> using Answer = typename S::Answer;
template <class S> using Model = typename S::Model;
// clang-format on

/// Member<S>, or `Otherwise` if the system has no such type.
template <class S, template <class> class Member, class Otherwise>
struct Found : std::type_identity<Otherwise> {};
template <class S, template <class> class Member, class Otherwise>
  requires requires { typename Member<S>; }
struct Found<S, Member, Otherwise> : std::type_identity<Member<S>> {};

template <class S, template <class> class Member, class Otherwise = NoPart>
using Of = typename Found<S, Member, Otherwise>::type;

}  // namespace parts

// The parts of a system; NoPart for a part that it does not declare.
template <class S>
using LawsOf = parts::Of<S, parts::Laws>;
template <class S>
using FeaturesOf = parts::Of<S, parts::Features>;
template <class S>
using SuggestionsOf = parts::Of<S, parts::Suggestions>;
template <class S>
using ExplorationsOf = parts::Of<S, parts::Explorations>;
template <class S>
using WorkloadsOf = parts::Of<S, parts::Workloads>;

/// Whether the system has the part: Given<SuggestionsOf<S>>.
template <class Part>
concept Given = !std::same_as<Part, NoPart>;

/// The system's snapshot; Unseen if it has none.
template <class S>
using SnapshotOf = parts::Of<S, parts::Snapshot, Unseen>;
template <class S>
inline constexpr bool has_snapshot = !std::same_as<SnapshotOf<S>, Unseen>;

/// The answer to the system's question, a number, and a position in bits: what implementations take many of at once
/// (bulk.hpp). Without an answer, a type Bits is the user's own.
template <class S>
using AnswerOf = parts::Of<S, parts::Answer>;
template <class S>
using BitsOf = std::conditional_t<Given<AnswerOf<S>>, parts::Of<S, parts::Bits>, NoPart>;

/// Whether the laws say which action asks what answer_many is asked.
template <class S>
inline constexpr bool asks_in_bits = false;
template <class S>
  requires Given<BitsOf<S>> && requires(const typename S::Setup& setup, const typename S::Action& action) {
    LawsOf<S>::question(setup, action);
  }
inline constexpr bool asks_in_bits<S> = true;

template <class S>
concept System = std::default_initializable<typename S::Setup> && std::equality_comparable<typename S::Setup> &&
                 std::equality_comparable<typename S::Action> && std::default_initializable<typename S::Observation> &&
                 std::copyable<typename S::Observation> && std::equality_comparable<typename S::Observation> &&
                 std::equality_comparable<SnapshotOf<S>> && (std::variant_size_v<typename S::Action> > 0) && requires {
                   { S::name } -> std::convertible_to<std::string_view>;
                 };

/// Whether exceptions of implementations are answers.
template <class S>
inline constexpr bool answers_exceptions = std::constructible_from<typename S::Observation, Thrown>;

/// Has `S::Observation step(const S::Action&)`: answers every action. An action that the present state refuses is
/// answered as illegal and changes nothing. `step` is never called with a field outside the described bounds.
template <class Impl, class S>
concept Steps = requires(Impl& implementation, const typename S::Action& action) {
  { implementation.step(action) } -> std::convertible_to<typename S::Observation>;
};

/// Has `S::Snapshot snapshot() const`, if the system has snapshots. It may return a reference to a member: the caller
/// copies it at once, into memory that it reuses.
template <class Impl, class S>
concept ShowsSnapshots = !has_snapshot<S> || requires(const Impl& implementation) {
  requires std::same_as<std::remove_cvref_t<decltype(implementation.snapshot())>, SnapshotOf<S>>;
};

/// Can be constructed from a setup.
template <class Impl, class S>
concept StartsFromSetup = std::constructible_from<Impl, const typename S::Setup&> ||
                          (std::is_empty_v<typename S::Setup> && std::default_initializable<Impl>);

/// Objects of an implementation are called from several threads at a time (by explore and stress, unless --jobs is 1), each
/// from one thread: they must share no variables that change.
template <class Impl, class S>
concept Implementation = System<S> && StartsFromSetup<Impl, S> && Steps<Impl, S> && ShowsSnapshots<Impl, S>;

/// Constructs an implementation from a setup.
template <class Impl, System S>
Impl started(const typename S::Setup& setup) {
  if constexpr (std::constructible_from<Impl, const typename S::Setup&>) return Impl{setup};
  else return Impl{};
}

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

/// Whether two observations count as the same answer.
template <System S>
bool same_answer(const typename S::Observation& expected, const typename S::Observation& actual) {
  if constexpr (requires { LawsOf<S>::equal(expected, actual); }) return LawsOf<S>::equal(expected, actual);
  else return expected == actual;
}

/// Whether the system has invariants of steps.
template <class S>
inline constexpr bool has_invariants =
    requires(const typename S::Setup& setup, const SnapshotOf<S>& snapshot, const typename S::Action& action,
             const typename S::Observation& observation) {
      LawsOf<S>::violation(setup, snapshot, action, observation, snapshot);
    };

template <class S>
concept RestatesByLaw =
    requires(const typename S::Setup& setup, const SnapshotOf<S>& snapshot) { LawsOf<S>::restate(setup, snapshot); };

/// Whether a position can be given as a setup. Otherwise the shrinker keeps the actions that lead to it, and nothing can
/// be explored.
template <class S>
inline constexpr bool can_restate =
    has_snapshot<S> && (RestatesByLaw<S> || std::same_as<typename S::Setup, SnapshotOf<S>>);

/// A position as a setup, so that a failure can be restated as one position and one action.
template <System S>
  requires can_restate<S>
typename S::Setup restate(const typename S::Setup& setup, const SnapshotOf<S>& snapshot) {
  if constexpr (RestatesByLaw<S>) return LawsOf<S>::restate(setup, snapshot);
  else return snapshot;
}

/// Whether the system defines which snapshots are one position.
template <System S>
inline constexpr bool has_position = requires(SnapshotOf<S> s) { LawsOf<S>::position(s); };

/// Makes an action the alternative with the given index, with default fields.
template <std::size_t I = 0, class Variant>
void become(Variant& action, std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Variant>) {
    if (index != I) return lockstep::become<I + 1>(action, index);
  }
  action.template emplace<I>();
}
template <class Variant>
Variant alternative(std::size_t index) {
  Variant out;
  lockstep::become(out, index);
  return out;
}

// Visits, assignments and comparisons of std::variant take half a second or more to compile for 51 kinds: a visit makes a
// table of functions, the others visit pairs. These compare the index with each kind in turn, which compilers turn into
// one jump.

/// Calls `use` with the alternative that the variant holds.
template <class Variant, class Use>
void with_alternative(Variant& value, const Use& use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(((value.index() == I && (use(*std::get_if<I>(&value)), true)) || ...));
  }(std::make_index_sequence<std::variant_size_v<std::remove_const_t<Variant>>>{});
}

template <class Variant>
bool same_action(const Variant& one, const Variant& other) {
  bool same = false;
  lockstep::with_alternative(one, [&]<class Kind>(const Kind& action) {
    const Kind* const another = std::get_if<Kind>(&other);
    same = another != nullptr && action == *another;
  });
  return same;
}

/// Does what `to = from` does.
template <class Variant>
void copy_action(const Variant& from, Variant& to) {
  if constexpr (std::is_trivially_copyable_v<Variant>) {
    to = from;
  } else {
    if (to.index() != from.index()) lockstep::become(to, from.index());
    lockstep::with_alternative(from, [&]<class Kind>(const Kind& action) { *std::get_if<Kind>(&to) = action; });
  }
}

/// Does what `to = std::move(from)` does. They must not be one object.
template <class Variant>
void move_action(Variant& from, Variant& to) {
  if constexpr (std::is_trivially_copyable_v<Variant> || !std::is_nothrow_move_constructible_v<Variant>) {
    to = std::move(from);
  } else {
    std::destroy_at(&to);
    std::construct_at(&to, std::move(from));
  }
}

/// The action's name in text files.
std::string_view action_name(const auto& action) {
  std::string_view name;
  lockstep::with_alternative(action, [&]<class Kind>(const Kind&) { name = Kind::name; });
  return name;
}

template <class Variant>
inline constexpr std::size_t action_kinds = std::variant_size_v<Variant>;

template <class S>
using ModelOf = parts::Of<S, parts::Model>;
template <class S>
inline constexpr bool has_model = Given<ModelOf<S>>;

/// What the bounds of actions may depend on: the model, or the setup if the system has none.
template <class S>
using ContextOf = parts::Of<S, parts::Model, typename S::Setup>;

/// Whether later actions may refer to the result of this kind of action.
template <class Kind>
inline constexpr bool gives_result = requires { requires Kind::has_result; };

/// Whether some kind of action gives a result.
template <class S>
inline constexpr bool has_results = []<class... A>(std::type_identity<std::variant<A...>>) {
  return (gives_result<A> || ...);
}(std::type_identity<typename S::Action>{});

/// Whether the lawful fields of an action depend on the actions before it.
template <class S>
inline constexpr bool depends_on_past = has_model<S> || has_results<S>;

}  // namespace lockstep
