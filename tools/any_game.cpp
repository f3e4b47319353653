// Compiled once per game: everything that the verbs ask of a game, with its types.
#include "tools/any_game.hpp"

#include LOCKSTEP_SYSTEM

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/report.hpp"
#include "tools/guard.hpp"
#include "tools/side_by_side.hpp"
#include "tools/verdict_json.hpp"

namespace lockstep {
namespace {

using G = SystemGame;

std::vector<AnySimulator<G>> chosen(const std::vector<std::string>& names) {
  std::vector<AnySimulator<G>> out;
  for (const auto& name : names) out.push_back(*std::ranges::find(roster<G>(), name, &AnySimulator<G>::name));
  return out;
}

AnySimulator<G> reference() { return *std::ranges::find(roster<G>(), Kind::reference, &AnySimulator<G>::kind); }

/// Judges in a child. The child tells through shared memory which simulator was at which action.
Verdict guarded_judge(const std::vector<AnySimulator<G>>& simulators, const Scenario<G>& scenario, Guard guard) {
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        Judge<G> judge{simulators, &stats->progress};
        return to_json(judge.judge(scenario));
      },
      guard.timeout, true);
  if (result.end == ChildResult::End::returned) return verdict_from(result.output);
  if (result.end == ChildResult::End::not_started) return {Verdict::State::cannot_judge, {}, result.reason};
  Divergence d;
  d.kind = result.end == ChildResult::End::died ? DivergenceKind::crash : DivergenceKind::hang;
  d.game = G::name;
  d.blamed = simulators[std::min<std::size_t>(stats->progress.simulator, simulators.size() - 1)].name;
  d.step = std::min<std::size_t>(stats->progress.step + std::size_t{1}, scenario.actions.size());
  d.action = d.step == 0 ? "setup" : std::string{action_name(scenario.actions[d.step - 1])};
  d.field = result.kind;
  d.actual = result.reason;
  return {Verdict::State::diverged, std::move(d), {}};
}

FindingText finding_of(const Shrunk<G>& shrunk, const std::vector<std::string>& names, std::size_t actions_before) {
  const Finding<G> finding{shrunk, names};
  return {.signature = finding.signature(),
          .file_name = finding.file_name(),
          .text = finding_text<G>(finding),
          .explanation = describe_divergence<G>(shrunk.scenario, shrunk.divergence),
          .minimal = shrunk.minimal,
          .hidden_state = shrunk.hidden_state,
          .actions_before = actions_before,
          .actions = shrunk.scenario.actions.size(),
          .judgements = shrunk.judgements};
}

Style style_of(std::uint64_t index, std::span<const Style> from) { return from[index % from.size()]; }

Scenario<G> scenario_at(std::uint64_t seed, std::uint64_t index, std::span<const Style> from) {
  Random random{seed_of(seed, index)};
  return draw_scenario<G>(random, style_of(index, from));
}

/// A template, so that a game without a judge format needs none.
template <class Judged>
Parsed<std::string> answer_of(std::string_view input, const AnySimulator<Judged>& simulator) {
  if constexpr (requires { typename Judged::JudgeFormat; }) {
    const auto cases = Judged::JudgeFormat::read(input);
    if (!cases) return std::unexpected(cases.error());
    std::string out;
    Trace<Judged> trace;
    for (const auto& one : *cases) {
      simulator.trace(one.scenario, Cadence{}, trace);
      const auto printed = Judged::JudgeFormat::print(one, trace.observations);
      if (!printed) return std::unexpected(printed.error());
      out += *printed;
      if (!out.empty() && out.back() != '\n') out += '\n';
    }
    return out;
  } else {
    return text_error(0, 0, std::string{Judged::name} + " has no judge format");
  }
}

class GameOf final : public AnyGame {
 public:
  std::string_view name() const override { return G::name; }

  std::vector<SimulatorInfo> simulators() const override {
    std::vector<SimulatorInfo> out;
    for (const auto& s : roster<G>()) out.push_back({std::string{s.name}, s.kind, std::string{s.about}});
    return out;
  }

  std::vector<std::string_view> feature_names() const override { return {G::features.begin(), G::features.end()}; }

  Parsed<std::string> canonical(std::string_view text) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return scenario_text<G>(*scenario);
  }

  Parsed<Bytes> pack(std::string_view text) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return encode<G>(*scenario);
  }

  std::string unpack(std::span<const std::uint8_t> bytes) const override {
    return scenario_text<G>(decode<G>(bytes));
  }

  Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard guard) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    Replay out{names, scenario->actions.size(), guarded_judge(chosen(names), *scenario, guard), {}};
    if (out.verdict.divergence) out.explanation = describe_divergence<G>(*scenario, *out.verdict.divergence);
    else out.explanation = out.verdict.reason;
    return out;
  }

  Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names,
                           const ShowOptions& options) const override;

  Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                            std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = chosen(names);
    const Verdict verdict = guarded_judge(suspects, *scenario, guard);
    if (!verdict.divergence) return std::nullopt;
    // A child for every judgement is needed only by those that crash or hang.
    const bool dies = verdict.divergence->kind == DivergenceKind::crash ||
                      verdict.divergence->kind == DivergenceKind::hang;
    Judge<G> judge{suspects};
    Shrinker<G> shrinker{[&](const Scenario<G>& candidate) {
                           return dies ? guarded_judge(suspects, candidate, guard) : judge.judge(candidate);
                         },
                         reference(), {.time = time}};
    return finding_of(shrinker.shrink(*scenario), names, scenario->actions.size());
  }

  Parsed<std::string> answer(std::string_view input, const std::string& simulator) const override {
    return answer_of<G>(input, chosen({simulator})[0]);
  }

  void work(const StreamPart& part, const std::vector<std::string>& names, CampaignStats& stats,
            const std::function<void(const FindingText&)>& report) const override {
    Judge<G> judge{chosen(names), &stats.progress};
    std::set<std::string> known;  // signatures before shrinking, so that one bug is shrunk once
    for (std::uint64_t i = part.first; i < part.end; i += part.stride) {
      if (stats.stop.load(std::memory_order_relaxed) != 0 || std::chrono::steady_clock::now() >= part.deadline) return;
      stats.current.store(i + 1);
      const Scenario<G> scenario = scenario_at(part.seed, i, part.styles);
      const Verdict verdict = judge.judge(scenario);
      stats.scenarios.fetch_add(1, std::memory_order_relaxed);
      stats.steps.fetch_add(scenario.actions.size(), std::memory_order_relaxed);
      mark_features<G>(scenario, judge.trace(), [&](std::size_t feature) { stats.mark(feature); });
      if (!verdict.divergence || !known.insert(verdict.divergence->signature()).second) continue;
      Shrinker<G> shrinker{[&](const Scenario<G>& candidate) { return judge.judge(candidate); }, reference(),
                           {.time = part.shrink_time}};
      report(finding_of(shrinker.shrink(scenario), names, scenario.actions.size()));
      if (!part.keep_going) return;
    }
  }

  std::string drawn(std::uint64_t seed, std::uint64_t index, std::span<const Style> from) const override {
    return scenario_text<G>(scenario_at(seed, index, from));
  }
};

Parsed<std::string> GameOf::show(std::string_view text, const std::vector<std::string>& names,
                                 const ShowOptions& options) const {
  const auto scenario = parse_scenario<G>(text);
  if (!scenario) return std::unexpected(scenario.error());
  const std::size_t total = scenario->actions.size();
  const Verdict verdict = guarded_judge(chosen(names), *scenario, Guard{});
  const std::size_t differs_at = verdict.divergence ? verdict.divergence->step : total;
  const std::size_t step = options.step.value_or(differs_at);
  if (step > total) {
    return text_error(0, 0, fmt::format("there are {} actions: --step must be from 0 to {}", total, total));
  }
  const bool dies = verdict.divergence && (verdict.divergence->kind == DivergenceKind::crash ||
                                           verdict.divergence->kind == DivergenceKind::hang);
  Scenario<G> prefix = *scenario;
  prefix.actions.resize(step);
  std::string out = fmt::format("{}, after {} of {} actions", G::name, step, total);
  if (step > 0) out += fmt::format(" (the last: {})", action_text<G>(prefix.setup, prefix.actions.back()));
  out += "\n\n";
  std::vector<Panel> panels;
  Trace<G> trace;
  for (const auto& simulator : chosen(names)) {
    if (dies && simulator.name == verdict.divergence->blamed && step >= differs_at) {
      panels.push_back({std::string{simulator.name}, verdict.divergence->actual + "\n", {}});
      continue;
    }
    simulator.trace(prefix, Cadence{}, trace);
    if (panels.empty() && step > 0) {
      panels.push_back({"before", snapshot_text<G>(trace.snapshots[trace.snapshots.size() - 2]), {}});
    }
    const std::string answer = step == 0 ? "" : observation_text<G>(trace.observations.back());
    panels.push_back({std::string{simulator.name}, snapshot_text<G>(trace.snapshots.back()), answer});
  }
  out += side_by_side(panels, step > 0 ? 1 : 0, options.colour);
  if (verdict.divergence) {
    out += "\n" + describe_divergence<G>(*scenario, *verdict.divergence) + "\n";
  } else {
    out += fmt::format("\nall {} simulators agree on all {} actions\n", names.size(), total);
  }
  return out;
}

}  // namespace

std::unique_ptr<AnyGame> LOCKSTEP_MAKE_GAME();
std::unique_ptr<AnyGame> LOCKSTEP_MAKE_GAME() { return std::make_unique<GameOf>(); }

}  // namespace lockstep
