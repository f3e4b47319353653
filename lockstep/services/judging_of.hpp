// The judging service as a template over a system.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "lockstep/child.hpp"
#include "lockstep/codec.hpp"
#include "lockstep/reduce.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/recording_of.hpp"
#include "lockstep/services/showing.hpp"
#include "lockstep/shrink.hpp"

namespace lockstep {

template <System S>
class JudgingOf final : public Judging {
 public:
  using Suspects = std::vector<AnyImplementation<S>>;

  Parsed<std::string> canonical(std::string_view text) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return scenario_text<S>(*scenario);
  }

  Parsed<Size> size(std::string_view text) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return size_of<S>(*scenario);
  }

  Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard guard) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = implementations_named<S>(names);
    Replay out{names, scenario->actions.size(), guarded_judge<S>(suspects, *scenario, guard), {}};
    if (out.verdict.agreed() && checks_leaks()) out.verdict = leak_of(suspects, *scenario, guard);
    if (!out.verdict.divergence) {
      out.explanation = out.verdict.reason;
      return out;
    }
    const Divergence& d = *out.verdict.divergence;
    out.explanation = describe_divergence<S>(*scenario, d);
    out.hidden_state = d.kind != DivergenceKind::memory && hides_state(*scenario, d, suspects, guard);
    return out;
  }

  Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names, const ShowOptions& options,
                           Guard guard) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = implementations_named<S>(names);
    const Verdict verdict = guarded_judge<S>(suspects, *scenario, guard);
    auto shown = shown_position(verdict, scenario->actions.size(), options);
    if (!shown) return std::unexpected(shown.error());
    Scenario<S> prefix = *scenario;
    prefix.actions.resize(shown->step);
    for (std::size_t i = shown->step - std::min(shown->step, actions_shown); i < shown->step; ++i)
      shown->actions.push_back(action_text<S>(past_of<S>(prefix, i), prefix.actions[i]));
    std::vector<DrawnBy> drawn;
    for (const auto& implementation : suspects) {
      const bool died = implementation.name == shown->dead;
      drawn.push_back(
          {std::string{implementation.name},
           died ? Drawn{{}, verdict.divergence->actual + "\n", {}}
                : draw_in_child([&](auto& in_flight) { return draw<S>(implementation, prefix, in_flight); }, guard)});
    }
    const std::string difference =
        verdict.divergence ? describe_divergence<S>(*scenario, *verdict.divergence) : std::string{};
    return show_text(S::name, *shown, drawn, difference, options);
  }

  Parsed<Recording> record(std::string_view text, const std::vector<std::string>& names, std::size_t position,
                           Guard guard) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return recording_of<S>(*scenario, names, position, guard);
  }

  Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                            std::chrono::milliseconds time, const Signatures& known,
                                            const std::function<bool()>& stopped) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    auto finding =
        shrunk(*scenario, Checks::usual, Task{names, guard, time, known, stopped}, Patience::learning(guard));
    if (finding || !checks_leaks()) return finding;
    const Verdict leak = leak_of(implementations_named<S>(names), *scenario, guard);
    if (!leak.divergence) return std::nullopt;
    // Only the one that was blamed runs again: the others may be slow, and do not matter.
    const Suspects blamed = implementations_named<S>({leak.divergence->blamed});
    return shrunk_memory(*scenario, leak, names, {.time = time, .stopped = stopped},
                         [&](const Scenario<S>& candidate) { return leak_of(blamed, candidate, guard); });
  }

  std::optional<FindingText> cause_of_leak(History history, const std::vector<std::string>& names, Guard guard,
                                           std::chrono::milliseconds time, const Signatures& known) const override {
    const auto suspects = implementations_named<S>(names);
    const auto leak_of = [&](std::span<const Scenario<S>> some, const Signatures& passed_over) {
      MemoryCheck check = memory_check<S>(suspects, some);
      check.counts = [&](const Divergence& d) { return !passed_over.contains(d.signature()); };
      return memory_verdict(check, guard.timeout);
    };
    std::vector<Scenario<S>> scenarios;
    for (const auto& bytes : history) scenarios.push_back(decode<S>(bytes));
    std::span<const Scenario<S>> left = scenarios;
    Verdict verdict = leak_of(left, known);
    if (!verdict.divergence && !known.empty()) {
      const Verdict again = leak_of(left, {});
      if (!again.divergence) return std::nullopt;
      return finding_text_of<S>({{.scenario = left.back(), .divergence = *again.divergence}, names},
                                left.back().actions.size());
    }
    while (verdict.divergence && left.size() > 1) {
      const auto half = left.first(left.size() / 2);
      const Verdict first = leak_of(half, known);
      left = first.divergence ? half : left.subspan(half.size());
    }
    verdict = verdict.divergence ? leak_of(left, known) : verdict;
    if (!verdict.divergence) return std::nullopt;
    const std::string signature = verdict.divergence->signature();
    const Suspects blamed = implementations_named<S>({verdict.divergence->blamed});
    return shrunk_memory(left.front(), verdict, names, {.time = time}, [&](const Scenario<S>& candidate) {
      MemoryCheck check = memory_check<S>(blamed, std::span{&candidate, 1});
      check.counts = [&](const Divergence& d) { return d.signature() == signature; };
      return memory_verdict(check, guard.timeout);
    });
  }

  std::optional<FindingText> cause_of_failure(History history, const std::vector<std::string>& names, Guard guard,
                                              std::chrono::milliseconds time, const Signatures& known) const override {
    const Task task{names, guard, time, known};
    std::vector<Scenario<S>> scenarios;
    for (const auto& bytes : history) scenarios.push_back(decode<S>(bytes));
    if (auto alone = shrunk(scenarios.back(), Checks::usual, task, Patience::learning(guard))) return alone;
    Patience patience = Patience::learning(guard);
    for (std::size_t count = 1;; count *= 2) {
      const std::span last = std::span<const Scenario<S>>{scenarios}.last(std::min(count, scenarios.size()));
      const IndexedVerdict wrong = judged_in_child<S>(task.suspects, last, Checks::every_step, patience);
      if (wrong.verdict.divergence) {
        auto earlier = shrunk(last[wrong.index], Checks::every_step, task, Patience::learning(guard));
        if (earlier && !earlier->unstable) return earlier;
      }
      Patience whole{guard};  // nothing confirms this verdict later
      const IndexedVerdict together = judged_in_child<S>(task.suspects, last, Checks::usual, whole);
      if (together.verdict.divergence) {
        return unstable(last[together.index], *together.verdict.divergence, names,
                        cause_among(last.first(together.index + 1), task, patience));
      }
      if (count >= scenarios.size() || task.left() == std::chrono::milliseconds{0}) return std::nullopt;
    }
  }

  FindingText unexplained(History history, const Death& death, const std::vector<std::string>& names) const override {
    const auto scenario = decode<S>(history.back());
    Divergence d = death_at<S>(implementations_named<S>(names), scenario, death.implementation, death.step);
    note_death(d, death.hung, death.kind, death.reason, death.error_output);
    return unstable(scenario, std::move(d), names, std::string{not_again});
  }

  Parsed<std::optional<Explanation>> explain(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                             std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = implementations_named<S>(names);
    const Verdict verdict = guarded_judge<S>(suspects, *scenario, guard);
    if (!verdict.divergence) return std::nullopt;
    const auto explained_by = [&](const typename Explainer<S>::JudgeFunction& judge) {
      return Explainer<S>{judge, time}.explain(*scenario);
    };
    // As in shrink: a changed scenario may crash although the given one merely differs.
    if (!dies(*verdict.divergence)) {
      const auto result = run_in_child(
          [&] {
            Judge<S> judge{suspects};
            const auto explanation = explained_by([&](const Scenario<S>& changed) { return judge.judge(changed); });
            return explanation ? to_json(*explanation) : std::string{};
          },
          time + guard.timeout);
      if (result.end == ChildResult::End::returned && !result.output.empty()) return explanation_from(result.output);
    }
    return explained_by([&](const Scenario<S>& changed) { return guarded_judge<S>(suspects, changed, guard); });
  }

 private:
  /// What a failure is judged with, and how long it may be shrunk.
  struct Task {
    Task(const std::vector<std::string>& implementations, Guard whole, std::chrono::milliseconds time,
         const Signatures& known_signatures, const std::function<bool()>& stopped_by = {})
        : names{implementations},
          suspects{implementations_named<S>(implementations)},
          guard{whole},
          known{known_signatures},
          stopped{stopped_by},
          deadline{std::chrono::steady_clock::now() + time} {}

    std::chrono::milliseconds left() const {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      return std::max(left, std::chrono::milliseconds{0});
    }

    const std::vector<std::string>& names;
    Suspects suspects;
    Guard guard;
    const Signatures& known;
    std::function<bool()> stopped;
    std::chrono::steady_clock::time_point deadline;
  };

  static Verdict leak_of(const Suspects& suspects, const Scenario<S>& scenario, Guard guard) {
    return memory_verdict(memory_check<S>(suspects, std::span{&scenario, 1}), guard.timeout);
  }

  static FindingText shrunk_memory(const Scenario<S>& failing, const Verdict& verdict,
                                   const std::vector<std::string>& names, const ShrinkBudget& budget,
                                   const typename Shrinker<S>::JudgeFunction& judge) {
    Shrinker<S> shrinker{judge, guide(implementations_named<S>(names), verdict), budget};
    Finding<S> finding{shrunk_or_kept<S>(failing, verdict, shrinker), names};
    // What was done before a position does not show in it, and what was lost does not either.
    finding.shrunk.hidden_state = false;
    finding.shrunk.restated.reset();
    return finding_text_of<S>(finding, failing.actions.size());
  }

  static std::string signature_of(const Verdict& verdict) {
    return verdict.divergence ? verdict.divergence->signature() : std::string{};
  }

  static Finding<S> shrunk_by(const typename Shrinker<S>::JudgeFunction& judge, const Scenario<S>& scenario,
                              const Verdict& verdict, const Task& task, const std::function<bool()>& stopped) {
    Shrinker<S> shrinker{judge, guide(task.suspects, verdict), {.time = task.left(), .stopped = stopped}};
    return {shrunk_or_kept<S>(scenario, verdict, shrinker), task.names};
  }

  /// Shrinks with one child for all judgements. If one of them ends it (a smaller scenario may crash although the given
  /// one merely differs), the result is nullopt, and the scenario becomes the smallest one that failed before.
  static std::optional<FindingText> shrunk_in_one_child(Scenario<S>& scenario, const Verdict& verdict, const Task& task,
                                                        const Patience& patience) {
    const std::string signature = signature_of(verdict);
    const SharedStats stats = share_stats();
    const SharedScenarios best = share_scenarios();
    const auto shrink_here = [&] {
      Judge<S> judge{task.suspects, &stats->progress};
      Bytes bytes;
      const auto judge_and_store = [&](const Scenario<S>& candidate) {
        stats->scenarios.fetch_add(1);
        Verdict again = judge.judge(candidate);
        if (again.divergence && again.divergence->signature() == signature) {
          encode<S>(candidate, bytes);
          best->store(bytes);
        }
        return again;
      };
      const auto stopped = [&] { return stats->stop.load() != 0; };
      return to_json(
          finding_text_of<S>(shrunk_by(judge_and_store, scenario, verdict, task, stopped), scenario.actions.size()));
    };
    const auto result =
        run_in_child(shrink_here, std::max<std::chrono::milliseconds>(std::chrono::seconds{1}, patience.timeout()),
                     ChildProcess::quiet(), [&] {
                       if (task.stopped && task.stopped()) stats->stop.store(1);
                       return heartbeat_of(*stats);
                     });
    if (result.end == ChildResult::End::returned) return finding_from(result.output);
    for (const auto& bytes : best->recent(1)) scenario = decode<S>(bytes);
    return std::nullopt;
  }

  /// The finding that a scenario shrinks to; nullopt if it does not fail.
  static std::optional<FindingText> shrunk(const Scenario<S>& failing, Checks checks, const Task& task,
                                           Patience patience) {
    Scenario<S> scenario = failing;
    const GuardedVerdict first = guarded_verdict<S>(task.suspects, scenario, patience, checks);
    const Verdict& verdict = first.verdict;
    if (verdict.agreed()) return std::nullopt;
    if (!verdict.divergence && verdict.wavers.empty()) throw InternalError{verdict.reason};
    const std::size_t actions_before = scenario.actions.size();
    if (task.known.contains(signature_of(verdict))) {
      return finding_text_of<S>({{.scenario = scenario, .divergence = *verdict.divergence}, task.names},
                                actions_before);
    }
    if (!first.died && checks == Checks::usual) {
      if (auto finding = shrunk_in_one_child(scenario, verdict, task, patience)) return finding;
    } else if (verdict.divergence) {
      scenario.actions.resize(std::min(scenario.actions.size(), verdict.divergence->step));
    }
    const Finding<S> finding = shrunk_by(
        [&](const Scenario<S>& candidate) { return guarded_verdict<S>(task.suspects, candidate, patience).verdict; },
        scenario, verdict, task, task.stopped);
    const Divergence& divergence = finding.shrunk.divergence;
    if (divergence.kind == DivergenceKind::hang && patience.timeout() < task.guard.timeout &&
        guarded_judge<S>(task.suspects, finding.shrunk.scenario, task.guard).divergence.value_or(Divergence{}).kind !=
            DivergenceKind::hang) {
      return shrunk(failing, checks, task, Patience{task.guard});  // it is slow, but no hang
    }
    return finding_text_of<S>(finding, actions_before);
  }

  /// Which of these scenarios lets the last one fail in the same process, as a sentence.
  static std::string cause_among(std::span<const Scenario<S>> scenarios, const Task& task, Patience& patience) {
    for (std::size_t i = scenarios.size() - 1; i-- > 0 && task.left() > std::chrono::milliseconds{0};) {
      const std::array pair{scenarios[i], scenarios.back()};
      const IndexedVerdict judged =
          judged_in_child<S>(task.suspects, std::span<const Scenario<S>>{pair}, Checks::usual, patience);
      if (judged.verdict.divergence && judged.index == 1) {
        return "alone the scenario does not fail, but in a process that has judged this one before:\n" +
               indented(scenario_text<S>(scenarios[i]), "  ");
      }
    }
    return "alone the scenario does not fail, but in a process that has judged the " +
           std::to_string(scenarios.size() - 1) + " before it";
  }

  static FindingText unstable(const Scenario<S>& scenario, Divergence divergence, const std::vector<std::string>& names,
                              std::string explanation) {
    if (explanation.ends_with('\n')) explanation.pop_back();
    return finding_text_of<S>({.shrunk = {.scenario = scenario, .divergence = std::move(divergence), .judgements = 1},
                               .implementations = names,
                               .unstable = std::move(explanation)},
                              scenario.actions.size());
  }

  /// The implementation that supplies positions to the shrinker: the reference, unless the reference itself dies.
  /// Plugins are unsuitable: they have no positions of the system's types.
  static AnyImplementation<S> guide(const Suspects& suspects, const Verdict& verdict) {
    const auto& reference = reference_of<S>();
    if (!verdict.divergence || !dies(*verdict.divergence) || verdict.divergence->blamed != reference.name) {
      return reference;
    }
    const auto other = std::ranges::find_if(
        suspects, [&](const auto& each) { return each.name != reference.name && each.kind != Kind::plugin; });
    return other != suspects.end() ? *other : fastest_of<S>();
  }

  /// Whether the failure vanishes if the position before it is given as a setup.
  static bool hides_state(const Scenario<S>& scenario, const Divergence& divergence, const Suspects& suspects,
                          Guard guard) {
    if (divergence.step < 2 || dies(divergence)) return false;
    if constexpr (can_restate<S>) {
      Scenario<S> until = scenario;
      until.actions.resize(divergence.step);
      const Verdict again = guarded_judge<S>(suspects, restated<S>(until, 1, reference_of<S>()), guard);
      return !again.divergence || again.divergence->signature() != divergence.signature();
    }
    return false;
  }
};

}  // namespace lockstep
