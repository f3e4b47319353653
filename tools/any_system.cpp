// Compiled once per system: everything that the verbs ask of a system, with its types.
#include "lockstep/any_system.hpp"

#include LOCKSTEP_SYSTEM

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "campaign/exchange.hpp"
#include "lockstep/child.hpp"
#include "lockstep/files.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/labelling.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/report.hpp"
#include "lockstep/words.hpp"
#include "tools/side_by_side.hpp"

namespace lockstep {
namespace {

using S = ThisSystem;

std::vector<AnyImplementation<S>> chosen(const std::vector<std::string>& names) {
  std::vector<AnyImplementation<S>> out;
  for (const auto& name : names) out.push_back(*std::ranges::find(registry<S>(), name, &AnyImplementation<S>::name));
  return out;
}

AnyImplementation<S> reference() {
  return *std::ranges::find(registry<S>(), Kind::reference, &AnyImplementation<S>::kind);
}

bool dies(const Divergence& d) { return d.kind == DivergenceKind::crash || d.kind == DivergenceKind::hang; }

/// Who plays where nobody is judged: the fastest, which is the optimized one that enlisted last.
AnyImplementation<S> fastest() {
  AnyImplementation<S> out = reference();
  for (const auto& implementation : registry<S>()) {
    if (implementation.kind == Kind::optimized) out = implementation;
  }
  return out;
}

/// Who is asked for positions: the reference, unless it is the one that dies. Plugins have no positions of ours.
AnyImplementation<S> guide(const std::vector<AnyImplementation<S>>& suspects, const Verdict& verdict) {
  if (!verdict.divergence || !dies(*verdict.divergence) || verdict.divergence->blamed != reference().name) {
    return reference();
  }
  const auto other = std::ranges::find_if(
      suspects, [](const AnyImplementation<S>& s) { return s.name != reference().name && s.kind != Kind::plugin; });
  return other != suspects.end() ? *other : fastest();
}

/// Judges in a child. The child tells through shared memory which implementation was at which action.
Verdict guarded_judge(const std::vector<AnyImplementation<S>>& implementations, const Scenario<S>& scenario,
                      Guard guard) {
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        Judge<S> judge{implementations, &stats->progress};
        return to_json(judge.judge(scenario));
      },
      guard.timeout, ChildProcess::quiet(),
      [&] { return std::uint64_t{stats->progress.implementation} << 32 | std::uint64_t{stats->progress.step}; });
  if (result.end == ChildResult::End::returned) return verdict_from(result.output);
  if (result.end == ChildResult::End::not_started) return {Verdict::State::cannot_judge, {}, result.reason};
  Divergence d;
  d.kind = result.end == ChildResult::End::died ? DivergenceKind::crash : DivergenceKind::hang;
  d.system = S::name;
  d.blamed = implementations[std::min<std::size_t>(stats->progress.implementation, implementations.size() - 1)].name;
  d.step = std::min<std::size_t>(stats->progress.step + std::size_t{1}, scenario.actions.size());
  d.action = d.step == 0 ? "setup" : std::string{action_name(scenario.actions[d.step - 1])};
  d.field = result.kind;
  d.actual = result.reason;
  return {Verdict::State::diverged, std::move(d), {}};
}

/// What a judge that saw a difference once, and not again, saw.
Divergence unsteady(const Scenario<S>& scenario, const Verdict& verdict) {
  Divergence d;
  d.kind = DivergenceKind::invariant;
  d.system = S::name;
  d.blamed = "all";
  d.step = scenario.actions.size();
  d.action = d.step == 0 ? "setup" : std::string{action_name(scenario.actions.back())};
  d.field = verdict.reason;
  return d;
}

/// Shrinks what the judge refused to call agreement. What cannot be met a second time is kept as it was met.
Shrunk<S> shrunk_from(const Scenario<S>& scenario, const Verdict& verdict, Shrinker<S>& shrinker) {
  if (!verdict.divergence) return {.scenario = scenario, .divergence = unsteady(scenario, verdict)};
  Shrunk<S> shrunk = shrinker.shrink(scenario);
  if (shrunk.divergence.system.empty()) shrunk = {.scenario = scenario, .divergence = *verdict.divergence};
  return shrunk;
}

/// Whether the failure vanishes when the position before it is given as a setup.
bool hides_state(const Scenario<S>& scenario, const Divergence& divergence, const std::vector<std::string>& names,
                 Guard guard) {
  if (divergence.step < 2 || dies(divergence)) return false;
  Scenario<S> until = scenario;
  until.actions.resize(divergence.step);
  const Verdict again = guarded_judge(chosen(names), restated<S>(until, 1, reference()), guard);
  return !again.divergence || again.divergence->signature() != divergence.signature();
}

/// What an implementation shows after a scenario: before its last action, after it, and the answer to it.
struct Drawn {
  std::string before;
  std::string after;
  std::string answer;
};

Drawn draw(const AnyImplementation<S>& implementation, const Scenario<S>& scenario, volatile std::uint32_t& in_flight) {
  const std::size_t total = scenario.actions.size();
  if (const auto* const plugin = known_plugin(implementation.name)) {
    const LastWords words = last_words(*plugin->implementation, scenario_text<S>(scenario), total, in_flight);
    return {{}, picture_of(words.snapshot), line_of(words.observation)};
  }
  Trace<S> trace;
  trace.progress = &in_flight;
  implementation.trace(scenario, Cadence{}, trace);
  const std::string after = snapshot_text<S>(trace.snapshots.back());
  if (total == 0) return {{}, after, {}};
  return {snapshot_text<S>(trace.snapshots[trace.snapshots.size() - 2]), after,
          observation_text<S>(trace.observations.back())};
}

/// The same in a child; of one that dies or hangs there the reason stands where its position would.
Drawn guarded_draw(const AnyImplementation<S>& implementation, const Scenario<S>& scenario, Guard guard) {
  constexpr char end = '\0';  // of each of the texts, in which there is none
  const SharedStats stats = share_stats();
  const auto result = run_in_child(
      [&] {
        const Drawn drawn = draw(implementation, scenario, stats->progress.step);
        return drawn.before + end + drawn.after + end + drawn.answer;
      },
      guard.timeout, ChildProcess::quiet(), [&] { return std::uint64_t{stats->progress.step}; });
  if (result.end != ChildResult::End::returned) return {{}, result.reason + "\n", {}};
  const std::size_t first = result.output.find(end);
  const std::size_t second = result.output.find(end, first + 1);
  return {result.output.substr(0, first), result.output.substr(first + 1, second - first - 1),
          result.output.substr(second + 1)};
}

/// The corpus' scenarios, the smallest first. A broken file is the replay test's business, not a reason to
/// stop a search.
std::vector<Scenario<S>> corpus_of(const std::filesystem::path& corpus) {
  if (corpus.empty()) return {};
  std::multimap<std::uint64_t, Scenario<S>> by_cost;
  std::error_code none;
  std::set<std::filesystem::path> files;  // sorted: the order of a folder is nobody's
  for (const auto& entry : std::filesystem::directory_iterator{corpus / S::name, none}) {
    if (entry.path().extension() == ".txt") files.insert(entry.path());
  }
  for (const auto& file : files) {
    const auto text = read_file(file);
    if (!text) continue;
    if (auto scenario = parse_scenario<S>(*text)) by_cost.emplace(cost_of<S>(*scenario), std::move(*scenario));
  }
  std::vector<Scenario<S>> out;
  for (auto& [cost, scenario] : by_cost) out.push_back(std::move(scenario));
  return out;
}

std::vector<Scenario<S>> scenarios_of(const std::vector<std::string>& texts) {
  std::vector<Scenario<S>> out;
  for (const auto& text : texts) {
    if (auto scenario = parse_scenario<S>(text)) out.push_back(std::move(*scenario));
  }
  return out;
}

/// A template, so that a system without a judge format needs none.
template <class Judged>
Parsed<std::string> answer_of(std::string_view input, const AnyImplementation<Judged>& implementation) {
  if constexpr (requires { typename Judged::ProblemFormat; }) {
    const auto cases = Judged::ProblemFormat::read(input);
    if (!cases) return std::unexpected(cases.error());
    std::string out;
    Trace<Judged> trace;
    for (const auto& one : *cases) {
      implementation.trace(one.scenario, Cadence{}, trace);
      const auto printed = Judged::ProblemFormat::print(one, trace.observations);
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
  if constexpr (requires { typename Judged::ProblemFormat; }) {
    const auto cases = Judged::ProblemFormat::read(input);
    if (!cases) return std::unexpected(cases.error());
    std::vector<std::string> out;
    for (const auto& one : *cases) out.push_back(scenario_text<Judged>(one.scenario));
    return out;
  } else {
    return text_error(0, 0, std::string{Judged::name} + " has no judge format");
  }
}

class SystemOf final : public AnySystem {
 public:
  /// Throws std::logic_error when two implementations bear one name: whoever names it would get the other one.
  SystemOf() {
    std::map<std::string_view, std::string_view> abouts;
    for (const auto& s : registry<S>()) {
      const auto [known, is_new] = abouts.emplace(s.name, s.about);
      if (is_new) continue;
      throw std::logic_error{
          fmt::format("two implementations of {} are called '{}' ({}; {}): give one of them another name", S::name,
                      s.name, known->second, s.about)};
    }
  }

  std::string_view name() const override { return S::name; }

  std::vector<ImplementationInfo> implementations() const override {
    std::vector<ImplementationInfo> out;
    for (const auto& s : registry<S>()) out.push_back({std::string{s.name}, s.kind, std::string{s.about}});
    return out;
  }

  std::expected<std::vector<std::string>, std::string> load(const std::string& plugin) const override {
    return register_plugin<S>(plugin);
  }

  std::vector<Feature> features() const override { return empty_labels<S>().features; }

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

  Parsed<Bytes> pack(std::string_view text) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return encode<S>(*scenario);
  }

  Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const override {
    const Scenario<S> scenario = decode<S>(bytes);
    if (scenario.actions.size() > text_actions_max) {
      return text_error(
          0, 0,
          fmt::format("these bytes hold {} actions, a text at most {}", scenario.actions.size(), text_actions_max));
    }
    return scenario_text<S>(scenario);
  }

  Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard guard) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    Replay out{names, scenario->actions.size(), guarded_judge(chosen(names), *scenario, guard), {}};
    if (!out.verdict.divergence) {
      out.explanation = out.verdict.reason;
      return out;
    }
    out.explanation = describe_divergence<S>(*scenario, *out.verdict.divergence);
    out.hidden_state = hides_state(*scenario, *out.verdict.divergence, names, guard);
    return out;
  }

  Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names, const ShowOptions& options,
                           Guard guard) const override;

  Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                            std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = chosen(names);
    const Verdict verdict = guarded_judge(suspects, *scenario, guard);
    if (verdict.agreed()) return std::nullopt;
    const auto shrunk_by = [&](const typename Shrinker<S>::JudgeFunction& judge) {
      Shrinker<S> shrinker{judge, guide(suspects, verdict), {.time = time}};
      return finding_text_of<S>({shrunk_from(*scenario, verdict, shrinker), names}, scenario->actions.size());
    };
    // One child for all judgements, and one for each only when that one dies: a smaller scenario may crash where
    // the given one merely differed.
    if (!verdict.divergence || !dies(*verdict.divergence)) {
      const auto result = run_in_child(
          [&] {
            Judge<S> judge{suspects};
            return to_json(shrunk_by([&](const Scenario<S>& candidate) { return judge.judge(candidate); }));
          },
          time + guard.timeout);
      if (result.end == ChildResult::End::returned) return finding_from(result.output);
    }
    return shrunk_by([&](const Scenario<S>& candidate) { return guarded_judge(suspects, candidate, guard); });
  }

  Parsed<std::optional<Explanation>> explain(std::string_view text, const std::vector<std::string>& names, Guard guard,
                                             std::chrono::milliseconds time) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    const auto suspects = chosen(names);
    const Verdict verdict = guarded_judge(suspects, *scenario, guard);
    if (!verdict.divergence) return std::nullopt;
    const auto explained_by = [&](const typename Explainer<S>::JudgeFunction& judge) {
      return Explainer<S>{judge, time}.explain(*scenario);
    };
    // As in shrink: a scenario that was changed a little may crash where the given one merely differed.
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
    return explained_by([&](const Scenario<S>& changed) { return guarded_judge(suspects, changed, guard); });
  }

  Parsed<std::vector<std::string>> cases_of(std::string_view input) const override { return cases_of_input<S>(input); }

  Parsed<std::string> answer(std::string_view input, const std::string& implementation) const override {
    return answer_of<S>(input, chosen({implementation})[0]);
  }

  void work(const StreamPart& part, const std::vector<std::string>& names, CampaignStats& stats,
            InFlightScenario& in_flight, const std::function<void(const FindingText&)>& report) const override {
    using Clock = std::chrono::steady_clock;
    static_assert(generators.size() <= generators_max);
    Judge<S> judge{chosen(names), &stats.progress};
    Portfolio<S> portfolio{part.generators, corpus_of(part.corpus)};
    Exchange exchange{part.exchange};
    std::set<std::string> known;  // signatures before shrinking, so that one bug is shrunk once
    Bytes bytes;
    Clock::time_point now = Clock::now();
    for (std::uint64_t i = part.first; i < part.end; i += part.stride) {
      if (stats.stop.load(std::memory_order_relaxed) != 0 || now >= part.deadline) return;
      for (const auto& other : exchange.take()) portfolio.offer(decode<S>(other));
      const Scenario<S>& scenario = portfolio.next(seed_of(part.seed, i));
      encode<S>(scenario, bytes);
      const auto generator = static_cast<std::size_t>(portfolio.generator());
      in_flight.store(bytes);
      stats.generator_in_flight.store(generator);
      stats.current.store(i + 1);
      const Verdict verdict = judge.judge(scenario);
      const Clock::time_point started = std::exchange(now, Clock::now());
      stats.count(scenario.actions.size(), generator, now - started);
      if (portfolio.learn(judge.trace())) exchange.leave(bytes);
      for (const std::size_t bucket : portfolio.buckets()) stats.mark(bucket, generator);
      if (verdict.agreed()) continue;
      stats.note_divergence();
      const std::string signature = verdict.divergence ? verdict.divergence->signature() : verdict.reason;
      if (!known.insert(signature).second) continue;
      Shrinker<S> shrinker{[&](const Scenario<S>& candidate) { return judge.judge(candidate); },
                           reference(),
                           {.time = part.shrink_time}};
      FindingText finding =
          finding_text_of<S>({shrunk_from(scenario, verdict, shrinker), names}, scenario.actions.size());
      finding.engine = to_string(portfolio.generator());
      report(finding);
      if (!part.keep_going) return;
      now = Clock::now();
    }
  }

  LabelTable labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const override {
    return count_labels<S>(fastest(), seed, runs, scenarios_of(corpus));
  }

  LabelFound find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                        const std::vector<std::string>& corpus) const override {
    LabelSearch<S> search{fastest(), feature, value};
    Scenario<S> found = search.climb(budget.seed, budget.tries_max, scenarios_of(corpus));
    const std::uint64_t distance = search.best_distance();
    if (distance == 0) found = search.shrunk(found, {.time = budget.shrink_time});
    return {scenario_text<S>(found, fmt::format("shows {} = {}", feature_list<S>[feature].name, value)), distance,
            search.tries()};
  }
};

Parsed<std::string> SystemOf::show(std::string_view text, const std::vector<std::string>& names,
                                   const ShowOptions& options, Guard guard) const {
  const auto scenario = parse_scenario<S>(text);
  if (!scenario) return std::unexpected(scenario.error());
  const std::size_t total = scenario->actions.size();
  const Verdict verdict = guarded_judge(chosen(names), *scenario, guard);
  if (verdict.state == Verdict::State::cannot_judge) {
    throw std::runtime_error{"not judged: " + verdict.reason};
  }
  const std::size_t differs_at = verdict.divergence ? verdict.divergence->step : total;
  const std::size_t step = options.step.value_or(differs_at);
  if (step > total) {
    return text_error(0, 0,
                      fmt::format("there {} {}: --step must be from 0 to {}", total == 1 ? "is" : "are",
                                  counted(total, "action"), total));
  }
  const bool died = verdict.divergence && dies(*verdict.divergence);
  Scenario<S> prefix = *scenario;
  prefix.actions.resize(step);
  std::string out = fmt::format("{}, after {} of {}", S::name, step, counted(total, "action"));
  if (step > 0) out += fmt::format(" (the last: {})", action_text<S>(prefix.setup, prefix.actions.back()));
  out += "\n\n";
  std::vector<Panel> panels;
  std::string before;
  for (const auto& implementation : chosen(names)) {
    Drawn drawn;
    if (died && implementation.name == verdict.divergence->blamed && step >= differs_at)
      drawn.after = verdict.divergence->actual + "\n";
    else drawn = guarded_draw(implementation, prefix, guard);
    if (before.empty()) before = drawn.before;
    panels.push_back({std::string{implementation.name}, drawn.after, drawn.answer});
  }
  if (!before.empty()) panels.insert(panels.begin(), {"before", before, {}});
  out += side_by_side(panels, before.empty() ? 0 : 1, options.colour);
  if (verdict.divergence) {
    out += "\n" + describe_divergence<S>(*scenario, *verdict.divergence) + "\n";
  } else {
    out += fmt::format("\nall {} agree on all {}\n", counted(names.size(), "implementation"), counted(total, "action"));
  }
  return out;
}

}  // namespace

std::unique_ptr<AnySystem> LOCKSTEP_MAKE_SYSTEM();
std::unique_ptr<AnySystem> LOCKSTEP_MAKE_SYSTEM() { return std::make_unique<SystemOf>(); }

}  // namespace lockstep
