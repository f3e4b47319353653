#include "campaign/guarded_search.hpp"

#include <utility>

#include "lockstep/describe/trace.hpp"
#include "lockstep/judge/signature.hpp"

namespace lockstep {

void GuardedSearch::start(Search search, std::chrono::milliseconds after_stop) {
  running_.emplace(std::move(search), after_stop);
  call();
}

void GuardedSearch::call() {
  ++running_->calls;
  running_->output.clear();
  running_->child = ChildProcess::call(
      [&search = running_->search](Outbox& out) {
        try {
          if (const auto finding = search()) out.send(to_json(*finding) + "\n");
        } catch (...) {
          out.send(fault_to_json(exception_text(current_exception_thrown())) + "\n");
        }
      },
      ChildProcess::quiet());
}

std::optional<GuardedSearch::Answer> GuardedSearch::answer(std::chrono::milliseconds patience) {
  constexpr int calls_max = 3;
  auto& child = running_->child;
  if (!child) return Answer{.fault = child.error()};
  const auto status = child->wait(patience);
  child->read(running_->output);
  if (!status) return std::nullopt;

  auto [findings, faults] = take_messages(running_->output);
  if (!faults.empty()) return Answer{.fault = "its process threw " + faults.front()};
  const bool judge_killed = !findings.empty() && killed_from_outside(parts_of(findings.front().signature).detail);
  if (running_->calls < calls_max && (judge_killed || (findings.empty() && !status->clean()))) {
    call();
    return std::nullopt;
  }
  if (!findings.empty()) return Answer{.finding = std::move(findings.front())};
  return Answer{.fault = status->clean() ? "" : "its process " + status->text()};
}

std::optional<GuardedSearch::Answer> GuardedSearch::poll(bool to_stop, std::chrono::milliseconds patience) {
  running_->time.look();
  const auto now = running_->time.now();
  if (to_stop && !running_->to_stop_since) running_->to_stop_since = now;
  auto found = answer(patience);
  if (!found && to_stop && now - *running_->to_stop_since > running_->after_stop)
    found = Answer{.fault = "the time was up"};
  if (found) running_.reset();
  return found;
}

GuardedSearch::Search confirming(const AnySystem& system, std::vector<std::string> implementations, Guard guard,
                                 Finding finding) {
  return [&system, implementations = std::move(implementations), guard,
          finding = std::move(finding)]() -> std::optional<Finding> {
    Finding repeated = finding;
    const auto scenario = system.parse(finding.scenario);
    if (!scenario) return repeated;
    const Verdict verdict = replay_of(*scenario, implementations, guard).verdict;
    if (verdict.agreed()) return std::nullopt;
    // The guarded search calls the search again if this says that the judge was killed from outside.
    if (verdict.divergence) repeated.signature = verdict.divergence->signature();
    return repeated;
  };
}

}  // namespace lockstep
