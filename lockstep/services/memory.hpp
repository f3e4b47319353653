// Leaks of implementations, in a program that is linked with LeakSanitizer: with -fsanitize=leak, or with AddressSanitizer.
//
// LeakSanitizer checks when it is asked to. Then an implementation runs a scenario in a child process, whose report is
// read.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/judge/judge.hpp"
#include "lockstep/services/stats.hpp"

namespace lockstep {

/// Whether this program is linked with LeakSanitizer.
bool checks_leaks();

/// Whether memory of this process is lost. LeakSanitizer answers, and prints what was lost before; without it, false. It
/// stops the process for 5 to 50 ms, and looks at all memory, so it is not asked after each scenario.
bool leaks_memory();

/// A worker process looks for leaks once in so many scenarios, in builds with LeakSanitizer. Small enough that the process's
/// last scenarios include all of a batch (RecentScenarios), if they are not very long. Measured: a look takes 16 ms, so that
/// it adds a tenth where judging a scenario takes 0.3 ms.
inline constexpr std::size_t leak_batch = 512;

/// A leak in a report of LeakSanitizer.
struct Leak {
  std::string where;  // the first function that is not an allocator's, and the one that called it
  std::string lines;  // the heading of the report, and the functions
};

/// The leaks of a report.
std::vector<Leak> leaks_in(std::string_view report);

/// Runs all implementations on these scenarios in a child process, and after a leak each of them in one of its own, to see
/// which one leaks. Agreed if LeakSanitizer, which there must be, reports no leak. `counts`: whether a leak is looked for;
/// null: each is.
Verdict memory_verdict(std::span<const Runner> implementations, std::span<const AnyScenario> scenarios,
                       std::chrono::milliseconds timeout,
                       const std::function<bool(const Divergence&)>& counts = nullptr);

}  // namespace lockstep
