#include "lockstep/judge/judge.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "lockstep/describe/measure.hpp"
#include "lockstep/judge/conditions.hpp"
#include "lockstep/process/process_copy.hpp"

namespace lockstep {
namespace {

Verdict diverged(Divergence divergence) { return {Verdict::State::diverged, std::move(divergence), {}}; }

/// The number of positions held at once: about 64 MiB of board cells.
std::size_t dense_window(const AnyScenario& scenario) {
  return std::max<std::size_t>(16, (std::size_t{64} << 20) / (area_of(scenario) + 64));
}

/// The first step at which two traces differ; nullopt if they are equal.
std::optional<std::size_t> disagreement(const AnyTrace& one, const AnyTrace& other, std::size_t total,
                                        Cadence cadence) {
  const auto deviates = [](const AnyTrace& trace, std::size_t step) {
    return trace.deviation() && trace.deviation()->step == step;
  };
  for (std::size_t done = 0, taken = 0; done <= total; ++done) {
    const bool ends = deviates(one, done);
    if ((ends || deviates(other, done)) && one.deviation() != other.deviation()) return done;
    if (ends && !one.deviation()->in_snapshot) return std::nullopt;
    if (done > 0 && !one.same_answer(done - 1, other, done - 1)) return done;
    if (ends) return std::nullopt;
    if (!takes_snapshot(cadence, done, total)) continue;
    if (!one.same_snapshot(taken, other, taken)) return done;
    ++taken;
  }
  return std::nullopt;
}

std::vector<Field> answer_fields(const AnyTrace& trace, std::size_t action) {
  return collected([&](Fields& io) { trace.read_answer(action, io); });
}

std::vector<Field> position_fields(const AnyTrace& trace, std::size_t taken) {
  return collected([&](Fields& io) { trace.read_snapshot(taken, io); });
}

}  // namespace

Divergence at_step(const AnyScenario& scenario, std::size_t step) {
  Divergence out;
  out.step = step;
  out.system = scenario.vocabulary().name();
  out.action = step == 0 ? "setup" : std::string{scenario.action_name(step - 1)};
  if (step == 0) return out;
  for (auto& each : conditions_of(scenario, step - 1)) out.conditions[each.name] = each.value;
  return out;
}

Judge::Judge(const Vocabulary& system, std::vector<Runner> implementations, JudgeProgress* progress)
    : system_{&system},
      implementations_{std::move(implementations)},
      judged_always_{
          std::ranges::count_if(implementations_, [](const auto& each) { return judged_in_one_of(each.kind) == 1; })},
      progress_{progress} {
  for (std::size_t i = 0; i < implementations_.size(); ++i) {
    traces_.push_back(system.trace());
    traces_[i].head().progress = progress != nullptr ? &progress->step : nullptr;
  }
}

Verdict Judge::judge(const AnyScenario& scenario, std::uint64_t seed) {
  if (implementations_.size() < (system_->has_invariants() ? 1 : 2)) {
    return {Verdict::State::cannot_judge, {}, "a judge needs two implementations, or one and invariants"};
  }
  if (all_agree(scenario, seed) && !system_->broken_invariant(scenario, traces_[0], Cadence{})) return {};
  // The slow path, after a difference.
  if (progress_ != nullptr) progress_->differs = 1;
  seen_.assign(traces_.size(), {});
  for (const std::size_t i : {std::size_t{0}, different_}) seen_[i] = traces_[i];
  if (auto verdict = look_at_every_step(scenario)) return *verdict;
  return not_repeated(scenario, seen_);
}

Verdict Judge::confirmed(const AnyScenario& scenario, const Verdict& failed) {
  constexpr int times = 3;
  if (!failed.divergence) return failed;
  const Seen seen = seen_;
  for (int i = 0; i < times; ++i) {
    const Verdict again = judge(scenario);
    if (!again.divergence || again.divergence->signature() != failed.divergence->signature())
      return not_repeated(scenario, seen);
  }
  return failed;
}

void Judge::run(std::size_t i, const AnyScenario& scenario, Cadence cadence, AnyTrace& trace) const {
  if (progress_ != nullptr) progress_->implementation = static_cast<std::uint32_t>(i);
  const Runner& one = implementations_[i];
  one.run(scenario, cadence, trace);
  // Where the first action is a question that answer_many takes too, its answer must be the same. A wrong answer to the
  // action itself is named as such.
  if (one.answer_many != nullptr && !trace.deviation() && scenario.size() > 0 && trace.same_answer(0, traces_[0], 0)) {
    if (trace.head().progress != nullptr) *trace.head().progress = 0;
    system_->ask_in_bits(one.answer_many, scenario, trace);
  }
  if (!is_process_copy) return;
  if (progress_ != nullptr) progress_->forked = static_cast<std::uint32_t>(i + 1);
  std::_Exit(0);
}

/// The fast path, which nearly always suffices.
bool Judge::all_agree(const AnyScenario& scenario, std::uint64_t seed) {
  if (judged_always_ < 2) seed = 0;
  different_ = 0;
  for (std::size_t i = 0; i < implementations_.size(); ++i) {
    if (i > 0 && seed % judged_in_one_of(implementations_[i].kind) != 0) {
      traces_[i].head().own_features.clear();  // of an earlier scenario
      continue;
    }
    run(i, scenario, Cadence{});
    different_ = i;
    if (i > 0 && !(traces_[0] == traces_[i])) return false;
  }
  return true;
}

/// An implementation wavers if two of its traces of one scenario differ. The traces of the run in which implementations
/// first differed, if they are at hand, are compared first.
Verdict Judge::not_repeated(const AnyScenario& scenario, Seen seen) const {
  const std::string wavers = wavering(scenario, std::move(seen));
  return {Verdict::State::cannot_judge,
          {},
          "a difference did not appear a second time: " + wavers + " " + std::string{not_deterministic},
          wavers};
}

/// Each implementation runs 64 times, or as often as a second allows, but at least four times.
std::string Judge::wavering(const AnyScenario& scenario, Seen seen) const {
  using Clock = std::chrono::steady_clock;
  constexpr int times = 64;
  constexpr int times_min = 4;
  const auto until = Clock::now() + std::chrono::seconds{1};
  seen.resize(implementations_.size());
  AnyTrace now = system_->trace();
  now.head().progress = traces_.front().head().progress;
  for (int time = 0; time < times && (time < times_min || Clock::now() < until); ++time) {
    for (std::size_t i = 0; i < implementations_.size(); ++i) {
      run(i, scenario, Cadence{}, now);
      if (!seen[i]) seen[i] = now;
      else if (!(*seen[i] == now)) return std::string{implementations_[i].name};
    }
  }
  return std::string{some_implementation};
}

/// The first difference or broken invariant, if any. Takes a snapshot after every step, one window of steps at a time so
/// that memory stays bounded.
std::optional<Verdict> Judge::look_at_every_step(const AnyScenario& scenario) {
  const std::size_t total = scenario.size();
  const std::size_t window = dense_window(scenario);
  for (std::size_t from = 0; from <= total; from += window) {
    const Cadence cadence{from == 0 ? 0 : from - 1, std::min(from + window, total)};
    for (std::size_t i = 0; i < implementations_.size(); ++i) run(i, scenario, cadence);
    const auto difference = first_disagreement(total, cadence);
    const std::size_t differs_at = difference.value_or(total + 1);
    const auto broken = system_->broken_invariant(scenario, traces_[0], cadence);
    // All traces agree before differs_at, so all implementations break a law that the reference breaks there.
    if (broken && broken->first < differs_at && broken->first <= from + window) {
      Divergence out = at_step(scenario, broken->first);
      out.kind = DivergenceKind::invariant;
      out.blamed = "all";
      const std::size_t line = broken->second.find('\n');
      out.field = broken->second.substr(0, line);
      if (line != std::string::npos) out.actual = broken->second.substr(line + 1);
      return diverged(std::move(out));
    }
    if (difference && *difference <= from + window) return diverged(name_difference(scenario, cadence, *difference));
  }
  return std::nullopt;
}

std::optional<std::size_t> Judge::first_disagreement(std::size_t total, Cadence cadence) const {
  std::optional<std::size_t> first;
  for (std::size_t i = 1; i < traces_.size(); ++i) {
    const auto at = disagreement(traces_[0], traces_[i], total, cadence);
    if (at && (!first || *at < *first)) first = at;
  }
  return first;
}

/// Decides which implementation is wrong at `step`, the first step at which they differ. Before `step` all are equal,
/// so at `step` they form groups of equal answers. The largest group is right; if the largest size is shared, the
/// group of the reference is right, whatever its size. The first implementation outside the right group is blamed.
/// An implementation that did not answer (a plugin that refuses the scenario, for example) is alone in its group: that
/// two could not answer is no evidence against one that could.
///
///   {0 1 3} {2}     0, 1 and 3 are right: 2 is blamed
///   {0} {1} {2 3}   2 and 3 are right: 0, the reference, is blamed
///   {0 1} {2 3}     a tie: the reference is right, 2 is blamed
///   {0} {1} {2}     a tie: the reference is right, 1 is blamed
Judge::Blame Judge::blame(std::size_t step, std::size_t total, Cadence cadence) const {
  const auto equal = [&](std::size_t a, std::size_t b) {
    if (const auto& words = traces_[b].deviation(); words && words->step == step && !words->answered) return false;
    const auto at = disagreement(traces_[a], traces_[b], total, cadence);
    return !at || *at > step;
  };
  const std::size_t count = traces_.size();
  std::vector<std::size_t> group(count);  // the first implementation with an equal answer
  std::vector<std::size_t> size(count);
  for (std::size_t i = 0; i < count; ++i) {
    while (group[i] < i && !equal(group[i], i)) ++group[i];
    ++size[group[i]];
  }
  const auto largest = std::ranges::max_element(size);
  const bool tie = std::ranges::count(size, *largest) > 1;
  const std::size_t right = tie ? 0 : static_cast<std::size_t>(largest - size.begin());
  const auto wrong = std::ranges::find_if(group, [&](std::size_t each) { return each != right; });
  return {static_cast<std::size_t>(wrong - group.begin()), right};
}

Divergence Judge::name_difference(const AnyScenario& scenario, Cadence cadence, std::size_t step) const {
  const std::size_t total = scenario.size();
  const auto [blamed, witness] = blame(step, total, cadence);
  const AnyTrace& actual = traces_[blamed];
  const AnyTrace& expected = traces_[witness];
  Divergence out = at_step(scenario, step);
  out.blamed = implementations_[blamed].name;
  FieldDifference difference;
  if (const auto& words = actual.deviation(); words && words->step == step) {
    out.kind = words->in_snapshot ? DivergenceKind::snapshot : DivergenceKind::observation;
    difference = {words->field, words->expected, words->actual};
    if (const auto& other = expected.deviation(); other && other->step == step) difference.expected = other->actual;
  } else if (const auto& other = expected.deviation(); other && other->step == step) {
    out.kind = other->in_snapshot ? DivergenceKind::snapshot : DivergenceKind::observation;
    difference = {other->field, other->actual, other->expected};
  } else if (step > 0 && !expected.same_answer(step - 1, actual, step - 1)) {
    out.kind = DivergenceKind::observation;
    difference = first_difference(answer_fields(expected, step - 1), answer_fields(actual, step - 1));
  } else {
    out.kind = DivergenceKind::snapshot;
    const std::size_t taken = snapshots_before(step, cadence, total);
    difference = first_difference(position_fields(expected, taken), position_fields(actual, taken));
  }
  // Values may differ in a member that their type does not describe, or be NaN.
  if (difference.name.empty()) difference = {"(a field that is not described, or NaN: see Laws::equal)", "", ""};
  out.field = difference.name;
  out.expected = difference.expected;
  out.actual = difference.actual;
  return out;
}

}  // namespace lockstep
