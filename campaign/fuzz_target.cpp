// The engine that runs a fuzz target, which has libFuzzer in it.
#include "lockstep/fuzz/fuzz_target.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <variant>

#include "campaign/engine.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/describe/fit.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/draw/exchange.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The longest input, in bytes.
constexpr int input_max = 32'768;

/// The exit code of a target that cannot start, for example because it lacks an implementation.
constexpr int exit_not_started = 2;

/// For shrinking what the target has not shrunk itself.
constexpr std::chrono::seconds shrink_time{10};

class Target final : public Engine {
 public:
  Target(const EngineOptions& options, const TargetProcess& process, std::uint64_t runs, int niceness)
      : Engine{options},
        target_{process.target},
        number_{process.number},
        bounded_{runs > 0},
        corpus_{options.part.exchange.empty() ? scratch_.path() / "corpus" : options.part.exchange} {
    names_ = {target_.engine};
    stats_ = share_stats(scratch_ / "stats");
    if (!stats_) throw InternalError{"the statistics file cannot be mapped"};
    fs::create_directories(corpus_);
    pack_corpus();
    start(runs, niceness);
  }
  ~Target() override { child_.reset(); }  // before the folder in which it works

  void stop() override {
    to_stop_ = true;
    if (!child_ || stopping_since_) return;
    stopping_since_ = Clock::now();
    // After a divergence the target shrinks its finding, then ends by itself.
    if (stats_->diverged_at_ns.load() == 0) child_->send(SIGTERM);
  }

  bool poll() override {
    if (search_.runs()) {
      if (const auto answer = search_.poll(to_stop_))
        std::visit([&](auto& judged) { take(judged, *answer); }, judged_again_);
    } else if (!unconfirmed_.empty()) {
      confirm_next();
    }
    if (!child_) return search_.runs() || !unconfirmed_.empty();
    sample_processor_time();
    if (const auto status = child_->wait({})) {
      end_process();
      collect(*status);
    } else if (stopping_since_ && Clock::now() - *stopping_since_ > stop_timeout()) {
      const ExitStatus killed = child_->kill();
      end_process();
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
    for (const AnyScenario& scenario : seed_corpus(options_.system->vocabulary(), options_.part.corpus)) {
      const Bytes bytes = encoded(scenario);
      const fs::path packed = corpus_ / (std::string{corpus_prefix} + hash_text(as_chars(bytes)));
      or_refuse<InternalError>(write_file(packed, as_chars(bytes)));
    }
  }

  void start(std::uint64_t runs, int niceness) {
    std::vector<std::pair<std::string, std::string>> environment = {
        {"LOCKSTEP_STATS", scratch_ / "stats"},
        {"LOCKSTEP_FINDINGS_JSON", scratch_ / "findings"},
        {"LOCKSTEP_WITH", joined(options_.implementations, ",")},
        {"LOCKSTEP_WITHOUT", joined(options_.part.without, ",")},
        {"LOCKSTEP_IGNORED", scratch_ / "ignored"}};
    std::string ignored;
    for (const auto& signature : options_.part.ignored) ignored += signature + "\n";
    or_refuse<InternalError>(write_file(scratch_ / "ignored", ignored));
    child_ = or_refuse<InternalError>(
        ChildProcess::run(command(runs), {.stdout_to = scratch_ / "log",
                                          .stderr_to = scratch_ / "log",
                                          .environment = std::move(environment),
                                          .prepare = [niceness] { static_cast<void>(nice(niceness)); }}));
  }

  /// The most that one execution may take: 3 s for the actions of a scenario (lockstep/fuzz/fuzz_work.hpp), the timeout for one
  /// of them, and shrinking.
  std::chrono::seconds execution_timeout() const {
    return std::chrono::ceil<std::chrono::seconds>(options_.timeout) + std::chrono::seconds{25};
  }

  std::vector<std::string> command(std::uint64_t runs) const {
    std::vector<std::string> out = {
        target_.program.string(),
        "-seed=" + std::to_string(seed_of(options_.part.seed, number_) % 0x7fff'ffff + 1),  // 0 would be a random one
        "-timeout=" + std::to_string(execution_timeout().count()),
        "-artifact_prefix=" + scratch_ / "artifact-",
        "-max_len=" + std::to_string(input_max),
        "-verbosity=0",
    };
    if (runs > 0) {
      constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();  // libFuzzer reads an int
      out.push_back("-runs=" + std::to_string(std::min(runs, most)));
    }
    out.push_back(corpus_.string());
    return out;
  }

  /// The first input on which the target failed, as libFuzzer keeps it.
  std::optional<fs::path> artifact() const {
    std::optional<fs::path> out;
    visit_entries(scratch_.path(), [&](const fs::directory_entry& entry) {
      const fs::path& path = entry.path();
      if (path.filename().string().starts_with("artifact-") && (!out || path < *out)) out = path;
    });
    return out;
  }

  /// Reads what the target wrote. If there is neither a finding nor a fault, one artifact is shrunk.
  void collect(const ExitStatus& status) {
    std::string lines = read_file(scratch_ / "findings").value_or("");
    auto [findings, faults] = take_messages(lines);
    for (const auto& fault : faults) {
      faults_.push_back(target_.program.string() + " ended by an exception that no implementation threw: " + fault +
                        ". The rest of its part was not searched");
    }
    std::ranges::move(findings, std::back_inserter(unconfirmed_));
    // Otherwise an implementation has called exit(0). Without a bound libFuzzer never ends by itself.
    const bool by_itself = status.clean() && bounded_ && stats_->done.load() != 0;
    if (!unconfirmed_.empty() || by_itself) return;
    if (status.exit_code() == exit_not_started &&
        read_file(scratch_ / "log").value_or("").contains("there is no implementation")) {
      note_ =
          "was left out: " + target_.program.string() + " was built before one of these implementations; rebuild it";
      return;
    }
    const auto file = artifact();
    if (const auto text = read_file(scratch_ / ("findings" + std::string{unshrunk_suffix}))) {
      shrink(*text);  // it was killed meanwhile, or an exception ended it
    } else if (!faults.empty()) {
      return;
    } else if (const auto bytes = file ? read_file(*file) : std::unexpected{std::string{}}) {
      stats_->note_divergence(Clock::now(), processor_seconds());
      shrink(text_of(*bytes));
    } else if (!stopping_since_ && killed_from_outside(status.kind())) {
      faults_.push_back(target_.program.string() + " was " + std::string{killed_from_outside_text} +
                        "; the rest of its part was not searched");
    } else if (!stopping_since_) {
      faults_.push_back(target_.program.string() + " " + status.text() + "\n" + log_tail());
    }
  }

  void confirm_next() {
    Finding finding = std::move(unconfirmed_.front());
    unconfirmed_.pop_front();
    finding.engine = target_.engine;
    if (finding.unstable) return findings_.push_back(std::move(finding));
    auto search = confirming(*options_.system, options_.implementations, Guard{options_.timeout}, finding);
    search_.start(std::move(search), after_stop());
    judged_again_ = std::move(finding);
  }
  /// If the implementations agree in the processes of this program, a sanitizer of the target's build stopped it, and the
  /// explanation says so.
  void take(const Finding& finding, const GuardedSearch::Answer& answer) {
    Finding& kept = findings_.emplace_back(finding);
    if (!answer.fault.empty()) {
      faults_.push_back("a finding could not be judged again: " + answer.fault);
    } else if (!answer.finding) {
      kept.explanation += " (in " + target_.program.string() + ", where a sanitizer stopped it; other builds agree)";
    }
  }

  /// The scenario of an artifact, as the target judged it.
  std::string text_of(const std::string& bytes) const {
    AnyScenario scenario = decoded(options_.system->vocabulary(), bytes_in(bytes));
    if (!options_.part.without.empty()) leave_out(scenario, options_.part.without);
    return scenario_text(scenario);  // input_max keeps the input far below the limit of a text
  }

  void shrink(const std::string& text) {
    search_.start([this, text] { return shrunk(text); }, after_stop() + shrink_time);
    judged_again_ = text;
  }
  void take(const std::string& text, const GuardedSearch::Answer& answer) {
    if (!answer.fault.empty())
      faults_.push_back("a scenario on which " + target_.program.string() +
                        " stopped could not be judged again: " + answer.fault);
    findings_.push_back(answer.finding ? *answer.finding : unshrunk(text, answer.fault));
  }

  /// The longest that a judgement is waited for after a stop: a hang that is judged alone, and judged once more.
  std::chrono::milliseconds after_stop() const { return std::chrono::seconds{2} + 3 * options_.timeout; }

  /// The finding of a scenario on which the target failed; empty if the implementations agree in this process.
  std::optional<Finding> shrunk(const std::string& text) const {
    const auto scenario = options_.system->parse(text);
    if (!scenario) return std::nullopt;
    auto finding = shrunk_finding(*scenario, options_.implementations, Guard{options_.timeout}, shrink_time,
                                  options_.known != nullptr ? *options_.known : Signatures{});
    if (finding) finding->engine = target_.engine;
    return finding;
  }

  /// A scenario whose failure only the target's build (a sanitizer) shows, with the end of the target's output. `fault`: why
  /// no other build has judged it; empty: the implementations agree in this process.
  Finding unshrunk(const std::string& text, const std::string& fault) const {
    const std::string system{options_.system->name()};
    const std::string signature = system + " " + target_.engine + " " + std::string{stopped_by_engine};
    const std::string why = fault.empty() ? "only the build of " + target_.engine + " fails on it"
                                          : "it could not be judged again: " + fault.substr(0, fault.find('\n'));
    return {.signature = signature,
            .file_name = finding_file_name(system, text),
            .implementations = options_.implementations,
            .scenario = text,
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
            .why = why,
            .engine = target_.engine};
  }

  std::string log_tail() const {
    constexpr std::size_t length_max = 2000;
    const std::string log = read_file(scratch_ / "log").value_or("");
    const std::size_t end_part = log.size() - std::min(log.size(), length_max);
    return log.substr(std::min(log.find("ERROR"), end_part), length_max);
  }

  std::variant<Finding, std::string> judged_again_;  // by the search that runs: a finding, or a text that is shrunk
  FuzzTarget target_;
  std::uint64_t number_;
  bool bounded_;  // by a number of runs
  ScratchFolder scratch_;
  fs::path corpus_;
  bool to_stop_ = false;                             // by the campaign
  std::optional<Clock::time_point> stopping_since_;  // the child
};

}  // namespace

std::unique_ptr<Engine> start_fuzz_target(const EngineOptions& options, const TargetProcess& process,
                                          std::uint64_t runs, int niceness) {
  return std::make_unique<Target>(options, process, runs, niceness);
}

}  // namespace lockstep
