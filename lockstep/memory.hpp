// Memory errors of implementations: leaks, and accesses to memory that is not theirs.
//
// Two checkers are known. A build with LeakSanitizer (AddressSanitizer has it) checks for leaks when it is asked to. Under
// valgrind's memcheck, where memcheck.hpp runs this program again, every access is checked, and leaks when a process ends.
// In both cases an implementation runs a scenario in a child process, whose report is read.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/judge.hpp"
#include "lockstep/stats.hpp"

namespace lockstep {

/// What checks the memory of this process' children.
enum class MemoryChecker { none, leak_sanitizer, valgrind };
MemoryChecker memory_checker();

/// Names the folder of valgrind's reports, REPORT.PROCESS; only memcheck.cpp sets it.
inline constexpr const char* memcheck_variable = "LOCKSTEP_MEMCHECK";

/// Whether memory of this process is lost. Only LeakSanitizer answers, and prints what was lost before; else false.
/// It stops the process for 5 to 50 ms, and looks at all memory, so it is not asked after each scenario.
bool leaks_memory();

/// Looks for leaks of a worker process once in a batch of scenarios, in builds with LeakSanitizer.
class LeakWatch {
 public:
  /// Small enough that the process's last scenarios include all of a batch (RecentScenarios), if they are not very long.
  /// Measured: a look takes 16 ms, so that it adds a tenth where judging a scenario takes 0.3 ms.
  static constexpr int batch = 512;

  explicit LeakWatch(CampaignStats& stats) : stats_{stats} {}

  /// Call this before each scenario. Returns true on a leak, and sets stats.leaks.
  bool after_batch() { return ++scenarios_ > batch && look(); }
  bool look() {
    scenarios_ = 1;
    stats_.leaks.store(leaks_memory() ? 1 : 0);
    return stats_.leaks.load() != 0;
  }

 private:
  CampaignStats& stats_;
  int scenarios_ = 0;  // of this batch, with the next
};

/// An error in a checker's report.
struct MemoryError {
  std::string what;   // "leak", "invalid read", "use of uninitialised value"
  std::string where;  // the first function that is not an allocator's; for a leak also the one that called it
  std::string lines;  // the heading of the report, and the functions

  bool leak() const { return what == "leak"; }
};

/// The errors of a report of valgrind or LeakSanitizer.
std::vector<MemoryError> memory_errors_in(std::string_view report);

/// Implementations to run on scenarios, without their types.
struct MemoryCheck {
  std::size_t implementations = 0;
  /// Runs one implementation, and frees all that it made.
  std::function<void(std::size_t implementation, volatile std::uint32_t& in_flight)> run;
  /// The divergence of an implementation at the action `in_flight`.
  std::function<Divergence(std::size_t implementation, std::size_t in_flight)> at;
  /// Whether an error is looked for; null: each is.
  std::function<bool(const Divergence&)> counts = nullptr;
};

/// Runs all implementations in a child process, and after a leak each of them in one of its own, to see which one leaks.
/// Agreed if the checker, of which there must be one, reports no error.
Verdict memory_verdict(const MemoryCheck& check, std::chrono::milliseconds timeout);

/// Judges the memory of implementations on a scenario, which is given as text. The names are registered ones.
using MemoryJudge = std::function<Verdict(std::string_view text, const std::vector<std::string>& names)>;

}  // namespace lockstep
