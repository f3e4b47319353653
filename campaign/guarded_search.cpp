#include "campaign/guarded_search.hpp"

#include <utility>

#include "lockstep/signature.hpp"
#include "lockstep/trace.hpp"

namespace lockstep {

GuardedSearch::GuardedSearch(Search search) : search_{std::move(search)}, child_{std::unexpect} { start(); }

void GuardedSearch::start() {
  ++calls_;
  output_.clear();
  child_ = ChildProcess::call(
      [this](Outbox& out) {
        try {
          if (const auto finding = search_()) out.send(to_json(*finding) + "\n");
        } catch (...) {
          out.send(fault_to_json(exception_text(current_exception_thrown())) + "\n");
        }
      },
      ChildProcess::quiet());
}

std::optional<GuardedSearch::Answer> GuardedSearch::poll(std::chrono::milliseconds patience) {
  constexpr int calls_max = 3;
  if (!child_) return Answer{.fault = child_.error()};
  const auto status = child_->wait(patience);
  child_->read(output_);
  if (!status) return std::nullopt;

  auto [findings, faults] = take_messages(output_);
  if (!faults.empty()) return Answer{.fault = "its process threw " + faults.front()};
  const bool judge_killed = !findings.empty() && killed_from_outside(parts_of(findings.front().signature).detail);
  if (calls_ < calls_max && (judge_killed || (findings.empty() && !status->clean()))) {
    start();
    return std::nullopt;
  }
  if (!findings.empty()) return Answer{.finding = std::move(findings.front())};
  return Answer{.fault = status->clean() ? "" : "its process " + status->text()};
}

void PendingSearch::start(GuardedSearch::Search search, std::chrono::milliseconds after_stop, Then then) {
  running_.emplace(GuardedSearch{std::move(search)}, after_stop, std::move(then));
}

void PendingSearch::poll(bool to_stop, std::chrono::milliseconds patience) {
  running_->time.look();
  const auto now = running_->time.now();
  if (to_stop && !running_->to_stop_since) running_->to_stop_since = now;
  auto answer = running_->search.poll(patience);
  if (!answer && to_stop && now - *running_->to_stop_since > running_->after_stop) {
    answer = GuardedSearch::Answer{.fault = "the time was up"};
  }
  if (!answer) return;
  const Then then = std::move(running_->then);
  running_.reset();
  then(std::move(*answer));
}

GuardedSearch::Search confirming(const AnySystem& system, std::vector<std::string> implementations, Guard guard,
                                 FindingText finding) {
  return [&system, implementations = std::move(implementations), guard,
          finding = std::move(finding)]() -> std::optional<FindingText> {
    FindingText repeated = finding;
    const auto scenario = system.parse(finding.text);
    if (!scenario) return repeated;
    const Verdict verdict = replay_of(*scenario, implementations, guard).verdict;
    if (verdict.agreed()) return std::nullopt;
    // So that the guarded search sees a kill from outside, which is no answer, and calls the search again.
    if (verdict.divergence) repeated.signature = verdict.divergence->signature();
    return repeated;
  };
}

}  // namespace lockstep
