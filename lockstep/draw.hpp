// Draws random scenarios.
//
// There are three styles, because none is best for every bug (docs/finding-power.md has the measurements):
//   uniform    every field uniform within its bounds, boards of a random density;
//   swarm      per scenario, each action kind has a random weight and each field a narrow part of its range,
//              so that some scenarios repeat one unusual thing often
//              (Groce et al.: "Swarm testing", ISSTA 2012);
//   suggested  the system's own Suggestions draws the setup and the actions. If it has none, numbers recur: equal to
//              earlier ones, next to them, or near powers of two, bounds and multiples.
//
// A system's Suggestions, if it has one:
//   struct Suggestions {
//     explicit Suggestions(Random&);          // weights, drawn anew for each scenario
//     Setup setup(Random&);                   // must be lawful
//     Action action(Random&, const Setup&);   // within bounds; may model the state inside the Suggestions
//   };
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/random.hpp"

namespace lockstep {

enum class Style { uniform, swarm, suggested };
inline constexpr std::array styles = {Style::uniform, Style::swarm, Style::suggested};

constexpr std::string_view to_string(Style style) {
  switch (style) {
    case Style::uniform: return "uniform";
    case Style::swarm: return "swarm";
    case Style::suggested: return "suggested";
  }
  return "?";
}

/// Draws numbers that recur: mistakes need equal keys, ranges that touch or overlap, lengths around a threshold (often a
/// power of two), and bounds.
class Recurring {
 public:
  explicit Recurring(Random& random) : share_{static_cast<unsigned>(random.below(9))}, kept_{random.below(5)} {}

  Number draw(Random& random, Number lo, Number hi) {
    // Of a few values, each is drawn often anyway.
    constexpr Number few = 16;
    if (hi - lo < few) return random.number(lo, hi);
    Number value = count_ > 0 && random.chance(share_, 8) ? from_earlier(random) : fresh(random, lo, hi);
    if (value < lo || value > hi) value = random.chance(1, 2) ? std::clamp(value, lo, hi) : fresh(random, lo, hi);
    value = std::clamp(value, lo, hi);
    earlier_[count_++ % kept()] = value;
    return value;
  }

 private:
  std::size_t kept() const { return std::size_t{1} << kept_; }

  /// An earlier number, a neighbour of one, or one about a power of two away.
  Number from_earlier(Random& random) const {
    const Number earlier = earlier_[random.below(std::min(count_, kept()))];
    switch (random.below(4)) {
      case 0: return earlier + random.number(-1, 1);
      case 1: return random.chance(1, 2) ? earlier + power(random, 32) : earlier - power(random, 32);
      default: return earlier;
    }
  }

  /// Near the simplest number, about a power of two above the lower bound, about a multiple of one, or anywhere.
  static Number fresh(Random& random, Number lo, Number hi) {
    switch (random.below(4)) {
      case 0: return simplest(lo, hi) + random.number(-16, 16);
      case 1: return lo + power(random, bits_of(hi - lo));
      case 2: {
        const Number unit = Number{1} << random.below(bits_of(hi - lo));
        return random.number(lo / unit, hi / unit) * unit + random.number(-1, 1);
      }
      default: return random.chance(1, 4) ? hi : random.number(lo, hi);
    }
  }

  /// A power of two below 2 to the `bits`, or a number next to it.
  static Number power(Random& random, std::uint64_t bits) {
    return (Number{1} << random.below(bits)) + random.number(-1, 1);
  }

  static std::uint64_t bits_of(Number width) {
    std::uint64_t bits = 1;
    while (bits < 64 && width >> bits > 0) ++bits;
    return bits;
  }

  unsigned share_;      // eighths of the numbers that are drawn from earlier ones
  std::uint64_t kept_;  // the logarithm of how many earlier numbers are kept
  std::array<Number, 16> earlier_{};
  std::size_t count_ = 0;
};

/// Draws the fields that it visits. With a nonzero swarm seed, each number stays in a part of its range that depends
/// only on that seed and the field's name.
class DrawFields : public Visitor<DrawFields> {
 public:
  DrawFields(Random& random, bool large, std::uint64_t swarm_seed = 0, Recurring* recurring = nullptr)
      : random_{random}, large_{large}, swarm_seed_{swarm_seed}, recurring_{recurring} {}

  /// Most boards are small: the bugs of large boards show on small ones too, a hundred times as fast.
  template <class T>
  void size(std::string_view, T& value, Number lo, Number hi) {
    if (empty_range(lo, hi)) return;
    const Number usual = std::min<Number>(hi, std::max<Number>(lo, 20));
    value = static_cast<T>(random_.number(lo, large_ ? hi : usual));
  }

  template <class T>
  void number(std::string_view name, T& value, Number lo, Number hi) {
    if (empty_range(lo, hi)) return;
    if (recurring_) {
      value = static_cast<T>(recurring_->draw(random_, lo, hi));
      return;
    }
    narrow(name, lo, hi);
    // The far part of a wide range is rarely interesting: half of the time only the numbers nearest to 0 are drawn.
    constexpr Number wide = 4096;
    if (hi - lo > wide && random_.chance(1, 2)) {
      const Number near = Number{1} << random_.below(12);
      const Number centre = simplest(lo, hi);
      lo = std::max(lo, centre - near);
      hi = std::min(hi, centre + near);
    }
    value = static_cast<T>(random_.number(lo, hi));
  }

  /// Edges are as likely as everything else: small numbers, the bounds, and powers of two, each ± 2.
  template <class T>
  void integer(std::string_view name, T& value, Number lo, Number hi) {
    if (empty_range(lo, hi)) return;
    if (recurring_) {
      value = static_cast<T>(recurring_->draw(random_, lo, hi));
      return;
    }
    narrow(name, lo, hi);
    Number drawn = 0;
    switch (random_.below(4)) {
      case 0: drawn = simplest(lo, hi) + random_.number(-16, 16); break;
      case 1: drawn = (random_.chance(1, 2) ? lo : hi) + random_.number(-2, 2); break;
      case 2: drawn = signed_power() + random_.number(-2, 2); break;
      default: drawn = random_.number(lo, hi); break;
    }
    value = static_cast<T>(std::clamp(drawn, lo, hi));
  }

  /// Special values, small integers and fractions, and values of any magnitude.
  template <class T>
  void any_real(std::string_view, T& value, std::optional<std::pair<double, double>> bounds) {
    if (bounds && empty_range(bounds->first, bounds->second)) return;
    using Limits = std::numeric_limits<T>;
    static constexpr T special[] = {T{0}, Limits::denorm_min(), Limits::min(),      Limits::epsilon(),
                                    T{1}, Limits::max(),        Limits::infinity(), Limits::quiet_NaN()};
    double drawn = 0;
    switch (random_.below(bounds ? 5 : 4)) {
      case 0: drawn = static_cast<double>(random_.pick(special)); break;
      case 1: drawn = random_.integer(0, 64); break;
      case 2: drawn = random_.integer(0, 1000) / (random_.chance(1, 2) ? 8.0 : 10.0); break;
      case 3: drawn = floating::of_rank(random_.next()); break;
      default: {  // between the bounds; as fractions of them, so that nothing overflows
        const double share = static_cast<double>(random_.below(1025)) / 1024;
        value = static_cast<T>(floating::real_within(bounds->first * (1 - share) + bounds->second * share, bounds));
        return;
      }
    }
    value = static_cast<T>(floating::real_within(random_.chance(1, 2) ? drawn : -drawn, bounds));
  }

  /// Characters of the whole alphabet, or of a few symbols only; and whole words, if there are any.
  void any_text(std::string_view, std::string& value, int lo, int hi, const Text& of) {
    if (empty_range(lo, hi)) return;
    const std::size_t length = draw_size(lo, hi);
    const std::uint64_t few =
        random_.chance(1, 2) ? of.size() : std::min<std::uint64_t>(of.size(), 1 + random_.below(4));
    const bool plain = random_.chance(1, 2);  // symbols from the simple end: letters among all code points
    std::vector<std::uint32_t> symbols;
    while (symbols.size() < length) {
      if (!of.words().empty() && random_.chance(1, 4)) {
        const auto word = of.symbols_of(random_.pick(of.words()));
        if (symbols.size() + word.size() <= length) symbols.insert(symbols.end(), word.begin(), word.end());
        else if (symbols.size() < static_cast<std::size_t>(lo)) symbols.push_back(0);
        else break;
      } else {
        const std::uint64_t count = plain ? std::min<std::uint64_t>(few, 128) : few;
        symbols.push_back(static_cast<std::uint32_t>(random_.below(count)));
      }
    }
    value = of.text_of(symbols);
  }

  template <class C, class Item>
  void items(std::string_view, C& items, int lo, int hi, Item&& describe_item) {
    if (empty_range(lo, hi)) return;
    // Inner sequences are shorter, so that a value that contains itself stays small. Of two items they draw one on
    // average, so that trees of two branches become deep but not large.
    const int shorter = std::max(std::min(hi, 2), hi >> std::min(2 * (depth() - 1), 30));
    fill(items, draw_size(lo, std::max(lo, shorter)), describe_item);
  }

  void board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    grid = Grid{rows, columns};
    const unsigned density = static_cast<unsigned>(random_.below(9));  // eighths of the cells
    const int last = random_.integer(1, alphabet.size - 1);            // cells take values 1 … last
    if (density == 0) return;
    for (auto& cell : grid.cells) {
      if (random_.chance(density, 8)) cell = static_cast<std::uint8_t>(random_.integer(1, last));
    }
  }

  template <class C, class Item>
  void list(std::string_view, C& items, int lo, int hi, Item&& describe_item) {
    if (empty_range(lo, hi)) return;
    fill(items, static_cast<std::size_t>(random_.between(lo, hi)), describe_item);
  }

 private:
  template <class C, class Item>
  void fill(C& items, std::size_t size, Item&& describe_item) {
    items.clear();
    items.resize(size);
    for (auto& item : items) describe_item(*this, item);
  }

  /// Small, or near a power of two, or any size.
  std::size_t draw_size(int lo, int hi) {
    std::int64_t size = lo;
    switch (random_.below(3)) {
      case 0: size = lo + random_.between(0, 4); break;
      case 1: size = (std::int64_t{1} << random_.below(31)) + random_.between(-1, 1); break;
      default: size = random_.between(lo, hi); break;
    }
    // A power beyond the bounds says nothing about this range.
    if (size < lo || size > hi) size = random_.between(lo, hi);
    return static_cast<std::size_t>(size);
  }

  Number signed_power() {
    const Number power = Number{1} << random_.below(64);
    return random_.chance(1, 2) ? power : -power;
  }

  void narrow(std::string_view name, Number& lo, Number& hi) const {
    if (swarm_seed_ == 0) return;
    Random narrowing{swarm_seed_ ^ fnv1a(name)};
    const Number a = narrowing.number(lo, hi);
    const Number b = narrowing.number(lo, hi);
    lo = std::min(a, b);
    hi = std::max(a, b);
  }

  Random& random_;
  bool large_;
  std::uint64_t swarm_seed_;
  Recurring* recurring_;
};

template <System S>
typename S::Setup draw_setup(Random& random) {
  typename S::Setup setup{};
  DrawFields fields{random, random.chance(1, 64)};
  visit_setup<S>(fields, setup);
  normalise<S>(setup);
  return setup;
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

/// A kind of action with the given weights, of which one is above 0.
template <std::size_t N>
std::size_t draw_kind(Random& random, const std::array<std::uint64_t, N>& weights) {
  std::uint64_t total = 0;
  for (const auto weight : weights) total += weight;
  std::uint64_t ticket = random.below(total);
  std::size_t kind = 0;
  while (ticket >= weights[kind]) ticket -= weights[kind++];
  return kind;
}

/// Draws kinds by the weights, and their fields, until an action is possible after `past`. nullopt if several were not.
template <System S, std::size_t N>
std::optional<typename S::Action> draw_possible(Random& random, const Past<S>& past,
                                                const std::array<std::uint64_t, N>& weights,
                                                std::uint64_t swarm_seed = 0, Recurring* recurring = nullptr) {
  constexpr int tries = 32;
  for (int i = 0; i < tries; ++i) {
    const std::size_t kind = draw_kind(random, weights);
    auto action = alternative<typename S::Action>(kind);
    DrawFields fields{random, false, swarm_seed != 0 && random.chance(7, 8) ? swarm_seed + kind : 0, recurring};
    if (visit_action<S>(fields, past, action)) return action;
  }
  return std::nullopt;
}

/// An action that can follow `past`; nullopt if none was found.
template <System S>
std::optional<typename S::Action> draw_action(Random& random, const Past<S>& past) {
  return draw_possible<S>(random, past, kind_weights<S>);
}

/// The number of actions of a scenario. Short scenarios are fast, long ones reach deep states.
inline std::size_t draw_length(Random& random) {
  if (random.chance(1, 256)) return random.below(2'000);
  return random.below(std::uint64_t{2} << random.below(8));
}

namespace drawing {

/// Appends actions until the scenario has `length`, or no action is possible any more.
template <System S, class Draw>
void extend(Scenario<S>& scenario, std::size_t length, Draw&& draw) {
  scenario.actions.reserve(length);
  Past<S> past{scenario.setup};
  while (scenario.actions.size() < length) {
    auto action = draw(past);
    if (!action) return;
    past.add(*action);
    scenario.actions.push_back(std::move(*action));
  }
}

}  // namespace drawing

template <System S>
Scenario<S> draw_uniform(Random& random) {
  Scenario<S> scenario{.setup = draw_setup<S>(random), .actions = {}};
  drawing::extend(scenario, draw_length(random), [&](const Past<S>& past) { return draw_action<S>(random, past); });
  return scenario;
}

template <System S>
Scenario<S> draw_swarm(Random& random) {
  Scenario<S> scenario{.setup = draw_setup<S>(random), .actions = {}};
  std::array<std::uint64_t, action_kinds<typename S::Action>> weights{};
  for (std::size_t kind = 0; kind < weights.size(); ++kind) weights[kind] = random.below(5) * kind_weights<S>[kind];
  std::size_t sure = 0;  // at least one kind has a weight, but none that the system never draws
  do sure = random.below(weights.size());
  while (kind_weights<S>[sure] == 0);
  weights[sure] += 1;
  const std::uint64_t swarm_seed = random.next() | 1;
  drawing::extend(scenario, draw_length(random),
                  [&](const Past<S>& past) { return draw_possible<S>(random, past, weights, swarm_seed); });
  return scenario;
}

/// Numbers that recur; few kinds of action or many; runs of the same kind.
template <System S>
Scenario<S> draw_recurring(Random& random) {
  Scenario<S> scenario{.setup = draw_setup<S>(random), .actions = {}};
  using Weights = std::remove_cvref_t<decltype(kind_weights<S>)>;
  Weights some{};
  const auto kinds_max = std::min<std::uint64_t>(some.size(), std::uint64_t{2} << random.below(6));
  for (std::uint64_t i = 0, kinds = 1 + random.below(kinds_max); i < kinds; ++i) {
    const std::size_t kind = draw_kind(random, kind_weights<S>);
    some[kind] += kind_weights<S>[kind];
  }
  const auto runs = static_cast<unsigned>(random.below(8));  // eighths of the actions have the kind of the one before
  Recurring recurring{random};
  drawing::extend(scenario, draw_length(random), [&](const Past<S>& past) {
    std::optional<typename S::Action> action;
    if (!scenario.actions.empty() && random.chance(runs, 8)) {
      Weights same{};
      same[scenario.actions.back().index()] = 1;
      action = draw_possible<S>(random, past, same, 0, &recurring);
    }
    if (!action) action = draw_possible<S>(random, past, some, 0, &recurring);
    if (!action) action = draw_possible<S>(random, past, kind_weights<S>, 0, &recurring);
    return action;
  });
  return scenario;
}

template <System S>
Scenario<S> draw_suggested(Random& random) {
  if constexpr (Given<SuggestionsOf<S>>) {
    SuggestionsOf<S> bias{random};
    Scenario<S> scenario{.setup = bias.setup(random), .actions = {}};
    const std::size_t length = draw_length(random);
    scenario.actions.reserve(length);
    while (scenario.actions.size() < length) {
      scenario.actions.push_back(bias.action(random, scenario.setup));
    }
    return scenario;
  } else {
    return draw_recurring<S>(random);
  }
}

template <System S>
Scenario<S> draw_scenario(Random& random, Style style) {
  switch (style) {
    case Style::uniform: return draw_uniform<S>(random);
    case Style::swarm: return draw_swarm<S>(random);
    case Style::suggested: return draw_suggested<S>(random);
  }
  return {};
}

}  // namespace lockstep
