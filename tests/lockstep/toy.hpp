// Parts of toy systems, and what the shrinker makes of their scenarios.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/system.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "props/typed.hpp"

namespace lockstep {

/// A string as a template argument.
template <std::size_t size>
struct ActionName {
  consteval ActionName(const char (&word)[size]) { std::copy_n(word, size, letters); }  // implicit on purpose
  char letters[size];
};

/// A kind of action with one value, whose domain the system describes, or without a field.
template <ActionName word, class Value = void>
struct ActionOf {
  static constexpr std::string_view name{word.letters};
  Value value{};
  bool operator==(const ActionOf&) const = default;
};

template <ActionName word>
struct ActionOf<word, void> {
  static constexpr std::string_view name{word.letters};
  bool operator==(const ActionOf&) const = default;
};

/// Types of values, each with a kind of action: one system tests them all, because each system takes seconds to compile.
template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
  using Tuple = std::tuple<T...>;
  template <class U>
  static constexpr std::size_t index_of = [] {
    constexpr bool same[] = {std::is_same_v<T, U>...};
    return static_cast<std::size_t>(std::ranges::find(same, true) - same);
  }();
  /// "t00", "t01", …
  static constexpr auto names = [] {
    std::array<std::array<char, 3>, size> out{};
    for (std::size_t i = 0; i < size; ++i)
      out[i] = {'t', static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
    return out;
  }();
  template <class U>
  static constexpr std::string_view name_of{names[index_of<U>].data(), 3};
  template <class U>
  struct Use {
    static constexpr std::string_view name = name_of<U>;
    U value{};
    bool operator==(const Use&) const = default;
  };
  template <class... More>
  using Actions = std::variant<Use<T>..., More...>;
};

/// The base of toy systems whose scenarios no implementation runs.
struct NeverRun {
  using Setup = Nothing;
  struct Observation {
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto&, Observation&) {}
};

/// An implementation without a state: the answer to each action.
template <System S>
Runner stateless(std::string_view name, Kind kind,
                 std::function<typename S::Observation(const typename S::Action&)> step) {
  struct Made {
    std::function<typename S::Observation(const typename S::Action&)> step;
  };
  const auto run = [made = Made{std::move(step)}](const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
    run_made<S>([&](const typename S::Setup&) { return made; }, scenario, cadence, out);
  };
  return {name, kind, "", typed_code<S>(run)};
}

/// Fewer than `size_end` bytes.
inline Bytes random_bytes(Random& random, std::uint64_t size_end) {
  Bytes bytes(random.below(size_end));
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return bytes;
}

template <System S>
struct SmallestFound {
  Scenario<S> scenario;
  std::uint64_t judgements;  // without those of the last wider search
};

/// The smallest scenario for which `fails` holds that the shrinker finds. The failure is at the last step of the shortest
/// beginning that fails. LOCKSTEP_WITHOUT_STEP in the environment names a step of the shrinker that is left out: the zoo and
/// the challenge then show which cases need it.
template <System S>
SmallestFound<S> shrunk_where(const Scenario<S>& failing,
                              const std::type_identity_t<std::function<bool(const Scenario<S>&)>>& fails) {
  const auto judge = [&](const AnyScenario& any) {
    const Scenario<S>& scenario = typed<S>(any);
    if (!fails(scenario)) return Verdict{};
    Scenario<S> beginning{.setup = scenario.setup, .actions = {}};
    while (!fails(beginning)) beginning.actions.push_back(scenario.actions[beginning.actions.size()]);
    Divergence failure;
    failure.step = beginning.actions.size();
    return Verdict{Verdict::State::diverged, failure, {}};
  };
  const char* const without = std::getenv("LOCKSTEP_WITHOUT_STEP");
  EXPECT_TRUE(without == nullptr || std::ranges::count(shrink_steps(), without) > 0) << without;
  const ShrinkBudget budget{.time = std::chrono::hours{1}, .without = without != nullptr ? without : ""};
  const Shrunk shrunk = Shrinker{judge, {}, budget}.shrink(any_of<S>(failing));
  EXPECT_TRUE(shrunk.minimal);
  return {typed<S>(shrunk.scenario), shrunk.judgements - shrunk.wider};
}

/// The lines of the scenario's actions.
template <System S>
std::string actions_text(const Scenario<S>& scenario) {
  const std::string text = scenario_text<S>(scenario);
  return text.substr(text.find("actions\n") + std::string_view{"actions\n"}.size());
}

}  // namespace lockstep
