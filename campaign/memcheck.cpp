// The engine that runs the corpus, and what reached something new, under valgrind (lockstep/memcheck.hpp).
#include "lockstep/memcheck.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "campaign/engine.hpp"
#include "lockstep/child.hpp"
#include "lockstep/corpus.hpp"
#include "lockstep/error.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/files.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/services/encoding.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view fault_line = "memcheck: ";
constexpr std::chrono::milliseconds shrink_time_max{20'000};
constexpr int unjudged_max = 20;  // then valgrind has ended, or cannot run this program
constexpr std::size_t sample_at_end = 8;

/// Values of stats.stop.
constexpr std::uint32_t stop_now = 1;
constexpr std::uint32_t stop_when_empty = 2;

/// What the engine's process does.
class MemcheckSearch {
 public:
  MemcheckSearch(const EngineOptions& options, CampaignStats& stats, Clock::time_point deadline,
                 const RecentScenarios* sample, Outbox& out)
      : options_{options}, stats_{stats}, deadline_{deadline}, sample_{sample}, out_{out}, exchange_{options.exchange} {
    if (options.known != nullptr) known_ = *options.known;
    for (const auto& each : options.system->implementations()) {
      const bool judged = std::ranges::find(options.implementations, each.name) != options.implementations.end();
      if (judged && each.kind != Kind::reference && judged_in_one_of(each.kind) == 1) names_.push_back(each.name);
    }
    if (names_.empty()) names_ = options.implementations;
  }

  void run() {
    for (const auto& file : corpus_files_if_any(corpus_folder(options_.corpus, options_.system->name()))) {
      if (const auto text = read_file(file)) add(*text);
    }
    while (stats_.stop.load() != stop_now && Clock::now() < deadline_ && unjudged_ < unjudged_max) {
      const bool last = stats_.stop.load() == stop_when_empty;
      for (const auto& bytes : exchange_.take()) add(bytes);
      if (last && !waited_) {
        add_sample(sample_at_end);
        std::this_thread::sleep_for(std::chrono::milliseconds{1'100});  // the folder is read once a second
        waited_ = true;
        continue;
      }
      if (waiting_.empty() && last) return;
      if (waiting_.empty()) add_sample(1);
      if (waiting_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds{20});
      else if (check(waiting_.extract(waiting_.begin()).mapped()) && !options_.keep_going) return;
    }
  }

 private:
  void add(std::string_view text) {
    // An error is a broken file of the corpus, which the corpus test reports.
    if (auto rest = options_.system->encoding().without(text, options_.without)) {
      waiting_.emplace(rest->size(), std::move(*rest));
    }
  }
  void add(std::span<const std::uint8_t> bytes) {
    if (const auto text = options_.system->encoding().unpack(bytes)) add(*text);
  }

  /// A worker's last scenarios. If the worker overwrites one meanwhile, it becomes another, since all bytes are a scenario.
  void add_sample(std::size_t count) {
    if (sample_ == nullptr) return;
    for (const auto& bytes : sample_->recent(count)) add(Bytes{bytes.begin(), bytes.end()});
  }

  /// True if there is a new finding.
  bool check(const std::string& text) {
    const auto judge = memcheck_.judge_of(options_.system->name());
    const auto start = Clock::now();
    const auto replay = options_.system->judging().replay_memory(text, names_, judge);
    if (!replay) return false;  // a broken file of the corpus, which the corpus test reports
    if (!replay->verdict.agreed() && !replay->verdict.divergence) {
      if (!std::exchange(complained_, true)) complain(replay->verdict.reason);
      ++unjudged_;
      return false;
    }
    unjudged_ = 0;
    stats_.count(replay->actions, 0, Clock::now() - start);
    if (replay->verdict.agreed()) return false;
    const std::string signature = replay->verdict.divergence->signature();
    if (options_.ignored.contains(signature)) stats_.count_ignored(signature);
    if (!known_.insert(signature).second) return false;
    stats_.note_divergence();
    stats_.shrinking.store(1);
    auto finding = options_.system->judging().shrink_memory(text, options_.implementations, judge, shrink_time());
    stats_.shrinking.store(0);
    if (!finding || !*finding) {
      complain("an error did not show again: " + signature);
      return false;
    }
    (*finding)->engine = memcheck_engine;
    out_.send(to_json(**finding) + "\n");
    return true;
  }

  /// A message to the parent, which reports it as a fault (note_faults).
  static void complain(std::string reason) {
    std::ranges::replace(reason, '\n', ' ');
    static_cast<void>(write_all(STDERR_FILENO, std::string{fault_line} + reason + "\n"));
  }

  std::chrono::milliseconds shrink_time() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    return std::clamp(left, std::chrono::milliseconds{0}, shrink_time_max);
  }

  const EngineOptions& options_;
  CampaignStats& stats_;
  Clock::time_point deadline_;
  const RecentScenarios* sample_;
  std::vector<std::string> names_;  // of the implementations to run
  Outbox& out_;
  Exchange exchange_;
  Signatures known_;
  std::multimap<std::size_t, std::string> waiting_;  // texts by length: short ones cost least
  Memcheck memcheck_{options_.timeout};
  bool complained_ = false;
  int unjudged_ = 0;     // scenarios in a row that could not be judged
  bool waited_ = false;  // until what the other engines left last could be read
};

class MemcheckProcess final : public Engine {
 public:
  MemcheckProcess(const EngineOptions& options, Clock::time_point deadline, const RecentScenarios* sample)
      : options_{options}, stats_{share_stats()} {
    auto child = ChildProcess::call(
        [this, deadline, sample](Outbox& out) { MemcheckSearch{options_, *stats_, deadline, sample, out}.run(); },
        errors_.options());
    if (!child) throw InternalError{child.error()};
    child_.emplace(std::move(*child));
  }

  std::vector<std::string> names() const override { return {memcheck_engine}; }
  const CampaignStats& stats() const override { return *stats_; }
  double processor_seconds() const override { return 0; }  // valgrind is a process of its own
  std::vector<FindingText> take_findings() override { return std::exchange(findings_, {}); }
  std::vector<std::string> faults() const override { return faults_; }
  void no_more_scenarios() override {
    if (stats_->stop.load() == 0) stats_->stop.store(stop_when_empty);
  }

  void stop() override {
    stats_->stop.store(stop_now);
    if (!stopping_since_) stopping_since_ = Clock::now();
  }

  bool poll() override {
    if (!child_) return false;
    receive();
    const auto status = child_->wait({});
    // A scenario in flight is given up; a finding that is being shrunk is not.
    const auto patience = stats_->shrinking.load() == 0 ? std::chrono::milliseconds{0} : shrink_time_max;
    const bool late = stopping_since_ && Clock::now() - *stopping_since_ > patience;
    if (!status && !late) return true;
    if (!status) child_->kill();
    receive();
    child_.reset();
    note_faults(!status || status->clean() ? "" : status->text());
    return false;
  }

 private:
  void receive() {
    child_->read(inbox_);
    for (auto& finding : lockstep::take_findings(inbox_)) findings_.push_back(std::move(finding));
  }

  void note_faults(const std::string& death) {
    const std::string errors = errors_.text();
    for (std::string_view rest = errors; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (line.starts_with(fault_line)) faults_.emplace_back(line.substr(fault_line.size()));
    }
    if (!death.empty()) faults_.push_back(death + "\n" + last_words(errors));
  }

  EngineOptions options_;
  SharedStats stats_;
  ErrorOutput errors_;
  std::optional<ChildProcess> child_;
  std::optional<Clock::time_point> stopping_since_;
  std::string inbox_;
  std::vector<FindingText> findings_;
  std::vector<std::string> faults_;
};

}  // namespace

std::unique_ptr<Engine> start_memcheck(const EngineOptions& options, Clock::time_point deadline,
                                       const RecentScenarios* sample) {
  return std::make_unique<MemcheckProcess>(options, deadline, sample);
}

}  // namespace lockstep
