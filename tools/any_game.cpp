// Compiled once per game: everything that the verbs ask of a game, with its types.
#include "tools/any_game.hpp"

#include LOCKSTEP_SYSTEM

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/files.hpp"
#include "harness/labelling.hpp"
#include "harness/plugin.hpp"
#include "harness/report.hpp"
#include "harness/words.hpp"
#include "tools/exchange.hpp"
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

bool dies(const Divergence& d) { return d.kind == DivergenceKind::crash || d.kind == DivergenceKind::hang; }

/// Who plays where nobody is judged: the fastest, which is the optimized one that enlisted last.
AnySimulator<G> fastest() {
  AnySimulator<G> out = reference();
  for (const auto& simulator : roster<G>()) {
    if (simulator.kind == Kind::optimized) out = simulator;
  }
  return out;
}

/// Who is asked for positions: the reference, unless it is the one that dies. Plugins have no positions of ours.
AnySimulator<G> guide(const std::vector<AnySimulator<G>>& suspects, const Verdict& verdict) {
  if (!verdict.divergence || !dies(*verdict.divergence) || verdict.divergence->blamed != reference().name) {
    return reference();
  }
  const auto other = std::ranges::find_if(suspects, [](const AnySimulator<G>& s) {
    return s.name != reference().name && s.kind != Kind::plugin;
  });
  return other != suspects.end() ? *other : fastest();
}

/// Judges in a child. The child tells through shared memory which simulator was at which action.
Verdict guarded_judge(const std::vector<AnySimulator<G>>& simulators, const Scenario<G>& scenario, Guard guard) {
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        Judge<G> judge{simulators, &stats->progress};
        return to_json(judge.judge(scenario));
      },
      guard.timeout, true,
      [&] { return std::uint64_t{stats->progress.simulator} << 32 | std::uint64_t{stats->progress.step}; });
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

/// What a judge that saw a difference once, and not again, saw.
Divergence unsteady(const Scenario<G>& scenario, const Verdict& verdict) {
  Divergence d;
  d.kind = DivergenceKind::invariant;
  d.game = G::name;
  d.blamed = "all";
  d.step = scenario.actions.size();
  d.action = d.step == 0 ? "setup" : std::string{action_name(scenario.actions.back())};
  d.field = verdict.reason;
  return d;
}

/// Shrinks what the judge refused to call agreement. What cannot be met a second time is kept as it was met.
Shrunk<G> shrunk_from(const Scenario<G>& scenario, const Verdict& verdict, Shrinker<G>& shrinker) {
  if (!verdict.divergence) return {.scenario = scenario, .divergence = unsteady(scenario, verdict)};
  Shrunk<G> shrunk = shrinker.shrink(scenario);
  if (shrunk.divergence.game.empty()) shrunk = {.scenario = scenario, .divergence = *verdict.divergence};
  return shrunk;
}

/// Whether the failure vanishes when the position before it is given as a setup.
bool hides_state(const Scenario<G>& scenario, const Divergence& divergence, const std::vector<std::string>& names,
                 Guard guard) {
  if (divergence.step < 2 || dies(divergence)) return false;
  Scenario<G> until = scenario;
  until.actions.resize(divergence.step);
  const Verdict again = guarded_judge(chosen(names), restated<G>(until, 1, reference()), guard);
  return !again.divergence || again.divergence->signature() != divergence.signature();
}

/// What a simulator shows after a scenario: before its last action, after it, and the answer to it.
struct Drawn {
  std::string before;
  std::string after;
  std::string answer;
};

Drawn draw(const AnySimulator<G>& simulator, const Scenario<G>& scenario, volatile std::uint32_t& under_way) {
  const std::size_t total = scenario.actions.size();
  if (const auto* const plugin = known_plugin(simulator.name)) {
    const LastWords words = last_words(*plugin->simulator, scenario_text<G>(scenario), total, under_way);
    return {{}, picture_of(words.snapshot), line_of(words.observation)};
  }
  Trace<G> trace;
  trace.progress = &under_way;
  simulator.trace(scenario, Cadence{}, trace);
  const std::string after = snapshot_text<G>(trace.snapshots.back());
  if (total == 0) return {{}, after, {}};
  return {snapshot_text<G>(trace.snapshots[trace.snapshots.size() - 2]), after, observation_text<G>(trace.observations.back())};
}

/// The same in a child; of one that dies or hangs there the reason stands where its position would.
Drawn guarded_draw(const AnySimulator<G>& simulator, const Scenario<G>& scenario, Guard guard) {
  constexpr char end = '\0';  // of each of the texts, in which there is none
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        const Drawn drawn = draw(simulator, scenario, stats->progress.step);
        return drawn.before + end + drawn.after + end + drawn.answer;
      },
      guard.timeout, true, [&] { return std::uint64_t{stats->progress.step}; });
  if (result.end != ChildResult::End::returned) return {{}, result.reason + "\n", {}};
  const std::size_t first = result.output.find(end);
  const std::size_t second = result.output.find(end, first + 1);
  return {result.output.substr(0, first), result.output.substr(first + 1, second - first - 1), result.output.substr(second + 1)};
}

/// A drawn scenario with this many actions, none of them called `without`.
Scenario<G> scenario_of_length(Random& random, Style style, const ShrinkTimesOptions& options) {
  Scenario<G> scenario = draw_scenario<G>(random, style);
  const auto unwanted = [&](const G::Action& action) { return action_name(action) == options.without; };
  std::erase_if(scenario.actions, unwanted);
  if (scenario.actions.size() > options.actions) scenario.actions.resize(options.actions);
  while (scenario.actions.size() < options.actions) {
    const auto action = draw_action<G>(random, scenario.setup);
    if (!unwanted(action)) scenario.actions.push_back(action);
  }
  return scenario;
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

/// The corpus' scenarios, the smallest first. A broken file is the replay test's business, not a reason to
/// stop a search.
std::vector<Scenario<G>> corpus_of(const std::filesystem::path& corpus) {
  if (corpus.empty()) return {};
  std::multimap<std::uint64_t, Scenario<G>> by_cost;
  std::error_code none;
  std::set<std::filesystem::path> files;  // sorted: the order of a folder is nobody's
  for (const auto& entry : std::filesystem::directory_iterator{corpus / G::name, none}) {
    if (entry.path().extension() == ".txt") files.insert(entry.path());
  }
  for (const auto& file : files) {
    const auto text = read_file(file);
    if (!text) continue;
    if (auto scenario = parse_scenario<G>(*text)) by_cost.emplace(cost_of<G>(*scenario), std::move(*scenario));
  }
  std::vector<Scenario<G>> out;
  for (auto& [cost, scenario] : by_cost) out.push_back(std::move(scenario));
  return out;
}

std::vector<Scenario<G>> scenarios_of(const std::vector<std::string>& texts) {
  std::vector<Scenario<G>> out;
  for (const auto& text : texts) {
    if (auto scenario = parse_scenario<G>(text)) out.push_back(std::move(*scenario));
  }
  return out;
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

/// Likewise.
template <class Judged>
Parsed<std::vector<std::string>> cases_of_input(std::string_view input) {
  if constexpr (requires { typename Judged::JudgeFormat; }) {
    const auto cases = Judged::JudgeFormat::read(input);
    if (!cases) return std::unexpected(cases.error());
    std::vector<std::string> out;
    for (const auto& one : *cases) out.push_back(scenario_text<Judged>(one.scenario));
    return out;
  } else {
    return text_error(0, 0, std::string{Judged::name} + " has no judge format");
  }
}

class GameOf final : public AnyGame {
 public:
  /// Throws std::logic_error when two simulators bear one name: whoever names it would get the other one.
  GameOf() {
    std::map<std::string_view, std::string_view> abouts;
    for (const auto& s : roster<G>()) {
      const auto [known, is_new] = abouts.emplace(s.name, s.about);
      if (is_new) continue;
      throw std::logic_error{fmt::format("two simulators of {} are called '{}' ({}; {}): give one of them another name", G::name,
                                 s.name, known->second, s.about)};
    }
  }

  std::string_view name() const override { return G::name; }

  std::vector<SimulatorInfo> simulators() const override {
    std::vector<SimulatorInfo> out;
    for (const auto& s : roster<G>()) out.push_back({std::string{s.name}, s.kind, std::string{s.about}});
    return out;
  }

  std::expected<std::vector<std::string>, std::string> load(const std::string& plugin) const override {
    return enlist_plugin<G>(plugin);
  }

  std::vector<Feature> features() const override { return empty_labels<G>().features; }

  Parsed<std::string> canonical(std::string_view text) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return scenario_text<G>(*scenario);
  }

  Parsed<Size> size(std::string_view text) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return size_of<G>(*scenario);
  }

  Parsed<Bytes> pack(std::string_view text) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return encode<G>(*scenario);
  }

  Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const override {
    const Scenario<G> scenario = decode<G>(bytes);
    if (scenario.actions.size() > text_actions_max) {
      return text_error(
          0, 0,
          fmt::format("these bytes hold {} actions, a text at most {}", scenario.actions.size(), text_actions_max));
    }
    return scenario_text<G>(scenario);
  }

  Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard guard) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    Replay out{names, scenario->actions.size(), guarded_judge(chosen(names), *scenario, guard), {}};
    if (!out.verdict.divergence) {
      out.explanation = out.verdict.reason;
      return out;
    }
    out.explanation = describe_divergence<G>(*scenario, *out.verdict.divergence);
    out.hidden_state = hides_state(*scenario, *out.verdict.divergence, names, guard);
    return out;
  }

  Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names,
                           const ShowOptions& options, Guard guard) const override;

  Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                            std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = chosen(names);
    const Verdict verdict = guarded_judge(suspects, *scenario, guard);
    if (verdict.agreed()) return std::nullopt;
    const auto shrunk_by = [&](const typename Shrinker<G>::JudgeFunction& judge) {
      Shrinker<G> shrinker{judge, guide(suspects, verdict), {.time = time}};
      return finding_of(shrunk_from(*scenario, verdict, shrinker), names, scenario->actions.size());
    };
    // One child for all judgements, and one for each only when that one dies: a smaller scenario may crash where
    // the given one merely differed.
    if (!verdict.divergence || !dies(*verdict.divergence)) {
      const auto result = run_in_child(
          [&] {
            Judge<G> judge{suspects};
            return to_json(shrunk_by([&](const Scenario<G>& candidate) { return judge.judge(candidate); }));
          },
          time + guard.timeout, true);
      if (result.end == ChildResult::End::returned) return finding_from(result.output);
    }
    return shrunk_by([&](const Scenario<G>& candidate) { return guarded_judge(suspects, candidate, guard); });
  }

  ShrinkTimes time_shrinking(const std::string& simulator, const ShrinkTimesOptions& options) const override {
    ShrinkTimes out{simulator, {}};
    Judge<G> judge{{reference(), chosen({simulator})[0]}};
    for (std::uint64_t i = 0; i < options.tries_max && std::ssize(out.runs) < options.failures; ++i) {
      Random random{seed_of(options.seed, i)};
      const Scenario<G> failing = scenario_of_length(random, styles[i % styles.size()], options);
      if (size_of<G>(failing).area > options.area_max) continue;
      const Verdict verdict = judge.judge(failing);
      if (!verdict.divergence) continue;
      Shrinker<G> shrinker{[&](const Scenario<G>& s) { return judge.judge(s); }, reference(), {.time = options.time}};
      const std::clock_t start = std::clock();
      const Shrunk<G> shrunk = shrinker.shrink(failing);
      const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      out.runs.push_back({verdict.divergence->step, shrunk.scenario.actions.size(), shrunk.judgements, taken,
                          shrunk.minimal});
    }
    return out;
  }

  Parsed<std::optional<Explanation>> explain(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                             std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<G>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = chosen(names);
    const Verdict verdict = guarded_judge(suspects, *scenario, guard);
    if (!verdict.divergence) return std::nullopt;
    const auto explained_by = [&](const typename Explainer<G>::JudgeFunction& judge) {
      return Explainer<G>{judge, time}.explain(*scenario);
    };
    // As in shrink: a scenario that was changed a little may crash where the given one merely differed.
    if (!dies(*verdict.divergence)) {
      const auto result = run_in_child(
          [&] {
            Judge<G> judge{suspects};
            const auto explanation = explained_by([&](const Scenario<G>& changed) { return judge.judge(changed); });
            return explanation ? to_json(*explanation) : std::string{};
          },
          time + guard.timeout, true);
      if (result.end == ChildResult::End::returned && !result.output.empty()) return explanation_from(result.output);
    }
    return explained_by([&](const Scenario<G>& changed) { return guarded_judge(suspects, changed, guard); });
  }

  Parsed<std::vector<std::string>> cases_of(std::string_view input) const override {
    return cases_of_input<G>(input);
  }

  Parsed<std::string> answer(std::string_view input, const std::string& simulator) const override {
    return answer_of<G>(input, chosen({simulator})[0]);
  }

  void work(const StreamPart& part, const std::vector<std::string>& names, CampaignStats& stats,
            ScenarioUnderWay& under_way, const std::function<void(const FindingText&)>& report) const override {
    using Clock = std::chrono::steady_clock;
    static_assert(ways.size() <= ways_max);
    Judge<G> judge{chosen(names), &stats.progress};
    Portfolio<G> portfolio{part.ways, corpus_of(part.corpus)};
    Exchange exchange{part.exchange};
    std::set<std::string> known;  // signatures before shrinking, so that one bug is shrunk once
    Bytes bytes;
    Clock::time_point now = Clock::now();
    for (std::uint64_t i = part.first; i < part.end; i += part.stride) {
      if (stats.stop.load(std::memory_order_relaxed) != 0 || now >= part.deadline) return;
      for (const auto& other : exchange.take()) portfolio.offer(decode<G>(other));
      const Scenario<G>& scenario = portfolio.next(seed_of(part.seed, i));
      encode<G>(scenario, bytes);
      const auto way = static_cast<std::size_t>(portfolio.way());
      under_way.store(bytes);
      stats.way_under_way.store(way);
      stats.current.store(i + 1);
      const Verdict verdict = judge.judge(scenario);
      const Clock::time_point started = std::exchange(now, Clock::now());
      stats.count(scenario.actions.size(), way, now - started);
      if (portfolio.learn(judge.trace())) exchange.leave(bytes);
      for (const std::size_t bucket : portfolio.buckets()) stats.mark(bucket, way);
      if (verdict.agreed()) continue;
      stats.note_divergence();
      const std::string signature = verdict.divergence ? verdict.divergence->signature() : verdict.reason;
      if (!known.insert(signature).second) continue;
      Shrinker<G> shrinker{[&](const Scenario<G>& candidate) { return judge.judge(candidate); }, reference(),
                           {.time = part.shrink_time}};
      FindingText finding = finding_of(shrunk_from(scenario, verdict, shrinker), names, scenario.actions.size());
      finding.engine = to_string(portfolio.way());
      report(finding);
      if (!part.keep_going) return;
      now = Clock::now();
    }
  }

  LabelTable labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const override {
    return count_labels<G>(fastest(), seed, runs, scenarios_of(corpus));
  }

  LabelFound find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                        const std::vector<std::string>& corpus) const override {
    LabelSearch<G> search{fastest(), feature, value};
    Scenario<G> found = search.climb(budget.seed, budget.tries_max, scenarios_of(corpus));
    const std::uint64_t distance = search.best_distance();
    if (distance == 0) found = search.shrunk(found, {.time = budget.shrink_time});
    return {scenario_text<G>(found, fmt::format("shows {} = {}", feature_name(G::features[feature]), value)), distance,
            search.tries()};
  }
};

Parsed<std::string> GameOf::show(std::string_view text, const std::vector<std::string>& names,
                                 const ShowOptions& options, Guard guard) const {
  const auto scenario = parse_scenario<G>(text);
  if (!scenario) return std::unexpected(scenario.error());
  const std::size_t total = scenario->actions.size();
  const Verdict verdict = guarded_judge(chosen(names), *scenario, guard);
  if (verdict.state == Verdict::State::cannot_judge || verdict.state == Verdict::State::gave_up) {
    throw std::runtime_error{"not judged: " + verdict.reason};
  }
  const std::size_t differs_at = verdict.divergence ? verdict.divergence->step : total;
  const std::size_t step = options.step.value_or(differs_at);
  if (step > total) {
    return text_error(0, 0, fmt::format("there {} {}: --step must be from 0 to {}", total == 1 ? "is" : "are",
                                        counted(total, "action"), total));
  }
  const bool died = verdict.divergence && dies(*verdict.divergence);
  Scenario<G> prefix = *scenario;
  prefix.actions.resize(step);
  std::string out = fmt::format("{}, after {} of {}", G::name, step, counted(total, "action"));
  if (step > 0) out += fmt::format(" (the last: {})", action_text<G>(prefix.setup, prefix.actions.back()));
  out += "\n\n";
  std::vector<Panel> panels;
  std::string before;
  for (const auto& simulator : chosen(names)) {
    Drawn drawn;
    if (died && simulator.name == verdict.divergence->blamed && step >= differs_at) drawn.after = verdict.divergence->actual + "\n";
    else drawn = guarded_draw(simulator, prefix, guard);
    if (before.empty()) before = drawn.before;
    panels.push_back({std::string{simulator.name}, drawn.after, drawn.answer});
  }
  if (!before.empty()) panels.insert(panels.begin(), {"before", before, {}});
  out += side_by_side(panels, before.empty() ? 0 : 1, options.colour);
  if (verdict.divergence) {
    out += "\n" + describe_divergence<G>(*scenario, *verdict.divergence) + "\n";
  } else {
    out += fmt::format("\nall {} agree on all {}\n", counted(names.size(), "simulator"), counted(total, "action"));
  }
  return out;
}

}  // namespace

std::unique_ptr<AnyGame> LOCKSTEP_MAKE_GAME();
std::unique_ptr<AnyGame> LOCKSTEP_MAKE_GAME() { return std::make_unique<GameOf>(); }

}  // namespace lockstep
