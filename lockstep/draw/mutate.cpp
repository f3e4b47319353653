#include "lockstep/draw/mutate.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "lockstep/describe/fit.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/draw.hpp"

namespace lockstep {

namespace mutation {

Range range_of(Random& random, std::size_t size) {
  if (size == 0) return {0, 0};
  const auto count =
      static_cast<std::size_t>(1 + random.below(std::min<std::uint64_t>(size, std::uint64_t{1} << random.below(6))));
  return {static_cast<std::size_t>(random.below(size - count + 1)), count};
}

void remove(Random& random, AnyScenario& scenario) {
  const Range r = range_of(random, scenario.size());
  scenario = without_actions(scenario, r.first, r.count);
}

namespace {

/// The scenario with only these of its actions. They may be impossible without those before them.
AnyScenario slice(const AnyScenario& scenario, Range r) {
  AnyScenario out = scenario.vocabulary().scenario();
  out.assign_setup(scenario);
  out.insert(0, scenario, r.first, r.count);
  return out;
}

/// Inserts a few new actions at a random place: drawn by the system's suggestions, or uniform.
void insert(Random& random, AnyScenario& scenario) {
  const Vocabulary& vocabulary = scenario.vocabulary();
  const std::size_t count = 1 + random.below(std::uint64_t{1} << random.below(5));
  const auto place = [&] { return random.below(scenario.size() + 1); };
  // Only a system whose actions depend on earlier ones must know the place first.
  std::optional<std::size_t> where;
  if (vocabulary.depends_on_past()) where = place();
  AnyScenario fresh = slice(scenario, {0, where.value_or(0)});
  const std::size_t first = fresh.size();
  if (vocabulary.has_suggestions() && random.chance(1, 2)) {
    vocabulary.suggest(random, fresh, false, [=] { return count; });
  } else {
    fresh.grow([&](AnyScenario::TryAction try_one) {
      for (std::size_t i = 0; i < count; ++i) {
        if (!draw_action(random, vocabulary, try_one)) return;
      }
    });
  }
  if (!where) where = place();
  scenario.insert(*where, fresh, first, fresh.size() - first);
}

void repeat(Random& random, AnyScenario& scenario) {
  const Range r = range_of(random, scenario.size());
  const AnyScenario copy = slice(scenario, r);
  const std::size_t where = random.below(scenario.size() + 1);
  scenario.insert(where, copy, 0, r.count);
}

void swap_two(Random& random, AnyScenario& scenario) {
  if (scenario.size() < 2) return;
  const std::size_t first = random.below(scenario.size());
  const std::size_t second = random.below(scenario.size());
  scenario.swap(first, second);
}

void redraw_action(Random& random, AnyScenario& scenario) {
  if (scenario.size() == 0) return;
  const Vocabulary& vocabulary = scenario.vocabulary();
  const auto place = [&] { return random.below(scenario.size()); };
  std::optional<std::size_t> where;  // as in `insert`
  if (vocabulary.depends_on_past()) where = place();
  AnyScenario fresh = slice(scenario, {0, where.value_or(0)});
  bool drawn = false;
  fresh.grow([&](AnyScenario::TryAction try_one) { drawn = draw_action(random, vocabulary, try_one); });
  if (!drawn) return;
  if (!where) where = place();
  scenario.assign_action(*where, fresh, fresh.size() - 1);
}

/// Changes one part of what it visits, drawn among `places()`: draws a number anew, or removes items of a list or text,
/// repeats one, or inserts one.
class ChangeOne final : public DrawFields {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  explicit ChangeOne(Random& random, std::size_t place = none)
      : DrawFields{random, false}, random_{random}, place_{place} {}

  std::size_t places() const { return places_; }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    if (draws_ || places_++ == place_) DrawFields::visit_number(name, value, lo, hi, as);
  }
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override {
    if (draws_ || places_++ == place_) DrawFields::visit_real(name, value, bounds, single);
  }
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override {
    if (draws_) DrawFields::visit_text(name, value, lo, hi, of);
    else Fields::visit_text(name, value, lo, hi, of);
  }
  void visit_items(std::string_view name, Items& items, int lo, int hi) override {
    if (draws_) DrawFields::visit_items(name, items, lo, hi);
    else visit_list(name, items, lo, hi);
  }
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}
  /// Each item is a place, and the end of the list.
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    if (draws_) return DrawFields::visit_list(name, items, lo, hi);
    const std::size_t first = places_;
    if (lo < hi) places_ += items.size() + 1;
    if (place_ >= first && place_ < places_) change(items, place_ - first, lo, hi);
    else items.visit_all(*this);
  }

 private:
  void change(Items& items, std::size_t at, int lo, int hi) {
    const std::uint64_t what = random_.below(3);
    const bool at_end = at == items.size();
    for (std::uint64_t left = std::uint64_t{1} << random_.below(4); left > 0; --left) {
      const auto size = static_cast<std::int64_t>(items.size());
      if (what == 0) {
        if (size > lo && at < items.size()) items.erase(at);
      } else if (size < hi) {
        if (at_end) items.resize(items.size() + 1);
        else items.repeat(at);
        if (what == 1 && !at_end) continue;
        draws_ = true;
        items.visit(at_end ? items.size() - 1 : at, *this);
        draws_ = false;
      }
    }
  }

  Random& random_;
  std::size_t place_;
  std::size_t places_ = 0;
  bool draws_ = false;
};

/// Changes one part of an action; false if it has only one: others change that, and would do so more often.
bool change_part(Random& random, AnyScenario& scenario) {
  if (scenario.size() == 0) return false;
  const std::size_t i = random.below(scenario.size());
  ChangeOne counting{random};
  scenario.read_action(i, counting);
  if (counting.places() < 2) return false;
  ChangeOne change{random, static_cast<std::size_t>(random.below(counting.places()))};
  scenario.visit_action(i, change);
  refit_one(scenario, i);  // later bounds may depend on what has changed
  return true;
}

/// One number of the action, or, if there is none, of the setup becomes `changed(its value)`.
void change_number(Random& random, AnyScenario& scenario, std::optional<std::size_t> action,
                   FunctionRef<Number(Number)> changed) {
  const auto fields = numbers_at(scenario, action).fields;
  if (fields.empty()) return;
  const std::size_t field = random.below(fields.size());
  const Edit edit{field, changed(fields[field].value)};
  if (!action) return refit(scenario, edit);
  Fit fit{edit};
  scenario.visit_action(*action, fit);
}

/// Changes one number of one action by at most 2.
void nudge_action(Random& random, AnyScenario& scenario) {
  if (scenario.size() == 0) return;
  const std::size_t action = random.below(scenario.size());
  change_number(random, scenario, action, [&](Number value) { return value + random.between(-2, 2); });
}

void nudge_setup(Random& random, AnyScenario& scenario) {
  change_number(random, scenario, {}, [&](Number value) { return value + random.between(-3, 3); });
}

/// A number that code compared, or one beside it. It was read as unsigned; now and then it is the number of 8, 16, 32 or 64 bits
/// with a sign that looks so.
Number compared_value(Random& random, std::span<const std::int64_t> compared) {
  const auto bits = static_cast<std::uint64_t>(random.pick(compared));
  const Number beside = random.chance(1, 2) ? 0 : random.between(-1, 1);
  if (!random.chance(1, 4)) return Number{bits} + beside;
  const std::uint64_t unused = bits >> 32 != 0 ? 0 : bits >> 16 != 0 ? 32 : bits >> 8 != 0 ? 48 : 56;
  return Number{static_cast<std::int64_t>(bits << unused) >> unused} + beside;
}

/// Gives numbers of a few actions, or of the setup, values that code compared. Several of one action, because two numbers may be
/// compared without a branch between.
void take_compared(Random& random, AnyScenario& scenario, std::span<const std::int64_t> compared) {
  for (std::uint64_t left = std::uint64_t{1} << random.below(5); left > 0; --left) {
    const std::size_t place = random.below(scenario.size() + 1);
    do {
      change_number(random, scenario, place < scenario.size() ? std::optional{place} : std::nullopt,
                    [&](Number) { return compared_value(random, compared); });
    } while (random.chance(1, 2));
  }
}

/// Changes a few cells of the boards.
void repaint(Random& random, AnyScenario& scenario) {
  const std::uint64_t area = area_of(scenario);
  if (area == 0) return;
  const std::size_t target = random.below(area);
  const std::size_t last = std::min(target + random.below(std::uint64_t{1} << random.below(4)), area - 1);
  EditParts edit{[&](std::size_t i, std::uint8_t& cell) {
    // Fit clamps a value beyond the alphabet to its last symbol.
    if (i >= target && i <= last) cell = static_cast<std::uint8_t>(random.below(8));
  }};
  scenario.visit_setup(edit);
  refit(scenario);
}

void redraw_setup(Random& random, AnyScenario& scenario) {
  const Vocabulary& vocabulary = scenario.vocabulary();
  if (vocabulary.has_suggestions()) vocabulary.suggest(random, scenario, true, [] { return std::size_t{0}; });
  else draw_setup(random, scenario);
  refit(scenario);
}

}  // namespace

}  // namespace mutation

void mutate(Random& random, AnyScenario& scenario, std::span<const std::int64_t> compared) {
  using Step = void (*)(Random&, AnyScenario&);
  static constexpr Step steps[] = {
      mutation::remove,      mutation::insert,        mutation::insert,       mutation::repeat,
      mutation::swap_two,    mutation::redraw_action, mutation::nudge_action, mutation::nudge_action,
      mutation::nudge_setup, mutation::repaint,       mutation::repaint,
  };
  const std::uint64_t count = std::uint64_t{1} << random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!compared.empty() && random.chance(1, 4)) mutation::take_compared(random, scenario, compared);
    else if (random.chance(1, 64)) mutation::redraw_setup(random, scenario);
    else if (!random.chance(1, 6) || !mutation::change_part(random, scenario)) random.pick(steps)(random, scenario);
    if (scenario.vocabulary().depends_on_past()) refit(scenario);
  }
}

AnyScenario crossover(Random& random, const AnyScenario& one, const AnyScenario& other) {
  const std::size_t head = random.below(one.size() + 1);
  const std::size_t tail = random.below(other.size() + 1);
  AnyScenario out = mutation::slice(one, {0, head});
  out.insert(head, other, tail, other.size() - tail);
  refit(out);
  return out;
}

}  // namespace lockstep
