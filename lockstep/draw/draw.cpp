#include "lockstep/draw/draw.hpp"

#include <limits>
#include <vector>

namespace lockstep {
namespace {

std::uint64_t bits_of(Number width) {
  std::uint64_t bits = 1;
  while (bits < 64 && width >> bits > 0) ++bits;
  return bits;
}

/// A power of two below 2 to the `bits`, or a number next to it.
Number power(Random& random, std::uint64_t bits) { return (Number{1} << random.below(bits)) + random.number(-1, 1); }

/// Near the simplest number, about a power of two above the lower bound, about a multiple of one, or anywhere.
Number fresh(Random& random, Number lo, Number hi) {
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

template <class T>
double special_value(Random& random) {
  using Limits = std::numeric_limits<T>;
  static constexpr T special[] = {T{0}, Limits::denorm_min(), Limits::min(),      Limits::epsilon(),
                                  T{1}, Limits::max(),        Limits::infinity(), Limits::quiet_NaN()};
  return static_cast<double>(random.pick(special));
}

}  // namespace

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

  unsigned share_;      // eighths of the numbers that are drawn from earlier ones
  std::uint64_t kept_;  // the logarithm of how many earlier numbers are kept
  std::array<Number, 16> earlier_{};
  std::size_t count_ = 0;
};

void DrawFields::visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) {
  if (empty_range(lo, hi)) return;
  if (as.role == Role::size) value = draw_size(lo, hi);
  else if (recurring_) value = recurring_->draw(random_, lo, hi);
  else if (as.role == Role::integer) value = draw_integer(name, lo, hi);
  else value = draw_number(name, lo, hi);
}

/// Most boards are small: the bugs of large boards show on small ones too, a hundred times as fast.
Number DrawFields::draw_size(Number lo, Number hi) {
  const Number usual = std::min<Number>(hi, std::max<Number>(lo, 20));
  return random_.number(lo, large_ ? hi : usual);
}

Number DrawFields::draw_number(std::string_view name, Number lo, Number hi) {
  narrow(name, lo, hi);
  // The far part of a wide range is rarely interesting: half of the time only the numbers nearest to 0 are drawn.
  constexpr Number wide = 4096;
  if (hi - lo > wide && random_.chance(1, 2)) {
    const Number near = Number{1} << random_.below(12);
    const Number centre = simplest(lo, hi);
    lo = std::max(lo, centre - near);
    hi = std::min(hi, centre + near);
  }
  return random_.number(lo, hi);
}

/// Edges are as likely as everything else: small numbers, the bounds, and powers of two, each ± 2.
Number DrawFields::draw_integer(std::string_view name, Number lo, Number hi) {
  narrow(name, lo, hi);
  Number drawn = 0;
  switch (random_.below(4)) {
    case 0: drawn = simplest(lo, hi) + random_.number(-16, 16); break;
    case 1: drawn = (random_.chance(1, 2) ? lo : hi) + random_.number(-2, 2); break;
    case 2: drawn = signed_power() + random_.number(-2, 2); break;
    default: drawn = random_.number(lo, hi); break;
  }
  return std::clamp(drawn, lo, hi);
}

/// Special values, small integers and fractions, and values of any magnitude.
void DrawFields::visit_real(std::string_view, double& value, Bounds bounds, bool single) {
  if (bounds && empty_range(bounds->first, bounds->second)) return;
  double drawn = 0;
  switch (random_.below(bounds ? 5 : 4)) {
    case 0: drawn = single ? special_value<float>(random_) : special_value<double>(random_); break;
    case 1: drawn = random_.integer(0, 64); break;
    case 2: drawn = random_.integer(0, 1000) / (random_.chance(1, 2) ? 8.0 : 10.0); break;
    case 3: drawn = floating::of_rank(random_.next()); break;
    default: {  // between the bounds; as fractions of them, so that nothing overflows
      const double share = static_cast<double>(random_.below(1025)) / 1024;
      value = floating::real_within(bounds->first * (1 - share) + bounds->second * share, bounds);
      return;
    }
  }
  value = floating::real_within(random_.chance(1, 2) ? drawn : -drawn, bounds);
}

/// Characters of the whole alphabet, or of a few symbols only; and whole words, if there are any.
void DrawFields::visit_text(std::string_view, std::string& value, int lo, int hi, const Text& of) {
  if (empty_range(lo, hi)) return;
  const std::size_t length = draw_length(lo, hi);
  const std::uint64_t few = random_.chance(1, 2) ? of.size() : std::min<std::uint64_t>(of.size(), 1 + random_.below(4));
  const bool simple = random_.chance(1, 2);  // symbols from the simple end: letters among all code points
  std::vector<std::uint32_t> symbols;
  while (symbols.size() < length) {
    if (!of.words().empty() && random_.chance(1, 4)) {
      const auto word = of.symbols_of(random_.pick(of.words()));
      if (symbols.size() + word.size() <= length) symbols.insert(symbols.end(), word.begin(), word.end());
      else if (symbols.size() < static_cast<std::size_t>(lo)) symbols.push_back(0);
      else break;
    } else {
      const std::uint64_t count = simple ? std::min<std::uint64_t>(few, 128) : few;
      symbols.push_back(static_cast<std::uint32_t>(random_.below(count)));
    }
  }
  value = of.text_of(symbols);
}

void DrawFields::visit_items(std::string_view, Items& items, int lo, int hi) {
  if (empty_range(lo, hi)) return;
  // Inner sequences are shorter, so that a value that contains itself stays small. Of two items they draw one on
  // average, so that trees of two branches become deep but not large.
  const int shorter = std::max(std::min(hi, 2), hi >> std::min(2 * (depth() - 1), 30));
  fill(items, draw_length(lo, std::max(lo, shorter)));
}

void DrawFields::board(std::string_view, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
  grid = Grid{rows, columns};
  const unsigned density = static_cast<unsigned>(random_.below(9));  // eighths of the cells
  const int last = random_.integer(1, alphabet.size - 1);            // cells take values 1 … last
  if (density == 0) return;
  for (auto& cell : grid.cells) {
    if (random_.chance(density, 8)) cell = static_cast<std::uint8_t>(random_.integer(1, last));
  }
}

void DrawFields::visit_list(std::string_view, Items& items, int lo, int hi) {
  if (empty_range(lo, hi)) return;
  fill(items, static_cast<std::size_t>(random_.between(lo, hi)));
}

void DrawFields::fill(Items& items, std::size_t size) {
  items.resize(0);
  items.resize(size);
  items.visit_all(*this);
}

/// Small, or near a power of two, or any length.
std::size_t DrawFields::draw_length(int lo, int hi) {
  std::int64_t size = lo;
  switch (random_.below(3)) {
    case 0: size = lo + random_.between(0, 4); break;
    case 1: size = static_cast<std::int64_t>(power(random_, bits_of(hi))); break;
    default: size = random_.between(lo, hi); break;
  }
  if (size < lo || size > hi) size = random_.between(lo, hi);
  return static_cast<std::size_t>(size);
}

Number DrawFields::signed_power() {
  const Number power = Number{1} << random_.below(64);
  return random_.chance(1, 2) ? power : -power;
}

void DrawFields::narrow(std::string_view name, Number& lo, Number& hi) const {
  if (swarm_seed_ == 0) return;
  Random narrowing{swarm_seed_ ^ fnv1a(name)};
  const Number a = narrowing.number(lo, hi);
  const Number b = narrowing.number(lo, hi);
  lo = std::min(a, b);
  hi = std::max(a, b);
}

std::size_t draw_kind(Random& random, std::span<const std::uint64_t> weights) {
  std::uint64_t total = 0;
  for (const auto weight : weights) total += weight;
  std::uint64_t ticket = random.below(total);
  std::size_t kind = 0;
  while (ticket >= weights[kind]) ticket -= weights[kind++];
  return kind;
}

void draw_setup(Random& random, AnyScenario& out) {
  out.reset_setup();
  DrawFields fields{random, random.chance(1, 64)};
  out.visit_setup(fields);
  out.normalise();
}

namespace {

using Weights = std::span<const std::uint64_t>;

/// Draws kinds by the weights, and their fields, until an action is possible. False if several were not.
bool draw_possible(Random& random, AnyScenario::TryAction try_one, std::span<const std::uint64_t> weights,
                   std::uint64_t swarm_seed = 0, Recurring* recurring = nullptr) {
  constexpr int tries = 32;
  for (int i = 0; i < tries; ++i) {
    const std::size_t kind = draw_kind(random, weights);
    DrawFields fields{random, false, swarm_seed != 0 && random.chance(7, 8) ? swarm_seed + kind : 0, recurring};
    if (try_one(kind, fields)) return true;
  }
  return false;
}

/// Replaces the actions by at most `length` of those that `draw(try_one)` appends, until it is false.
template <class Draw>
void draw_actions(AnyScenario& out, std::size_t length, const Draw& draw) {
  out.truncate(0);
  out.grow([&](AnyScenario::TryAction try_one) {
    for (std::size_t i = 0; i < length && draw(try_one); ++i) {
    }
  });
}

/// Numbers that recur; few kinds of action or many; runs of the same kind.
void draw_recurring(Random& random, AnyScenario& out, Weights weights, std::uint64_t actions_max) {
  draw_setup(random, out);
  std::vector<std::uint64_t> some(weights.size());
  const auto kinds_max = std::min<std::uint64_t>(some.size(), std::uint64_t{2} << random.below(6));
  for (std::uint64_t i = 0, kinds = 1 + random.below(kinds_max); i < kinds; ++i) {
    const std::size_t kind = draw_kind(random, weights);
    some[kind] += weights[kind];
  }
  const auto runs = static_cast<unsigned>(random.below(8));  // eighths of the actions have the kind of the one before
  Recurring recurring{random};
  std::vector<std::uint64_t> same(weights.size());
  draw_actions(out, draw_length(random, actions_max), [&](AnyScenario::TryAction try_one) {
    if (out.size() > 0 && random.chance(runs, 8)) {
      const std::size_t kind = out.kind(out.size() - 1);
      same[kind] = 1;
      const bool drawn = draw_possible(random, try_one, same, 0, &recurring);
      same[kind] = 0;
      if (drawn) return true;
    }
    return draw_possible(random, try_one, some, 0, &recurring) ||
           draw_possible(random, try_one, weights, 0, &recurring);
  });
}

void draw_uniform(Random& random, AnyScenario& out, Weights weights, std::uint64_t actions_max) {
  draw_setup(random, out);
  draw_actions(out, draw_length(random, actions_max),
               [&](AnyScenario::TryAction try_one) { return draw_possible(random, try_one, weights); });
}

void draw_swarm(Random& random, AnyScenario& out, Weights usual, std::uint64_t actions_max) {
  draw_setup(random, out);
  std::vector<std::uint64_t> weights(usual.size());
  for (std::size_t kind = 0; kind < weights.size(); ++kind) weights[kind] = random.below(5) * usual[kind];
  std::size_t sure = 0;  // at least one kind has a weight, but none that the system never draws
  do sure = random.below(weights.size());
  while (usual[sure] == 0);
  weights[sure] += 1;
  const std::uint64_t swarm_seed = random.next() | 1;
  draw_actions(out, draw_length(random, actions_max),
               [&](AnyScenario::TryAction try_one) { return draw_possible(random, try_one, weights, swarm_seed); });
}

void draw_suggested(Random& random, AnyScenario& out, Weights weights, std::uint64_t actions_max) {
  if (!out.vocabulary().has_suggestions()) return draw_recurring(random, out, weights, actions_max);
  out.truncate(0);
  out.vocabulary().suggest(random, out, true, [&] { return draw_length(random, actions_max); });
}

}  // namespace

bool draw_action(Random& random, const Vocabulary& vocabulary, AnyScenario::TryAction try_one) {
  return draw_possible(random, try_one, vocabulary.weights());
}

std::vector<std::uint64_t> weights_without(const Vocabulary& vocabulary, const std::vector<std::string>& kinds) {
  std::vector<std::uint64_t> out(vocabulary.weights().begin(), vocabulary.weights().end());
  for (std::size_t kind = 0; kind < out.size(); ++kind) {
    if (std::ranges::find(kinds, vocabulary.kinds()[kind].name) != kinds.end()) out[kind] = 0;
  }
  if (std::ranges::count(out, 0u) == std::ssize(out)) out.clear();
  return out;
}

AnyScenario drawn_scenario(const Vocabulary& system, Random& random, Style style, const DrawLimits& limits) {
  AnyScenario out = system.scenario();
  draw_scenario(random, style, out, limits);
  return out;
}

void draw_scenario(Random& random, Style style, AnyScenario& out, const DrawLimits& limits) {
  const Weights weights = limits.weights.empty() ? out.vocabulary().weights() : limits.weights;
  switch (style) {
    case Style::uniform: return draw_uniform(random, out, weights, limits.actions_max);
    case Style::swarm: return draw_swarm(random, out, weights, limits.actions_max);
    case Style::suggested: return draw_suggested(random, out, weights, limits.actions_max);
  }
}

}  // namespace lockstep
