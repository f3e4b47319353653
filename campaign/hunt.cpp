#include "campaign/hunt.hpp"

#include <thread>

namespace lockstep {

std::vector<std::string> canary_names(const AnySystem& system) {
  std::vector<std::string> out;
  for (const auto& implementation : system.implementations()) {
    if (implementation.kind == Kind::canary) out.push_back(implementation.name);
  }
  return out;
}

std::string chosen_canary(const AnySystem& system, std::uint64_t seed) {
  const auto canaries = canary_names(system);
  return canaries.empty() ? "" : canaries[seed % canaries.size()];
}

CanaryHunt hunt_canary(EngineOptions options, const std::string& canary, std::chrono::steady_clock::time_point deadline,
                       const std::function<bool(std::uint64_t)>& keep_on) {
  constexpr std::uint64_t scenarios_max = 10'000'000;  // bounds the hunt when the deadline is far away
  options.implementations = implementations_named(*options.system, {canary});
  options.keep_going = false;
  options.known = nullptr;  // a known mistake of the canary would be passed over
  options.ignored.clear();
  const auto worker = start_worker(options, {.seed = options.seed,
                                             .end = scenarios_max,
                                             .generators = {generators.begin(), generators.end()},
                                             .corpus = options.corpus,
                                             .deadline = deadline,
                                             .shrink_time = std::chrono::milliseconds{1}});
  while (worker->poll()) {
    if (!keep_on(worker->stats().scenarios.load())) worker->stop();
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  CanaryHunt hunt{
      .name = canary, .processor_seconds = worker->processor_seconds(), .scenarios = worker->stats().scenarios.load()};
  const auto findings = worker->take_findings();
  hunt.found = !findings.empty();
  if (hunt.found) hunt.engine = findings.front().engine;
  else hunt.faults = worker->faults();
  return hunt;
}

}  // namespace lockstep
