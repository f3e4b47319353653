// It has the functions that a fuzzing engine calls, for the one target of the process. A program that is no fuzz target
// refers to nothing here, so that a linker leaves this object of the library out.
#include "lockstep/fuzz/fuzz_target.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/describe/fit.hpp"
#include "lockstep/draw/portfolio.hpp"
#include "lockstep/fuzz/bytes_mutator.hpp"
#include "lockstep/fuzz/fuzz_engine.hpp"
#include "lockstep/fuzz/fuzz_fault.hpp"
#include "lockstep/fuzz/fuzz_work.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/process_copy.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/services/stats.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the sanitizers' and the compiler's
// Functions of the sanitizers: the callback before a report, and the report's details; null in builds without them.
extern "C" {
void __asan_on_error();
void __ubsan_on_report();
[[gnu::weak]] const char* __asan_get_report_description();
[[gnu::weak]] void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                                   unsigned* line, unsigned* column, char** address);
// AFL++'s runtime (afl-compiler-rt.o): the map of what was reached, and how instrumented code has places in it, each of
// which has a number from the first call on, and is counted by the second. Null with other engines.
[[gnu::weak]] extern std::uint8_t* __afl_area_ptr;
[[gnu::weak]] void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* first, std::uint32_t* end);
[[gnu::weak]] void __sanitizer_cov_trace_pc_guard(std::uint32_t* place);
// NOLINTEND(bugprone-reserved-identifier)
/// The main function of a user's file (lockstep.hpp); null in the other targets.
[[gnu::weak]] int lockstep_main_of_target(int argc, char** argv);
}

namespace lockstep {
namespace {

const Vocabulary* fuzzed_system = nullptr;

/// libFuzzer reads new values here after each execution, and clears them before, by words, hence the alignment.
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]] alignas(8) std::uint8_t fuzz_counters[feature_indices];
static_assert(sizeof fuzz_counters % 8 == 0);

bool under_afl() { return &__afl_area_ptr != nullptr; }

/// The places of features in AFL++'s map. The size of the map is fixed when main starts, so they are taken before.
std::uint32_t afl_places[feature_indices];
[[gnu::constructor]] void take_afl_places() {
  if (under_afl()) __sanitizer_cov_trace_pc_guard_init(std::begin(afl_places), std::end(afl_places));
}

/// Does with the counters what libFuzzer does by itself.
void pass_counters_to_afl() {
  for (std::size_t i = 0; i < feature_indices; ++i) {
    if (fuzz_counters[i] != 0) __sanitizer_cov_trace_pc_guard(&afl_places[i]);
    fuzz_counters[i] = 0;
  }
}

/// Prints why the target NAME cannot run, and ends the process.
[[noreturn]] void refuse_to_fuzz(std::string_view name, const std::string& why) {
  std::fprintf(stderr, "fuzz_%s: %s\n", std::string{name}.c_str(), why.c_str());
  std::exit(2);
}

/// The variable's value; `otherwise` if it is not set or empty.
std::string environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

/// An engine's -timeout (25 s at ClusterFuzz) keeps running during shrinking.
const ShrinkBudget fuzz_shrink_budget{.time = std::chrono::seconds{4}};

/// Runs and reports scenarios. What the engine calls ends the process as a fault if an exception leaves it.
class FuzzRunner {
 public:
  /// Reads the environment. Ends the process if the environment is wrong.
  explicit FuzzRunner(const Vocabulary& system)
      : system_{system},
        stats_{open_stats()},
        judge_{system, open_implementations(), &stats_->progress},
        findings_{environment("LOCKSTEP_FINDINGS", "findings")},
        without_{split(environment("LOCKSTEP_WITHOUT", ""), ',')},
        ignored_{open_ignored()},
        scenario_{system.scenario()} {}

  /// Runs a part of the target. An exception ends the process as a fault.
  auto guarded(const auto& run) {
    return run_guarded(run, [this](const std::string& exception) {
      in_flight_ = nullptr;  // a sanitizer that reports the abort blames no implementation
      note_fault(system_.name(), exception);
    });
  }

  /// Writes the in-flight scenario if an implementation is running. Called by a sanitizer that is about to end the
  /// process.
  void report_crash(std::string_view error, std::string_view sanitizer) {
    if (in_flight_ == nullptr) return;
    const AnyScenario scenario = *std::exchange(in_flight_, nullptr);  // an error during reporting is not reported
    Divergence d = death_at(judge_.implementations(), scenario, stats_->progress.implementation, stats_->progress.step);
    d.kind = DivergenceKind::crash;
    note_sanitizer(d, sanitizer, error);
    keep({.scenario = scenario, .divergence = std::move(d)}, scenario.size());
  }

  /// Judges an input. Returns what the engine is told: whether it may keep the input.
  int judged(std::span<const std::uint8_t> bytes) {
    decode(bytes, scenario_);
    leave_out(scenario_, without_);
    if (scenario_.size() > actions_max(scenario_)) return -1;
    const std::uint64_t seed = Random{fnv1a(as_chars(bytes))}.next();
    const auto start = std::chrono::steady_clock::now();
    stats_->done.store(0);
    const Verdict verdict = judge(scenario_, seed);
    stats_->done.store(1);
    if (const std::size_t forked = stats_->progress.forked; forked != 0)
      throw InternalError{forked_text(names()[forked - 1])};
    stats_->count(scenario_.size(), 0, std::chrono::steady_clock::now() - start);
    if (!verdict.agreed()) {
      const std::string known = verdict.divergence ? known_as(ignored_, *verdict.divergence) : "";
      if (known.empty()) report(verdict);
      stats_->count_ignored(known);
      return -1;
    }
    const auto mark = [this](std::size_t feature) {
      fuzz_counters[feature] = 1;
      stats_->mark(feature);
    };
    mark_features(scenario_, judge_.trace(), mark);
    mark_own_features(judge_.traces(), mark);
    return 0;
  }

 private:
  std::vector<Runner> open_implementations() const {
    try {
      const AnySystem system{SystemParts{.vocabulary = system_}};
      refuse_mistakes(system);
      const auto names = implementations_to_judge(system, split(environment("LOCKSTEP_WITH", ""), ','));
      return implementations_named(system_, names);
    } catch (const BadInput& fault) {
      refuse_to_fuzz(system_.name(), fault.what());
    }
  }

  Signatures open_ignored() const {
    Signatures out;
    const std::string path = environment("LOCKSTEP_IGNORED", "");
    const auto text = path.empty() ? std::expected<std::string, std::string>{""} : read_file(path);
    if (!text) refuse_to_fuzz(system_.name(), "LOCKSTEP_IGNORED: " + path + ": " + text.error());
    for (std::string_view left = *text; !left.empty();) out.emplace(take_line(left));
    return out;
  }

  SharedStats open_stats() const {
    const std::string path = environment("LOCKSTEP_STATS", "");
    SharedStats stats = path.empty() ? share_stats() : share_stats(path);
    const std::string said = "LOCKSTEP_STATS: cannot use " + path + " (is this target of another version? build it)";
    if (stats == nullptr) refuse_to_fuzz(system_.name(), said);
    return stats;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& implementation : judge_.implementations()) out.emplace_back(implementation.name);
    return out;
  }

  Verdict judge(const AnyScenario& scenario, std::uint64_t seed = 0) {
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
    if (!json.empty()) static_cast<void>(write_file(json + unshrunk_suffix, scenario_text(scenario_)));
    in_flight_ = &scenario_;
    verdict = judge_.confirmed(scenario_, verdict);
    in_flight_ = nullptr;
    const Shrinker shrinker{[this](const AnyScenario& candidate) { return judge(candidate); },
                            judge_.implementations().front(), fuzz_shrink_budget};
    const auto shrunk = [&]() -> Shrunk {
      try {
        return shrunk_or_kept(scenario_, verdict, shrinker);
      } catch (...) {
        // The difference is not lost. For a campaign, the fault replaces what is kept here: it shrinks FILE.unshrunk.
        in_flight_ = nullptr;
        keep({.scenario = scenario_, .divergence = verdict.divergence.value()}, scenario_.size());
        throw;
      }
    };
    keep(shrunk(), scenario_.size());
    std::abort();
  }

  void keep(const Shrunk& shrunk, std::size_t actions_before) {
    const Finding finding = finding_of(shrunk, names(), actions_before);
    const std::string json = environment("LOCKSTEP_FINDINGS_JSON", "");
    const std::filesystem::path file = json.empty() ? findings_ / finding.file_name : std::filesystem::path{json};
    const auto written = write_file(file, json.empty() ? finding_text(finding) : to_json(finding) + "\n");
    std::fputs(("\n" + report_text(finding, file.string(), environment("LOCKSTEP_COMMAND", "lockstep"))).c_str(),
               stderr);
    if (!written) std::fprintf(stderr, "but it could not be kept: %s\n", written.error().c_str());
  }

  const Vocabulary& system_;
  SharedStats stats_;
  Judge judge_;
  std::filesystem::path findings_;
  std::vector<std::string> without_;
  Signatures ignored_;
  AnyScenario scenario_;
  const AnyScenario* in_flight_ = nullptr;  // the scenario that implementations are running; null if none
};

// Of the process, once the engine has started.
FuzzRunner* runner = nullptr;
BytesMutator* mutator = nullptr;

}  // namespace

FuzzedSystem::FuzzedSystem(const Vocabulary& system) { fuzzed_system = &system; }

}  // namespace lockstep

using namespace lockstep;

int LLVMFuzzerInitialize(int*, char*** argv) {
  // The engine has the process's main function; the file's own registers the system. The arguments are the engine's.
  if (fuzzed_system == nullptr && lockstep_main_of_target != nullptr) {
    char* own[] = {(*argv)[0], nullptr};
    if (const int refused = lockstep_main_of_target(1, own); refused != 0) std::exit(refused);
  }
  if (fuzzed_system == nullptr) {
    refuse_to_fuzz("target", "there is no system to fuzz: main must end in lockstep::system<…>()….main(argc, argv)");
  }
  watch_for_copies();
  static FuzzRunner made{*fuzzed_system};
  static BytesMutator mutates{*fuzzed_system, LLVMFuzzerMutate};
  runner = &made;
  mutator = &mutates;
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int kept = runner->guarded([&] { return runner->judged({data, size}); });
  if (under_afl()) pass_counters_to_afl();
  return kept;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  return runner->guarded([&] { return mutator->mutate(data, size, max_size, seed); });
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size, const std::uint8_t* other,
                                      std::size_t other_size, std::uint8_t* out, std::size_t out_max, unsigned seed) {
  return runner->guarded(
      [&] { return mutator->cross_over({one, one_size}, {other, other_size}, {out, out_max}, seed); });
}

// Both are called while the process can still write a file. The crash callback of sanitizers belongs to libFuzzer:
// setting it would lose the engine's artifact.

void __asan_on_error() {
  if (runner == nullptr) return;
  // Through a pointer that the compiler cannot see through: OSS-Fuzz refuses a build with UBSan that calls __asan_….
  const char* (*const volatile describe)() = __asan_get_report_description;
  const char* const what = describe != nullptr ? describe() : nullptr;
  runner->report_crash(what != nullptr ? what : "memory error", "AddressSanitizer");
}

void __ubsan_on_report() {
  if (runner == nullptr) return;
  const char* kind = nullptr;
  const char* text = nullptr;
  unsigned place = 0;
  char* address = nullptr;
  if (__ubsan_get_current_report_data != nullptr) {
    const char* file = nullptr;
    __ubsan_get_current_report_data(&kind, &text, &file, &place, &place, &address);
  }
  runner->report_crash(kind != nullptr ? kind : "undefined behaviour", "UndefinedBehaviorSanitizer");
}
