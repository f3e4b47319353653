// A system with its implementations, in one expression:
//
//   int main(int argc, char** argv) {
//     return lockstep::system<Lru>()
//         .reference<ListLru>("list")
//         .implementation<IndexedLru>("indexed")
//         .implementation("tuned", [](const Lru::Setup& setup) { return IndexedLru{setup, options}; })
//         .main(argc, argv);
//   }
//
// Implementations are classes (system.hpp), constructed from a setup or made by a factory. A factory returns a value,
// which need not be copyable or movable, or a std::unique_ptr. Include order does not matter; names are letters, digits
// and the marks _ - . +.
//
// main() needs the library lockstep::program, check() lockstep::campaign, the rest lockstep::lockstep.
//
// Symmetries of the system's laws are judged too: each is one more implementation, REFERENCE.SYMMETRY (image.hpp). A
// system with laws needs no reference: its only implementation takes that place.
#pragma once

#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/base/words.hpp"
#include "lockstep/program/check.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/system/image.hpp"
#include "lockstep/system/registered.hpp"
#include "lockstep/system/registry.hpp"
#ifdef LOCKSTEP_FUZZ_TARGET
#include "lockstep/fuzz/fuzz_target.hpp"
#endif

namespace lockstep {

template <class Kind>
inline constexpr bool kind_has_name = requires {
  { Kind::name } -> std::convertible_to<std::string_view>;
};
template <class Kind>
inline constexpr bool kind_has_equality = std::equality_comparable<Kind>;
template <class S, class Kind>
inline constexpr bool kind_is_described =
    std::is_empty_v<Kind> ||
    requires(Fields& io, const ContextOf<S>& context, Kind& action) { S::describe(io, context, action); };

/// Whether this kind of action is complete. If not, the first error of a compiler names it. A variant of kinds without ==
/// says so only when it is compiled.
template <class S, class Kind>
constexpr bool asserted_kind() {
  static_assert(kind_has_equality<Kind>,
                "lockstep::System: each kind of action needs 'bool operator==(const …&) const = default'");
  static_assert(kind_has_name<Kind>,
                "lockstep::System: each kind of action needs 'static constexpr std::string_view name'");
  static_assert(kind_is_described<S, Kind>,
                "lockstep::System: each kind of action with fields needs 'static void describe(auto& io, const Setup&, "
                "…&)', with const Model& instead if the system has a model");
  return kind_has_equality<Kind> && kind_has_name<Kind> && kind_is_described<S, Kind>;
}
template <class S, class Action>
inline constexpr bool asserted_kinds = false;
template <class S, class... Kinds>
inline constexpr bool asserted_kinds<S, std::variant<Kinds...>> = (asserted_kind<S, Kinds>() && ...);

/// Whether the type is a system. If not, the first error of a compiler names what is missing.
template <class S>
constexpr bool asserted_system() {
  constexpr bool has_types = requires {
    typename S::Setup;
    typename S::Action;
    typename S::Observation;
  };
  static_assert(has_types,
                "lockstep::System: the system needs 'struct Setup', 'using Action = std::variant<…>' and 'struct "
                "Observation'");
  if constexpr (has_types) {
    using Setup = typename S::Setup;
    using Observation = typename S::Observation;
    constexpr bool has_name = requires {
      { S::name } -> std::convertible_to<std::string_view>;
    };
    static_assert(has_name, "lockstep::System: the system needs 'static constexpr std::string_view name'");
    constexpr bool setup_is_plain = std::default_initializable<Setup> && std::equality_comparable<Setup>;
    static_assert(setup_is_plain,
                  "lockstep::System: Setup needs a default constructor and 'bool operator==(const Setup&) const = "
                  "default'");
    constexpr bool action_is_variant = requires { std::variant_size<typename S::Action>::value; };
    static_assert(action_is_variant, "lockstep::System: Action must be a std::variant of the kinds of action");
    constexpr bool kinds = asserted_kinds<S, typename S::Action>;
    constexpr bool observation_has_equality = std::equality_comparable<Observation>;
    static_assert(observation_has_equality,
                  "lockstep::System: Observation needs 'bool operator==(const Observation&) const = default'");
    constexpr bool describes_setup =
        std::is_empty_v<Setup> || requires(Fields& io, Setup& setup) { S::describe(io, setup); };
    static_assert(describes_setup, "lockstep::System: the system needs 'static void describe(auto& io, Setup&)'");
    constexpr bool describes_observation =
        requires(Fields& io, Observation& observation) { S::describe(io, observation); };
    static_assert(describes_observation,
                  "lockstep::System: the system needs 'static void describe(auto& io, Observation&)'");
    constexpr bool describes_snapshot =
        !has_snapshot<S> || std::same_as<Setup, SnapshotOf<S>> || requires(Fields& io, SnapshotOf<S>& snapshot) {
          S::describe(io, snapshot);
          { snapshot == snapshot } -> std::convertible_to<bool>;
        };
    static_assert(describes_snapshot,
                  "lockstep::System: a Snapshot needs 'static void describe(auto& io, Snapshot&)' in the system, and "
                  "'bool operator==(const Snapshot&) const = default'");
    constexpr bool all = has_name && setup_is_plain && action_is_variant && kinds && observation_has_equality &&
                         describes_setup && describes_observation && describes_snapshot;
    if constexpr (all)
      static_assert(System<S>, "the system does not satisfy lockstep::System (lockstep/describe/system.hpp)");
    return all;
  } else {
    return false;
  }
}

/// The same for an implementation, however it is made.
template <class Impl, class S>
constexpr bool asserted_implementation() {
  constexpr bool steps = Steps<Impl, S>;
  static_assert(steps, "lockstep::Implementation: the class needs 'Observation step(const Action&)'");
  constexpr bool shows = ShowsSnapshots<Impl, S>;
  static_assert(shows, "lockstep::Implementation: the class needs 'Snapshot snapshot() const'");
  return steps && shows;
}

/// Takes the place of the builder after an error in the system, so that no error follows.
struct NoSystem {
  template <class... Ignored>
  NoSystem& reference(auto&&...) {
    return *this;
  }
  template <class... Ignored>
  NoSystem& implementation(auto&&...) {
    return *this;
  }
  template <class... Ignored>
  NoSystem& yardstick(auto&&...) {
    return *this;
  }
  template <class... Ignored>
  NoSystem& canary(auto&&...) {
    return *this;
  }
  NoSystem& with(auto&&...) { return *this; }
  NoSystem& equal(auto&&...) { return *this; }
  NoSystem& messages() { return *this; }
  int main(int, char**) const { return 2; }
  CheckResult check(const CheckOptions& = {}) const { return {false, 0, {}}; }
};

/// An implementation behind the pointer that a factory returned.
template <class Pointer>
class Held {
 public:
  explicit Held(Pointer pointer) : pointer_{std::move(pointer)} {}
  decltype(auto) step(const auto& action) { return pointer_->step(action); }
  decltype(auto) snapshot() const { return std::as_const(*pointer_).snapshot(); }

 private:
  Pointer pointer_;
};

/// A copy of the text that lives as long as the process, as registered names must.
std::string_view kept_text(std::string_view text);

/// The implementations of a builder.
class BuiltImplementations {
 public:
  BuiltImplementations();
  BuiltImplementations(const BuiltImplementations& other);
  BuiltImplementations& operator=(const BuiltImplementations& other);
  ~BuiltImplementations();

  void add(Kind kind, std::string_view name, std::string_view about, std::shared_ptr<const Runner::Code> code,
           const std::source_location& where);
  /// Makes the only implementation the reference of a system that has laws and no reference.
  void choose_reference(bool has_laws);
  /// Null if there is none; valid until one is added.
  const Runner* reference() const;
  /// Adds the reference under a symmetry.
  void add_image(std::string_view symmetry, std::shared_ptr<const Runner::Code> code);
  void add_to(std::vector<Runner>& registry) const;
  const std::vector<Runner>& all() const { return all_; }

 private:
  std::vector<Runner> all_;
};

template <System S>
class SystemBuilder {
 public:
  using Setup = typename S::Setup;

  /// The oracle: slow, and obviously right.
  template <class Impl>
  SystemBuilder& reference(std::string_view name, std::string_view about = {},
                           std::source_location where = std::source_location::current()) {
    return add<Impl>(Kind::reference, name, about, where);
  }
  template <class Make>
  SystemBuilder& reference(std::string_view name, Make make, std::string_view about = {},
                           std::source_location where = std::source_location::current()) {
    return add_made(Kind::reference, name, std::move(make), about, where);
  }
  /// Must equal the reference.
  template <class Impl>
  SystemBuilder& implementation(std::string_view name, std::string_view about = {},
                                std::source_location where = std::source_location::current()) {
    return add<Impl>(Kind::optimized, name, about, where);
  }
  template <class Make>
  SystemBuilder& implementation(std::string_view name, Make make, std::string_view about = {},
                                std::source_location where = std::source_location::current()) {
    return add_made(Kind::optimized, name, std::move(make), about, where);
  }
  /// Must equal the reference, but is slow: judged in one scenario of 64.
  template <class Impl>
  SystemBuilder& yardstick(std::string_view name, std::string_view about = {},
                           std::source_location where = std::source_location::current()) {
    return add<Impl>(Kind::yardstick, name, about, where);
  }
  template <class Make>
  SystemBuilder& yardstick(std::string_view name, Make make, std::string_view about = {},
                           std::source_location where = std::source_location::current()) {
    return add_made(Kind::yardstick, name, std::move(make), about, where);
  }
  /// Wrong on purpose, in the way that `about` says: a campaign that does not find it proves nothing.
  template <class Impl>
  SystemBuilder& canary(std::string_view name, std::string_view about,
                        std::source_location where = std::source_location::current()) {
    return add<Impl>(Kind::canary, name, about, where);
  }
  template <class Make>
  SystemBuilder& canary(std::string_view name, Make make, std::string_view about,
                        std::source_location where = std::source_location::current()) {
    return add_made(Kind::canary, name, std::move(make), about, where);
  }

  /// Every verb of the program (program.hpp). In a fuzz target: makes the system the target and returns.
  int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) const {
#ifdef LOCKSTEP_FUZZ_TARGET
    add_to_registry();
    static FuzzedSystem target{vocabulary<S>()};
    return 0;
#else
    add_to_program();
    return program_main(argc, argv);
#endif
  }

#ifndef LOCKSTEP_FUZZ_TARGET
  /// For a program of several systems, whose main function ends in `return lockstep::program_main(argc, argv);`. A fuzz
  /// target has one system.
  void add_to_program() const {
    add_to_registry();
    static const Registered<S> registered;
  }
#endif

  /// One call inside a test (check.hpp).
  CheckResult check(const CheckOptions& options = {}) const {
    return check_implementations(system_parts<S>(), completed().all(), options);
  }

 private:
  template <class Impl>
  SystemBuilder& add(Kind kind, std::string_view name, std::string_view about, std::source_location where) {
    constexpr bool has_constructor = StartsFromSetup<Impl, S>;
    static_assert(has_constructor,
                  "lockstep::Implementation: the class needs a constructor from 'const Setup&', or a factory: "
                  "implementation(\"name\", [](const Setup& setup) { return … })");
    if constexpr (has_constructor && asserted_implementation<Impl, S>()) {
      add_maker(kind, name, MadeFromSetup<Impl, S>{}, about, where);
    }
    return *this;
  }

  template <class Make>
  SystemBuilder& add_made(Kind kind, std::string_view name, Make make, std::string_view about,
                          std::source_location where) {
    constexpr bool is_factory = std::invocable<const Make&, const Setup&>;
    static_assert(is_factory,
                  "a factory takes a 'const Setup&' and returns an implementation, or a std::unique_ptr of one");
    if constexpr (is_factory) {
      using Made = std::invoke_result_t<const Make&, const Setup&>;
      constexpr bool owns = !std::is_pointer_v<Made> && !std::is_reference_v<Made>;
      static_assert(owns, "a factory returns an implementation by value, or a std::unique_ptr of one");
      if constexpr (describing::is_a<Made, std::unique_ptr>) {
        if constexpr (asserted_implementation<typename Made::element_type, S>()) {
          add_maker(
              kind, name, [make = std::move(make)](const Setup& setup) { return Held{make(setup)}; }, about, where);
        }
      } else if constexpr (owns) {
        if constexpr (asserted_implementation<Made, S>()) {
          add_maker(kind, name, std::move(make), about, where);
        }
      }
    }
    return *this;
  }

  template <class Make>
  void add_maker(Kind kind, std::string_view name, Make make, std::string_view about, std::source_location where) {
    std::shared_ptr<const Runner::Code> code;
    if (kind == Kind::canary) code = std::make_shared<MadeCode<S, Make>>(std::move(make));
    else code = std::make_shared<TimedCode<S, Make>>(std::move(make));
    implementations_.add(kind, name, about, std::move(code), where);
  }

  /// The implementations, with one in the reference's place if laws make that possible, and the reference's images.
  BuiltImplementations completed() const {
    BuiltImplementations out = implementations_;
    if constexpr (requires { LawsOf<S>::symmetries(); }) {
      auto images = symmetries<S>();
      out.choose_reference(has_invariants<S> || !images.empty());
      for (auto& symmetry : images) {
        const std::string_view name = symmetry.name;
        const Runner* const reference = out.reference();
        if (reference != nullptr) out.add_image(name, std::make_shared<Image<S>>(*reference, std::move(symmetry)));
      }
    } else {
      out.choose_reference(has_invariants<S>);
    }
    return out;
  }

  void add_to_registry() const { completed().add_to(registry<S>()); }

  BuiltImplementations implementations_;
};

/// See the head of this file.
template <class S>
auto system() {
  if constexpr (asserted_system<S>()) return SystemBuilder<S>{};
  else return NoSystem{};
}

/// "ListLru" for lru::ListLru, "Adder_false" for Adder<false>.
template <class T>
std::string type_name() {
  // "… [T = lru::ListLru]" (clang), "… [with T = lru::ListLru; …]" (g++)
  std::string_view pretty = __PRETTY_FUNCTION__;
  pretty.remove_prefix(pretty.find("T = ") + 4);
  return word_of_type(pretty.substr(0, pretty.find_first_of(";]")));
}

/// The name, with signs at its end that make it different from those that are taken; takes it.
std::string another_name(std::vector<std::string>& taken, std::string name);

/// One call inside a test: `lockstep::check<Lru, ListLru, IndexedLru>({.seconds = 2})`. The implementations have the names
/// of their types.
template <class S, class Reference, class... Implementations>
CheckResult check(const CheckOptions& options = {}) {
  auto builder = system<S>();
  std::vector<std::string> taken;
  builder.template reference<Reference>(another_name(taken, type_name<Reference>()));
  (builder.template implementation<Implementations>(another_name(taken, type_name<Implementations>())), ...);
  return builder.check(options);
}

}  // namespace lockstep
