// The engine that runs a fuzz target: under libFuzzer, which is in the target's program, or under afl-fuzz.
//
// The processes of afl-fuzz work in one folder (its -o), where each has a folder of its own with its queue. The first is
// the main node (-M), the others are secondary ones (-S): they read each other's queues. The main node exchanges scenarios
// with the other engines of the campaign: it leaves what it adds to its queue, and what the others leave is put into a
// folder from which it reads new files (-F), twice a minute.
#include "lockstep/fuzz_target.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "campaign/engine.hpp"
#include "campaign/guarded_search.hpp"
#include "lockstep/child.hpp"
#include "lockstep/corpus.hpp"
#include "lockstep/error.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/files.hpp"
#include "lockstep/outside_program.hpp"
#include "lockstep/report.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/signature.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The longest input, in bytes.
constexpr int input_max = 32'768;

/// The exit code of a target that cannot start, for example because it lacks an implementation.
constexpr int exit_not_started = 2;

/// What the target's findings are called once one was seen.
constexpr const char* first_findings = "first-findings";

/// For shrinking what the target has not shrunk itself.
constexpr std::chrono::seconds shrink_time{10};

class Target final : public Engine {
 public:
  Target(const EngineOptions& options, const TargetProcess& process, std::uint64_t runs, int niceness)
      : options_{options},
        target_{process.target},
        number_{process.number},
        stats_{share_stats(scratch_ / "stats")},
        corpus_{options.exchange.empty() || under_afl() ? scratch_.path() / "corpus" : options.exchange},
        exchange_{under_afl() && number_ == 0 ? options.exchange : fs::path{}} {
    if (!stats_) throw InternalError{"the statistics file cannot be mapped"};
    fs::create_directories(corpus_);
    pack_corpus();
    start(runs, niceness);
  }

  std::vector<std::string> names() const override { return {target_.engine}; }
  const CampaignStats& stats() const override { return *stats_; }
  /// Under AFL++ the target is a process that afl-fuzz starts: its time is that of its judgements.
  double processor_seconds() const override {
    const double judging = static_cast<double>(stats_->by_generator[0].time_ns.load()) * 1e-9;
    return processor_time_.seconds() + (under_afl() ? judging : 0);
  }
  std::vector<FindingText> take_findings() override { return std::exchange(findings_, {}); }
  std::vector<std::string> faults() const override { return faults_; }
  std::string absence() const override { return absence_; }

  void stop() override {
    to_stop_ = true;
    if (!child_ || stopping_since_) return;
    stopping_since_ = Clock::now();
    // After a divergence the target shrinks its finding, then ends by itself.
    if (stats_->diverged_at_ns.load() == 0) child_->send(SIGTERM);
  }

  bool poll() override {
    if (search_.runs()) search_.poll(to_stop_);
    else if (!unconfirmed_.empty()) confirm_next();
    if (!child_) return search_.runs() || !unconfirmed_.empty();
    processor_time_.sample(child_->id());
    exchange_scenarios();
    end_after_failure();
    if (const auto status = child_->wait({})) {
      end();
      collect(*status);
    } else if (stopping_since_ && Clock::now() - *stopping_since_ > stop_timeout()) {
      const ExitStatus killed = child_->kill();
      end();
      collect(killed);
    }
    return child_ || search_.runs() || !unconfirmed_.empty();
  }

 private:
  /// How long the target may take to stop: after a divergence it first shrinks the scenario.
  std::chrono::seconds stop_timeout() const {
    return std::chrono::seconds{stats_->diverged_at_ns.load() == 0 ? 5 : 15};
  }

  void pack_corpus() const {
    for (const auto& file : corpus_files_if_any(corpus_folder(options_.corpus, options_.system->name()))) {
      const auto text = read_file(file);
      if (!text) continue;
      // A broken corpus file does not stop fuzzing; the corpus test reports it.
      if (const auto bytes = options_.system->encoding().pack(*text)) {
        const fs::path packed = corpus_ / (std::string{corpus_prefix} + file.stem().string());
        const auto written = write_file(packed, as_chars(*bytes));
        if (!written) throw InternalError{written.error()};
      }
    }
  }

  bool under_afl() const { return target_.engine == afl_engine; }
  /// What afl-fuzz calls this process, and its folder.
  std::string node() const { return "node" + std::to_string(number_); }
  fs::path foreign() const { return scratch_.path() / "foreign"; }

  void start(std::uint64_t runs, int niceness) {
    std::vector<std::pair<std::string, std::string>> environment = {
        {"LOCKSTEP_STATS", scratch_ / "stats"},
        {"LOCKSTEP_FINDINGS_JSON", scratch_ / "findings"},
        {"LOCKSTEP_WITH", joined(options_.implementations, ",")},
        {"LOCKSTEP_WITHOUT", joined(options_.without, ",")},
        {"LOCKSTEP_IGNORED", scratch_ / "ignored"}};
    std::string ignored;
    for (const auto& signature : options_.ignored) ignored += signature + "\n";
    if (const auto written = write_file(scratch_ / "ignored", ignored); !written) throw InternalError{written.error()};
    if (under_afl()) std::ranges::copy(afl_environment(), std::back_inserter(environment));
    // afl-fuzz, when it is told to stop, stops its own processes. A signal that it cannot catch would leave them.
    const int with_parent = under_afl() ? SIGTERM : SIGKILL;
    auto child = ChildProcess::run(under_afl() ? afl_command(runs) : libfuzzer_command(runs),
                                   {.stdout_to = scratch_ / "log",
                                    .stderr_to = scratch_ / "log",
                                    .environment = std::move(environment),
                                    .prepare = [niceness, with_parent] {
                                      static_cast<void>(nice(niceness));
                                      prctl(PR_SET_PDEATHSIG, with_parent);
                                    }});
    if (!child) throw InternalError{child.error()};
    child_.emplace(std::move(*child));
  }

  /// Of one execution: all actions of a scenario (at most 3 s, lockstep/fuzz_work.hpp), of which one may take the
  /// timeout, and its shrinking.
  std::chrono::seconds execution_timeout() const {
    return std::chrono::ceil<std::chrono::seconds>(options_.timeout) + std::chrono::seconds{25};
  }
  std::string seed() const { return std::to_string(seed_of(options_.seed, number_) % 0x7fff'ffff + 1); }  // 0: random

  std::vector<std::string> libfuzzer_command(std::uint64_t runs) const {
    std::vector<std::string> command = {
        target_.program.string(),
        "-seed=" + seed(),
        "-timeout=" + std::to_string(execution_timeout().count()),
        "-artifact_prefix=" + scratch_ / "artifact-",
        "-max_len=" + std::to_string(input_max),
        "-verbosity=0",
    };
    if (runs > 0) {
      constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();  // libFuzzer reads an int
      command.push_back("-runs=" + std::to_string(std::min(runs, most)));
    }
    command.push_back(corpus_.string());
    return command;
  }

  std::vector<std::string> afl_command(std::uint64_t runs) const {
    const auto program = path_of("afl-fuzz");
    if (!program) throw BadInput{"engine afl: " + program.error()};
    // It refuses an empty folder. Zeros are the simplest scenario.
    const auto written = write_file(corpus_ / "simplest", std::string(1, '\0'));
    if (!written) throw InternalError{written.error()};
    std::vector<std::string> command = {*program,
                                        "-i",
                                        corpus_.string(),
                                        "-o",
                                        options_.afl.string(),
                                        number_ == 0 ? "-M" : "-S",
                                        node(),
                                        "-s",
                                        seed(),
                                        "-t",
                                        std::to_string(std::chrono::milliseconds{execution_timeout()}.count()),
                                        "-G",
                                        std::to_string(input_max)};
    if (!options_.exchange.empty() && number_ == 0) {
      fs::create_directories(foreign());
      command.insert(command.end(), {"-F", foreign().string()});
    }
    if (runs > 0) command.insert(command.end(), {"-E", std::to_string(runs)});
    command.insert(command.end(), {"--", target_.program.string()});
    return command;
  }

  std::vector<std::pair<std::string, std::string>> afl_environment() const {
    const fs::path mutator =
        target_.program.parent_path() / ("mutator_" + std::string{options_.system->name()} + ".so");
    return {{"AFL_CUSTOM_MUTATOR_LIBRARY", mutator.string()},
            {"AFL_CUSTOM_MUTATOR_ONLY", "1"},
            {"AFL_DISABLE_TRIM", "1"},       // it cuts bytes, the mutator actions
            {"AFL_BENCH_UNTIL_CRASH", "1"},  // the target has shrunk its finding then
            {"AFL_SYNC_TIME", "1"},
            {"AFL_FORKSRV_INIT_TMOUT", "30000"},
            {"AFL_DEBUG_CHILD", "1"},  // the target's error output goes to the log
            {"AFL_NO_UI", "1"},
            {"AFL_NO_AFFINITY", "1"},
            {"AFL_SKIP_CPUFREQ", "1"},
            {"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"}};
  }

  /// Of the main node of afl-fuzz, at most once a second. afl-fuzz writes a file of its queue under its final name: one that
  /// the look before this one has seen is complete.
  void exchange_scenarios() {
    const auto now = Clock::now();
    if (options_.exchange.empty() || !under_afl() || number_ != 0 || now < next_exchange_) return;
    next_exchange_ = now + std::chrono::seconds{1};
    visit_entries(options_.afl / node() / "queue", [&](const fs::directory_entry& entry) {
      const std::string name = entry.path().filename().string();
      const bool own = name.starts_with("id:") && !name.contains(",orig:") && !name.contains("sync:foreign");
      if (!own) return;
      const auto [file, unseen] = queue_.try_emplace(name, Queued::seen);
      if (unseen || file->second == Queued::left) return;
      file->second = Queued::left;
      if (const auto bytes = read_file(entry.path())) exchange_.leave({bytes->begin(), bytes->end()});
    });
    for (const auto& bytes : exchange_.take()) {
      const fs::path given = scratch_.path() / "given";
      std::error_code none;
      // Losing a scenario is harmless. It is renamed, so that afl-fuzz sees no file before it is whole.
      if (write_file(given, as_chars(bytes))) fs::rename(given, foreign() / std::to_string(given_++), none);
    }
  }

  /// afl-fuzz continues after a hang, and after a crash on a seed; a libFuzzer process ends. A finding is complete once its
  /// file is there (write_file). The file is renamed, so that another finding until the end does not replace it.
  void end_after_failure() {
    if (!under_afl() || told_to_end_) return;
    std::error_code fault;
    fs::rename(scratch_ / "findings", scratch_ / first_findings, fault);
    if (fault && !artifact()) return;
    told_to_end_ = true;
    stopping_since_ = Clock::now();
    child_->send(SIGTERM);
  }

  /// The first input on which the target failed, as the engine keeps it. Crashes come before hangs, and both before an
  /// input on which it was killed.
  std::optional<fs::path> artifact() const {
    const auto first = [](const fs::path& folder, std::string_view prefix) {
      std::optional<fs::path> out;
      visit_entries(folder, [&](const fs::directory_entry& entry) {
        const fs::path& path = entry.path();
        if (!path.filename().string().starts_with(prefix)) return;
        if (!out || std::pair{killed_on(path), path} < std::pair{killed_on(*out), *out}) out = path;
      });
      return out;
    };
    if (!under_afl()) return first(scratch_.path(), "artifact-");
    const auto crash = first(options_.afl / node() / "crashes", "id:");
    if (crash && !killed_on(*crash)) return crash;
    const auto hang = first(options_.afl / node() / "hangs", "id:");
    return hang ? hang : crash;
  }

  /// Whether the target was killed on this input: afl-fuzz names a crash by the signal that ended the target.
  static bool killed_on(const fs::path& input) { return input.filename().string().contains("sig:09"); }

  /// Ends the process if it still runs.
  void end() {
    processor_time_.end();
    child_.reset();
  }

  /// Reads what the target wrote. If there is neither a finding nor a fault, one artifact is shrunk.
  void collect(const ExitStatus& status) {
    std::string lines =
        read_file(scratch_ / first_findings).value_or("") + read_file(scratch_ / "findings").value_or("");
    auto [findings, faults] = take_messages(lines);
    for (const auto& fault : faults) {
      faults_.push_back(target_.program.string() + " ended by an exception that no implementation threw: " + fault +
                        ". The rest of its part was not searched");
    }
    std::ranges::move(findings, std::back_inserter(unconfirmed_));
    if (!unconfirmed_.empty() || (status.clean() && !under_afl())) return;
    const bool not_started = under_afl() ? !status.clean() : status.exit_code() == exit_not_started;
    if (not_started && read_file(scratch_ / "log").value_or("").contains("there is no implementation")) {
      absence_ = "left out: " + target_.program.string() + " was built before one of these implementations";
      return;
    }
    const auto file = artifact();
    if (const auto text = read_file(scratch_ / ("findings" + std::string{unshrunk_suffix}))) {
      shrink(*text);  // it was killed meanwhile, or an exception ended it
    } else if (!faults.empty()) {
      return;
    } else if (const auto bytes = file ? read_file(*file) : std::unexpected{std::string{}}) {
      const bool killed = under_afl() && killed_on(*file);
      if (!killed) note_divergence();
      shrink(text_of(*bytes), killed);
    } else if (!stopping_since_ && killed_from_outside(status.kind())) {
      note_kill();
    } else if (!stopping_since_ && !status.clean()) {
      faults_.push_back(target_.program.string() + " " + status.text() + "\n" + log_tail());
    }
  }

  void note_divergence() { stats_->note_divergence(Clock::now(), processor_time_.seconds()); }
  void note_kill() {
    faults_.push_back(target_.program.string() + " was " + std::string{killed_from_outside_text} +
                      "; the rest of its part was not searched");
  }

  /// Judges a finding again. If the implementations agree in the processes of this program, a sanitizer of the target's
  /// build stopped it, and the explanation says so.
  void confirm_next() {
    FindingText finding = std::move(unconfirmed_.front());
    unconfirmed_.pop_front();
    finding.engine = target_.engine;
    auto search = confirming(options_.system->judging(), options_.implementations, Guard{options_.timeout}, finding);
    search_.start(std::move(search), after_stop(), [this, finding](const GuardedSearch::Answer& answer) {
      FindingText& kept = findings_.emplace_back(finding);
      if (!answer.fault.empty()) {
        faults_.push_back("a finding could not be judged again: " + answer.fault);
      } else if (!answer.finding) {
        kept.explanation += " (in " + target_.program.string() + ", where a sanitizer stopped it; other builds agree)";
      }
    });
  }

  /// The scenario of an artifact, as the target judged it.
  std::string text_of(const std::string& bytes) const {
    // input_max keeps the input far below the limit of a text.
    const Encoding& encoding = options_.system->encoding();
    const std::string input = encoding.unpack(bytes_in(bytes)).value();
    return encoding.without(input, options_.without).value();
  }

  /// `killed`: the target was killed from outside. That is no failure, unless the scenario has another one.
  void shrink(const std::string& text, bool killed = false) {
    search_.start([this, text] { return shrunk(text); }, after_stop() + shrink_time,
                  [this, text, killed](const GuardedSearch::Answer& answer) {
                    if (!answer.fault.empty())
                      faults_.push_back("a scenario on which " + target_.program.string() +
                                        " stopped could not be judged again: " + answer.fault);
                    if (killed && !answer.finding) return note_kill();
                    if (killed) note_divergence();
                    findings_.push_back(answer.finding ? *answer.finding : unshrunk(text, answer.fault));
                  });
  }

  /// The longest that a judgement is waited for after a stop: a hang that is judged alone, and judged once more.
  std::chrono::milliseconds after_stop() const { return std::chrono::seconds{2} + 3 * options_.timeout; }

  /// The finding of a scenario on which the target failed; empty if the implementations agree in this process.
  std::optional<FindingText> shrunk(const std::string& text) const {
    auto finding =
        options_.system->judging().shrink(text, options_.implementations, Guard{options_.timeout}, shrink_time,
                                          options_.known != nullptr ? *options_.known : Signatures{});
    if (!finding || !*finding) return std::nullopt;
    (*finding)->engine = target_.engine;
    return std::move(*finding);
  }

  /// A scenario whose failure only the target's build (a sanitizer) shows, with the end of the target's output. `fault`: why
  /// no other build has judged it; empty: the implementations agree in this process.
  FindingText unshrunk(const std::string& text, const std::string& fault) const {
    const std::string system{options_.system->name()};
    const std::string signature = system + " " + target_.engine + " " + std::string{stopped_by_engine};
    const std::string why = fault.empty() ? "only the build of " + target_.engine + " fails on it"
                                          : "it could not be judged again: " + fault.substr(0, fault.find('\n'));
    return {.signature = signature,
            .file_name = finding_file_name(system, text),
            .text = unshrunk_text(text, signature, options_.implementations, why),
            .explanation = target_.engine + " stopped on this scenario" +
                           (fault.empty() ? "" : ", which could not be judged again (" + fault + ")") + ": " +
                           log_tail(),
            .divergence = {.kind = DivergenceKind::crash,
                           .system = system,
                           .blamed = "all",
                           .action = {},
                           .field = target_.engine,
                           .expected = {},
                           .actual = "was stopped by " + target_.engine},
            .engine = target_.engine};
  }

  /// Removes terminal colours: afl-fuzz writes them to files, too.
  static std::string without_colours(std::string text) {
    for (std::size_t at = 0; (at = text.find('\x1b', at)) != std::string::npos;) {
      std::size_t end = at + 1;
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) == 0) ++end;
      text.erase(at, end + 1 - at);
    }
    return text;
  }

  std::string log_tail() const {
    constexpr std::size_t length_max = 2000;
    const std::string log = without_colours(read_file(scratch_ / "log").value_or(""));
    const std::size_t end_part = log.size() - std::min(log.size(), length_max);
    return log.substr(std::min(log.find("ERROR"), end_part), length_max);
  }

  EngineOptions options_;
  FuzzTarget target_;
  std::uint64_t number_;
  ScratchFolder scratch_;
  SharedStats stats_;
  fs::path corpus_;
  Exchange exchange_;  // of the main node of afl-fuzz
  enum class Queued { seen, left };
  std::map<std::string, Queued> queue_;  // the files of its queue, by name: left there, or to be left at the next look
  std::size_t given_ = 0;
  Clock::time_point next_exchange_;
  std::optional<ChildProcess> child_;
  PendingSearch search_;
  ProcessorTime processor_time_;
  std::deque<FindingText> unconfirmed_;  // received, and not judged again yet
  std::vector<FindingText> findings_;
  std::vector<std::string> faults_;
  std::string absence_;
  bool to_stop_ = false;                             // by the campaign
  std::optional<Clock::time_point> stopping_since_;  // the child
  bool told_to_end_ = false;                         // under afl-fuzz, after a failure
};

}  // namespace

std::unique_ptr<Engine> start_fuzz_target(const EngineOptions& options, const TargetProcess& process,
                                          std::uint64_t runs, int niceness) {
  return std::make_unique<Target>(options, process, runs, niceness);
}

}  // namespace lockstep
