// Time as a watching process counts it for a timeout.
//
// A machine that sleeps, or a signal that stops a whole run (Ctrl-Z, SIGSTOP by a batch system), stops the watching
// process and the processes that it watches. Afterwards a steady clock has moved on, and every action in flight would look
// like a hang. A watcher looks every few milliseconds, so a long time between two looks is time in which it did not
// run itself:
//
//   looks        | | | | |        stopped        | | | |
//   counted      ---------x- - - - - - - - - - - ------->     of the gap, only gap_max
#pragma once

#include <algorithm>
#include <chrono>

namespace lockstep {

class WatchedTime {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds gap_max{500};

  /// Call it at every look.
  void look(Clock::time_point now = Clock::now()) {
    left_out_ += std::max(Clock::duration{0}, now - looked_ - gap_max);
    looked_ = now;
  }
  /// The time of the last look, without what was left out. Only differences of such times have a meaning.
  Clock::time_point now() const { return looked_ - left_out_; }

 private:
  Clock::time_point looked_ = Clock::now();
  Clock::duration left_out_{0};
};

}  // namespace lockstep
