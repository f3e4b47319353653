// The engine that runs a built-in worker: a process that searches, and what it leaves to be judged in other processes.
//
//   process ── finding ──▶ Confirming ── repeats, or no answer ──────────▶ kept
//      │                       └── does not ──▶ FindingCause ──────────▶ kept with its cause, or as unstable
//      │
//      ├── stuck for a tenth of the timeout ─▶ Stuck ── hangs in another process ──▶ kept; it ends, as with Failed
//      └── ends (Ended), and all its findings are confirmed
//             ├── leaks ─────────────▶ Leaked ───┐
//             ├── crashes or hangs ──▶ Failed ───┼──▶ kept, and a process begins behind it, unless the search ends so
//             ├── killed for time ───▶ InFlight ─┘
//             └── renewed, or its last finding does not end the search ──▶ a process begins behind it
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <sstream>
#include <tuple>
#include <variant>

#include "campaign/compared.hpp"
#include "campaign/engine.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/trace.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/watched_time.hpp"
#include "lockstep/services/memory.hpp"
#include "lockstep/services/report.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

/// The bytes that the process holds in memory and shares with no other.
std::uint64_t own_memory(pid_t process) {
  std::istringstream pages{read_file("/proc/" + std::to_string(process) + "/statm").value_or("")};
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  pages >> all >> resident >> shared;
  return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(getpagesize());
}

/// "1 GiB", "512 KiB": rounded down to a power of two, so that several workers say the same.
std::string rounded_bytes(std::uint64_t bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB"};
  std::uint64_t count = std::bit_floor(bytes) / 1024;
  if (count == 0) return "less than 1 KiB";
  std::size_t unit = 0;
  for (; count >= 1024 && unit + 1 < units.size(); count /= 1024) ++unit;
  return std::to_string(count) + " " + units[unit];
}

/// The finding, judged again: whether it repeats in another process.
struct Confirming {
  Finding finding;
};
/// One that did not: what it depends on.
struct FindingCause {
  Finding finding;
};
/// The scenario in flight in a process that was killed, judged again.
struct InFlight {
  Clock::time_point ended;
  bool saw_difference = false;
};
/// The scenario in flight when one action took a tenth of the timeout, judged in another process while this one goes on.
struct Stuck {
  Clock::time_point since;
};
/// The scenarios before a crash or a hang, judged again.
struct Failed {
  Clock::time_point ended;
  bool killed = false;  // from outside
  Finding unexplained;
};
/// The scenarios before a leak, judged again.
struct Leaked {
  Clock::time_point ended;
};
/// What an answer is waited for.
using Work = std::variant<Confirming, FindingCause, InFlight, Stuck, Failed, Leaked>;

/// How a process ended.
struct Ended {
  ExitStatus status;
  bool late = false;  // it was killed, because it had not ended in time
  bool hung = false;  // then: on one action
};

/// What belongs to one process, and is known until the next one begins.
struct WorkerProcess {
  ErrorOutput errors = {};
  std::string inbox = {};
  std::uint64_t memory_at_start = 0;
  std::uint64_t scenarios_at_start = 0;
  Clock::time_point memory_looked_at = {};
  bool reported = false;  // a finding
  bool goes_on = false;   // its last finding is unstable or known
  bool renews = false;    // it was asked to stop because of its memory
  std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> heartbeat = {};
  Clock::time_point heartbeat_at = {};  // when it last changed
  Clock::time_point asked_at = {};      // the heartbeat for which first_stuck() has looked
};

class Worker final : public Engine {
 public:
  explicit Worker(const EngineOptions& options) : Engine{options}, recent_{share_scenarios()} {
    for (const Generator generator : generators) names_.emplace_back(to_string(generator));
    stats_ = share_stats();
    start();
  }

  std::vector<std::string> faults() const override {
    std::vector<std::string> out = faults_;
    if (killed_ > 0) {
      std::string fault = "worker processes were " + std::string{killed_from_outside_text} + ", " +
                          counted(killed_, "time") + "; what they were judging " +
                          (all_agreed_ ? "agrees when it is judged again" : "could not always be judged again");
      if (killed_ >= kills_max) fault += ". After so many kills one worker was given up: its part was not searched";
      out.push_back(std::move(fault));
    }
    return out;
  }

  void stop() override {
    stats_->stop.store(1);
    if (!stopping_since_) stopping_since_ = time_.now();
  }

  bool poll() override {
    // Read before receive(): what the worker reports after that belongs to this scenario or a later one.
    const std::uint64_t current = stats_->current.load();
    if (child_) {
      sample_processor_time();
      receive();
      read_heartbeat();
    }
    time_.look();
    if (search_.runs()) take_answer();
    else if (!unconfirmed_.empty()) confirm_next();
    else if (child_) look_at_child();
    if (ended_ && unconfirmed_.empty() && !search_.runs()) report(*std::exchange(ended_, std::nullopt));
    const bool pending = search_.runs() || !unconfirmed_.empty() || ended_;
    if (!pending) place_ = child_ ? current : stats_->current.load();
    return child_ || pending;
  }

 private:
  void start() {
    stats_->stop.store(0);
    stats_->done.store(0);
    stats_->shrinking.store(0);
    stats_->leaks.store(0);
    stats_->progress.differs = 0;
    part_.known = known();
    recent_->clear();
    process_.emplace();
    child_ = or_refuse<InternalError>(ChildProcess::call(
        [this](Outbox& out) {
          const auto report = [&out](const Finding& finding) { out.send(to_json(finding) + "\n"); };
          try {
            forget_compared_numbers();
            search_stream(vocabulary(), part_, options_.implementations, *stats_, *recent_, report);
            if (stats_->leaks.load() == 0) stats_->done.store(1);
          } catch (...) {
            // What an implementation throws is an answer (trace.hpp). This comes from the system's own parts (suggestions,
            // features) or from the library, so it blames no implementation.
            out.send(fault_to_json(exception_text(current_exception_thrown())) + "\n");
          }
        },
        process_->errors.options()));
    process_->heartbeat_at = time_.now();
    process_->memory_at_start = own_memory(child_->id());
    process_->scenarios_at_start = stats_->scenarios.load();
  }

  void end() {
    end_process();
    const auto& names = options_.implementations;
    if (const std::size_t forked = stats_->progress.forked; forked != 0 && forked <= names.size()) {
      gave_up_ = true;  // the next process would end so, too
      faults_.push_back(forked_text(names[forked - 1]));
    }
  }

  void receive() {
    child_->read(process_->inbox);
    auto [findings, faults] = take_messages(process_->inbox);
    process_->reported |= !findings.empty();
    std::ranges::move(findings, std::back_inserter(unconfirmed_));
    for (const auto& fault : faults) {
      gave_up_ = true;
      faults_.push_back("a worker ended by an exception of the system (suggestions, features) or the library: " +
                        fault + ". The rest of its part was not searched");
    }
  }

  void look_at_child() {
    const auto now = time_.now();
    if (const auto status = child_->wait({})) {
      receive();
      end();
      ended_ = {.status = *status};
    } else if (stopping_since_ && now - *stopping_since_ > stop_timeout()) {
      const ExitStatus killed = child_->kill();
      receive();
      end();
      // Without a heartbeat since the request to stop, the worker hung on one action; otherwise it was only slow.
      ended_ = {.status = killed, .late = true, .hung = process_->heartbeat_at <= *stopping_since_};
    } else if (first_stuck(now)) {
      if (const auto hang = known_hang()) pass_over(*hang);
      else if (suspects_ && !saw_difference()) judge_stuck(now);
    } else if (now - process_->heartbeat_at > options_.timeout) {
      end();
      report_failure(hang_in_flight());
    }
    if (child_) watch_memory(now);
    if (child_) process_->errors.bound();  // not when it has ended, since its last words are read then
  }

  /// A worker that holds much more memory than at its start is asked to stop, and another one continues behind it. The
  /// memory that it needs to shrink a failure is not watched.
  void watch_memory(Clock::time_point now) {
    constexpr std::chrono::milliseconds between_looks{20};
    WorkerProcess& of = *process_;
    if (now - of.memory_looked_at < between_looks || of.renews || stats_->shrinking.load() != 0) return;
    of.memory_looked_at = now;
    const std::uint64_t memory = own_memory(child_->id());
    const std::uint64_t grown = memory - std::min(memory, of.memory_at_start);
    if (grown <= options_.growth_max) return;
    const std::uint64_t scenarios = std::max<std::uint64_t>(stats_->scenarios.load() - of.scenarios_at_start, 1);
    of.renews = true;
    stats_->stop.store(1);
    if (!note_.empty()) return;
    note_ = "worker grew by " + rounded_bytes(options_.growth_max) + " of memory, about " +
            rounded_bytes(grown / scenarios) +
            " a scenario, so it was begun anew: an implementation leaks, or keeps what it is given (LeakSanitizer and "
            "valgrind show where)";
  }

  /// When every finding that was received is confirmed: only then are their signatures known.
  void report(const Ended& ended) {
    const bool renews = process_->renews && (part_.keep_going || !process_->reported);
    if (ended.late || gave_up_) {
      // A divergence whose confirming or shrinking was cut off is not lost.
      if (saw_difference() || (ended.hung && !known_hang())) judge_in_flight();
    } else if (ended.status.clean() && stats_->leaks.load() != 0) {
      report_leak();
    } else if (!ended.status.clean() || stats_->done.load() == 0) {
      report_failure({.implementation = stats_->progress.implementation,
                      .step = stats_->progress.step,
                      .kind = ended.status.kind(),
                      .reason = ended.status.text(),
                      .error_output = process_->errors.text()});
    } else if ((renews || (process_->goes_on && !part_.keep_going)) && !stopping_since_) {
      start_behind();
    }
  }

  /// The worker judges in one process. A finding that does not repeat in another one is due to what an earlier scenario did
  /// to that process.
  void confirm_next() {
    Finding finding = std::move(unconfirmed_.front());
    unconfirmed_.pop_front();
    if (finding.unstable) return keep(std::move(finding));  // it did not even repeat in its own process
    search(confirming(*options_.system, options_.implementations, Guard{options_.timeout}, finding),
           Confirming{finding});
  }
  void take(Confirming& was, GuardedSearch::Answer& answer) {
    if (answer.finding || !answer.fault.empty()) keep(std::move(was.finding));
    else find_cause(was.finding);
  }

  /// Looks for the cause of a finding that does not repeat. While the worker still runs, its last scenarios are later ones
  /// than the failing one.
  void find_cause(const Finding& finding) {
    if (child_) return keep(as_unstable(finding));
    search([this, count = history_for(finding.signature)] { return cause_of_failure(count); }, FindingCause{finding});
  }
  void take(FindingCause& was, GuardedSearch::Answer& answer) {
    auto& cause = answer.finding;
    const bool of_another = cause && cause->signature != was.finding.signature && is_known(*cause);
    if (!cause || of_another || killed_from_outside(cause->divergence.field)) cause = as_unstable(was.finding);
    cause->engine = was.finding.engine;
    keep(std::move(*cause));
  }

  void keep(Finding finding) {
    const std::string as = known_signature(finding);
    process_->goes_on = finding.unstable || !as.empty();
    if (part_.ignored.contains(as)) stats_->count_ignored(as);
    if (!as.empty()) return;
    own_signatures_.insert(finding.signature);
    findings_.push_back(std::move(finding));
  }

  /// The signatures that are not to be shrunk again.
  Signatures known() const {
    Signatures out = own_signatures_;
    if (options_.known != nullptr) out.insert(options_.known->begin(), options_.known->end());
    return out;
  }

  /// The known signature that a finding has, or that of a known mistake that it falls under; empty: it is new.
  std::string known_signature(const Finding& finding) const {
    if (known().contains(finding.signature)) return finding.signature;
    return finding.unstable ? std::string{} : known_as(part_.ignored, finding.divergence);
  }
  bool is_known(const Finding& finding) const { return !known_signature(finding).empty(); }

  /// How long the worker may take to stop: after a divergence it first shrinks the scenario.
  std::chrono::milliseconds stop_timeout() const {
    constexpr std::chrono::milliseconds usual{2'000};
    return stats_->shrinking.load() == 0 ? usual : usual + part_.shrink_time;
  }

  /// Whether the worker has been stuck in an action for a tenth of the timeout; true once for each.
  bool first_stuck(Clock::time_point now) {
    if (now - process_->heartbeat_at < options_.timeout / 10) return false;
    return std::exchange(process_->asked_at, process_->heartbeat_at) != process_->heartbeat_at;
  }
  /// The rest of the timeout is not waited for: a search that continues would spend its time with that.
  void pass_over(const std::string& hang) {
    end();
    read_heartbeat();
    if (saw_difference()) return judge_in_flight();  // it has moved on
    if (part_.ignored.contains(hang)) stats_->count_ignored(hang);
    if (!stopping_since_) start_behind();
  }
  /// Uses the rest of the timeout: judges the scenario in another process and, if it hangs there too, shrinks it and confirms
  /// it with the whole timeout. If it does not hang there, actions are slow, and the worker is not suspected again.
  void judge_stuck(Clock::time_point now) {
    const auto in_flight = recent_->recent(1);
    if (in_flight.empty()) return;
    // A copy: the worker may move on.
    const auto alone = [this, bytes = Bytes(in_flight[0].begin(), in_flight[0].end())] {
      const std::array<std::span<const std::uint8_t>, 1> history{bytes};
      return lockstep::cause_of_failure(vocabulary(), history, options_.implementations, Guard{options_.timeout},
                                        shrink_time(), known());
    };
    search(alone, Stuck{now});
  }
  void take(const Stuck& was, GuardedSearch::Answer& answer) {
    read_heartbeat();
    const bool moved_on = process_->heartbeat_at > was.since;
    suspects_ = !moved_on && answer.finding && !answer.finding->unstable &&
                answer.finding->divergence.kind == DivergenceKind::hang;
    if (!suspects_) return;
    end();
    conclude(std::move(answer.finding), was.since);
  }
  /// The signature of a hang in the action that is running, if it is known.
  std::optional<std::string> known_hang() const {
    const auto recent = recent_->recent(1);
    if (recent.empty() || stats_->shrinking.load() != 0) return std::nullopt;
    const auto finding = unexplained_failure(vocabulary(), recent, hang_in_flight(), options_.implementations);
    const std::string signature = known_as(known(), finding.divergence);
    return signature.empty() ? std::nullopt : std::optional{signature};
  }
  Death hang_in_flight() const {
    return {.implementation = stats_->progress.implementation,
            .step = stats_->progress.step,
            .hung = true,
            .kind = "timeout",
            .reason = no_answer_within(options_.timeout)};
  }

  /// The heartbeat: the number of the in-flight scenario, and the implementation and action that are running.
  void read_heartbeat() {
    const auto heartbeat = std::tuple{stats_->current.load(), std::uint32_t{stats_->progress.implementation},
                                      std::uint32_t{stats_->progress.step}};
    if (heartbeat == process_->heartbeat) return;
    process_->heartbeat = heartbeat;
    process_->heartbeat_at = time_.now();
  }

  /// The time for shrinking: it ends at the deadline.
  std::chrono::milliseconds shrink_time() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(part_.deadline - Clock::now());
    return std::clamp(left, std::chrono::milliseconds{0}, part_.shrink_time_now());
  }

  /// Whether the process was confirming or shrinking a divergence when it ended.
  bool saw_difference() const { return stats_->shrinking.load() != 0 || stats_->progress.differs != 0; }

  /// Keeps what made a process end at that time. Before the deadline, a new process continues behind it, unless the search
  /// ends with this finding.
  void conclude(std::optional<Finding> finding, Clock::time_point ended) {
    const bool was_known = finding && is_known(*finding);
    const bool goes_on = part_.keep_going || !finding || finding->unstable || was_known;
    if (finding) {
      if (!was_known) stats_->note_divergence(ended, processor_seconds());
      finding->engine = generator_in_flight();
      keep(std::move(*finding));
    }
    if (goes_on && !stopping_since_) start_behind();
  }

  /// Judges the in-flight scenario of a killed process again. If the process had seen no difference, keeps a finding only if
  /// it fails alone; a difference that does not appear again is a fault.
  void judge_in_flight() {
    search([this] { return cause_of_failure(1); }, InFlight{Clock::now(), saw_difference()});
  }
  void take(const InFlight& was, GuardedSearch::Answer& answer) {
    auto& finding = answer.finding;
    if (finding && finding->unstable && !was.saw_difference) finding.reset();
    if (was.saw_difference && !finding && answer.fault.empty())
      faults_.emplace_back("a worker saw a difference that did not appear again when the time was up");
    conclude(std::move(finding), was.ended);
  }

  /// After a crash or a hang: finds the scenario that caused it.
  void report_failure(const Death& death) {
    const auto recent = recent_->recent();
    const bool killed = killed_from_outside(death.kind);
    if (killed && recent.empty()) return start_after_kill();
    if (recent.empty()) {
      faults_.push_back("a worker " + death.reason + " before its first scenario, or on one that is too large to keep");
      return;
    }
    Finding unexplained = unexplained_failure(vocabulary(), recent, death, options_.implementations);
    const std::size_t count = history_for(unexplained.signature);
    search([this, count] { return cause_of_failure(count); }, Failed{Clock::now(), killed, std::move(unexplained)});
  }
  void take(Failed& was, GuardedSearch::Answer& answer) {
    // Nothing that an implementation does by itself sends this signal. If it needs too much memory, it does so again.
    if (!was.killed || answer.finding) return conclude(answer.finding.value_or(was.unexplained), was.ended);
    all_agreed_ = all_agreed_ && answer.fault.empty();
    start_after_kill();
  }

  /// After a leak: finds a scenario that leaks.
  void report_leak() {
    const auto leak = [this] {
      return cause_of_leak(vocabulary(), recent_->recent(leak_batch + 1), options_.implementations,
                           Guard{options_.timeout}, shrink_time(), known());
    };
    search(leak, Leaked{Clock::now()});
  }
  void take(const Leaked& was, GuardedSearch::Answer& answer) {
    if (!answer.finding && answer.fault.empty()) {  // a leak that is known would have been found
      const std::string fault =
          "a worker leaked memory, but none of its last " + std::to_string(leak_batch + 1) + " scenarios leaks alone";
      if (std::ranges::find(faults_, fault) == faults_.end()) faults_.push_back(fault);
    }
    conclude(std::move(answer.finding), was.ended);
  }

  /// How many scenarios are judged to find the cause of a failure. If several looked like this one, only the last.
  std::size_t history_for(const std::string& signature) {
    constexpr int often = 3;
    return ++failures_[signature] <= often ? RecentScenarios::count_max : 1;
  }
  std::optional<Finding> cause_of_failure(std::size_t count) const {
    return lockstep::cause_of_failure(vocabulary(), recent_->recent(count), options_.implementations,
                                      Guard{options_.timeout}, shrink_time(), known());
  }

  void search(GuardedSearch::Search what, Work work) {
    // The longest that is waited for after a stop: a hang that is judged alone, and judged once more.
    search_.start(std::move(what), stop_timeout() + 3 * options_.timeout);
    work_ = std::move(work);
    // A known failure takes some milliseconds, less than the time until the next poll.
    take_answer(std::chrono::milliseconds{20});
  }
  void take_answer(std::chrono::milliseconds patience = {}) {
    auto answer = search_.poll(stopping_since_.has_value(), patience);
    if (!answer) return;
    Work work = std::move(work_);  // the answer may begin the next one
    if (!answer->fault.empty())
      faults_.push_back((std::holds_alternative<Confirming>(work) ? "a finding could not be judged again: "
                                                                  : "the cause of a failure was not found: ") +
                        answer->fault);
    std::visit([&](auto& was) { take(was, *answer); }, work);
  }

  /// What was judged last agrees, so the search continues: after the last scenario judged, or at the start.
  void start_after_kill() {
    if (++killed_ == kills_max || stopping_since_) return;
    if (recent_->recent().empty()) start();
    else start_behind();
  }

  void start_behind() {
    if (gave_up_) return;  // the next process would end so, too
    // 0: it ended before its first scenario.
    if (const std::uint64_t current = stats_->current.load(); current != 0) part_.first = current - 1 + part_.stride;
    part_.given = stats_->given.load();  // a scenario of the corpus may have caused the failure
    start();
  }

  std::string generator_in_flight() const {
    const std::size_t generator = stats_->generator_in_flight.load();
    return generator < names_.size() ? names_[generator] : "built-in";
  }

  const Vocabulary& vocabulary() const { return options_.system->vocabulary(); }

  StreamPart& part_ = options_.part;
  SharedScenarios recent_;  // in flight last
  std::optional<Clock::time_point> stopping_since_;
  std::optional<WorkerProcess> process_;
  std::optional<Ended> ended_;  // not yet reported
  Work work_;                   // of the search, while it runs
  Signatures own_signatures_;
  std::map<std::string, int> failures_;  // how often a failure had this signature before its cause was looked for
  static constexpr std::size_t kills_max = 30;
  std::size_t killed_ = 0;  // how often a process was killed from outside
  bool all_agreed_ = true;  // each scenario in flight at a kill agrees
  bool gave_up_ = false;    // a process has ended by an exception
  bool suspects_ = true;    // that an action which takes a tenth of the timeout hangs
  WatchedTime time_;
};

}  // namespace

std::unique_ptr<Engine> start_worker(const EngineOptions& options) { return std::make_unique<Worker>(options); }

}  // namespace lockstep
