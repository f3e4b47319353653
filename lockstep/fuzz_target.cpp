// It refers to fuzz_entry.cpp, so it is an object of its own, which only fuzz targets link.
#include "lockstep/fuzz_target.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "lockstep/codec.hpp"
#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/fit.hpp"
#include "lockstep/fuzz_engine.hpp"
#include "lockstep/fuzz_fault.hpp"
#include "lockstep/fuzz_work.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/portfolio.hpp"
#include "lockstep/process_copy.hpp"
#include "lockstep/report.hpp"
#include "lockstep/shrink.hpp"
#include "lockstep/stats.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"

namespace lockstep {
namespace {

/// An engine's -timeout (25 s at ClusterFuzz) keeps running during shrinking.
const ShrinkBudget fuzz_shrink_budget{.time = std::chrono::seconds{4}};

/// The reference and the implementations of the comma-separated names, or all that are judged by default.
std::expected<std::vector<Runner>, std::string> fuzzed_implementations(const Vocabulary& system,
                                                                       std::string_view names) {
  std::vector<Runner> out;
  std::vector<std::string> known;
  for (const auto& implementation : system.implementations()) {
    known.emplace_back(implementation.name);
    if (implementation.kind == Kind::reference || (names.empty() && judged_by_default(implementation.kind))) {
      out.push_back(implementation);
    }
  }
  for (const std::string& name : split(names, ',')) {
    std::expected<std::vector<std::string>, std::string> asked{std::vector{name}};
    if (names_plugin(name)) asked = register_plugin(system, name);
    if (!asked) return std::unexpected(asked.error());
    const std::vector<Runner> all = system.implementations();  // with the plugin's
    for (const std::string& one : *asked) {
      const auto named = std::ranges::find(all, one, &Runner::name);
      if (named == all.end()) {
        return std::unexpected(unknown_name("implementation", one, known, " of " + std::string{system.name()}));
      }
      if (named->kind != Kind::reference) out.push_back(*named);
    }
  }
  const bool alone =
      system.has_invariants() && std::ranges::count_if(system.implementations(), judged_by_default, &Runner::kind) == 1;
  if (out.size() < 2 && !alone) {
    return std::unexpected("a judge needs another implementation beside the reference; there are: " +
                           joined(known, ", "));
  }
  return out;
}

}  // namespace

class FuzzRunner {
 public:
  explicit FuzzRunner(const Vocabulary& system)
      : system_{system},
        stats_{open_stats()},
        judge_{system, open_implementations(), &stats_->progress},
        findings_{environment("LOCKSTEP_FINDINGS", "findings")},
        without_{split(environment("LOCKSTEP_WITHOUT", ""), ',')},
        ignored_{open_ignored()},
        scenario_{system.scenario()} {}

  int execute(std::span<const std::uint8_t> bytes) {
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
      const std::string signature = verdict.divergence ? verdict.divergence->signature() : "";
      if (!ignored_.contains(signature)) report(verdict);
      stats_->count_ignored(signature);
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

  void report_crash(std::string_view error, std::string_view sanitizer) {
    if (in_flight_ == nullptr) return;
    const AnyScenario scenario = *std::exchange(in_flight_, nullptr);  // an error during reporting is not reported
    Divergence d = death_at(judge_.implementations(), scenario, stats_->progress.implementation, stats_->progress.step);
    d.kind = DivergenceKind::crash;
    note_sanitizer(d, sanitizer, error);
    keep({.scenario = scenario, .divergence = std::move(d)}, scenario.size());
  }

  /// Runs a part of the target. An exception ends the process as a fault.
  auto guarded(const auto& run) {
    return run_guarded(run, [this](const std::string& exception) {
      in_flight_ = nullptr;  // a sanitizer that reports the abort blames no implementation
      note_fault(system_.name(), exception);
    });
  }

 private:
  std::vector<Runner> open_implementations() const {
    auto implementations = fuzzed_implementations(system_, environment("LOCKSTEP_WITH", ""));
    if (!implementations) refuse_to_fuzz(system_.name(), implementations.error());
    return std::move(*implementations);
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
    if (stats == nullptr) refuse_to_fuzz(system_.name(), "LOCKSTEP_STATS: cannot use " + path);
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
    const FindingText finding = finding_of(shrunk, names(), actions_before);
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

FuzzedSystem::FuzzedSystem(const Vocabulary& system) : system_{system}, mutator_{system, LLVMFuzzerMutate} {
  fuzzed_system = this;
}

FuzzedSystem::~FuzzedSystem() = default;

void FuzzedSystem::start() {
  watch_for_copies();
  runner_ = std::make_unique<FuzzRunner>(system_);
}

int FuzzedSystem::execute(std::span<const std::uint8_t> bytes) {
  return runner_->guarded([&] { return runner_->execute(bytes); });
}

std::size_t FuzzedSystem::mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  return runner_->guarded([&] { return mutator_.mutate(data, size, max_size, seed); });
}

std::size_t FuzzedSystem::cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                                     std::span<std::uint8_t> out, unsigned seed) {
  return runner_->guarded([&] { return mutator_.cross_over(one, other, out, seed); });
}

void FuzzedSystem::report_crash(std::string_view error, std::string_view sanitizer) {
  if (runner_) runner_->report_crash(error, sanitizer);
}

}  // namespace lockstep
