// The fuzz target of a system, a program fuzz_SYSTEM: takes an engine's bytes, returns a verdict.
//
//   const lockstep::FuzzTargetOf<Lru> target;      // in one source of the program, beside the implementations
//
// The source links with the engine (-fsanitize=fuzzer, for example); fuzz_entry.cpp, in the library, has the functions
// that engines call. A file that ends in lockstep::system<…>()….main(argc, argv) needs no such line: compiled with
// -DLOCKSTEP_FUZZ_TARGET, it is the target (lockstep.hpp).
//
//   bytes → scenario → judge (the reference and every optimized implementation) → features as extra counters
//
// Yardsticks are judged on one input in 64, batches on one in 8. The bytes of the input decide, so a failure repeats.
//
// On a divergence, the target shrinks it, writes it as text to the findings folder, prints it with the command that
// replays it, and aborts, so that the engine keeps its own artifact too. An error that a sanitizer detects inside an
// implementation is written the same way, but not shrunk. Other findings of engines (a timeout, a signal) are bytes:
// `lockstep show --bytes SYSTEM FILE` prints their text. An exception of the system's own parts (suggestions, features,
// laws) is no finding: it blames no implementation. The target names it as a fault, and aborts.
//
// Environment:
//   LOCKSTEP_WITH=NAME[,NAME]   judge these against the reference; canaries and plugins (PATH.so[:NAME]) too
//   LOCKSTEP_WITHOUT=KIND[,KIND] leave these kinds of actions out of every input
//   LOCKSTEP_IGNORED=FILE       signatures of known mistakes, one a line: inputs that differ so are passed over
//   LOCKSTEP_FINDINGS=FOLDER    where findings are written; default: "findings"
//   LOCKSTEP_FINDINGS_JSON=FILE write findings here instead, or a fault, as a line of JSON (lockstep/finding.hpp): for
//                               campaigns. FILE.unshrunk is the text of a scenario that differs, from before it is shrunk
//   LOCKSTEP_STATS=FILE         count scenarios, steps and features in this file while running (stats.hpp)
//   LOCKSTEP_COMMAND=PROGRAM    how printed commands call the program; default: "lockstep"
#pragma once

#include <cstdio>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lockstep/bytes_mutator.hpp"
#include "lockstep/codec.hpp"
#include "lockstep/error.hpp"
#include "lockstep/features.hpp"
#include "lockstep/files.hpp"
#include "lockstep/fuzz_engine.hpp"
#include "lockstep/fuzz_fault.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/leave_out.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/process_copy.hpp"
#include "lockstep/report.hpp"
#include "lockstep/shrink.hpp"
#include "lockstep/stats.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

/// What the functions that an engine calls need of a target, without its system's types.
class FuzzEntry {
 public:
  virtual ~FuzzEntry() = default;
  /// Reads the environment. Ends the process if the environment is wrong.
  virtual void start() = 0;
  /// The return value of LLVMFuzzerTestOneInput.
  virtual int execute(std::span<const std::uint8_t> bytes) = 0;
  // As bytes_mutator.hpp has them.
  virtual std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) = 0;
  virtual std::size_t cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                                 std::span<std::uint8_t> out, unsigned seed) = 0;
  /// Writes the in-flight scenario if an implementation is running. Called by a sanitizer that is about to end the
  /// process.
  virtual void report_crash(std::string_view error, std::string_view sanitizer) = 0;
};

/// Makes this the target of the process; it must outlive main.
void set_fuzz_entry(FuzzEntry& entry);

/// libFuzzer reads new values here after each execution, and clears it before; fuzz_entry.cpp does so for AFL++.
extern std::uint8_t fuzz_counters[feature_indices];

/// Prints why the target NAME cannot run, and ends the process.
[[noreturn]] void refuse_to_fuzz(std::string_view name, const std::string& why);

/// The variable's value; `otherwise` if it is not set or empty.
std::string environment(const char* name, const char* otherwise);

/// Behind the name of LOCKSTEP_FINDINGS_JSON: the scenario that differs, while it is shrunk.
inline constexpr const char* unshrunk_suffix = ".unshrunk";

/// An engine's -timeout (25 s at ClusterFuzz) keeps running during shrinking.
inline const ShrinkBudget fuzz_shrink_budget{.time = std::chrono::seconds{4}};

/// The names in "a,b".
inline std::vector<std::string> names_between_commas(std::string_view names) {
  std::vector<std::string> out;
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    out.emplace_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return out;
}

/// The reference and the implementations of the comma-separated names, or all that are judged by default.
template <System S>
std::expected<std::vector<AnyImplementation<S>>, std::string> fuzzed_implementations(std::string_view names) {
  std::vector<AnyImplementation<S>> out;
  std::vector<std::string> known;
  for (const auto& implementation : registry<S>()) {
    known.emplace_back(implementation.name);
    if (implementation.kind == Kind::reference || (names.empty() && judged_by_default(implementation.kind))) {
      out.push_back(implementation);
    }
  }
  for (const std::string& name : names_between_commas(names)) {
    std::expected<std::vector<std::string>, std::string> asked{std::vector{name}};
    if (names_plugin(name)) asked = register_plugin<S>(name);
    if (!asked) return std::unexpected(asked.error());
    for (const std::string& one : *asked) {
      const auto named = std::ranges::find(registry<S>(), one, &AnyImplementation<S>::name);
      if (named == registry<S>().end()) {
        return std::unexpected(unknown_name("implementation", one, known, " of " + std::string{S::name}));
      }
      if (named->kind != Kind::reference) out.push_back(*named);
    }
  }
  const bool alone =
      has_invariants<S> && std::ranges::count_if(registry<S>(), judged_by_default, &AnyImplementation<S>::kind) == 1;
  if (out.size() < 2 && !alone) {
    return std::unexpected("a judge needs another implementation beside the reference; there are: " +
                           joined(known, ", "));
  }
  return out;
}

template <System S>
class FuzzRunner {
 public:
  FuzzRunner()
      : stats_{open_stats()},
        judge_{open_implementations(), &stats_->progress},
        findings_{environment("LOCKSTEP_FINDINGS", "findings")},
        without_{names_between_commas(environment("LOCKSTEP_WITHOUT", ""))},
        ignored_{open_ignored()} {}

  int execute(std::span<const std::uint8_t> bytes) {
    decode<S>(bytes, scenario_);
    leave_out<S>(scenario_, without_);
    if (scenario_.actions.size() > actions_max<S>(scenario_.setup)) return -1;
    const std::uint64_t seed = Random{fnv1a(as_chars(bytes))}.next();
    const auto start = std::chrono::steady_clock::now();
    stats_->done.store(0);
    const Verdict verdict = judge(scenario_, seed);
    stats_->done.store(1);
    if (const std::size_t forked = stats_->progress.forked; forked != 0)
      throw InternalError{forked_text(names()[forked - 1])};
    stats_->count(scenario_.actions.size(), 0, std::chrono::steady_clock::now() - start);
    if (!verdict.agreed()) {
      const std::string signature = verdict.divergence ? verdict.divergence->signature() : "";
      if (!ignored_.contains(signature)) report(verdict);
      stats_->count_ignored(signature);
      return -1;
    }
    const auto mark = [this](std::size_t feature) {
      fuzz_counters[feature] = 1;
      stats_->mark(feature);
    };
    mark_features<S>(scenario_, judge_.trace(), mark);
    mark_own_features<S>(judge_.traces(), mark);
    return 0;
  }

  void report_crash(std::string_view error, std::string_view sanitizer) {
    if (in_flight_ == nullptr) return;
    const Scenario<S> scenario = *std::exchange(in_flight_, nullptr);  // an error during reporting is not reported
    Divergence d =
        death_at<S>(judge_.implementations(), scenario, stats_->progress.implementation, stats_->progress.step);
    d.kind = DivergenceKind::crash;
    note_sanitizer(d, sanitizer, error);
    keep({.shrunk = {.scenario = scenario, .divergence = std::move(d)}, .implementations = names()},
         scenario.actions.size());
  }

  /// Runs a part of the target. An exception ends the process as a fault.
  auto guarded(const auto& run) {
    return run_guarded(run, [this](const std::string& exception) {
      in_flight_ = nullptr;  // a sanitizer that reports the abort blames no implementation
      note_fault(S::name, exception);
    });
  }

 private:
  static std::vector<AnyImplementation<S>> open_implementations() {
    auto implementations = fuzzed_implementations<S>(environment("LOCKSTEP_WITH", ""));
    if (!implementations) refuse_to_fuzz(S::name, implementations.error());
    return std::move(*implementations);
  }

  static Signatures open_ignored() {
    Signatures out;
    const std::string path = environment("LOCKSTEP_IGNORED", "");
    const auto text = path.empty() ? std::expected<std::string, std::string>{""} : read_file(path);
    if (!text) refuse_to_fuzz(S::name, "LOCKSTEP_IGNORED: " + path + ": " + text.error());
    for (std::string_view left = *text; !left.empty();) out.emplace(take_line(left));
    return out;
  }

  static SharedStats open_stats() {
    const std::string path = environment("LOCKSTEP_STATS", "");
    SharedStats stats = path.empty() ? share_stats() : share_stats(path);
    if (stats == nullptr) refuse_to_fuzz(S::name, "LOCKSTEP_STATS: cannot use " + path);
    return stats;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& implementation : judge_.implementations()) out.emplace_back(implementation.name);
    return out;
  }

  Verdict judge(const Scenario<S>& scenario, std::uint64_t seed = 0) {
    in_flight_ = &scenario;
    Verdict verdict = judge_.judge(scenario, seed);
    in_flight_ = nullptr;
    return verdict;
  }

  [[noreturn]] void report(Verdict verdict) {
    stats_->note_divergence();
    stats_->done.store(0);
    // A campaign has the scenario even if this process is killed before it has shrunk it.
    const std::string json = environment("LOCKSTEP_FINDINGS_JSON", "");
    if (!json.empty()) static_cast<void>(write_file(json + unshrunk_suffix, scenario_text<S>(scenario_)));
    in_flight_ = &scenario_;
    verdict = judge_.confirmed(scenario_, verdict);
    in_flight_ = nullptr;
    Shrinker<S> shrinker{[this](const Scenario<S>& candidate) { return judge(candidate); },
                         judge_.implementations().front(), fuzz_shrink_budget};
    const auto shrunk = [&]() -> Shrunk<S> {
      try {
        return shrunk_or_kept<S>(scenario_, verdict, shrinker);
      } catch (...) {
        // The difference is not lost. For a campaign, the fault replaces what is kept here: it shrinks FILE.unshrunk.
        in_flight_ = nullptr;
        keep({{.scenario = scenario_, .divergence = verdict.divergence.value()}, names()}, scenario_.actions.size());
        throw;
      }
    };
    keep({shrunk(), names()}, scenario_.actions.size());
    std::abort();
  }

  void keep(const Finding<S>& finding, std::size_t actions_before) {
    const std::string json = environment("LOCKSTEP_FINDINGS_JSON", "");
    const std::filesystem::path file = json.empty() ? findings_ / finding.file_name() : std::filesystem::path{json};
    const auto written = write_file(
        file, json.empty() ? finding_text<S>(finding) : to_json(finding_text_of<S>(finding, actions_before)) + "\n");
    std::fputs(("\n" + report_text<S>(finding, file.string(), environment("LOCKSTEP_COMMAND", "lockstep"))).c_str(),
               stderr);
    if (!written) std::fprintf(stderr, "but it could not be kept: %s\n", written.error().c_str());
  }

  SharedStats stats_;
  Judge<S> judge_;
  std::filesystem::path findings_;
  std::vector<std::string> without_;
  Signatures ignored_;
  Scenario<S> scenario_;
  const Scenario<S>* in_flight_ = nullptr;  // the scenario that implementations are running; null if none
};

/// Registers the fuzz target of a system as that of the process. The implementations may be registered later, but before
/// the engine starts.
template <System S>
class FuzzTargetOf final : public FuzzEntry {
 public:
  FuzzTargetOf() { set_fuzz_entry(*this); }
  FuzzTargetOf(const FuzzTargetOf&) = delete;
  FuzzTargetOf& operator=(const FuzzTargetOf&) = delete;

  void start() override {
    watch_for_copies();
    runner_.emplace();
  }
  int execute(std::span<const std::uint8_t> bytes) override {
    return runner_->guarded([&] { return runner_->execute(bytes); });
  }
  std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) override {
    return runner_->guarded([&] { return mutator_.mutate(data, size, max_size, seed); });
  }
  std::size_t cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                         std::span<std::uint8_t> out, unsigned seed) override {
    return runner_->guarded([&] { return mutator_.cross_over(one, other, out, seed); });
  }
  void report_crash(std::string_view error, std::string_view sanitizer) override {
    if (runner_) runner_->report_crash(error, sanitizer);
  }

 private:
  std::optional<FuzzRunner<S>> runner_;  // created by start(), from the environment
  BytesMutator<S> mutator_{LLVMFuzzerMutate};
};

}  // namespace lockstep
