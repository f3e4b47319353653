// A search for differences inside a test of any framework: one call, one value.
//
//   TEST(Lru, EqualsTheList) {
//     const auto result = lockstep::check<Lru, ListLru, IndexedLru>({.seconds = 2, .corpus = "tests/corpus/lru"});
//     EXPECT_TRUE(result) << result.report();
//   }
//
// The scenarios of the corpus are judged first, each on its own; then a campaign with one worker (campaign/campaign.hpp)
// searches for new ones, which mutate those of the corpus. Implementations run in child processes, so that a crash or
// a hang is a difference too. Not for several threads at a time.
//
// One file of a corpus is a check too, for frameworks that make a test case of each: {.seconds = 0, .corpus = file}. So is
// one text, without a file: {.seconds = 0, .text = "lockstep 1 lru…"}, as `show --as-test FILE` prints it.
//
// Two environment variables win over the options, for nightly runs of the same test: LOCKSTEP_SEED, LOCKSTEP_SECONDS.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

class AnySystem;
struct Runner;
struct SystemParts;

struct CheckOptions {
  double seconds = 1;           // of the search; 0: the corpus alone
  std::uint64_t scenarios = 0;  // above 0: search so many instead of a time, the same in every run of a seed
  std::uint64_t seed = 1;
  /// A folder of scenario files, or one file. Relative to the working folder.
  std::string corpus = {};
  std::string text = {};  // of a scenario, judged before the corpus
  /// Where a finding is written; default: the folder of the corpus. Without either it is in the report only.
  std::string findings = {};
  double timeout = 5;  // seconds; an action that takes longer is a hang
};

/// True if something was judged and all implementations agreed on all of it.
class [[nodiscard]] CheckResult {
 public:
  CheckResult(bool agreed, std::uint64_t scenarios, std::string report)
      : agreed_{agreed}, scenarios_{scenarios}, report_{std::move(report)} {}

  explicit operator bool() const { return agreed_; }
  /// The number of scenarios that were judged, including those of the corpus.
  std::uint64_t scenarios() const { return scenarios_; }
  /// For people: what was judged, or the difference with its scenario and file, or why nothing could be judged.
  const std::string& report() const { return report_; }

 private:
  bool agreed_;
  std::uint64_t scenarios_;
  std::string report_;
};

/// Test frameworks print the report of a failed check.
std::ostream& operator<<(std::ostream& out, const CheckResult& result);

/// Checks all implementations of a system except its canaries (CMake target lockstep::campaign).
CheckResult check_system(const AnySystem& system, const CheckOptions& options);
/// The same for these implementations: what else is registered for the system in this process is not judged.
CheckResult check_implementations(const SystemParts& parts, const std::vector<Runner>& implementations,
                                  const CheckOptions& options);

}  // namespace lockstep
