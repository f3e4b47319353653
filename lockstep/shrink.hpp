// The shrinker: reduces a failing scenario to a 1-minimal one (reduce.hpp) with the same signature.
//
// It is a portfolio of passes, since none is best for every failure: restate the failure as the position before the
// failing step and that one action; remove ranges of actions; crop the board by ranges of rows and columns; empty
// ranges of cells; lower numbers by bisection; finally, single-step reductions until none is accepted. A failure that
// no restatement reproduces has hidden state. A candidate is accepted only if it is smaller and fails with the same
// signature. The shrinker uses the judge only as a function.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "lockstep/judge.hpp"
#include "lockstep/reduce.hpp"

namespace lockstep {

struct ShrinkBudget {
  std::chrono::milliseconds time = std::chrono::seconds{10};
  std::uint64_t judgements_max = std::uint64_t{1} << 40;
};

template <System S>
struct Shrunk {
  Scenario<S> scenario;
  Divergence divergence;
  /// True: no reduction fails with the signature. False: the budget was spent.
  bool minimal = false;
  /// The failure vanishes if the position before it is given as a setup: some implementation has state that its
  /// snapshot does not show.
  bool hidden_state = false;
  /// With hidden state: the position before the last step, and that step. All implementations agree on it.
  std::optional<Scenario<S>> restated = {};
  std::uint64_t judgements = 0;
};

/// The last `keep` actions of a scenario, starting from the reference's position before them.
template <System S>
Scenario<S> restated(const Scenario<S>& scenario, std::size_t keep, const AnyImplementation<S>& reference) {
  const auto split = scenario.actions.end() - static_cast<std::ptrdiff_t>(keep);
  Trace<S> trace;
  reference.trace({scenario.setup, {scenario.actions.begin(), split}}, Cadence{}, trace);
  Scenario<S> out{.setup = restate<S>(scenario.setup, trace.snapshots.back()),
                  .actions = {split, scenario.actions.end()}};
  refit<S>(out);
  return out;
}

template <System S>
class Shrinker {
 public:
  using JudgeFunction = std::function<Verdict(const Scenario<S>&)>;

  /// `reference` only supplies the positions from which failures are restated. It must not crash on prefixes.
  Shrinker(JudgeFunction judge, AnyImplementation<S> reference, ShrinkBudget budget = {})
      : judge_{std::move(judge)}, reference_{reference}, budget_{budget} {}

  /// The scenario must diverge; otherwise it is returned unchanged, with an empty divergence.
  Shrunk<S> shrink(Scenario<S> failing) {
    deadline_ = std::chrono::steady_clock::now() + budget_.time;
    judgements_ = 1;
    const Verdict verdict = judge_(failing);
    best_ = std::move(failing);
    if (!verdict.divergence) return {best_, {}, false, false, {}, judgements_};
    divergence_ = *verdict.divergence;
    signature_ = divergence_.signature();
    best_size_ = size_of<S>(best_);

    truncate();
    restate_position();
    // A single step can enable a range reduction, so the loop ends only after a round without change.
    bool minimal = false;
    bool hidden_state = best_.actions.size() > 1;
    while (!minimal && !spent()) {
      const Size before = best_size_;
      take_canonical_position();
      remove_action_ranges();
      crop_board();
      clear_cells();
      lower_numbers();
      const bool ended = single_steps();
      hidden_state = best_.actions.size() > 1 && !accept(restated<S>(best_, 1, reference_));
      minimal = ended && best_size_ == before && !spent();
    }
    Shrunk<S> out{std::move(best_), divergence_, minimal, false, {}, judgements_};
    // accept() also refuses when the budget is spent, so only a finished shrinker proves hidden state.
    if (minimal && hidden_state) {
      out.hidden_state = true;
      out.restated = restated<S>(out.scenario, 1, reference_);
    }
    return out;
  }

 private:
  bool spent() const { return judgements_ >= budget_.judgements_max || std::chrono::steady_clock::now() >= deadline_; }

  /// Accepts the candidate if it is smaller and fails with the same signature.
  bool accept(Scenario<S> candidate) {
    const Size size = size_of<S>(candidate);
    if (!(size < best_size_) || spent()) return false;
    ++judgements_;
    const Verdict verdict = judge_(candidate);
    if (!verdict.divergence || verdict.divergence->signature() != signature_) return false;
    divergence_ = *verdict.divergence;
    best_ = std::move(candidate);
    best_size_ = size;
    truncate();
    return true;
  }

  /// Removes the actions after the step that differs.
  void truncate() {
    if (divergence_.step >= best_.actions.size() || spent()) return;
    Scenario<S> shorter{
        .setup = best_.setup,
        .actions = {best_.actions.begin(), best_.actions.begin() + static_cast<std::ptrdiff_t>(divergence_.step)}};
    const Verdict verdict = judge_(shorter);
    ++judgements_;
    if (!verdict.divergence || verdict.divergence->signature() != signature_) return;
    divergence_ = *verdict.divergence;
    best_ = std::move(shorter);
    best_size_ = size_of<S>(best_);
  }

  void restate_position() {
    // Short suffixes are tried first. A failure with hidden state needs the actions that build up that state.
    for (std::size_t keep = 1; keep < best_.actions.size() && !spent(); keep *= 2) {
      if (accept(restated<S>(best_, keep, reference_))) return;
    }
  }

  /// Tries the system's canonical form of the position (numbers from the lowest, counters at rest) in one step.
  void take_canonical_position() {
    if constexpr (requires(const Scenario<S>& s) {
                    { LawsOf<S>::position(s.setup) } -> std::same_as<typename S::Setup>;
                  }) {
      Scenario<S> candidate = best_;
      candidate.setup = LawsOf<S>::position(best_.setup);
      refit<S>(candidate);
      accept(std::move(candidate));
    }
  }

  void remove_action_ranges() {
    for (std::size_t count = best_.actions.size() / 2; count >= 1; count /= 2) {
      for (std::size_t end = best_.actions.size(); end > 0 && !spent();) {
        const std::size_t first = end > count ? end - count : 0;
        accept(without_actions<S>(best_, first, end - first));
        end = std::min(first, best_.actions.size());
      }
    }
  }

  void crop_board() {
    // A removed row may remove list items and their fields, so the fields are counted anew each time.
    for (std::size_t i = 0; i < setup_numbers<S>(best_.setup).fields.size(); ++i) {
      const NumberField field = setup_numbers<S>(best_.setup).fields[i];
      if (!field.dimension) continue;
      for (std::int64_t count = (field.value - field.lo + 1) / 2; count >= 1; count /= 2) crop(i, count);
    }
  }

  /// Removes `count` rows or columns at every place where the failure survives it.
  void crop(std::size_t field, std::int64_t count) {
    for (std::int64_t first = 0; !spent();) {
      const NumberField now = setup_numbers<S>(best_.setup).fields[field];
      if (now.value - count < now.lo || first >= now.value) return;
      const Dropped gone{static_cast<int>(std::min(first, now.value - count)), static_cast<int>(count)};
      Scenario<S> candidate = best_;
      refit<S>(candidate, {field, now.value - count}, gone, gone);
      if (shape_matches(candidate, gone) && accept(std::move(candidate))) continue;
      first += count;
    }
  }

  /// A width must not remove rows, nor a height columns: refits with only the side that shrank.
  bool shape_matches(Scenario<S>& candidate, Dropped gone) const {
    const ListNumbers was = setup_numbers<S>(best_.setup);
    const ListNumbers is = setup_numbers<S>(candidate.setup);
    const bool rows = is.rows < was.rows;
    const bool columns = is.columns < was.columns;
    if (rows && columns) return true;
    for (std::size_t i = 0; i < std::min(was.fields.size(), is.fields.size()); ++i) {
      if (!was.fields[i].dimension || was.fields[i].value == is.fields[i].value) continue;
      candidate = best_;
      refit<S>(candidate, {i, is.fields[i].value}, rows ? std::optional{gone} : std::nullopt,
               columns ? std::optional{gone} : std::nullopt);
      return true;
    }
    return false;
  }

  void clear_cells() {
    std::size_t count = parts_of<S>(best_.setup).occupied.size() / 2;
    for (; count >= 1; count /= 2) {
      for (std::size_t first = 0; !spent();) {
        const auto occupied = parts_of<S>(best_.setup).occupied;
        if (first >= occupied.size()) break;
        const std::span<const std::pair<std::size_t, std::uint8_t>> range{occupied.data() + first,
                                                                          std::min(count, occupied.size() - first)};
        if (!accept(with_cells<S>(best_, range, 0))) first += count;
      }
    }
  }

  void lower_numbers() {
    const std::size_t fields = setup_numbers<S>(best_.setup).fields.size();
    for (std::size_t i = 0; i < fields; ++i) {
      bisect([&] { return setup_numbers<S>(best_.setup).fields; }, i,
             [&](std::int64_t value) {
               Scenario<S> candidate = best_;
               refit<S>(candidate, {i, value});
               return candidate;
             });
    }
    for (std::size_t a = 0; a < best_.actions.size(); ++a) {
      const std::size_t count = action_numbers<S>(best_.setup, best_.actions[a]).fields.size();
      for (std::size_t i = 0; i < count && a < best_.actions.size(); ++i) {
        bisect(
            [&] {
              return a < best_.actions.size() ? action_numbers<S>(best_.setup, best_.actions[a]).fields
                                              : std::vector<NumberField>{};
            },
            i, [&](std::int64_t value) { return with_action_number<S>(best_, a, {i, value}); });
      }
    }
  }

  /// Tries the lowest value first, then halves the decrement after each refusal.
  template <class Fields, class Candidate>
  void bisect(Fields&& fields, std::size_t index, Candidate&& candidate) {
    std::int64_t down = std::numeric_limits<std::int64_t>::max();
    while (!spent()) {
      const std::vector<NumberField> now = fields();
      if (index >= now.size()) return;
      const std::int64_t room = now[index].value - now[index].lo;
      down = std::min(down, room);
      if (down == 0) return;
      if (!accept(candidate(now[index].value - down))) down /= 2;
    }
  }

  /// Applies single-step reductions in rounds until a whole round is refused; true if it got that far. Restarting after
  /// each accepted reduction would be quadratic, since most of the earlier ones would be refused again.
  bool single_steps() {
    for (std::size_t next = 0; !spent();) {
      const auto taken =
          reduction_from<S>(best_, next, [&](const Scenario<S>& candidate) { return spent() || accept(candidate); });
      if (!taken && next == 0) return !spent();
      next = taken.value_or(0);
    }
    return false;
  }

  JudgeFunction judge_;
  AnyImplementation<S> reference_;
  ShrinkBudget budget_;
  std::chrono::steady_clock::time_point deadline_;
  Scenario<S> best_;
  Size best_size_;
  Divergence divergence_;
  std::string signature_;
  std::uint64_t judgements_ = 0;
};

}  // namespace lockstep
