#include "lockstep/shrink/shrink.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "lockstep/base/function_ref.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/judge/conditions.hpp"

namespace lockstep {

AnyScenario restated(const AnyScenario& scenario, std::size_t keep, const Runner& reference) {
  const Vocabulary& vocabulary = scenario.vocabulary();
  const std::size_t split = scenario.size() - keep;
  AnyScenario before = scenario;
  before.truncate(split);
  AnyTrace trace = vocabulary.trace();
  reference.run(before, Cadence{}, trace);
  AnyScenario out = scenario;
  out.erase(0, split);
  vocabulary.restate(before, trace, trace.snapshots() - 1, true, out);
  refit(out);
  return out;
}

namespace {

/// The shrinking of one scenario.
class Shrinking {
 public:
  enum class When { at_first, in_each_round, if_not_ended, if_minimal };
  struct Step {
    std::string_view name;
    When when;
    void (Shrinking::*take)();
  };
  static constexpr auto steps() {
    return std::to_array<Step>({
        {"restate the position", When::at_first, &Shrinking::restate_position},
        {"canonical position", When::in_each_round, &Shrinking::take_canonical_position},
        {"ranges of actions", When::in_each_round, &Shrinking::remove_action_ranges},
        {"crop the board", When::in_each_round, &Shrinking::crop_board},
        {"ranges of cells", When::in_each_round, &Shrinking::clear_cells},
        {"ranges of items", When::in_each_round, &Shrinking::remove_item_ranges},
        {"spans", When::in_each_round, &Shrinking::shorten_spans},
        {"numbers", When::in_each_round, &Shrinking::lower_numbers},
        {"numbers together", When::in_each_round, &Shrinking::lower_numbers_together},
        {"exchange numbers", When::in_each_round, &Shrinking::exchange_numbers},
        {"join items", When::if_minimal, &Shrinking::join_items},
        {"counted items", When::if_minimal, &Shrinking::remove_counted_items},
        {"pairs of numbers", When::if_not_ended, &Shrinking::lower_pairs},  // they may have alternated
        {"pairs of numbers", When::if_minimal, &Shrinking::lower_pairs},
        {"move amounts", When::if_minimal, &Shrinking::move_amounts},
        {"kinds of actions", When::if_minimal, &Shrinking::replace_actions},
    });
  }

  Shrinking(const JudgeFunction& judge, const Runner& reference, const ShrinkBudget& budget, AnyScenario failing)
      : judge_{judge},
        reference_{reference},
        budget_{budget},
        deadline_{std::chrono::steady_clock::now() + budget.time},
        best_{std::move(failing)} {}

  Shrunk run() {
    for (std::size_t i = 0; i < best_.size(); ++i) kinds_.insert(best_.kind(i));
    ++judgements_;
    const Verdict verdict = judge_(best_);
    if (!verdict.divergence) return {.scenario = best_, .divergence = {}, .judgements = judgements_};
    divergence_ = *verdict.divergence;
    signature_ = divergence_.signature();
    best_size_ = size_of(best_);

    truncate();
    take(When::at_first);
    // A single step can enable a range reduction, so the loop ends only after a round without change.
    bool minimal = false;
    const bool can_restate = best_.vocabulary().can_restate();
    bool hidden_state = can_restate && best_.size() > 1;
    while (!spent() && (!minimal || search_wider())) {
      const std::uint64_t before = accepted_;
      take(When::in_each_round);
      const bool ended = single_steps();
      if (!ended) take(When::if_not_ended);
      if (ended && accepted_ == before) take(When::if_minimal);
      if (can_restate) hidden_state = best_.size() > 1 && !accept(restated(best_, 1, reference_));
      minimal = ended && accepted_ == before && !spent();
    }
    Shrunk out{.scenario = std::move(best_),
               .divergence = divergence_,
               .minimal = minimal,
               .judgements = judgements_,
               .wider = wider_};
    // accept() also refuses when the budget is spent, so only a finished shrinker proves hidden state.
    if (minimal && hidden_state) {
      out.hidden_state = true;
      out.restated = restated(out.scenario, 1, reference_);
    }
    return out;
  }

 private:
  /// The numbers of one place of the best scenario; none if the action is gone.
  std::vector<NumberField> numbers(Place place = {}) const {
    if (place && *place >= best_.size()) return {};
    return numbers_at(best_, place).fields;
  }
  /// Likewise the number of items.
  std::size_t items(Place place) const { return place && *place >= best_.size() ? 0 : parts_at(best_, place).items; }

  void each_place(FunctionRef<void(Place)> visit) {
    visit({});
    for (std::size_t a = 0; a < best_.size() && !spent(); ++a) visit(a);
  }
  /// Leaves out places with very many numbers.
  void each_small_place(FunctionRef<void(Place)> visit) {
    constexpr std::size_t many = 32;
    each_place([&](Place place) {
      if (numbers(place).size() <= many) visit(place);
    });
  }

  void take(When when) {
    for (const Step& step : steps()) {
      if (step.when == when && step.name != budget_.without) (this->*step.take)();
    }
  }

  bool spent() const {
    return judgements_ >= budget_.judgements_max || std::chrono::steady_clock::now() >= deadline_ ||
           (budget_.stopped && budget_.stopped());
  }

  /// Accepts the candidate if it is smaller and fails with the same signature. Passes build many candidates again that
  /// were refused before, mostly in the last round, in which nothing is accepted: these are not judged again.
  bool accept(AnyScenario candidate) {
    if (spent() || !smaller(candidate, best_, best_size_)) return false;
    encode(candidate, bytes_);
    const std::uint64_t hash = fnv1a(as_chars(bytes_));
    if (refused_.contains(hash)) return false;
    ++judgements_;
    const Verdict verdict = judge_(candidate);
    if (!verdict.divergence || verdict.divergence->signature() != signature_ ||
        (budget_.counts && !budget_.counts(candidate, *verdict.divergence))) {
      refused_.insert(hash);
      return false;
    }
    divergence_ = *verdict.divergence;
    best_ = std::move(candidate);
    best_size_ = size_of(best_);
    ++accepted_;
    truncate();
    return true;
  }

  /// Removes the actions after the step that differs.
  void truncate() {
    if (divergence_.step >= best_.size()) return;
    AnyScenario candidate = best_;
    candidate.truncate(divergence_.step);
    accept(std::move(candidate));
  }

  void restate_position() {
    if (!best_.vocabulary().can_restate()) return;
    // Short suffixes are tried first. A failure with hidden state needs the actions that build up that state.
    for (std::size_t keep = 1; keep < best_.size() && !spent(); keep *= 2) {
      if (accept(restated(best_, keep, reference_))) return;
    }
  }

  /// Tries the system's canonical form of the position (numbers from the lowest, counters at rest) in one step.
  void take_canonical_position() {
    AnyScenario candidate = best_;
    if (!best_.vocabulary().take_canonical_position(candidate)) return;
    refit(candidate);
    accept(std::move(candidate));
  }

  /// Tries candidates without ranges of `count` parts, or with simple ones, from the last range on; then ranges of half as
  /// many, …, at least of `least`.
  void try_ranges(std::size_t count, std::size_t least, FunctionRef<std::size_t()> parts,
                  FunctionRef<AnyScenario(std::size_t first, std::size_t count)> without) {
    for (; count >= least; count /= 2) {
      for (std::size_t end = parts(); end > 0 && !spent();) {
        const std::size_t first = end > count ? end - count : 0;
        accept(without(first, end - first));
        end = std::min(first, parts());
      }
    }
  }

  void remove_action_ranges() {
    try_ranges(
        best_.size() / 2, 1, [&] { return best_.size(); },
        [&](std::size_t first, std::size_t count) { return without_actions(best_, first, count); });
  }

  void crop_board() {
    if (std::ranges::none_of(numbers(), &NumberField::dimension)) return;
    // A removed row may remove list items and their fields, so the fields are counted anew each time.
    for (std::size_t i = 0; i < numbers().size(); ++i) {
      const NumberField field = numbers()[i];
      if (!field.dimension) continue;
      for (std::int64_t count = static_cast<std::int64_t>(field.distance() + 1) / 2; count >= 1; count /= 2)
        crop(i, count);
    }
  }

  /// Removes `count` rows or columns at every place where the failure survives it.
  void crop(std::size_t field, std::int64_t count) {
    for (std::int64_t first = 0; !spent();) {
      const NumberField now = numbers()[field];
      if (now.value - count < now.simplest || first >= now.value) return;
      const Dropped gone{static_cast<int>(std::min<Number>(first, now.value - count)), static_cast<int>(count)};
      if (!accept(with_dimension(best_, {field, now.value - count}, gone))) first += count;
    }
  }

  void clear_cells() {
    std::size_t count = parts_at(best_, {}).occupied.size() / 2;
    for (; count >= 1; count /= 2) {
      for (std::size_t first = 0; !spent();) {
        const auto occupied = parts_at(best_, {}).occupied;
        if (first >= occupied.size()) break;
        const auto range = std::span{occupied}.subspan(first, std::min(count, occupied.size() - first));
        if (!accept(with_cells_emptied(best_, range))) first += count;
      }
    }
  }

  /// Removes ranges of items, of sizes that are powers of two: formats often count in these. Very short sequences and
  /// texts are left to single steps.
  void remove_item_ranges() {
    constexpr std::size_t long_enough = 4;
    each_place([&](Place place) {
      if (items(place) < long_enough) return;
      try_ranges(
          std::bit_floor(items(place) / 2), 2, [&] { return items(place); },
          [&](std::size_t first, std::size_t count) { return with_parts(best_, place, item_remover(first, count)); });
    });
  }

  /// Removes ranges of items from a sequence whose length is a number with a name, and lowers that number.
  void remove_counted_items() {
    each_place([&](Place place) {
      for (std::size_t i = 0; i < numbers(place).size() && !spent(); ++i) {
        const NumberField field = numbers(place)[i];
        const std::size_t all = items(place);
        if (field.name.empty() || field.dimension || field.distance() == 0 || all == 0) continue;
        const AnyScenario lower = with_numbers(best_, place, {i, field.nearer(1)});
        if (lower.size() != best_.size() || parts_at(lower, place).items == all) continue;
        try_ranges(
            std::bit_floor(all), 1, [&] { return items(place); },
            [&](std::size_t first, std::size_t count) {
              const auto now = numbers(place);
              if (i >= now.size()) return best_;
              return with_parts(best_, place,
                                item_remover(first, count, {i, now[i].value - static_cast<Number>(count)}));
            });
      }
    });
  }

  /// Moves the numbers that decide a span's bound towards the span: a range loses what is in front of its end.
  void shorten_spans() {
    each_small_place([&](Place place) {
      for (std::size_t i = 0; i < numbers(place).size(); ++i) {
        if (!numbers(place)[i].decides_span) continue;
        Number by = 0;
        for (const NumberField& field : numbers(place)) by = std::max(by, field.span ? field.distance() : 0);
        for (; by > 0 && !spent(); by /= 2) {
          const auto now = numbers(place);
          if (i >= now.size()) break;
          accept(with_numbers(best_, place, {i, now[i].farther(by)}));
        }
      }
    });
  }

  /// Most numbers of a long list do not matter, so ranges of them become simple at once before each is lowered alone.
  void lower_numbers() {
    constexpr std::size_t least = 8;
    each_place([&](Place place) {
      const std::vector<NumberField> fields = numbers(place);
      if (std::ranges::none_of(fields, &NumberField::dimension)) {
        try_ranges(
            std::bit_floor(fields.size()), least, [&] { return numbers(place).size(); },
            [&](std::size_t first, std::size_t some) { return with_simplest(best_, place, first, some); });
      }
      for (std::size_t i = 0; i < fields.size(); ++i) lower_number(place, i);
    });
    for (std::size_t i = 0; i < equal_numbers(best_).size(); ++i) {
      bisect([&] { return equal_numbers(best_); }, i,
             [&](Number value) { return with_equal_numbers(best_, equal_numbers(best_)[i], value); });
    }
  }

  void lower_number(Place place, std::size_t i) {
    const auto all = [&] { return numbers(place); };
    const auto lowered = [&](Number value) { return with_numbers(best_, place, {i, value}); };
    if (const auto before = all(); i < before.size() && before[i].real) {
      for (const std::uint64_t rank : floating::simpler_ranks(static_cast<std::uint64_t>(before[i].value))) {
        if (accept(lowered(rank))) break;
      }
    }
    bisect(all, i, lowered);
    const auto now = all();
    if (i >= now.size() || now[i].dimension) return;
    if (now[i].decides_span) {
      bisect(all, i, [&](Number value) { return with_moved(best_, place, {i, value}); });
    }
    if (place) return;
    bisect(all, i, [&](Number value) {
      AnyScenario moved = with_origin(best_, {i, value});
      return moved == lowered(value) ? best_ : moved;  // best_ is refused without a judgement
    });
  }

  /// Numbers whose differences matter (neighbours in a set, a key and the action that names it) can only move together:
  /// lowers all numbers from each value on.
  void lower_numbers_together() {
    auto now = magnitudes_of(best_);
    for (std::size_t i = 0; i < now.size(); ++i) {
      for (Number by = now[i]; by > 0 && i < now.size() && !spent(); by /= 2) {
        if (by <= now[i] && accept(with_numbers_lowered(best_, now[i], by))) now = magnitudes_of(best_);
      }
    }
  }

  /// Two numbers of one name in the setup or in an action: the simpler one first.
  void exchange_numbers() {
    each_small_place([&](Place place) {
      for (std::size_t i = 0; i < numbers(place).size() && !spent(); ++i) {
        const auto now = numbers(place);
        const auto next = std::ranges::find(now.begin() + static_cast<std::ptrdiff_t>(i) + 1, now.end(), now[i].name,
                                            &NumberField::name);
        if (next == now.end() || now[i].dimension || now[i].value == next->value) continue;
        const auto j = static_cast<std::size_t>(next - now.begin());
        const bool exchanged = accept(with_numbers(best_, place, {i, next->value}, {j, now[i].value}));
        if (exchanged && i > 0) i -= std::min<std::size_t>(i, 2);
      }
    });
  }

  /// Two numbers whose sum matters, or whose difference and which have different signs: the first nearer to 0, the second
  /// moved by the same amount.
  void move_amounts() {
    for (const int sign : {1, -1}) {
      change_pairs(
          [=](const NumberField& one, const NumberField& other) {
            const bool apart = (one.value < 0) != (other.value < 0) || (other.value == 0 && other.lo < 0);
            return sign > 0 || apart ? one.distance() : 0;
          },
          [=](const NumberField& one, const NumberField& other, Number by) {
            return other.value + sign * (one.value - one.nearer(by));
          });
    }
  }

  /// Two numbers nearer to their simplest values at once.
  void lower_pairs() {
    change_pairs(
        [](const NumberField& one, const NumberField& other) { return std::min(one.distance(), other.distance()); },
        [](const NumberField&, const NumberField& other, Number by) { return other.nearer(by); });
  }

  /// Of two numbers, the first nearer to 0 by at most `most`, and the second as `second` says.
  void change_pairs(FunctionRef<Number(const NumberField& one, const NumberField& other)> most,
                    FunctionRef<Number(const NumberField& one, const NumberField& other, Number by)> second) {
    each_small_place([&](Place place) {
      for (std::size_t i = 0; i < numbers(place).size(); ++i) {
        for (std::size_t j = i + 1; j < numbers(place).size(); ++j) {
          for (Number by = most(numbers(place)[i], numbers(place)[j]); by > 0 && !spent(); by /= 2) {
            const auto now = numbers(place);
            if (j >= now.size() || now[i].dimension || now[j].dimension) break;
            if (by > most(now[i], now[j])) continue;
            accept(with_numbers(best_, place, {i, now[i].nearer(by)}, {j, second(now[i], now[j], by)}));
          }
        }
      }
    });
  }

  /// Puts an action of another kind in place of one, if that is smaller: where many kinds do what a failure needs, each
  /// would be a finding of its own. The last action stays, since its kind is a part of the signature. The kinds are those of
  /// the given scenario: the others may have been left out of it for a reason (--without). Only in short scenarios, and by
  /// actions of few numbers.
  void replace_actions() {
    constexpr std::size_t actions_max = 16;
    constexpr std::size_t numbers_max = 16;
    constexpr std::size_t candidates = 256;  // for each action and kind
    if (best_.size() > actions_max) return;
    for (std::size_t a = 0; a + 1 < best_.size(); ++a) {
      for (const std::size_t kind : kinds_) {
        const std::size_t count = best_.size();
        if (spent() || a + 1 >= count || kind == best_.kind(a)) continue;
        const AnyScenario replaced = with_action_kind(best_, a, kind);
        if (replaced.size() != count || numbers_at(replaced, a).fields.size() > numbers_max) continue;
        std::size_t left = candidates;
        replace_action(replaced, a, values_of(numbers_at(best_, a)), left);
      }
    }
  }

  /// The values of an action, and each increased by one: the next number, or the end of a range that holds only it.
  static std::set<Number> values_of(const ListNumbers& numbers) {
    std::set<Number> out;
    for (const NumberField& field : numbers.fields) out.insert({field.value, field.value + 1});
    return out;
  }

  /// Gives the numbers of an action from number `field` on each of the values; they also keep theirs. True if one of up to
  /// `left` candidates was accepted.
  bool replace_action(const AnyScenario& candidate, std::size_t action, const std::set<Number>& values,
                      std::size_t& left, std::size_t field = 0) {
    const auto fields = numbers_at(candidate, action).fields;
    if (field >= fields.size()) {
      if (left == 0) return false;
      --left;
      return accept(candidate);
    }
    const NumberField& number = fields[field];
    const auto next = [&](const AnyScenario& set) { return replace_action(set, action, values, left, field + 1); };
    if (next(candidate)) return true;
    for (const Number value : values) {
      if (left == 0 || spent()) return false;
      if (value == number.value || value < number.lo || value > number.hi || number.dimension) continue;
      const AnyScenario set = with_numbers(candidate, action, {field, value});
      if (set.size() == candidate.size() && next(set)) return true;
    }
    return false;
  }

  /// Puts one item in place of two neighbours, with their sum: of deposits, or of integers that wrap.
  void join_items() {
    constexpr std::size_t many = 64;
    for (std::size_t a = 0; a < best_.size(); ++a) {
      for (std::size_t i = 1; a < best_.size() && !spent(); ++i) {
        const auto fields = numbers_at(best_, a).fields;
        std::vector<std::size_t> items;  // those without a name, if each item is a number
        for (std::size_t f = 0; f < fields.size(); ++f) {
          if (fields[f].name.empty()) items.push_back(f);
        }
        if (i >= items.size() || items.size() > many || items.size() != parts_at(best_, a).items) break;
        const std::size_t first = items[i - 1];
        const Number sum = fields[first].wrapped(fields[first].value + fields[items[i]].value);
        accept(with_parts(best_, a, item_remover(i - 1, 1, {first, sum})));
      }
    }
  }

  /// Several changes at once, none of which makes a smaller scenario that fails alike by itself: an action goes and a number
  /// changes, or two items go, or an operation becomes a leaf with its value. They are drawn by the scenario's hash, so that
  /// equal scenarios take equal ones. Takes at most a tenth of the time, because some judgements are slow. True if one was
  /// accepted.
  bool search_wider() {
    if (budget_.without == wider_search) return false;
    constexpr int draws = 4000;
    constexpr int idle_max = 500;  // in a row that are larger, or were judged: few others are left
    int idle = 0;
    encode(best_, bytes_);
    Random random{fnv1a(as_chars(bytes_))};
    const std::uint64_t before = accepted_;
    const std::uint64_t judged = judgements_;
    const auto end = std::chrono::steady_clock::now() + budget_.time / 10;
    for (int i = 0;
         i < draws && idle < idle_max && accepted_ == before && !spent() && std::chrono::steady_clock::now() < end;
         ++i) {
      AnyScenario candidate = with_drawn_change(random, best_);
      const std::uint64_t more = 1 + random.below(2);
      for (std::uint64_t k = 0; k < more; ++k) candidate = with_drawn_change(random, candidate);
      const std::uint64_t last = judgements_;
      accept(std::move(candidate));
      idle = judgements_ == last ? idle + 1 : 0;
    }
    wider_ = judgements_ - judged;
    return accepted_ != before;
  }

  /// Tries the simplest value first, then halves the step after each refusal; then clears each bit and each decimal digit,
  /// since a failure may need a pattern of these.
  void bisect(FunctionRef<std::vector<NumberField>()> fields, std::size_t index,
              FunctionRef<AnyScenario(Number)> candidate) {
    constexpr Number whole_range = std::numeric_limits<std::uint64_t>::max();
    Number step = whole_range;
    std::optional<Number> accepted;
    while (!spent()) {
      const std::vector<NumberField> now = fields();
      if (index >= now.size()) return;
      // The place holds another number now (the items of a set are in order), so small steps would take forever.
      if (accepted && now[index].value != *accepted) step = whole_range;
      step = std::min(step, now[index].distance());
      if (step == 0) break;
      const Number wanted = now[index].nearer(step);
      accepted = accept(candidate(wanted)) ? std::optional{wanted} : std::nullopt;
      if (!accepted) step /= 2;
    }
    std::vector<NumberField> now = fields();
    for (Number bit = Number{1} << 63; bit > 1 && index < now.size() && !spent(); bit /= 2) {
      if ((now[index].distance() & bit) != 0 && accept(candidate(now[index].nearer(bit)))) now = fields();
    }
    for (Number power = 10'000'000'000'000'000'000u; power > 1 && index < now.size() && !spent(); power /= 10) {
      const Number digit = now[index].distance() / power % 10;  // 0, or else 1, is simpler
      for (Number left = 0; left < std::min<Number>(digit, 2); ++left) {
        if (!accept(candidate(now[index].nearer((digit - left) * power)))) continue;
        now = fields();
        break;
      }
    }
  }

  /// Applies single-step reductions in rounds until a whole round is refused; true if it got that far. Restarting after
  /// each accepted reduction would be quadratic, since most of the earlier ones would be refused again.
  /// False as well after many accepted ones, or some of one number: a change may have made room that larger steps cross
  /// faster.
  bool single_steps() {
    constexpr int many = 32;
    constexpr int some = 4;
    int accepted = 0;
    int repeated = 0;
    for (std::size_t next = 0; !spent() && accepted < many && repeated < some;) {
      const auto taken =
          reduction_from(best_, next, [&](const AnyScenario& candidate) { return spent() || accept(candidate); });
      if (!taken && next == 0) return !spent();
      accepted += taken ? 1 : 0;
      repeated = taken && *taken == next ? repeated + 1 : 0;
      next = taken.value_or(0);
    }
    return false;
  }

  const JudgeFunction& judge_;
  const Runner& reference_;
  const ShrinkBudget& budget_;
  std::chrono::steady_clock::time_point deadline_;
  AnyScenario best_;
  Size best_size_;
  Divergence divergence_;
  std::string signature_;
  std::uint64_t judgements_ = 0;
  std::uint64_t wider_ = 0;  // judgements of the last wider search
  std::uint64_t accepted_ = 0;
  std::unordered_set<std::uint64_t> refused_;  // hashes of encoded scenarios
  Bytes bytes_;                                // an encoded scenario
  std::set<std::size_t> kinds_;                // of actions in the given scenario
};

}  // namespace

std::vector<std::string_view> shrink_steps() {
  std::vector<std::string_view> out;
  for (const auto& step : Shrinking::steps()) out.push_back(step.name);
  out.erase(std::ranges::unique(out).begin(), out.end());
  out.push_back(wider_search);
  return out;
}

Shrunk Shrinker::shrink(AnyScenario failing) const {
  return Shrinking{judge_, reference_, budget_, std::move(failing)}.run();
}

bool Shrinker::repeats(const Shrunk& shrunk) const {
  constexpr int times = 3;
  const Divergence& d = shrunk.divergence;
  if (d.kind == DivergenceKind::hang || d.kind == DivergenceKind::memory) return true;
  for (int i = 0; i < times; ++i) {
    const Verdict again = judge_(shrunk.scenario);
    if (!again.divergence || again.divergence->signature() != d.signature()) return false;
  }
  return true;
}

std::string Shrinker::needed_by(const Shrunk& shrunk) const {
  return needed_conditions(judge_, shrunk.scenario, shrunk.divergence);
}

}  // namespace lockstep
