// The libFuzzer target's lane.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "campaign/engine.hpp"
#include "lockstep/child.hpp"
#include "lockstep/exchange.hpp"
#include "lockstep/files.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/report.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// A line of a finding's comments, without its key; empty when there is none.
std::string comment_of(std::string_view text, std::string_view key) {
  const std::string wanted = "# " + std::string{key} + ": ";
  const std::size_t at = text.find(wanted);
  if (at == std::string_view::npos) return {};
  return std::string{text.substr(at + wanted.size(), text.find('\n', at) - at - wanted.size())};
}

class Target final : public Engine {
 public:
  Target(const Campaign& campaign, const FuzzTarget& target, std::uint64_t number, std::uint64_t runs)
      : campaign_{campaign},
        target_{target},
        number_{number},
        stats_{share_stats((scratch_.path() / "stats").string())},
        corpus_{campaign.exchange.empty() ? scratch_.path() / "corpus" : campaign.exchange} {
    if (!stats_) throw InternalError{"the statistics file cannot be mapped"};
    fs::create_directories(corpus_);
    fs::create_directories(scratch_.path() / "findings");
    pack_corpus();
    start(runs);
  }
  ~Target() override {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  std::vector<std::string> engines() const override { return {target_.engine}; }
  const CampaignStats& stats() const override { return *stats_; }
  double processor_seconds() const override { return processor_seconds_of(child_); }
  std::vector<Found> take_findings() override { return std::exchange(findings_, {}); }
  std::string fault() const override { return fault_; }
  std::string absence() const override { return absence_; }

  void stop() override {
    if (child_ <= 0 || stopping_since_) return;
    stopping_since_ = std::chrono::steady_clock::now();
    // One that has found something is shrinking it, and will end by itself.
    if (stats_->diverged_at_ns.load() == 0) kill(child_, SIGTERM);
    kill(child_, SIGCONT);
  }
  void pause() override {
    if (child_ > 0 && !stopping_since_) kill(child_, SIGSTOP);
  }
  void resume() override {
    if (child_ > 0) kill(child_, SIGCONT);
  }

  bool poll() override {
    if (child_ <= 0) return false;
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      collect(status);
    } else if (stopping_since_ && std::chrono::steady_clock::now() - *stopping_since_ > std::chrono::seconds{5}) {
      kill(child_, SIGKILL);
    }
    return child_ > 0;
  }

 private:
  void pack_corpus() {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator{campaign_.corpus / campaign_.system->name(), none}) {
      if (entry.path().extension() != ".txt") continue;
      const auto text = read_file(entry.path());
      if (!text) continue;
      // A broken corpus file is the replay test's business, not a reason to stop fuzzing.
      if (const auto bytes = campaign_.system->encoding().pack(*text)) {
        write_output(corpus_ / (std::string{corpus_prefix} + entry.path().stem().string()),
                     {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
      }
    }
  }

  void start(std::uint64_t runs) {
    // It may be paused in mid-scenario, and its clock goes on: give it more time than others before it calls that a hang.
    const auto patience = std::chrono::ceil<std::chrono::seconds>(campaign_.timeout) + std::chrono::seconds{10};
    std::vector<std::string> arguments = {
        target_.program.string(),
        "-seed=" + std::to_string(seed_of(campaign_.seed, number_) % 0x7fff'ffff + 1),  // 0 would mean a random one
        "-timeout=" + std::to_string(patience.count()),
        "-artifact_prefix=" + (scratch_.path() / "artifact-").string(),
        "-max_len=32768",
        "-verbosity=0",
    };
    if (runs > 0) arguments.push_back("-runs=" + std::to_string(runs));
    arguments.push_back(corpus_.string());
    child_ = fork();
    if (child_ < 0) throw InternalError{std::string{"fork: "} + std::strerror(errno)};
    if (child_ == 0) become_target(arguments);
  }

  [[noreturn]] void become_target(std::vector<std::string>& arguments) {
    setpgid(0, 0);  // Ctrl-C reaches the program, which then ends the target
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int log = open((scratch_.path() / "log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    setenv("LOCKSTEP_STATS", (scratch_.path() / "stats").c_str(), 1);
    setenv("LOCKSTEP_FINDINGS", (scratch_.path() / "findings").c_str(), 1);
    setenv("LOCKSTEP_WITH", joined(campaign_.implementations, ",").c_str(), 1);
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }

  /// Takes over what the target wrote; an artifact without a finding is shrunk here.
  void collect(int status) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator{scratch_.path() / "findings", none}) keep(entry.path());
    const bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (clean || !findings_.empty()) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == exit_bad_input &&
        log_tail().find("there is no implementation") != std::string::npos) {
      absence_ = "left out: " + target_.program.string() +
                 " was built before one of these implementations; ./dev fuzz builds it anew";
      return;
    }
    for (const auto& entry : fs::directory_iterator{scratch_.path(), none}) {
      if (entry.path().filename().string().starts_with("artifact-")) shrink_artifact(entry.path());
    }
    if (findings_.empty() && !stopping_since_)
      fault_ = target_.program.string() + " " + ExitStatus{status}.text() + "\n" + log_tail();
  }

  void keep(const fs::path& file) {
    const auto text = read_file(file);
    if (!text) return;
    const auto canonical = campaign_.system->judging().canonical(*text);
    if (!canonical) return;
    const auto replay = campaign_.system->judging().replay(*text, campaign_.implementations, Guard{campaign_.timeout});
    FindingText finding{.signature = comment_of(*text, "signature"),
                        .file_name = file.filename().string(),
                        .text = *text,
                        .explanation = explanation_of(*text, replay),
                        .minimal = text->find("\n# minimal: ") != std::string::npos,
                        .hidden_state = text->find("\n# hidden state: ") != std::string::npos,
                        .actions = replay ? replay->actions : 0,
                        .engine = target_.engine};
    findings_.push_back({finding, (campaign_.out / finding.file_name).string()});
  }

  /// What the judge says of it here. A sanitizer's finding may show in the target's own build only: then what that
  /// build wrote into the file's comments.
  std::string explanation_of(const std::string& text, const Parsed<Replay>& replay) const {
    if (replay && !replay->verdict.agreed()) return replay->explanation;
    const std::size_t at = text.find("\n# at ");
    const std::string said = at == std::string::npos ? "" : text.substr(at + 3, text.find('\n', at + 1) - at - 3);
    return said + " (in " + target_.program.string() + ", where a sanitizer stopped it; other builds agree)";
  }

  void shrink_artifact(const fs::path& file) {
    const auto bytes = read_file(file);
    if (!bytes) return;
    // -max_len keeps it far below what a text may hold.
    const std::string text = campaign_.system->encoding()
                                 .unpack({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()})
                                 .value();
    auto finding = campaign_.system->judging().shrink(text, campaign_.implementations, Guard{campaign_.timeout},
                                                      std::chrono::seconds{10});
    if (finding && *finding) {
      (*finding)->engine = target_.engine;
      findings_.push_back({**finding, (campaign_.out / (*finding)->file_name).string()});
      return;
    }
    // The engine saw something that only its build shows (a sanitizer): keep the scenario and the words.
    const std::string name = std::string{campaign_.system->name()} + "-" + hash_text(text) + ".txt";
    FindingText found{.signature = std::string{campaign_.system->name()} + " " + target_.engine + " engine",
                      .file_name = name,
                      .text = text,
                      .explanation = target_.engine + " stopped on this scenario: " + log_tail(),
                      .engine = target_.engine};
    findings_.push_back({std::move(found), (campaign_.out / name).string()});
  }

  std::string log_tail() const {
    const auto log = read_file(scratch_.path() / "log");
    if (!log) return {};
    const std::size_t at = std::min(log->find("ERROR"), log->size());
    return at < log->size() ? log->substr(at, 2000)
                            : log->substr(log->size() - std::min<std::size_t>(log->size(), 2000));
  }

  Campaign campaign_;
  FuzzTarget target_;
  std::uint64_t number_;
  ScratchFolder scratch_;
  SharedStats stats_;
  fs::path corpus_;
  pid_t child_ = -1;
  std::vector<Found> findings_;
  std::string fault_;
  std::string absence_;
  std::optional<std::chrono::steady_clock::time_point> stopping_since_;
};

}  // namespace

std::unique_ptr<Engine> start_fuzz_target(const Campaign& campaign, const FuzzTarget& target, std::uint64_t number,
                                          std::uint64_t runs) {
  return std::make_unique<Target>(campaign, target, number, runs);
}

std::vector<FuzzTarget> fuzz_targets(std::string_view system) {
  std::error_code fault;
  const fs::path self = fs::read_symlink("/proc/self/exe", fault);
  if (fault) return {};
  const fs::path builds = self.parent_path().parent_path().parent_path();  // build/PRESET/bin/lockstep
  std::vector<FuzzTarget> out;
  for (const auto& [engine, preset] : {std::pair{"libfuzzer", "fuzz-fast"}, std::pair{"libfuzzer-asan", "fuzz"}}) {
    const fs::path program = builds / preset / "bin" / ("fuzz_" + std::string{system});
    if (fs::exists(program)) out.push_back({engine, program});
  }
  return out;
}

}  // namespace lockstep
