// How long an implementation may take.
#pragma once

#include <chrono>

namespace lockstep {

/// The timeout for one action; an action that takes longer counts as a hang.
struct Guard {
  std::chrono::milliseconds timeout{5'000};
};

}  // namespace lockstep
