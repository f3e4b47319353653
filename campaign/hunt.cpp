#include "campaign/hunt.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "lockstep/judge/signature.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {

std::vector<std::string> canary_names(const AnySystem& system) {
  std::vector<std::string> out;
  for (const auto& implementation : system.implementations()) {
    if (implementation.kind == Kind::canary) out.emplace_back(implementation.name);
  }
  return out;
}

std::string chosen_canary(const AnySystem& system, std::uint64_t seed) {
  const auto canaries = canary_names(system);
  return canaries.empty() ? "" : canaries[seed % canaries.size()];
}

bool shows_mistake_of(std::string_view signature, std::string_view implementation) {
  const SignatureParts parts = parts_of(signature);
  if (parts.implementation == implementation || parts.kind == stopped_by_engine) return true;
  return parts.kind == to_string(DivergenceKind::nondeterministic) && parts.implementation == some_implementation;
}

bool needs_canary(const Finding& finding, const AnySystem& system, const std::vector<std::string>& without,
                  Guard guard) {
  if (finding.unstable || finding.divergence.blamed == "all") return false;
  const auto scenario = system.parse(finding.scenario);
  return scenario && replay_of(*scenario, without, guard).verdict.agreed();
}

CanaryHunt hunt_canary(EngineOptions options, const std::string& canary, std::chrono::steady_clock::time_point deadline,
                       const std::function<bool(std::uint64_t)>& goes_on) {
  constexpr std::uint64_t scenarios_max = 10'000'000;  // bounds the hunt when the deadline is far away
  const auto without_canary =
      std::exchange(options.implementations, implementations_to_judge(*options.system, {canary}));
  Signatures known = options.known != nullptr ? *options.known : Signatures{};  // what is known is passed over
  std::erase_if(known, [&](const std::string& signature) { return shows_mistake_of(signature, canary); });
  options.known = &known;
  StreamPart& part = options.part;
  const bool keep_going = std::exchange(part.keep_going, false);
  part = {.seed = part.seed,
          .end = scenarios_max,
          .generators = {generators.begin(), generators.end()},
          .corpus = part.corpus,
          .deadline = deadline,
          .shrink_time = std::chrono::milliseconds{1},
          .without = part.without,
          .actions_max = part.actions_max};
  CanaryHunt hunt{.name = canary};
  for (bool again = true; again;) {
    again = false;
    const auto worker = start_worker(options);
    const auto scenarios = [&] { return hunt.scenarios + worker->stats().scenarios.load(); };
    const auto take_findings = [&] {
      for (Finding& finding : worker->take_findings()) {
        if (hunt.found) return;
        if (shows_mistake_of(finding.signature, canary) ||
            needs_canary(finding, *options.system, without_canary, Guard{options.timeout})) {
          hunt.found = true;
          hunt.engine = finding.engine;
          return;
        }
        known.insert(finding.signature);
        again = again || (keep_going && !finding.unstable);  // after an unstable one the worker goes on by itself
        finding.scenarios = scenarios();
        hunt.others.push_back(std::move(finding));
      }
    };
    bool stopped = false;
    while (worker->poll()) {
      take_findings();
      stopped = stopped || hunt.found || !goes_on(scenarios());
      if (stopped) worker->stop();
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    take_findings();
    again = again && !stopped && !hunt.found && std::chrono::steady_clock::now() < deadline;
    hunt.scenarios = scenarios();
    hunt.processor_seconds += worker->processor_seconds();
    for (auto& fault : worker->faults()) hunt.faults.push_back(std::move(fault));
    part.first = std::max(part.first, worker->stats().current.load());
    part.corpus.clear();  // it may have the scenario of the finding
  }
  if (hunt.found) hunt.faults.clear();
  return hunt;
}

}  // namespace lockstep
