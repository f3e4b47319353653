// The built-in engine's lane.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <tuple>

#include "campaign/engine.hpp"
#include "lockstep/child.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/searching.hpp"
#include "tools/verbs.hpp"
#include "lockstep/finding.hpp"

namespace lockstep {
namespace {

class Worker final : public Engine {
 public:
  Worker(const Campaign& campaign, StreamPart part)
      : campaign_{campaign}, part_{std::move(part)}, stats_{share_stats()}, in_flight_{share_scenario()} {
    start();
  }
  ~Worker() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      reap();
    }
    if (pipe_ >= 0) close(pipe_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::vector<std::string> engines() const override {
    std::vector<std::string> out;
    for (const Generator generator : generators) out.emplace_back(to_string(generator));
    return out;
  }
  const CampaignStats& stats() const override { return *stats_; }
  double processor_seconds() const override { return processor_seconds_of(child_); }
  void stop() override {
    stats_->stop.store(1);
    resume();
    if (!stopping_since_) stopping_since_ = std::chrono::steady_clock::now();
  }
  void pause() override {
    if (child_ <= 0 || paused_) return;
    paused_ = true;
    kill(child_, SIGSTOP);
  }
  void resume() override {
    if (child_ <= 0 || !paused_) return;
    paused_ = false;
    moved_at_ = std::chrono::steady_clock::now();
    kill(child_, SIGCONT);
  }
  std::vector<Found> take_findings() override { return std::exchange(findings_, {}); }
  std::string fault() const override { return fault_; }

  bool poll() override {
    if (child_ <= 0) return false;
    receive();
    look_for_movement();
    const auto now = std::chrono::steady_clock::now();
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      receive();
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) explain_death(ExitStatus{status}.text());
    } else if (stopping_since_ && now - *stopping_since_ > patience()) {
      kill(child_, SIGKILL);
      reap();
      // It did not end, and has stood at one action since it was asked to: slow, or in one that never ends.
      if (moved_at_ <= *stopping_since_) explain_standstill();
    } else if (!paused_ && now - moved_at_ > standstill_max()) {
      kill(child_, SIGKILL);
      reap();
      explain_death("did not come back");
    }
    return child_ > 0;
  }

 private:
  void start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw InternalError{std::string{"pipe: "} + std::strerror(errno)};
    child_ = fork();
    if (child_ < 0) throw InternalError{std::string{"fork: "} + std::strerror(errno)};
    if (child_ == 0) work(ends[1]);
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (pipe_ >= 0) close(pipe_);
    pipe_ = ends[0];
    paused_ = false;
    moved_at_ = std::chrono::steady_clock::now();
  }

  /// An exception that leaves an implementation ends the child by abort(), and is explained like any crash: it must
  /// not unwind into what belongs to the program.
  [[noreturn]] void work(int out) noexcept {
    signal(SIGINT, SIG_IGN);  // the program decides when to end
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // What dying implementations print belongs to the report of their finding, not between the progress lines.
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) {
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
    }
    campaign_.system->searching().work(part_, campaign_.implementations, *stats_, *in_flight_,
                                       [&](const FindingText& finding) {
                                         const std::string line = to_json(finding) + "\n";
                                         for (std::size_t sent = 0; sent < line.size();) {
                                           const ssize_t n = write(out, line.data() + sent, line.size() - sent);
                                           if (n > 0) sent += static_cast<std::size_t>(n);
                                           else if (errno != EINTR) break;
                                         }
                                       });
    _exit(0);
  }

  void receive() {
    char block[65536];
    for (ssize_t got; (got = read(pipe_, block, sizeof block)) > 0;)
      inbox_.append(block, static_cast<std::size_t>(got));
    for (std::size_t end; (end = inbox_.find('\n')) != std::string::npos; inbox_.erase(0, end + 1)) {
      add(finding_from(inbox_.substr(0, end)));
    }
  }

  void add(FindingText finding) {
    std::string file = (campaign_.out / finding.file_name).string();
    findings_.push_back({std::move(finding), std::move(file)});
  }

  /// How long a worker that was asked to end may take: one that has found something is shrinking it.
  std::chrono::milliseconds patience() const {
    constexpr std::chrono::milliseconds usual{2'000};
    return stats_->diverged_at_ns.load() == 0 ? usual : usual + part_.shrink_time;
  }

  void look_for_movement() {
    const auto now_at = std::tuple{stats_->current.load(), std::uint32_t{stats_->progress.implementation},
                                   std::uint32_t{stats_->progress.step}};
    if (now_at == last_at_) return;
    last_at_ = now_at;
    moved_at_ = std::chrono::steady_clock::now();
  }

  /// How long it may stand at one action. Shrinking, which it does after a divergence, does not show where it is.
  std::chrono::milliseconds standstill_max() const {
    return stats_->diverged_at_ns.load() == 0 ? campaign_.timeout : campaign_.timeout + part_.shrink_time;
  }

  /// Judges the scenario in flight again in guarded children; false when that shows nothing.
  bool find_in_scenario_in_flight() {
    const auto text = campaign_.system->encoding().unpack(in_flight_->load());
    if (!text) return false;
    auto finding = campaign_.system->judging().shrink(*text, campaign_.implementations, Guard{campaign_.timeout},
                                                      part_.shrink_time);
    if (!finding || !*finding) return false;
    stats_->note_divergence();
    (*finding)->engine = generator_in_flight();
    add(**finding);
    return true;
  }

  /// Of a worker that was killed in mid-scenario because the time was up. One that is only slow is nobody's fault.
  void explain_standstill() {
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
               campaign_.system->encoding().unpack(in_flight_->load()).value_or("(too long for a text)");
    }
    if (!campaign_.keep_going || stats_->stop.load() != 0) return;
    part_.first = current - 1 + part_.stride;
    part_.corpus.clear();  // what killed it may have come from there
    start();
  }

  std::string generator_in_flight() const {
    const std::size_t generator = stats_->generator_in_flight.load();
    return generator < generators.size() ? std::string{to_string(generators[generator])} : "built-in";
  }

  void reap() {
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
  }

  Campaign campaign_;
  StreamPart part_;
  SharedStats stats_;
  SharedScenario in_flight_;
  bool paused_ = false;
  std::optional<std::chrono::steady_clock::time_point> stopping_since_;
  pid_t child_ = -1;
  int pipe_ = -1;
  std::string inbox_;
  std::vector<Found> findings_;
  std::string fault_;
  std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> last_at_;  // scenario, implementation, action
  std::chrono::steady_clock::time_point moved_at_;
};

}  // namespace

std::unique_ptr<Engine> start_worker(const Campaign& campaign, StreamPart part) {
  return std::make_unique<Worker>(campaign, std::move(part));
}

}  // namespace lockstep
