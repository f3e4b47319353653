// The built-in engine's process.
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
  std::string fault() const override { return fault_; }

  void stop() override {
    stats_->stop.store(1);
    if (!stopping_since_) stopping_since_ = Clock::now();
  }

  bool poll() override {
    if (!child_) return false;
    processor_time_.look(child_->id());
    receive();
    note_progress();
    const auto now = Clock::now();
    if (const auto status = child_->wait({})) {
      receive();
      end();
      if (!status->clean()) explain_death(status->text());
    } else if (stopping_since_ && now - *stopping_since_ > patience()) {
      end();
      if (progress_at_ <= *stopping_since_) explain_hang_at_end();
    } else if (now - progress_at_ > stuck_max()) {
      end();
      explain_death("did not come back");
    }
    return child_.has_value();
  }

 private:
  void start() {
    auto child = ChildProcess::call(
        [this](int out) {
          const auto report = [out](const FindingText& finding) { write_all(out, to_json(finding) + "\n"); };
          options_.system->searching().work(part_, options_.implementations, *stats_, *in_flight_, report);
        },
        ChildProcess::quiet());
    if (!child) throw InternalError{child.error()};
    child_.emplace(std::move(*child));
    inbox_.clear();
    progress_at_ = Clock::now();
  }

  /// Kills what is left of it.
  void end() {
    processor_time_.end();
    child_.reset();
  }

  void receive() {
    child_->read(inbox_);
    for (auto& finding : lockstep::take_findings(inbox_)) findings_.push_back(std::move(finding));
  }

  /// How long a worker that was asked to end may take: one that has found something is shrinking it.
  std::chrono::milliseconds patience() const {
    constexpr std::chrono::milliseconds usual{2'000};
    return stats_->diverged_at_ns.load() == 0 ? usual : usual + part_.shrink_time;
  }

  /// How long it may stay at one action. While it shrinks, after a divergence, that does not show.
  std::chrono::milliseconds stuck_max() const {
    return stats_->diverged_at_ns.load() == 0 ? options_.timeout : options_.timeout + part_.shrink_time;
  }

  void note_progress() {
    const auto now_at = std::tuple{stats_->current.load(), std::uint32_t{stats_->progress.implementation},
                                   std::uint32_t{stats_->progress.step}};
    if (now_at == last_at_) return;
    last_at_ = now_at;
    progress_at_ = Clock::now();
  }

  /// Judges the scenario in flight again in guarded children; false when that shows nothing.
  bool find_in_scenario_in_flight() {
    const auto text = options_.system->encoding().unpack(in_flight_->load());
    if (!text) return false;
    auto finding =
        options_.system->judging().shrink(*text, options_.implementations, Guard{options_.timeout}, part_.shrink_time);
    if (!finding || !*finding) return false;
    stats_->note_divergence();
    (*finding)->engine = generator_in_flight();
    findings_.push_back(std::move(**finding));
    return true;
  }

  /// A worker that was killed at the deadline has hung only if it stayed at one action; otherwise it was slow.
  void explain_hang_at_end() {
    if (stats_->current.load() > 0) find_in_scenario_in_flight();
  }

  void explain_death(const std::string& how) {
    const std::uint64_t current = stats_->current.load();
    if (current == 0) {
      fault_ = "a worker " + how + " before its first scenario";
      return;
    }
    if (!find_in_scenario_in_flight()) {
      fault_ = "a worker " + how + " on scenario " + std::to_string(current - 1) + " of seed " +
               std::to_string(part_.seed) + ", but judging that scenario again shows nothing:\n" +
               options_.system->encoding().unpack(in_flight_->load()).value_or("(too long for a text)");
    }
    if (!options_.keep_going || stats_->stop.load() != 0) return;
    part_.first = current - 1 + part_.stride;
    part_.corpus.clear();  // what killed it may have come from there
    start();
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
  std::string fault_;
  std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> last_at_;  // scenario, implementation, action
  Clock::time_point progress_at_;
};

}  // namespace

std::unique_ptr<Engine> start_worker(const EngineOptions& options, StreamPart part) {
  return std::make_unique<Worker>(options, std::move(part));
}

}  // namespace lockstep
