// The judge: runs one scenario through all implementations of a system and decides whether they agree.
//
// It compares every observation of all implementations and, on the cadence of trace.hpp, snapshots and invariants. If
// they differ or break an invariant, it runs them again with a snapshot after every step, and reports the first
// difference and the implementation to blame: the first one outside the largest group of equal answers (see `blame`).
// It never prints or aborts. An exception of the system's laws leaves it; exceptions of implementations do not.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/fields.hpp"
#include "lockstep/measure.hpp"
#include "lockstep/process_copy.hpp"
#include "lockstep/registry.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

enum class DivergenceKind {
  observation,       // observations of an action differ
  snapshot,          // snapshots differ
  invariant,         // all agree, and all break a law of the system
  crash,             // an implementation died (detected only in a child process)
  hang,              // an implementation exceeded its timeout (likewise)
  memory,            // an implementation leaks memory, or uses memory that is not its own (memory.hpp)
  nondeterministic,  // an implementation gives two results for one scenario
};

inline constexpr std::array divergence_kinds{
    DivergenceKind::observation, DivergenceKind::snapshot, DivergenceKind::invariant,       DivergenceKind::crash,
    DivergenceKind::hang,        DivergenceKind::memory,   DivergenceKind::nondeterministic};
constexpr std::string_view to_string(DivergenceKind kind) {
  switch (kind) {
    case DivergenceKind::observation: return "observation";
    case DivergenceKind::snapshot: return "snapshot";
    case DivergenceKind::invariant: return "invariant";
    case DivergenceKind::crash: return "crash";
    case DivergenceKind::hang: return "hang";
    case DivergenceKind::memory: return "memory";
    case DivergenceKind::nondeterministic: return "nondeterministic";
  }
  return "?";
}

/// The action of a leak, in signatures: it is noticed at the end, whichever action lost the memory.
inline constexpr std::string_view at_the_end = "end";

/// What a report says after the name of an implementation that wavers.
inline constexpr std::string_view not_deterministic =
    "is not deterministic, or reads memory that it does not own (a build with AddressSanitizer would show that)";
/// The name if a difference did not repeat, and each implementation gives one result when it is run again.
inline constexpr std::string_view some_implementation = "an implementation";

/// The first step at which implementations differ, and how.
struct Divergence {
  DivergenceKind kind = DivergenceKind::observation;
  std::size_t step = 0;  // the action at fault is number step − 1; 0: the setup itself, before any action
  std::string system;
  std::string blamed;           // an implementation's name, or "all" for a broken invariant
  std::string action;           // the kind of the action at fault, "setup" for step 0
  std::string field;            // first field that differs, with indices; for an invariant, the broken law
  std::string expected;         // the answer of the implementations that are right
  std::string actual;           // the answer of the blamed implementation
  std::string last_words = {};  // of a crash or memory error: the lines of a report that say why; may be empty

  /// Identifies a finding: two divergences with equal signatures count as the same finding.
  std::string signature() const {
    if (kind == DivergenceKind::nondeterministic) return system + " " + blamed + " " + std::string{to_string(kind)};
    const std::string bare = kind == DivergenceKind::invariant ? field : without_indices(field);
    return system + " " + blamed + " " + std::string{to_string(kind)} + " " + action + " " + bare;
  }
};

/// The result of a judgement. Only `agreed` means agreement; `cannot_judge` is not a pass.
struct Verdict {
  enum class State { agreed, diverged, cannot_judge };
  State state = State::agreed;
  std::optional<Divergence> divergence = {};
  std::string reason = {};  // for cannot_judge
  std::string wavers = {};  // for cannot_judge, after a difference that did not repeat: an implementation's name

  bool agreed() const { return state == State::agreed; }
  bool diverged() const { return state == State::diverged; }
};

/// The in-flight implementation and step, readable from a parent process through shared memory.
struct JudgeProgress {
  volatile std::uint32_t implementation = 0;
  volatile std::uint32_t step = 0;
  /// One more than the index of an implementation that has forked the process and returned in both; 0: none has.
  volatile std::uint32_t forked = 0;
  /// 1 after a difference was seen. Whoever judges clears it before each scenario.
  volatile std::uint32_t differs = 0;
};

template <System S>
class Judge {
 public:
  /// The first implementation is the reference. One is enough for a system with invariants, others need two.
  explicit Judge(std::vector<AnyImplementation<S>> implementations, JudgeProgress* progress = nullptr)
      : implementations_{std::move(implementations)},
        judged_always_{
            std::ranges::count_if(implementations_, [](const auto& each) { return judged_in_one_of(each.kind) == 1; })},
        traces_(implementations_.size()),
        progress_{progress} {
    for (auto& trace : traces_) trace.progress = progress != nullptr ? &progress->step : nullptr;
  }

  const std::vector<AnyImplementation<S>>& implementations() const { return implementations_; }

  /// Leaves out the kinds of implementations whose judged_in_one_of does not divide the scenario's seed: with 0, none.
  /// Leaves none out if fewer than two would remain. A divergence is explained with all.
  Verdict judge(const Scenario<S>& scenario, std::uint64_t seed = 0) {
    if (implementations_.size() < (has_invariants<S> ? 1 : 2)) {
      return {Verdict::State::cannot_judge, {}, "a judge needs two implementations, or one and invariants"};
    }
    if (all_agree(scenario, seed) && !broken_invariant(scenario, Cadence{})) return {};
    if (progress_ != nullptr) progress_->differs = 1;
    return explain(scenario);
  }

  /// Looks at the snapshots after every step, so that a difference counts that the next steps hide or crash on.
  Verdict judge_every_step(const Scenario<S>& scenario) { return look_at_every_step(scenario).value_or(Verdict{}); }

  /// Judges a scenario three times more that failed in the last judgement, which may have been chance. Returns its verdict
  /// if it fails alike each time, else cannot_judge.
  Verdict confirmed(const Scenario<S>& scenario, const Verdict& failed) {
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

  /// The verdict on a scenario that failed, and fails no more.
  Verdict not_repeated(const Scenario<S>& scenario) const { return not_repeated(scenario, {}); }

  /// The reference's trace of the last judgement.
  const Trace<S>& trace() const { return traces_.front(); }
  const std::vector<Trace<S>>& traces() const { return traces_; }

 private:
  /// Traces of an earlier run on the usual cadence, by index; empty where there is none.
  using Seen = std::vector<std::optional<Trace<S>>>;

  void run(std::size_t i, const Scenario<S>& scenario, Cadence cadence, Trace<S>& trace) const {
    if (progress_ != nullptr) progress_->implementation = static_cast<std::uint32_t>(i);
    implementations_[i].trace(scenario, cadence, trace);
    if (!is_process_copy) return;
    if (progress_ != nullptr) progress_->forked = static_cast<std::uint32_t>(i + 1);
    std::_Exit(0);
  }
  void run(std::size_t i, const Scenario<S>& scenario, Cadence cadence) { run(i, scenario, cadence, traces_[i]); }

  /// The fast path, which nearly always suffices.
  bool all_agree(const Scenario<S>& scenario, std::uint64_t seed) {
    if (judged_always_ < 2) seed = 0;
    different_ = 0;
    for (std::size_t i = 0; i < implementations_.size(); ++i) {
      if (i > 0 && seed % judged_in_one_of(implementations_[i].kind) != 0) {
        traces_[i].own_features.clear();  // of an earlier scenario
        continue;
      }
      run(i, scenario, Cadence{});
      different_ = i;
      if (i > 0 && !same(traces_[0], traces_[i])) return false;
    }
    return true;
  }

  static bool same(const Trace<S>& one, const Trace<S>& other) {
    return same_answers(one.observations, other.observations) && one.snapshots == other.snapshots &&
           one.deviation == other.deviation;
  }

  static bool same_answers(const std::vector<typename S::Observation>& one,
                           const std::vector<typename S::Observation>& other) {
    if constexpr (requires { LawsOf<S>::equal(one[0], other[0]); }) {
      return std::ranges::equal(one, other, [](const auto& a, const auto& b) { return same_answer<S>(a, b); });
    } else {
      return one == other;
    }
  }

  /// The first step at which the reference breaks an invariant, with the broken law.
  std::optional<std::pair<std::size_t, std::string>> broken_invariant(const Scenario<S>& scenario,
                                                                      Cadence cadence) const {
    const std::size_t total = scenario.actions.size();
    const Trace<S>& trace = traces_[0];
    const std::size_t end = trace.deviation ? trace.deviation->step : total + 1;
    for (std::size_t done = 0, taken = 0; done < end; ++done) {
      if (!takes_snapshot(cadence, done, total)) continue;
      const auto& after = trace.snapshots[taken++];
      if (done == 0 || !takes_snapshot(cadence, done - 1, total)) continue;
      const auto& before = trace.snapshots[taken - 2];
      std::string law =
          violation<S>(scenario.setup, before, scenario.actions[done - 1], trace.observations[done - 1], after);
      if (!law.empty()) return std::pair{done, std::move(law)};
    }
    return std::nullopt;
  }

  /// The slow path, after a difference.
  Verdict explain(const Scenario<S>& scenario) {
    seen_.assign(traces_.size(), {});
    for (const std::size_t i : {std::size_t{0}, different_}) seen_[i] = traces_[i];
    if (auto verdict = look_at_every_step(scenario)) return *verdict;
    return not_repeated(scenario, seen_);
  }

  /// An implementation wavers if two of its traces of one scenario differ. The traces of the run in which implementations
  /// first differed, if they are at hand, are compared first.
  Verdict not_repeated(const Scenario<S>& scenario, Seen seen) const {
    const std::string wavers = wavering(scenario, std::move(seen));
    return {Verdict::State::cannot_judge,
            {},
            "a difference did not appear a second time: " + wavers + " " + std::string{not_deterministic},
            wavers};
  }

  /// Each implementation runs 64 times, or as often as a second allows, but at least four times.
  std::string wavering(const Scenario<S>& scenario, Seen seen) const {
    using Clock = std::chrono::steady_clock;
    constexpr int times = 64;
    constexpr int times_min = 4;
    const auto until = Clock::now() + std::chrono::seconds{1};
    seen.resize(implementations_.size());
    Trace<S> now;
    now.progress = traces_.front().progress;
    for (int time = 0; time < times && (time < times_min || Clock::now() < until); ++time) {
      for (std::size_t i = 0; i < implementations_.size(); ++i) {
        run(i, scenario, Cadence{}, now);
        if (!seen[i]) seen[i] = now;
        else if (!same(*seen[i], now)) return std::string{implementations_[i].name};
      }
    }
    return std::string{some_implementation};
  }

  /// The first difference or broken invariant, if any. Takes a snapshot after every step, one window of steps at a time so
  /// that memory stays bounded.
  std::optional<Verdict> look_at_every_step(const Scenario<S>& scenario) {
    const std::size_t total = scenario.actions.size();
    const std::size_t window = dense_window(scenario.setup);
    for (std::size_t from = 0; from <= total; from += window) {
      const Cadence cadence{from == 0 ? 0 : from - 1, std::min(from + window, total)};
      for (std::size_t i = 0; i < implementations_.size(); ++i) run(i, scenario, cadence);
      const auto difference = first_disagreement(total, cadence);
      const std::size_t differs_at = difference.value_or(total + 1);
      const auto broken = broken_invariant(scenario, cadence);
      // All traces agree before differs_at, so all implementations break a law that the reference breaks there.
      if (broken && broken->first < differs_at && broken->first <= from + window) {
        return diverged(invariant_divergence(scenario, broken->first, broken->second));
      }
      if (difference && *difference <= from + window) return diverged(name_difference(scenario, cadence, *difference));
    }
    return std::nullopt;
  }

  static Verdict diverged(Divergence divergence) { return {Verdict::State::diverged, std::move(divergence), {}}; }

  /// The number of positions held at once: about 64 MiB of board cells.
  static std::size_t dense_window(const typename S::Setup& setup) {
    Measure measure;
    read_setup<S>(measure, setup);
    return std::max<std::size_t>(16, (std::size_t{64} << 20) / (measure.total.area + 64));
  }

  /// The first step at which two traces differ; nullopt if they are equal.
  static std::optional<std::size_t> disagreement(const Trace<S>& one, const Trace<S>& other, std::size_t total,
                                                 Cadence cadence) {
    const auto deviates = [](const Trace<S>& trace, std::size_t step) {
      return trace.deviation && trace.deviation->step == step;
    };
    for (std::size_t done = 0, taken = 0; done <= total; ++done) {
      const bool ends = deviates(one, done);
      if ((ends || deviates(other, done)) && one.deviation != other.deviation) return done;
      if (ends && !one.deviation->in_snapshot) return std::nullopt;
      if (done > 0 && !same_answer<S>(one.observations[done - 1], other.observations[done - 1])) return done;
      if (ends) return std::nullopt;
      if (!takes_snapshot(cadence, done, total)) continue;
      if (one.snapshots[taken] != other.snapshots[taken]) return done;
      ++taken;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> first_disagreement(std::size_t total, Cadence cadence) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 1; i < traces_.size(); ++i) {
      const auto at = disagreement(traces_[0], traces_[i], total, cadence);
      if (at && (!first || *at < *first)) first = at;
    }
    return first;
  }

  struct Blame {
    std::size_t blamed;   // the implementation that is wrong
    std::size_t witness;  // an implementation that is right
  };

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
  Blame blame(std::size_t step, std::size_t total, Cadence cadence) const {
    const auto equal = [&](std::size_t a, std::size_t b) {
      if (const auto& words = traces_[b].deviation; words && words->step == step && !words->answered) return false;
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

  Divergence name_difference(const Scenario<S>& scenario, Cadence cadence, std::size_t step) const {
    const std::size_t total = scenario.actions.size();
    const auto [blamed, witness] = blame(step, total, cadence);
    const Trace<S>& actual = traces_[blamed];
    const Trace<S>& expected = traces_[witness];
    Divergence out = at_step(scenario, step);
    out.blamed = implementations_[blamed].name;
    FieldDifference difference;
    if (const auto& words = actual.deviation; words && words->step == step) {
      out.kind = words->in_snapshot ? DivergenceKind::snapshot : DivergenceKind::observation;
      difference = {words->field, words->expected, words->actual};
      if (const auto& other = expected.deviation; other && other->step == step) difference.expected = other->actual;
    } else if (const auto& other = expected.deviation; other && other->step == step) {
      out.kind = other->in_snapshot ? DivergenceKind::snapshot : DivergenceKind::observation;
      difference = {other->field, other->actual, other->expected};
    } else if (step > 0 && !same_answer<S>(expected.observations[step - 1], actual.observations[step - 1])) {
      out.kind = DivergenceKind::observation;
      difference = first_difference(observation_fields<S>(expected.observations[step - 1]),
                                    observation_fields<S>(actual.observations[step - 1]));
    } else {
      out.kind = DivergenceKind::snapshot;
      std::size_t taken = 0;
      for (std::size_t done = 0; done < step; ++done) taken += takes_snapshot(cadence, done, total) ? 1 : 0;
      difference =
          first_difference(snapshot_fields<S>(expected.snapshots[taken]), snapshot_fields<S>(actual.snapshots[taken]));
    }
    // Values may differ in a member that their type does not describe, or be NaN.
    if (difference.name.empty()) difference = {"(a field that is not described, or NaN: see Laws::equal)", "", ""};
    out.field = difference.name;
    out.expected = difference.expected;
    out.actual = difference.actual;
    return out;
  }

  Divergence invariant_divergence(const Scenario<S>& scenario, std::size_t step, const std::string& law) const {
    Divergence out = at_step(scenario, step);
    out.kind = DivergenceKind::invariant;
    out.blamed = "all";
    out.field = law;
    return out;
  }

  static Divergence at_step(const Scenario<S>& scenario, std::size_t step) {
    Divergence out;
    out.step = step;
    out.system = S::name;
    out.action = step == 0 ? "setup" : std::string{action_name(scenario.actions[step - 1])};
    return out;
  }

  std::vector<AnyImplementation<S>> implementations_;
  std::ptrdiff_t judged_always_;  // number of implementations that are judged in every scenario
  std::vector<Trace<S>> traces_;
  std::size_t different_ = 0;  // the last implementation that the fast path ran: the first that differs, if one does
  Seen seen_;                  // what the fast path saw of that one and of the reference when they differed last
  JudgeProgress* progress_;
};

}  // namespace lockstep
