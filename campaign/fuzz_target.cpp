// The engine that runs a libFuzzer target.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "campaign/engine.hpp"
#include "lockstep/child.hpp"
#include "lockstep/corpus.hpp"
#include "lockstep/error.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/files.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/report.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The exit code of a target that cannot start, for example because it lacks an implementation.
constexpr int exit_not_started = 2;

class Target final : public Engine {
 public:
  Target(const EngineOptions& options, const TargetProcess& process, std::uint64_t runs, int niceness)
      : options_{options},
        target_{process.target},
        stats_{share_stats(scratch_ / "stats")},
        corpus_{options.exchange.empty() ? scratch_.path() / "corpus" : options.exchange} {
    if (!stats_) throw InternalError{"the statistics file cannot be mapped"};
    fs::create_directories(corpus_);
    pack_corpus();
    start(process.number, runs, niceness);
  }

  std::vector<std::string> names() const override { return {target_.engine}; }
  const CampaignStats& stats() const override { return *stats_; }
  double processor_seconds() const override { return processor_time_.seconds(); }
  std::vector<FindingText> take_findings() override { return std::exchange(findings_, {}); }
  std::vector<std::string> faults() const override { return faults_; }
  std::string absence() const override { return absence_; }

  void stop() override {
    if (!child_ || stopping_since_) return;
    stopping_since_ = Clock::now();
    // After a divergence the target shrinks its finding, then ends by itself.
    if (stats_->diverged_at_ns.load() == 0) child_->send(SIGTERM);
  }

  bool poll() override {
    if (!child_) return false;
    processor_time_.sample(child_->id());
    if (const auto status = child_->wait({})) {
      end();
      collect(*status);
    } else if (stopping_since_ && Clock::now() - *stopping_since_ > stop_timeout()) {
      const ExitStatus killed = child_->kill();
      end();
      collect(killed);
      if (findings_.empty() && stats_->diverged_at_ns.load() != 0) {
        faults_.push_back(target_.program.string() + " found a divergence and was killed before it had shrunk it");
      }
    }
    return child_.has_value();
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
        const auto written = write_file(packed, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
        if (!written) throw InternalError{written.error()};
      }
    }
  }

  void start(std::uint64_t number, std::uint64_t runs, int niceness) {
    // libFuzzer's timeout covers a whole execution: all actions of a scenario (at most 3 s, lockstep/fuzz_work.hpp), of which
    // one may take the timeout, and its shrinking.
    const auto execution_timeout = std::chrono::ceil<std::chrono::seconds>(options_.timeout) + std::chrono::seconds{25};
    std::vector<std::string> command = {
        target_.program.string(),
        "-seed=" + std::to_string(seed_of(options_.seed, number) % 0x7fff'ffff + 1),  // 0 means a random seed
        "-timeout=" + std::to_string(execution_timeout.count()),
        "-artifact_prefix=" + scratch_ / "artifact-",
        "-max_len=32768",
        "-verbosity=0",
    };
    if (runs > 0) {
      constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();  // libFuzzer reads an int
      command.push_back("-runs=" + std::to_string(std::min(runs, most)));
    }
    command.push_back(corpus_.string());
    auto child = ChildProcess::run(std::move(command),
                                   {.stdout_to = scratch_ / "log",
                                    .stderr_to = scratch_ / "log",
                                    .environment = {{"LOCKSTEP_STATS", scratch_ / "stats"},
                                                    {"LOCKSTEP_FINDINGS_JSON", scratch_ / "findings"},
                                                    {"LOCKSTEP_WITH", joined(options_.implementations, ",")}},
                                    .prepare = [niceness] { static_cast<void>(nice(niceness)); }});
    if (!child) throw InternalError{child.error()};
    child_.emplace(std::move(*child));
  }

  /// Ends the process if it still runs.
  void end() {
    processor_time_.end();
    child_.reset();
  }

  /// Reads the findings that the target wrote. An artifact without a finding is shrunk here.
  void collect(const ExitStatus& status) {
    const auto at = Clock::now();
    std::string lines = read_file(scratch_ / "findings").value_or("");
    for (auto& finding : lockstep::take_findings(lines)) keep(std::move(finding));
    if (status.clean() || !findings_.empty()) return;
    if (status.exit_code() == exit_not_started && log_tail().find("there is no implementation") != std::string::npos) {
      absence_ = "left out: " + target_.program.string() + " was built before one of these implementations";
      return;
    }
    std::error_code none;
    for (const auto& entry : fs::directory_iterator{scratch_.path(), none}) {
      if (entry.path().filename().string().starts_with("artifact-")) shrink_artifact(entry.path());
    }
    if (!findings_.empty()) {
      stats_->note_divergence(at, processor_time_.seconds());
    } else if (!stopping_since_) {
      faults_.push_back(target_.program.string() + " " + status.text() + "\n" + log_tail());
    }
  }

  /// Adds a finding. If the implementations agree in this process, a sanitizer of the target's build stopped it, and the
  /// explanation says so.
  void keep(FindingText finding) {
    const auto replay =
        options_.system->judging().replay(finding.text, options_.implementations, Guard{options_.timeout});
    if (!replay) return;
    if (replay->verdict.agreed()) {
      finding.explanation += " (in " + target_.program.string() + ", where a sanitizer stopped it; other builds agree)";
    }
    finding.engine = target_.engine;
    findings_.push_back(std::move(finding));
  }

  void shrink_artifact(const fs::path& file) {
    const auto bytes = read_file(file);
    if (!bytes) return;
    // -max_len keeps the input far below the limit of a text.
    const std::string text = options_.system->encoding()
                                 .unpack({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()})
                                 .value();
    auto finding = options_.system->judging().shrink(text, options_.implementations, Guard{options_.timeout},
                                                     std::chrono::seconds{10},
                                                     options_.known != nullptr ? *options_.known : Signatures{});
    if (finding && *finding) {
      (*finding)->engine = target_.engine;
      findings_.push_back(std::move(**finding));
      return;
    }
    // Only the target's build (a sanitizer) shows the failure: keep the scenario with the end of the target's output.
    const std::string system{options_.system->name()};
    findings_.push_back({.signature = system + " " + target_.engine + " engine",
                         .file_name = system + "-" + hash_text(text) + ".txt",
                         .text = text,
                         .explanation = target_.engine + " stopped on this scenario: " + log_tail(),
                         .divergence = {.kind = DivergenceKind::crash,
                                        .system = system,
                                        .blamed = "all",
                                        .action = {},
                                        .field = target_.engine,
                                        .expected = {},
                                        .actual = "was stopped by " + target_.engine},
                         .engine = target_.engine});
  }

  std::string log_tail() const {
    constexpr std::size_t length_max = 2000;
    const std::string log = read_file(scratch_ / "log").value_or("");
    const std::size_t end_part = log.size() - std::min(log.size(), length_max);
    return log.substr(std::min(log.find("ERROR"), end_part), length_max);
  }

  EngineOptions options_;
  FuzzTarget target_;
  ScratchFolder scratch_;
  SharedStats stats_;
  fs::path corpus_;
  std::optional<ChildProcess> child_;
  ProcessorTime processor_time_;
  std::vector<FindingText> findings_;
  std::vector<std::string> faults_;
  std::string absence_;
  std::optional<Clock::time_point> stopping_since_;
};

}  // namespace

std::unique_ptr<Engine> start_fuzz_target(const EngineOptions& options, const TargetProcess& process,
                                          std::uint64_t runs, int niceness) {
  return std::make_unique<Target>(options, process, runs, niceness);
}

}  // namespace lockstep
