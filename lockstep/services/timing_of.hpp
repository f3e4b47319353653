// The timing service as a template over a system.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "lockstep/draw.hpp"
#include "lockstep/report.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/services/timing.hpp"

namespace lockstep {

template <System S>
class TimingOf final : public Timing {
 public:
  bool optimized_build() const override {
#if defined(NDEBUG) && defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
  }

  bool can_time(const std::string& name) const override { return implementation_named<S>(name).laps != nullptr; }

  std::vector<WorkloadTime> time(const std::vector<std::string>& names, const TimingOptions& options,
                                 const std::function<void(const WorkloadTime&)>& done) const override {
    std::vector<WorkloadTime> out;
    for (auto& [name, scenarios] : workloads(options)) {
      out.push_back(time(name, std::move(scenarios), implementations_named<S>(names), options));
      done(out.back());
    }
    return out;
  }

 private:
  using Implementations = std::vector<AnyImplementation<S>>;
  using Clock = std::chrono::steady_clock;

  struct Workload {
    std::string name;
    std::vector<Scenario<S>> scenarios;
  };

  static std::vector<Workload> workloads(const TimingOptions& options) {
    std::vector<Workload> out;
    for (const Style style : styles) {
      if (style == Style::suggested && !Given<SuggestionsOf<S>>) continue;
      Random random{options.seed};
      auto& drawn = out.emplace_back(Workload{std::string{to_string(style)}, {}});
      for (int i = 0; i < 256; ++i) drawn.scenarios.push_back(draw_scenario<S>(random, style));
    }
    Workload corpus{"corpus", {}};
    for (const auto& text : options.corpus) {
      if (auto scenario = parse_scenario<S>(text)) corpus.scenarios.push_back(std::move(*scenario));
    }
    if (!corpus.scenarios.empty()) out.push_back(std::move(corpus));
    for (auto& workload : out) {
      std::erase_if(workload.scenarios, [](const Scenario<S>& scenario) { return scenario.actions.empty(); });
    }
    std::erase_if(out, [](const Workload& workload) { return workload.scenarios.empty(); });
    return out;
  }

  static WorkloadTime time(const std::string& name, std::vector<Scenario<S>> scenarios,
                           const Implementations& implementations, const TimingOptions& options) {
    WorkloadTime out{.name = name};
    const auto count = [&] {
      out.scenarios = scenarios.size();
      out.steps = 0;
      for (const auto& scenario : scenarios) out.steps += scenario.actions.size();
    };
    count();
    // Judged first, in child processes; as many scenarios as the budget allows.
    const auto deadline = Clock::now() + options.budget;
    std::size_t judged = 0;
    for (; judged < scenarios.size() && (judged == 0 || Clock::now() < deadline); ++judged) {
      const Verdict verdict = guarded_judge<S>(implementations, scenarios[judged], options.guard);
      if (verdict.agreed()) continue;
      out.fault = verdict.divergence ? describe_divergence<S>(scenarios[judged], *verdict.divergence) : verdict.reason;
      return out;
    }
    scenarios.resize(judged);
    // A slow reference times fewer scenarios: five rounds of all implementations should fit.
    for (;;) {
      const auto lap = implementations.front().laps(scenarios)->run(Clocked::steps);
      if (scenarios.size() == 1 || lap * 5 * static_cast<int>(implementations.size() + 1) < options.budget) break;
      scenarios.resize((scenarios.size() + 1) / 2);
    }
    count();
    std::vector<std::unique_ptr<Laps<S>>> laps;
    for (const auto& implementation : implementations) laps.push_back(implementation.laps(scenarios));
    laps.push_back(implementations.front().laps(scenarios));
    out.rounds = run(laps, out, implementations, options.budget);
    return out;
  }

  /// Runs rounds until the time is used up, at least five, after one that warms up; returns their number.
  static std::size_t run(const std::vector<std::unique_ptr<Laps<S>>>& laps, WorkloadTime& out,
                         const Implementations& implementations, std::chrono::milliseconds budget) {
    for (const auto& each : laps) each->run(Clocked::steps);
    const auto deadline = Clock::now() + budget;
    std::vector<std::vector<double>> times(laps.size());  // ns per step, by implementation and round
    std::size_t rounds = 0;
    for (; rounds < 5 || (Clock::now() < deadline && rounds < 10'000); ++rounds) {
      for (std::size_t i = 0; i < laps.size(); ++i) {
        const std::size_t turn = (i + rounds) % laps.size();
        const std::chrono::duration<double, std::nano> lap = laps[turn]->run(Clocked::steps);
        times[turn].push_back(lap.count() / static_cast<double>(out.steps));
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
};

}  // namespace lockstep
