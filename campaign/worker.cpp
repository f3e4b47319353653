// The engine that runs a built-in worker.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "campaign/engine.hpp"
#include "lockstep/child.hpp"
#include "lockstep/error.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

class Worker final : public Engine {
 public:
  Worker(const EngineOptions& options, StreamPart part)
      : options_{options}, part_{std::move(part)}, stats_{share_stats()}, in_flight_{share_scenario()} {
    start();
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const Generator generator : generators) out.emplace_back(to_string(generator));
    return out;
  }
  const CampaignStats& stats() const override { return *stats_; }
  double processor_seconds() const override { return processor_time_.seconds(); }
  std::vector<FindingText> take_findings() override { return std::exchange(findings_, {}); }
  std::vector<std::string> faults() const override { return faults_; }

  void stop() override {
    stats_->stop.store(1);
    if (!stopping_since_) stopping_since_ = Clock::now();
  }

  bool poll() override {
    if (!child_) return false;
    processor_time_.sample(child_->id());
    receive();
    read_heartbeat();
    const auto now = Clock::now();
    if (const auto status = child_->wait({})) {
      receive();
      end();
      if (!status->clean() || stats_->done.load() == 0) report_failure(status->text());
    } else if (stopping_since_ && now - *stopping_since_ > stop_timeout()) {
      child_->kill();
      receive();
      end();
      // Without a heartbeat since the request to stop, the worker hung on one action; otherwise it was only slow. A
      // divergence whose shrinking was cut off is not lost: the in-flight scenario is judged again.
      const bool hung = heartbeat_at_ <= *stopping_since_;
      const bool diverged = stats_->diverged_at_ns.load() != 0 && findings_.empty();
      if ((hung || diverged) && stats_->current.load() > 0) judge_in_flight();
    } else if (now - heartbeat_at_ > heartbeat_timeout()) {
      end();
      report_failure("hung");
    }
    return child_.has_value();
  }

 private:
  void start() {
    stats_->done.store(0);
    auto child = ChildProcess::call(
        [this](int out) {
          const auto report = [out](const FindingText& finding) { write_all(out, to_json(finding) + "\n"); };
          options_.system->searching().work(part_, options_.implementations, *stats_, *in_flight_, report);
          stats_->done.store(1);
        },
        ChildProcess::quiet());
    if (!child) throw InternalError{child.error()};
    child_.emplace(std::move(*child));
    inbox_.clear();
    heartbeat_at_ = Clock::now();
  }

  /// Ends the process if it still runs.
  void end() {
    processor_time_.end();
    child_.reset();
  }

  void receive() {
    child_->read(inbox_);
    for (auto& finding : lockstep::take_findings(inbox_)) findings_.push_back(std::move(finding));
  }

  /// How long the worker may take to stop: after a divergence it first shrinks the scenario.
  std::chrono::milliseconds stop_timeout() const {
    constexpr std::chrono::milliseconds usual{2'000};
    return stats_->diverged_at_ns.load() == 0 ? usual : usual + part_.shrink_time;
  }

  /// How long the worker may go without a heartbeat. While it shrinks, after a divergence, there is none.
  std::chrono::milliseconds heartbeat_timeout() const {
    return stats_->diverged_at_ns.load() == 0 ? options_.timeout : options_.timeout + part_.shrink_time;
  }

  /// The heartbeat: the number of the in-flight scenario, and the implementation and action that are running.
  void read_heartbeat() {
    const auto heartbeat = std::tuple{stats_->current.load(), std::uint32_t{stats_->progress.implementation},
                                      std::uint32_t{stats_->progress.step}};
    if (heartbeat == heartbeat_) return;
    heartbeat_ = heartbeat;
    heartbeat_at_ = Clock::now();
  }

  std::optional<std::string> in_flight_text() const {
    const auto bytes = in_flight_->load();
    if (!bytes) return std::nullopt;
    auto text = options_.system->encoding().unpack(*bytes);
    return text ? std::optional{std::move(*text)} : std::nullopt;
  }

  /// Judges the in-flight scenario again, in guarded child processes, and shrinks it until the deadline. False if it does
  /// not fail.
  bool judge_in_flight() {
    const auto text = in_flight_text();
    if (!text) return false;
    const auto at = Clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(part_.deadline - at);
    const auto time = std::clamp(left, std::chrono::milliseconds{0}, part_.shrink_time);
    auto finding = options_.system->judging().shrink(*text, options_.implementations, Guard{options_.timeout}, time);
    if (!finding || !*finding) return false;
    stats_->note_divergence(at, processor_time_.seconds());
    (*finding)->engine = generator_in_flight();
    findings_.push_back(std::move(**finding));
    return true;
  }

  /// After a crash or hang: attributes it to the in-flight scenario and, with keep_going, starts a new process behind it.
  void report_failure(const std::string& how) {
    const std::uint64_t current = stats_->current.load();
    if (current == 0) {
      note_fault("a worker " + how + " before its first scenario");
      return;
    }
    if (!judge_in_flight()) {
      note_fault("a worker " + how + " on scenario " + std::to_string(current - 1) + " of seed " +
                 std::to_string(part_.seed) + ", but judging that scenario again shows nothing:\n" +
                 in_flight_text().value_or("(too long for a text)"));
    }
    if (!options_.keep_going || stats_->stop.load() != 0) return;
    part_.first = current - 1 + part_.stride;
    part_.corpus.clear();  // a scenario of the corpus may have caused the failure
    start();
  }

  /// With keep_going, a worker of a flaky implementation can fail in every scenario: a few faults suffice.
  void note_fault(std::string fault) {
    constexpr std::size_t faults_max = 10;
    if (faults_.size() < faults_max) faults_.push_back(std::move(fault));
  }

  std::string generator_in_flight() const {
    const std::size_t generator = stats_->generator_in_flight.load();
    return generator < generators.size() ? std::string{to_string(generators[generator])} : "built-in";
  }

  EngineOptions options_;
  StreamPart part_;
  SharedStats stats_;
  SharedScenario in_flight_;
  std::optional<Clock::time_point> stopping_since_;
  std::optional<ChildProcess> child_;
  ProcessorTime processor_time_;
  std::string inbox_;
  std::vector<FindingText> findings_;
  std::vector<std::string> faults_;
  std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> heartbeat_;
  Clock::time_point heartbeat_at_;  // when it last changed
};

}  // namespace

std::unique_ptr<Engine> start_worker(const EngineOptions& options, StreamPart part) {
  return std::make_unique<Worker>(options, std::move(part));
}

}  // namespace lockstep
