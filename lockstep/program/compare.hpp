// Two functions that must return the same, in one expression:
//
//   int main(int argc, char** argv) { return lockstep::compare("popcount", naive, fast).main(argc, argv); }
//
// The system has one action, a call, whose arguments a, b, c, … are drawn from their types (describe.hpp: io.field). A
// describe function over the arguments names and narrows them, and orders what depends on each other:
//
//   .with([](auto& io, int& n, std::string& text) { io.number("n", n, 0, 100); io.field("text", text); })
//
//   .implementation("faster", faster)      a third function, and more
//   .canary("cut", cut, "cuts the sum")    a function that is wrong on purpose: a campaign must find it
//   .equal(within_ulps(2))                 compares results (numbers.hpp); default: ==, but a NaN equals a NaN
//   .messages()                            an exception's what() is compared too, not its type alone
//
// Functions are function pointers or function objects with one signature. An exception is a result. A scenario has many
// calls, so that state that a function keeps between calls shows (a function object starts each scenario as a copy of
// the one that was given). Several threads call the functions (explore and stress, unless --jobs is 1), so they must share
// no variables that change. What one call of compare gives is one system: a variant of it that is made by another .with or
// .equal takes its place when it is checked. Views are stored as what they view: std::string_view as std::string, std::span as std::vector.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/describe/describe.hpp"
#include "lockstep/program/builder.hpp"

namespace lockstep {

namespace functions {

/// A view is stored as what it views.
template <class T>
struct Owner : std::type_identity<T> {};
template <>
struct Owner<std::string_view> : std::type_identity<std::string> {};
template <class T>
struct Owner<std::span<T>> : std::type_identity<std::vector<std::remove_cv_t<T>>> {};
template <class T>
using Stored = typename Owner<std::remove_cvref_t<T>>::type;

template <class T>
inline constexpr bool writes_through = std::is_pointer_v<T>;
template <class T>
inline constexpr bool writes_through<std::span<T>> = !std::is_const_v<T>;

/// Whether a function with this parameter leaves the arguments of a call alone.
template <class T>
inline constexpr bool reads_only = !writes_through<std::remove_cvref_t<T>> && !std::is_rvalue_reference_v<T> &&
                                   (!std::is_lvalue_reference_v<T> || std::is_const_v<std::remove_reference_t<T>>);

template <class Signature>
struct Parts;
template <class Result, class... Arguments>
struct Parts<std::function<Result(Arguments...)>> {
  static_assert((reads_only<Arguments> && ...),
                "a compared function takes its arguments by value or by const reference: wrap one that takes a pointer "
                "or changes its arguments in a lambda that returns the changed values");
  static_assert(!std::is_void_v<Result>, "a compared function returns a result: wrap this one in a lambda that does");
  using Signature = Stored<Result>(Stored<Arguments>...);
};

/// The signature of a function, as it is stored: int(std::string) for int (*)(std::string_view).
template <class F>
using SignatureOf = typename Parts<decltype(std::function{std::declval<F>()})>::Signature;

/// ==, but a NaN equals a NaN, also inside of sequences, optionals, pairs and tuples.
struct SameResult {
  template <class T>
  bool operator()(const T& one, const T& other) const {
    if constexpr (std::floating_point<T>) {
      return one == other || (one != one && other != other);  // NaNs
    } else if constexpr (describing::is_a<T, std::optional>) {
      return one && other ? (*this)(*one, *other) : one.has_value() == other.has_value();
    } else if constexpr (describing::is_a<T, std::pair> || describing::is_a<T, std::tuple>) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((*this)(std::get<I>(one), std::get<I>(other)) && ...);
      }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (describing::is_array<T> || describing::Sequence<T>) {
      return std::ranges::equal(one, other, *this);
    } else {
      return one == other;
    }
  }
};

/// Whether a function describes the arguments of this signature.
template <class Describe, class Signature>
inline constexpr bool takes = false;
template <class Describe, class Result, class... Arguments>
inline constexpr bool takes<Describe, Result(Arguments...)> = std::invocable<Describe&, Fields&, Arguments&...>;

/// Describes each argument by its type, and calls them a, b, c, …
struct ByType {
  void operator()(auto& io, auto&... arguments) const {
    static_assert(sizeof...(arguments) <= 26, "name the arguments by .with");
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
    std::size_t next = 0;
    (io.field(letters.substr(next++, 1), arguments), ...);
  }
};

/// How calls of functions with this signature are described and compared.
template <class Signature>
struct Rules;
template <class Result, class... Arguments>
struct Rules<Result(Arguments...)> {
  std::function<void(Fields&, Arguments&...)> describe = ByType{};
  std::function<bool(const Result&, const Result&)> equal = SameResult{};
  bool messages = false;
};

/// Draws a call; whether its description is possible. Defined in compare.cpp, as is what follows.
bool draw_call(std::uint64_t seed, FunctionRef<void(Fields&)> describe);
/// Why this argument, counted from 0, must be described.
std::string forgotten_argument(std::size_t argument);

/// The system of the functions with this signature. `Tag` is the compared pair's own.
template <class Tag, class Signature>
struct System;

template <class Tag, class Result, class... Arguments>
struct System<Tag, Result(Arguments...)> {
  // Set before the system is used; that may be in the initialization of another variable.
  static constinit inline std::string_view name;
  static constinit inline std::optional<Rules<Result(Arguments...)>> rules;

  struct Setup {
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Call {
    static constexpr std::string_view name = "call";
    std::tuple<Arguments...> arguments;
    bool operator==(const Call&) const = default;
  };
  using Action = std::variant<Call>;
  struct Observation {
    std::optional<Result> returned;
    std::string thrown;  // "" if it returned
    bool operator==(const Observation& other) const {
      if (returned && other.returned) return rules->equal(*returned, *other.returned);
      return returned.has_value() == other.returned.has_value() && thrown == other.thrown;
    }
  };

  static void describe(auto&, Setup&) {}
  static void describe(auto& io, const Setup&, Call& call) {
    std::apply([&](auto&... arguments) { rules->describe(io, arguments...); }, call.arguments);
  }
  static void describe(auto& io, Observation& o) {
    if (o.returned) io.value("returned", *o.returned);
    else io.value("thrown", o.thrown);
  }
  /// What `describe` leaves out, which would stay the same in all calls: drawing does not replace what was there before.
  static std::string description_flaw() {
    std::array<bool, sizeof...(Arguments) + 1> drawn{};
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
      Call one, other;
      std::apply([](auto&... argument) { (mark(argument), ...); }, other.arguments);
      for (Call* call : {&one, &other}) {
        if (!draw_call(seed, [&](Fields& io) { describe(io, Setup{}, *call); })) return {};
      }
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((drawn[I] = drawn[I] || std::get<I>(one.arguments) == std::get<I>(other.arguments)), ...);
      }(std::index_sequence_for<Arguments...>{});
    }
    for (std::size_t argument = 0; argument < sizeof...(Arguments); ++argument) {
      if (!drawn[argument]) return forgotten_argument(argument);
    }
    return {};
  }
  template <class T>
  static void mark(T& argument) {
    if constexpr (std::is_arithmetic_v<T>) argument = T{1};
    else if constexpr (std::same_as<T, std::string>) argument = "-";
  }

  /// A function as an implementation.
  template <class F>
  struct Function {
    F function;

    Observation step(const Action& action) {
      try {
        return {stored(std::apply(function, std::get<Call>(action).arguments)), {}};
      } catch (...) {
        const Thrown thrown = current_exception_thrown();
        return {std::nullopt, rules->messages ? exception_text(thrown) : thrown.type};
      }
    }
    Snapshot snapshot() const { return {}; }

   private:
    static Result stored(auto&& result) {
      if constexpr (std::constructible_from<Result, decltype(result)>) {
        return Result(std::forward<decltype(result)>(result));
      } else {  // a span
        return Result(result.begin(), result.end());
      }
    }
  };
};

}  // namespace functions

template <class Tag, class Signature>
class Comparison {
 public:
  using S = functions::System<Tag, Signature>;

  template <class Reference>
  Comparison(std::string_view name, Reference reference, std::source_location where) : name_{kept_text(name)} {
    builder_.reference("reference", maker(std::move(reference)), {}, where);
  }

  template <class Narrow>
  auto with(Narrow narrow) const {
    constexpr bool takes_arguments = functions::takes<Narrow, Signature>;
    static_assert(
        takes_arguments,
        ".with takes a function of io and a reference to each argument, in the order of the compared functions: "
        "[](auto& io, int& a, std::string& b) { … }");
    if constexpr (!takes_arguments) {
      return NoSystem{};
    } else {
      Comparison out = *this;
      out.rules_.describe = std::move(narrow);
      return out;
    }
  }
  Comparison equal(auto same) const {
    Comparison out = *this;
    out.rules_.equal = std::move(same);
    return out;
  }
  Comparison messages() const {
    Comparison out = *this;
    out.rules_.messages = true;
    return out;
  }
  /// Must return the same as the first.
  template <class F>
  Comparison implementation(std::string_view name, F function, std::string_view about = {},
                            std::source_location where = std::source_location::current()) const {
    Comparison out = *this;
    out.builder_.implementation(name, maker(std::move(function)), about, where);
    return out;
  }
  /// Wrong on purpose, in the way that `about` says.
  template <class F>
  Comparison canary(std::string_view name, F function, std::string_view about,
                    std::source_location where = std::source_location::current()) const {
    Comparison out = *this;
    out.builder_.canary(name, maker(std::move(function)), about, where);
    return out;
  }
  /// Every verb of the program (program.hpp).
  int main(int argc, char** argv) const { return builder().main(argc, argv); }
#ifndef LOCKSTEP_FUZZ_TARGET
  /// For a program of several comparisons: see SystemBuilder::add_to_program.
  void add_to_program() const { builder().add_to_program(); }
#endif
  /// One call inside a test (check.hpp).
  CheckResult check(const CheckOptions& options = {}) const { return builder().check(options); }

 private:
  template <class F>
  static auto maker(F function) {
    constexpr bool same_signature = std::same_as<functions::SignatureOf<F>, Signature>;
    static_assert(same_signature, "the compared functions must have one signature: wrap one of them in a lambda");
    return [function = std::move(function)](const typename S::Setup&) {
      return typename S::template Function<F>{function};
    };
  }

  const SystemBuilder<S>& builder() const {
    S::name = name_;
    S::rules.emplace(rules_);
    return builder_;
  }

  std::string_view name_;
  functions::Rules<Signature> rules_;
  SystemBuilder<S> builder_;
};

namespace functions {
// One for each source: the types of lambdas in default arguments are the same in two sources for clang's linker symbols.
namespace {
struct ThisSource {};
}  // namespace
template <class Source, class Lambda>
struct UniqueTag {};
}  // namespace functions

/// See the head of this file. The functions are called "reference" and "fast". `Tag` makes each call's system a type of
/// its own.
template <class Tag = functions::UniqueTag<functions::ThisSource, decltype([] {})>, class Reference, class Fast>
auto compare(std::string_view name, Reference reference, Fast fast,
             std::source_location where = std::source_location::current()) {
  return Comparison<Tag, functions::SignatureOf<Reference>>{name, std::move(reference), where}.implementation(
      "fast", std::move(fast), {}, where);
}

}  // namespace lockstep
