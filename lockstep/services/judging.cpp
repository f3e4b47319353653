#include "lockstep/services/judging.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lockstep/base/words.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

using Suspects = std::vector<Runner>;
using Clock = std::chrono::steady_clock;

/// What a failure is judged with, and how long it may be shrunk.
struct Task {
  const std::vector<std::string>& names;
  Suspects suspects;
  Guard guard;
  const Signatures& known;
  Clock::time_point deadline;
  std::function<bool()> stopped = {};
  std::string as = {};  // if not empty, the signature that covers what counts

  std::chrono::milliseconds left() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return std::max(left, std::chrono::milliseconds{0});
  }
};

std::vector<AnyScenario> scenarios_of(History history, const Vocabulary& system) {
  std::vector<AnyScenario> out;
  for (const auto bytes : history) out.push_back(decoded(system, bytes));
  return out;
}

Verdict leak_of(const Suspects& suspects, const AnyScenario& scenario, Guard guard) {
  return memory_verdict(suspects, {&scenario, 1}, guard.timeout);
}

/// The implementation that supplies positions to the shrinker: the reference, unless the reference itself dies.
/// Plugins are unsuitable: they have no positions of the system's types.
Runner guide(const Vocabulary& system, const Suspects& suspects, const Verdict& verdict) {
  const Runner reference = reference_of(system);
  if (!verdict.divergence || !dies(*verdict.divergence) || verdict.divergence->blamed != reference.name) {
    return reference;
  }
  const auto other = std::ranges::find_if(
      suspects, [&](const auto& each) { return each.name != reference.name && each.kind != Kind::plugin; });
  return other != suspects.end() ? *other : fastest_of(system);
}

std::string signature_of(const Verdict& verdict) {
  return verdict.divergence ? verdict.divergence->signature() : std::string{};
}

Shrunk shrunk_by(const JudgeFunction& judge, const AnyScenario& scenario, const Verdict& verdict, const Task& task,
                 const std::function<bool()>& stopped) {
  const auto is_new = [&](const AnyScenario&, const Divergence& d) {
    return known_as(task.known, d).empty() && (task.as.empty() || covers(task.as, d));
  };
  const Shrinker shrinker{judge,
                          guide(scenario.vocabulary(), task.suspects, verdict),
                          {.time = task.left(), .stopped = stopped, .counts = is_new}};
  return shrunk_or_kept(scenario, verdict, shrinker);
}

Finding shrunk_memory(const AnyScenario& failing, const Verdict& verdict, const Task& task,
                      const JudgeFunction& judge) {
  Shrunk shrunk = shrunk_by(judge, failing, verdict, task, task.stopped);
  // A position has no history, so hidden state cannot be ruled out.
  shrunk.hidden_state = false;
  shrunk.restated.reset();
  return finding_of(shrunk, task.names, failing.size());
}

/// Shrinks with one child for all judgements. If one of them ends it (a smaller scenario may crash although the given
/// one merely differs), the result is nullopt, and the scenario becomes the smallest one that failed before.
std::optional<Finding> shrunk_in_one_child(AnyScenario& scenario, const Verdict& verdict, const Task& task,
                                           const Patience& patience) {
  const std::string signature = signature_of(verdict);
  const SharedStats stats = share_stats();
  const SharedScenarios best = share_scenarios();
  const auto shrink_here = [&] {
    Judge judge{scenario.vocabulary(), task.suspects, &stats->progress};
    Bytes bytes;
    const auto judge_and_store = [&](const AnyScenario& candidate) {
      stats->scenarios.fetch_add(1);
      Verdict again = judge.judge(candidate);
      if (again.divergence && again.divergence->signature() == signature) {
        encode(candidate, bytes);
        best->store(bytes);
      }
      return again;
    };
    const auto stopped = [&] { return stats->stop.load() != 0; };
    return to_json(
        finding_of(shrunk_by(judge_and_store, scenario, verdict, task, stopped), task.names, scenario.size()));
  };
  const auto result =
      run_in_child(shrink_here, std::max<std::chrono::milliseconds>(std::chrono::seconds{1}, patience.timeout()),
                   ChildProcess::quiet(), [&] {
                     if (task.stopped && task.stopped()) stats->stop.store(1);
                     return heartbeat_of(*stats);
                   });
  if (result.end == ChildResult::End::returned) return finding_from(result.output);
  for (const auto& bytes : best->recent(1)) {
    scenario.reset_setup();
    decode(bytes, scenario);
  }
  return std::nullopt;
}

/// The finding that a scenario shrinks to; nullopt if it does not fail.
std::optional<Finding> shrunk(const AnyScenario& failing, Checks checks, const Task& task, Patience patience) {
  AnyScenario scenario = failing;
  const GuardedVerdict first = guarded_verdict(task.suspects, scenario, patience, checks);
  const Verdict& verdict = first.verdict;
  if (verdict.agreed()) return std::nullopt;
  if (!verdict.divergence && verdict.wavers.empty()) throw InternalError{verdict.reason};
  const std::size_t actions_before = scenario.size();
  if (const auto& d = verdict.divergence; d && !known_as(task.known, *d).empty()) {
    Finding known = finding_of({.scenario = scenario, .divergence = *d}, task.names, actions_before);
    known.signature = known_as(task.known, *d);
    return known;
  }
  if (!first.died && checks == Checks::usual) {
    if (auto finding = shrunk_in_one_child(scenario, verdict, task, patience)) return finding;
  } else if (verdict.divergence) {
    scenario.truncate(verdict.divergence->step);
  }
  const Shrunk smallest = shrunk_by(
      [&](const AnyScenario& candidate) { return guarded_verdict(task.suspects, candidate, patience).verdict; },
      scenario, verdict, task, task.stopped);
  if (smallest.divergence.kind == DivergenceKind::hang && patience.timeout() < task.guard.timeout &&
      guarded_judge(task.suspects, smallest.scenario, task.guard).divergence.value_or(Divergence{}).kind !=
          DivergenceKind::hang) {
    return shrunk(failing, checks, task, Patience{task.guard});  // it is slow, but no hang
  }
  return finding_of(smallest, task.names, actions_before);
}

/// Which of these scenarios lets the last one fail in the same process, as a sentence.
std::string cause_among(std::span<const AnyScenario> scenarios, const Task& task, Patience& patience) {
  for (std::size_t i = scenarios.size() - 1; i-- > 0 && task.left() > std::chrono::milliseconds{0};) {
    const std::array pair{scenarios[i], scenarios.back()};
    const IndexedVerdict judged = judged_in_child(task.suspects, pair, Checks::usual, patience);
    if (judged.verdict.divergence && judged.index == 1) {
      return "alone the scenario does not fail, but in a process that has judged this one before:\n" +
             scenario_text(scenarios[i]);
    }
  }
  return "alone the scenario does not fail, but in a process that has judged the " +
         std::to_string(scenarios.size() - 1) + " before it";
}

Finding unstable(const AnyScenario& scenario, Divergence divergence, const std::vector<std::string>& names,
                 std::string explanation) {
  if (explanation.ends_with('\n')) explanation.pop_back();
  return finding_of({.scenario = scenario, .divergence = std::move(divergence), .judgements = 1}, names,
                    scenario.size(), std::move(explanation));
}

/// Whether the failure vanishes if the position before it is given as a setup.
bool hides_state(const AnyScenario& scenario, const Divergence& divergence, const Suspects& suspects, Guard guard) {
  const Vocabulary& system = scenario.vocabulary();
  if (divergence.step < 2 || dies(divergence) || !system.can_restate()) return false;
  AnyScenario until = scenario;
  until.truncate(divergence.step);
  const Verdict again = guarded_judge(suspects, restated(until, 1, reference_of(system)), guard);
  return !again.divergence || again.divergence->signature() != divergence.signature();
}

/// The heading of what is shown, after the last of `prefix`. Where no implementation has a state to draw, the actions are
/// printed in its place (`list_actions`).
std::string shown_heading(const AnyScenario& prefix, std::size_t total, bool list_actions, const std::string& file) {
  constexpr std::size_t actions_max = 20;
  const std::size_t step = prefix.size();
  std::string out = std::string{prefix.vocabulary().name()} + ", after " + std::to_string(step) + " of " +
                    counted(total, "action") +
                    (step > 0 ? " (the last: " + action_text(prefix, step - 1) + ")\n" : "\n");
  if (step > 1 && !file.empty()) out += "all actions: " + file + ", below the line 'actions'\n";
  out += "\n";
  if (step <= 1 || !list_actions) return out;
  const std::size_t earlier = step - std::min(step, actions_max);
  out += "actions:\n" + (earlier > 0 ? "  … " + counted(earlier, "earlier action") + "\n" : "");
  for (std::size_t i = earlier; i < step; ++i) out += "  " + action_text(prefix, i) + "\n";
  return out + "\n";
}

}  // namespace

Replay replay_of(const AnyScenario& scenario, const std::vector<std::string>& names, Guard guard) {
  const auto suspects = implementations_named(scenario.vocabulary(), names);
  Replay out{names, scenario.size(), guarded_judge(suspects, scenario, guard), {}};
  if (out.verdict.agreed() && checks_leaks()) out.verdict = leak_of(suspects, scenario, guard);
  if (!out.verdict.divergence) {
    out.explanation = out.verdict.reason;
    return out;
  }
  const Divergence& d = *out.verdict.divergence;
  out.explanation = describe_divergence(scenario, d);
  out.hidden_state = d.kind != DivergenceKind::memory && hides_state(scenario, d, suspects, guard);
  return out;
}

Parsed<std::string> show_text(const AnyScenario& scenario, const std::vector<std::string>& names,
                              const ShowOptions& options, Guard guard) {
  const auto suspects = implementations_named(scenario.vocabulary(), names);
  const Verdict verdict = guarded_judge(suspects, scenario, guard);
  if (verdict.state == Verdict::State::cannot_judge) throw InternalError{"not judged: " + verdict.reason};
  const std::optional<Divergence>& d = verdict.divergence;
  const std::size_t total = scenario.size();
  const std::size_t step = options.step.value_or(d ? d->step : total);
  if (step > total) {
    return text_error(0, 0,
                      std::string{"there "} + (total == 1 ? "is " : "are ") + counted(total, "action") +
                          ": --step must be from 0 to " + std::to_string(total));
  }
  AnyScenario prefix = scenario;
  prefix.truncate(step);
  std::vector<Panel> panels;
  std::string before;
  for (const auto& implementation : suspects) {
    const bool died = d && dies(*d) && step >= d->step && implementation.name == d->blamed;
    const Drawn drawn = died ? Drawn{{}, d->actual + "\n", {}} : drawn_in_child(implementation, prefix, guard);
    panels.push_back({std::string{implementation.name}, drawn.after, drawn.answer});
    if (before.empty()) before = drawn.before;
  }
  std::string out = shown_heading(prefix, total, before.empty(), options.file);
  if (!before.empty()) panels.insert(panels.begin(), {"before", before, {}});
  out += side_by_side(panels, before.empty() ? 0 : 1, options.layout);
  if (d) return out + "\n" + describe_divergence(scenario, *d) + "\n";
  if (suspects.size() == 1) return out;  // nothing was compared
  return out + "\nall " + counted(suspects.size(), "implementation") + " agree on all " + counted(total, "action") +
         "\n";
}

std::optional<Finding> shrunk_finding(const AnyScenario& scenario, const std::vector<std::string>& names, Guard guard,
                                      std::chrono::milliseconds time, const Signatures& known,
                                      const std::function<bool()>& stopped, const std::string& as) {
  const Vocabulary& system = scenario.vocabulary();
  Task task{names, implementations_named(system, names), guard, known, Clock::now() + time, stopped, as};
  auto finding = shrunk(scenario, Checks::usual, task, Patience::learning(guard));
  if (finding || !checks_leaks()) return finding;
  const Verdict leak = leak_of(task.suspects, scenario, guard);
  if (!leak.divergence) return std::nullopt;
  // Only the one that was blamed runs again: the others may be slow, and do not matter.
  const Suspects blamed = implementations_named(system, {leak.divergence->blamed});
  task.deadline = Clock::now() + time;
  return shrunk_memory(scenario, leak, task,
                       [&](const AnyScenario& candidate) { return leak_of(blamed, candidate, guard); });
}

std::optional<Finding> cause_of_leak(const Vocabulary& system, History history, const std::vector<std::string>& names,
                                     Guard guard, std::chrono::milliseconds time, const Signatures& known) {
  const auto suspects = implementations_named(system, names);
  const auto leak_among = [&](std::span<const AnyScenario> some, const Signatures& passed_over) {
    return memory_verdict(suspects, some, guard.timeout,
                          [&](const Divergence& d) { return known_as(passed_over, d).empty(); });
  };
  const std::vector<AnyScenario> scenarios = scenarios_of(history, system);
  std::span<const AnyScenario> left = scenarios;
  Verdict verdict = leak_among(left, known);
  if (!verdict.divergence && !known.empty()) {
    const Verdict again = leak_among(left, {});
    if (!again.divergence) return std::nullopt;
    return finding_of({.scenario = left.back(), .divergence = *again.divergence}, names, left.back().size());
  }
  while (verdict.divergence && left.size() > 1) {
    const auto half = left.first(left.size() / 2);
    const Verdict first = leak_among(half, known);
    left = first.divergence ? half : left.subspan(half.size());
  }
  verdict = verdict.divergence ? leak_among(left, known) : verdict;
  if (!verdict.divergence) return std::nullopt;
  const std::string signature = verdict.divergence->signature();
  const Suspects blamed = implementations_named(system, {verdict.divergence->blamed});
  const Task task{names, suspects, guard, known, Clock::now() + time};
  return shrunk_memory(left.front(), verdict, task, [&](const AnyScenario& candidate) {
    return memory_verdict(blamed, {&candidate, 1}, guard.timeout,
                          [&](const Divergence& d) { return d.signature() == signature; });
  });
}

std::optional<Finding> cause_of_failure(const Vocabulary& system, History history,
                                        const std::vector<std::string>& names, Guard guard,
                                        std::chrono::milliseconds time, const Signatures& known) {
  const Task task{names, implementations_named(system, names), guard, known, Clock::now() + time};
  const std::vector<AnyScenario> scenarios = scenarios_of(history, system);
  if (auto alone = shrunk(scenarios.back(), Checks::usual, task, Patience::learning(guard))) return alone;
  Patience patience = Patience::learning(guard);
  for (std::size_t count = 1;; count *= 2) {
    const std::span last = std::span{scenarios}.last(std::min(count, scenarios.size()));
    const IndexedVerdict wrong = judged_in_child(task.suspects, last, Checks::every_step, patience);
    if (wrong.verdict.divergence) {
      auto earlier = shrunk(last[wrong.index], Checks::every_step, task, Patience::learning(guard));
      if (earlier && !earlier->unstable) return earlier;
    }
    Patience whole{guard};  // nothing confirms this verdict later
    const IndexedVerdict together = judged_in_child(task.suspects, last, Checks::usual, whole);
    if (together.verdict.divergence) {
      return unstable(last[together.index], *together.verdict.divergence, names,
                      cause_among(last.first(together.index + 1), task, patience));
    }
    if (count >= scenarios.size() || task.left() == std::chrono::milliseconds{0}) return std::nullopt;
  }
}

Finding unexplained_failure(const Vocabulary& system, History history, const Death& death,
                            const std::vector<std::string>& names) {
  const AnyScenario scenario = scenarios_of(history.last(1), system).front();
  Divergence d = death_at(implementations_named(system, names), scenario, death.implementation, death.step);
  note_death(d, death.hung, death.kind, death.reason, death.error_output);
  return unstable(scenario, std::move(d), names, std::string{not_again});
}

std::optional<Explanation> explanation_of(const AnyScenario& scenario, const std::vector<std::string>& names,
                                          Guard guard, std::chrono::milliseconds time) {
  const auto suspects = implementations_named(scenario.vocabulary(), names);
  const Verdict verdict = guarded_judge(suspects, scenario, guard);
  if (!verdict.divergence) return std::nullopt;
  const auto explained_by = [&](const JudgeFunction& judge) { return lockstep::explain(judge, time, scenario); };
  // As in shrink: a changed scenario may crash although the given one merely differs.
  if (!dies(*verdict.divergence)) {
    const auto result = run_in_child(
        [&] {
          Judge judge{scenario.vocabulary(), suspects};
          const auto explanation = explained_by([&](const AnyScenario& changed) { return judge.judge(changed); });
          return explanation ? to_json(*explanation) : std::string{};
        },
        time + guard.timeout);
    if (result.end == ChildResult::End::returned && !result.output.empty()) return explanation_from(result.output);
  }
  return explained_by([&](const AnyScenario& changed) { return guarded_judge(suspects, changed, guard); });
}

}  // namespace lockstep
