// How long a step takes in each implementation (lockstep/describe/laps.hpp).
//
// The workloads are those that the system names (workload.hpp), or scenarios as each generator draws them; and those of the
// corpus. A workload is judged before it is timed: times of implementations that differ are not comparable. A round runs one lap of every implementation, in
// another order each time, and the reference a second time; so a ratio compares laps that are a moment apart, and the
// reference against itself shows the noise of the machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {

struct TimingOptions {
  std::uint64_t seed = 1;                   // of drawn workloads
  std::chrono::milliseconds budget{1'000};  // of one workload's laps
  std::vector<std::string> corpus = {};     // texts; those that cannot be parsed are ignored
  Guard guard = {};
};

/// The quartiles of a sample.
struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};
Quartiles quartiles(std::vector<double> sample);

struct ImplementationTime {
  std::string name;
  Quartiles step_ns;
  Quartiles ratio;  // the reference's time divided by this one's, round by round: 2 is twice as fast
};

struct WorkloadTime {
  std::string name;
  std::size_t scenarios = 0;
  std::uint64_t steps = 0;
  std::size_t rounds = 0;
  std::vector<ImplementationTime> implementations = {};  // the reference first
  Quartiles noise = {};                                  // the reference's ratio to itself
  std::string fault = {};                                // how implementations differ; nothing was timed then
};

/// Of implementations that can be timed (Runner::timed). `done` is called after each workload.
std::vector<WorkloadTime> time_implementations(const SystemParts& system, const std::vector<std::string>& names,
                                               const TimingOptions& options,
                                               const std::function<void(const WorkloadTime&)>& done);

}  // namespace lockstep
