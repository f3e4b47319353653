// The judging service as a template over a system.
#pragma once

#include <optional>
#include <utility>

#include "lockstep/child.hpp"
#include "lockstep/reduce.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/guarded.hpp"
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
    if (!out.verdict.divergence) {
      out.explanation = out.verdict.reason;
      return out;
    }
    out.explanation = describe_divergence<S>(*scenario, *out.verdict.divergence);
    out.hidden_state = hides_state(*scenario, *out.verdict.divergence, suspects, guard);
    return out;
  }

  Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names, const ShowOptions& options,
                           Guard guard) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = implementations_named<S>(names);
    const Verdict verdict = guarded_judge<S>(suspects, *scenario, guard);
    const auto shown = shown_position(verdict, scenario->actions.size(), options);
    if (!shown) return std::unexpected(shown.error());
    Scenario<S> prefix = *scenario;
    prefix.actions.resize(shown->step);
    std::vector<DrawnBy> drawn;
    for (const auto& implementation : suspects) {
      const bool died = implementation.name == shown->dead;
      drawn.push_back(
          {std::string{implementation.name},
           died ? Drawn{{}, verdict.divergence->actual + "\n", {}}
                : draw_in_child([&](auto& in_flight) { return draw<S>(implementation, prefix, in_flight); }, guard)});
    }
    const std::string last =
        shown->step == 0 ? "" : action_text<S>(past_of<S>(prefix, prefix.actions.size() - 1), prefix.actions.back());
    const std::string difference =
        verdict.divergence ? describe_divergence<S>(*scenario, *verdict.divergence) : std::string{};
    return show_text(S::name, *shown, last, drawn, difference, options.colour);
  }

  Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                            std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = implementations_named<S>(names);
    const Verdict verdict = guarded_judge<S>(suspects, *scenario, guard);
    if (verdict.agreed()) return std::nullopt;
    const auto shrunk_by = [&](const typename Shrinker<S>::JudgeFunction& judge) {
      Shrinker<S> shrinker{judge, guide(suspects, verdict), {.time = time}};
      return finding_text_of<S>({shrunk_or_kept<S>(*scenario, verdict, shrinker), names}, scenario->actions.size());
    };
    // One child runs all judgements. If it dies, each judgement runs in a child of its own: a smaller scenario may
    // crash although the given one merely differs.
    if (!verdict.divergence || !dies(*verdict.divergence)) {
      const auto result = run_in_child(
          [&] {
            Judge<S> judge{suspects};
            return to_json(shrunk_by([&](const Scenario<S>& candidate) { return judge.judge(candidate); }));
          },
          time + guard.timeout);
      if (result.end == ChildResult::End::returned) return finding_from(result.output);
    }
    return shrunk_by([&](const Scenario<S>& candidate) { return guarded_judge<S>(suspects, candidate, guard); });
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
