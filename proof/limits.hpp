// A process of its own for each question to the prover, which keeps its limits.
#pragma once

#include <sys/resource.h>

#include <cstddef>

#include "lockstep/process/child.hpp"

namespace lockstep::proof {

/// Limits of a question's process. The prover keeps the time itself; the kernel ends a process that does not, half a
/// minute later, by SIGXCPU.
inline ChildProcess::Options limited(double seconds, std::size_t megabytes) {
  return {.prepare = [seconds, megabytes] {
    const rlim_t bytes = rlim_t{megabytes} << 20;
    const rlimit memory{.rlim_cur = bytes, .rlim_max = bytes};
    ::setrlimit(RLIMIT_AS, &memory);
    const auto most = static_cast<rlim_t>(seconds) + 30;
    const rlimit time{.rlim_cur = most, .rlim_max = most + 10};  // at equal ones the signal is SIGKILL
    ::setrlimit(RLIMIT_CPU, &time);
  }};
}

}  // namespace lockstep::proof
