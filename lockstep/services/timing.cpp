#include "lockstep/services/timing.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "lockstep/describe/stopwatch.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/workload.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

std::vector<AnyWorkload> drawn_workloads(const Vocabulary& system, std::uint64_t seed) {
  std::vector<AnyWorkload> out;
  for (const Style style : styles) {
    if (style == Style::suggested && !system.has_suggestions()) continue;
    Random random{seed};
    auto& drawn = out.emplace_back(AnyWorkload{std::string{to_string(style)}, {}});
    for (int i = 0; i < 256; ++i) draw_scenario(random, style, drawn.scenarios.emplace_back(system.scenario()));
  }
  return out;
}

Quartiles quartiles(std::vector<double> sample) {
  if (sample.empty()) return {};
  std::ranges::sort(sample);
  const auto at = [&](double part) {
    return sample[static_cast<std::size_t>(std::lround(part * static_cast<double>(sample.size() - 1)))];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

namespace {

using Clock = std::chrono::steady_clock;

/// Runs rounds until the time is used up, at least five, after one that warms up; returns their number.
std::size_t run_rounds(const std::vector<std::unique_ptr<Laps>>& laps, WorkloadTime& out,
                       const std::vector<Runner>& implementations, std::chrono::milliseconds budget) {
  for (const auto& each : laps) lap(*each, Clocked::steps);
  const auto deadline = Clock::now() + budget;
  std::vector<std::vector<double>> times(laps.size());  // ns per step, by implementation and round
  std::size_t rounds = 0;
  for (; rounds < 5 || (Clock::now() < deadline && rounds < 10'000); ++rounds) {
    for (std::size_t i = 0; i < laps.size(); ++i) {
      const std::size_t turn = (i + rounds) % laps.size();
      const std::chrono::duration<double, std::nano> time = lap(*laps[turn], Clocked::steps);
      times[turn].push_back(time.count() / static_cast<double>(out.steps));
    }
  }
  const auto ratio = [&](std::size_t i) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < rounds; ++round) {
      // A lap that is shorter than the clock's resolution has no ratio.
      if (times[i][round] > 0) ratios.push_back(times[0][round] / times[i][round]);
    }
    return quartiles(std::move(ratios));
  };
  for (std::size_t i = 0; i < implementations.size(); ++i) {
    out.implementations.push_back({std::string{implementations[i].name}, quartiles(times[i]), ratio(i)});
  }
  out.noise = ratio(implementations.size());
  return rounds;
}

void keep_first(std::vector<AnyScenario>& scenarios, std::size_t count) {
  scenarios.erase(scenarios.begin() + static_cast<std::ptrdiff_t>(count), scenarios.end());
}

WorkloadTime time_workload(const std::string& name, std::vector<AnyScenario> scenarios,
                           const std::vector<Runner>& implementations, const TimingOptions& options) {
  WorkloadTime out{.name = name};
  const auto count = [&] {
    out.scenarios = scenarios.size();
    out.steps = 0;
    for (const auto& scenario : scenarios) out.steps += scenario.size();
  };
  count();
  // Judged first, in child processes; as many scenarios as the budget allows.
  const auto deadline = Clock::now() + options.budget;
  std::size_t judged = 0;
  for (; judged < scenarios.size() && (judged == 0 || Clock::now() < deadline); ++judged) {
    const Verdict verdict = guarded_judge(implementations, scenarios[judged], options.guard);
    if (verdict.agreed()) continue;
    out.fault = verdict.divergence ? describe_divergence(scenarios[judged], *verdict.divergence) : verdict.reason;
    return out;
  }
  keep_first(scenarios, judged);
  // A slow reference times fewer scenarios, and of one that is too long its beginning: five rounds of all implementations
  // should fit.
  for (;;) {
    const auto time = lap(*implementations.front().laps(scenarios), Clocked::steps);
    if (time * 5 * static_cast<int>(implementations.size() + 1) < options.budget) break;
    AnyScenario& first = scenarios.front();
    if (scenarios.size() > 1) keep_first(scenarios, (scenarios.size() + 1) / 2);
    else if (first.size() > 1) first.truncate((first.size() + 1) / 2);
    else break;
  }
  count();
  std::vector<std::unique_ptr<Laps>> laps;
  for (const auto& implementation : implementations) laps.push_back(implementation.laps(scenarios));
  laps.push_back(implementations.front().laps(scenarios));
  out.rounds = run_rounds(laps, out, implementations, options.budget);
  return out;
}

/// Those that the system names, or drawn ones, and the corpus.
std::vector<AnyWorkload> workloads_of(const SystemParts& system, const TimingOptions& options) {
  auto out = system.workloads == nullptr ? drawn_workloads(system.vocabulary, options.seed) : system.workloads();
  AnyWorkload& corpus = out.emplace_back(AnyWorkload{"corpus", {}});
  for (const auto& text : options.corpus) {
    if (auto scenario = parse_scenario(system.vocabulary, text)) corpus.scenarios.push_back(std::move(*scenario));
  }
  for (auto& workload : out) {
    std::erase_if(workload.scenarios, [](const AnyScenario& scenario) { return scenario.size() == 0; });
  }
  std::erase_if(out, [](const AnyWorkload& workload) { return workload.scenarios.empty(); });
  return out;
}

}  // namespace

std::vector<WorkloadTime> time_implementations(const SystemParts& system, const std::vector<std::string>& names,
                                               const TimingOptions& options,
                                               const std::function<void(const WorkloadTime&)>& done) {
  const auto implementations = implementations_named(system.vocabulary, names);
  std::vector<WorkloadTime> out;
  for (auto& [name, scenarios] : workloads_of(system, options)) {
    out.push_back(time_workload(name, std::move(scenarios), implementations, options));
    done(out.back());
  }
  return out;
}

}  // namespace lockstep
