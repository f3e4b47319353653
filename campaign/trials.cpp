#include "campaign/trials.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "campaign/campaign.hpp"
#include "campaign/hunt.hpp"
#include "lockstep/child.hpp"
#include "lockstep/error.hpp"
#include "lockstep/json.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/size_json.hpp"
#include "lockstep/stats.hpp"

namespace lockstep {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Detection, seconds, processor_seconds, scenarios)

namespace {

using nlohmann::json;

/// Between a child and its parent: one line for each trial, or for the error that ended the child.
std::string line_of(const json& value) { return dumped(value) + "\n"; }

json json_of(const TrialResult& result) {
  json out = {{"trial", result.trial}, {"faults", result.faults}};
  if (!result.found) return out;
  const auto& [detection, engine, minimal, size] = *result.found;
  out["found"] = {{"detection", detection}, {"engine", engine}, {"minimal", minimal}, {"size", json_of(size)}};
  return out;
}

TrialResult result_from(const json& j) {
  TrialResult out{.trial = j.at("trial"), .faults = j.at("faults")};
  if (!j.contains("found")) return out;
  const json& found = j.at("found");
  out.found = {.detection = found.at("detection"),
               .engine = found.at("engine"),
               .minimal = found.at("minimal"),
               .size = size_from(found.at("size"))};
  return out;
}

TrialResult run_trial(const Trial& trial, std::size_t index, const std::function<bool()>& interrupted) {
  const ScratchFolder scratch;
  CampaignOptions options = trial.options;
  options.out = scratch.path();
  const CampaignResult result = run_campaign(options, *trial.system, {.interrupted = interrupted});
  TrialResult out{.trial = index, .faults = result.faults};
  const auto looked_for = [&](const Found& found) {
    return std::ranges::any_of(options.with,
                               [&](const auto& name) { return shows_mistake_of(found.finding.signature, name); }) ||
           needs_canary(found.finding, *trial.system, implementations_named(*trial.system, {}), Guard{options.timeout});
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
  const FindingText& finding = shown->finding;
  out.found = {.detection = *result.detected,
               .engine = finding.engine,
               .minimal = finding.minimal,
               .size = size_of(trial.system->parse(finding.text).value())};
  return out;
}

/// The loop of a child process: runs trials until none is left. `shared` counts the trials that were started in
/// `scenarios`; `stop` is the parent's request to stop.
void run_trials_in_child(const std::vector<Trial>& trials, CampaignStats& shared, Outbox& out) {
  const auto stopped = [&] { return shared.stop.load() != 0; };
  try {
    while (!stopped()) {
      const std::uint64_t next = shared.scenarios.fetch_add(1);
      if (next >= trials.size()) return;
      out.send(line_of(json_of(run_trial(trials[next], next, stopped))));
    }
  } catch (const std::exception& error) {
    out.send(line_of({{"error", error.what()}}));
  }
}

struct TrialsChild {
  ChildProcess process;
  std::string inbox = {};
  bool open = true;
};

}  // namespace

std::vector<std::string> run_trials(const std::vector<Trial>& trials, unsigned jobs, const TrialCallbacks& callbacks) {
  const SharedStats shared = share_stats();
  std::vector<TrialsChild> children;
  for (unsigned i = 0; i < jobs; ++i) {
    auto child = ChildProcess::call([&](Outbox& out) { run_trials_in_child(trials, *shared, out); });
    if (!child) throw InternalError{child.error()};
    children.push_back({std::move(*child)});
  }
  std::vector<std::string> errors;
  while (std::ranges::any_of(children, &TrialsChild::open)) {
    for (auto& [process, inbox, open] : children) {
      if (!open) continue;
      open = process.read(inbox, std::chrono::milliseconds{20});
      for (std::size_t end; (end = inbox.find('\n')) != std::string::npos; inbox.erase(0, end + 1)) {
        const json line = json::parse(inbox.substr(0, end));
        if (line.contains("error")) errors.push_back(line.at("error").get<std::string>());
        else callbacks.done(result_from(line));
      }
    }
    if (callbacks.interrupted()) shared->stop.store(1);
  }
  for (auto& child : children) {
    if (const ExitStatus status = child.process.wait(); !status.clean()) errors.push_back("a trial " + status.text());
  }
  return errors;
}

}  // namespace lockstep
