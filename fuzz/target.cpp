// The fuzz target of a system, compiled once per system as fuzz_GAME: takes an engine's bytes, returns a verdict.
//
//   bytes → scenario → judge (the reference and every optimized implementation) → features as extra counters
//
// Yardsticks are judged on one input in 64. The bytes of the input decide, so a failure repeats.
//
// On a divergence, the target shrinks it, writes it as text to the findings folder, prints it with the command that
// replays it, and aborts, so that the engine keeps its own artifact too. An error that a sanitizer detects inside an
// implementation is written the same way, but not shrunk. Other findings of engines (a timeout, a signal) are bytes:
// `lockstep show --bytes SYSTEM FILE` prints their text.
//
// Environment:
//   LOCKSTEP_WITH=NAME[,NAME]   judge these against the reference; canaries and plugins (PATH.so[:NAME]) too
//   LOCKSTEP_FINDINGS=FOLDER    where findings are written; default: "findings"
//   LOCKSTEP_FINDINGS_JSON=FILE write findings here instead, as lines of JSON (lockstep/finding.hpp): for campaigns
//   LOCKSTEP_STATS=FILE         count scenarios, steps and features in this file while running (stats.hpp)
#include LOCKSTEP_SYSTEM

#include <cstdio>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <string>

#include "fuzz/bytes_mutator.hpp"
#include "fuzz/engine.hpp"
#include "lockstep/codec.hpp"
#include "lockstep/features.hpp"
#include "lockstep/files.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/report.hpp"
#include "lockstep/shrink.hpp"
#include "lockstep/stats.hpp"
#include "lockstep/words.hpp"

// Functions of the sanitizers: the callback before a report, and the report's details; null in builds without them.
extern "C" {
void __asan_on_error();
void __ubsan_on_report();
[[gnu::weak]] const char* __asan_get_report_description();
[[gnu::weak]] void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                                   unsigned* line, unsigned* column, char** address);
}

namespace {

using namespace lockstep;
using S = ThisSystem;

// libFuzzer reads new values here after each execution, and clears it before (by words, hence the alignment).
[[gnu::section("__libfuzzer_extra_counters"),
  gnu::used]] alignas(8) std::uint8_t extra_counters[features_max * feature_buckets];
static_assert(sizeof extra_counters % 8 == 0);

/// An engine's -timeout (25 s at ClusterFuzz) keeps running during shrinking.
constexpr ShrinkBudget shrink_budget{.time = std::chrono::seconds{4}};

/// The reference and the implementations of the comma-separated names, or all that are judged by default.
std::expected<std::vector<AnyImplementation<S>>, std::string> chosen_implementations(std::string_view names) {
  std::vector<AnyImplementation<S>> out;
  std::vector<std::string> known;
  for (const auto& implementation : registry<S>()) {
    known.emplace_back(implementation.name);
    if (implementation.kind == Kind::reference || (names.empty() && judged_by_default(implementation.kind))) {
      out.push_back(implementation);
    }
  }
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    const std::string_view name = names.substr(0, comma);
    names.remove_prefix(std::min(comma + 1, names.size()));
    std::expected<std::vector<std::string>, std::string> asked{std::vector{std::string{name}}};
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
  if (out.size() < 2)
    return std::unexpected("a judge needs another implementation beside the reference; there are: " +
                           joined(known, ", "));
  return out;
}

std::string environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

[[noreturn]] void refuse_to_start(const std::string& why) {
  std::fprintf(stderr, "fuzz_%s: %s\n", std::string{S::name}.c_str(), why.c_str());
  std::exit(2);
}

class Target {
 public:
  /// Created by the first call, from the environment.
  static Target& instance() {
    static Target target;
    return target;
  }

  /// The return value of LLVMFuzzerTestOneInput.
  int execute(std::span<const std::uint8_t> bytes) {
    decode<S>(bytes, scenario_);
    if (scenario_.actions.size() > actions_max<S>(scenario_.setup)) return -1;
    const std::uint64_t seed = Random{fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()})}.next();
    const Verdict verdict = judge(scenario_, yardsticks_for(seed));
    stats_->count(scenario_.actions.size());
    if (!verdict.agreed()) report(verdict);
    mark_features<S>(scenario_, judge_.trace(), [this](std::size_t feature) {
      extra_counters[feature] = 1;
      stats_->mark(feature);
    });
    return 0;
  }

  /// Writes the in-flight scenario if an implementation is running. Called by a sanitizer that is about to end the
  /// process.
  void report_crash(std::string field, std::string_view sanitizer) {
    if (in_flight_ == nullptr) return;
    const Scenario<S> scenario = *std::exchange(in_flight_, nullptr);  // an error during reporting is not reported
    const std::size_t at = std::min<std::size_t>(stats_->progress.implementation, judge_.implementations().size() - 1);
    Divergence d;
    d.kind = DivergenceKind::crash;
    d.system = S::name;
    d.field = std::move(field);
    d.blamed = judge_.implementations()[at].name;
    d.step = std::min<std::size_t>(stats_->progress.step + std::size_t{1}, scenario.actions.size());
    d.action = d.step == 0 ? "setup" : std::string{action_name(scenario.actions[d.step - 1])};
    d.actual = "was stopped by " + std::string{sanitizer} + " (" + d.field + ")";
    keep({.shrunk = {.scenario = scenario, .divergence = std::move(d)}, .implementations = names()},
         scenario.actions.size());
  }

 private:
  Target()
      : stats_{open_stats()},
        judge_{open_implementations(), &stats_->progress},
        findings_{environment("LOCKSTEP_FINDINGS", "findings")} {}

  static std::vector<AnyImplementation<S>> open_implementations() {
    auto implementations = chosen_implementations(environment("LOCKSTEP_WITH", ""));
    if (!implementations) refuse_to_start(implementations.error());
    return std::move(*implementations);
  }

  static SharedStats open_stats() {
    const std::string path = environment("LOCKSTEP_STATS", "");
    SharedStats stats = path.empty() ? share_stats() : share_stats(path);
    if (stats == nullptr) refuse_to_start("LOCKSTEP_STATS: cannot use " + path);
    return stats;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& implementation : judge_.implementations()) out.emplace_back(implementation.name);
    return out;
  }

  Verdict judge(const Scenario<S>& scenario, Yardsticks yardsticks = Yardsticks::judged) {
    in_flight_ = &scenario;
    Verdict verdict = judge_.judge(scenario, yardsticks);
    in_flight_ = nullptr;
    return verdict;
  }

  [[noreturn]] void report(const Verdict& verdict) {
    if (!verdict.divergence) {
      std::fprintf(stderr, "UNDECIDED in %s: %s\n%s", std::string{S::name}.c_str(), verdict.reason.c_str(),
                   scenario_text<S>(scenario_).c_str());
      std::abort();
    }
    stats_->note_divergence();
    Shrinker<S> shrinker{[this](const Scenario<S>& candidate) { return judge(candidate); },
                         judge_.implementations().front(), shrink_budget};
    Shrunk<S> shrunk = shrinker.shrink(scenario_);
    // A flaky divergence cannot be shrunk; it is reported as found.
    if (shrunk.divergence.system.empty()) shrunk = {.scenario = scenario_, .divergence = *verdict.divergence};
    keep({std::move(shrunk), names()}, scenario_.actions.size());
    std::abort();
  }

  void keep(const Finding<S>& finding, std::size_t actions_before) {
    const std::string json = environment("LOCKSTEP_FINDINGS_JSON", "");
    const std::filesystem::path file = json.empty() ? findings_ / finding.file_name() : std::filesystem::path{json};
    const auto written = write_file(
        file, json.empty() ? finding_text<S>(finding) : to_json(finding_text_of<S>(finding, actions_before)) + "\n");
    std::fputs(("\n" + report_text<S>(finding, file.string())).c_str(), stderr);
    if (!written) std::fprintf(stderr, "but it could not be kept: %s\n", written.error().c_str());
  }

  SharedStats stats_;
  Judge<S> judge_;
  std::filesystem::path findings_;
  Scenario<S> scenario_;
  const Scenario<S>* in_flight_ = nullptr;  // the scenario that implementations are running; null if none
};

BytesMutator<S>& mutator() {
  static BytesMutator<S> mutator{LLVMFuzzerMutate};
  return mutator;
}

}  // namespace

int LLVMFuzzerInitialize(int*, char***) {
  Target::instance();
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return Target::instance().execute({data, size});
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  return mutator().mutate(data, size, max_size, seed);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size, const std::uint8_t* other,
                                      std::size_t other_size, std::uint8_t* out, std::size_t out_max, unsigned seed) {
  return mutator().cross_over({one, one_size}, {other, other_size}, {out, out_max}, seed);
}

// Both are called while the process can still write a file. The crash callback of sanitizers belongs to libFuzzer:
// setting it would lose the engine's artifact.

void __asan_on_error() {
  const char* const what = __asan_get_report_description != nullptr ? __asan_get_report_description() : nullptr;
  Target::instance().report_crash(what != nullptr ? what : "memory error", "AddressSanitizer");
}

void __ubsan_on_report() {
  const char* kind = nullptr;
  const char* text = nullptr;
  unsigned place = 0;
  char* address = nullptr;
  if (__ubsan_get_current_report_data != nullptr) {
    const char* file = nullptr;
    __ubsan_get_current_report_data(&kind, &text, &file, &place, &place, &address);
  }
  Target::instance().report_crash(kind != nullptr ? kind : "undefined behaviour", "UndefinedBehaviorSanitizer");
}
