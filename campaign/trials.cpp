#include "campaign/trials.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/campaign.hpp"
#include "campaign/hunt.hpp"
#include "lockstep/base/json.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/finding_json.hpp"
#include "lockstep/services/stats.hpp"

namespace lockstep {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Detection, seconds, processor_seconds, scenarios)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialFinding, detection, engine, minimal, size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialResult, trial, found, faults)

namespace {

using nlohmann::json;

TrialResult run_trial(const Trial& trial, std::size_t index, const std::function<bool()>& interrupted) {
  const ScratchFolder scratch;
  CampaignOptions options = trial.options;
  options.out = scratch.path();
  const CampaignResult result = run_campaign(options, *trial.system, {.interrupted = interrupted});
  TrialResult out{.trial = index, .faults = result.faults};
  const auto looked_for = [&](const Found& found) {
    return std::ranges::any_of(options.with,
                               [&](const auto& name) { return shows_mistake_of(found.finding.signature, name); }) ||
           needs_canary(found.finding, *trial.system, implementations_to_judge(*trial.system, {}),
                        Guard{options.timeout});
  };
  const Found* shown = nullptr;  // the first one that is looked for
  bool others = false;           // then the time of the first divergence may be theirs
  for (const Found& found : result.findings) {
    if (looked_for(found)) {
      if (shown == nullptr) shown = &found;
      continue;
    }
    others = true;
    out.faults.push_back("the trial has another finding: " + found.finding.signature);
  }
  if (shown == nullptr || others || !result.detected) {
    // A trial has one processor.
    const ProcessorShare share{.used = result.processor.used, .available = result.seconds};
    if (result.seconds >= options.seconds && share.starved()) out.faults.push_back(share.starved_text());
    return out;
  }
  const Finding& finding = shown->finding;
  out.found = {.detection = *result.detected,
               .engine = finding.engine,
               .minimal = finding.minimal,
               .size = size_of(trial.system->parse(finding.scenario).value())};
  return out;
}

}  // namespace

std::vector<std::string> run_trials(const std::vector<Trial>& trials, unsigned jobs,
                                    const std::function<void(const TrialResult&)>& done,
                                    const std::function<bool()>& interrupted) {
  const SharedStats shared = share_stats();
  const auto stopped = [&] { return shared->stop.load() != 0; };
  std::vector<std::string> errors;
  const auto begun = in_children(
      trials.size(), jobs,
      [&](std::size_t i) {
        try {
          return dumped<json>(run_trial(trials[i], i, stopped));
        } catch (const std::exception& error) {
          return dumped<json>({{"error", error.what()}});
        }
      },
      [&](std::size_t, const std::string& returned, const ExitStatus& status) {
        if (!status.clean()) return errors.push_back("a trial " + status.text());
        const json result = json::parse(returned);
        if (result.contains("error")) errors.push_back(result.at("error"));
        else done(result.get<TrialResult>());
      },
      [&] {
        if (interrupted()) shared->stop.store(1);
        return stopped() || !errors.empty() ? ChildrenMay::finish : ChildrenMay::start;
      });
  if (!begun) errors.push_back(begun.error());
  return errors;
}

}  // namespace lockstep
