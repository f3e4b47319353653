// Searches for a finding in a child process. That may take seconds, in which the campaign keeps polling its engines.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/process/child.hpp"
#include "lockstep/process/watched_time.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// The search that an engine waits for, one at a time.
class GuardedSearch {
 public:
  using Search = std::function<std::optional<Finding>()>;
  struct Answer {
    std::optional<Finding> finding = {};
    std::string fault = {};  // why there is no answer, for people; empty: `search` has returned
  };

  /// None may be running. `search` judges in processes of its own, so nothing that an implementation does ends it: an
  /// exception that leaves it is a fault. If it ends without an answer, or a process that it judges in is killed from
  /// outside, it is called again: three times in all. `after_stop`: the longest that it may run while the engine is to
  /// stop. The time in which this process is stopped, too, does not count.
  void start(Search search, std::chrono::milliseconds after_stop);
  bool runs() const { return running_.has_value(); }

  /// One must be running. Waits at most `patience` for its answer, which is the fault "the time was up" if the search has
  /// run too long since the engine was to stop. With an answer, none runs any more.
  std::optional<Answer> poll(bool to_stop, std::chrono::milliseconds patience = {});

 private:
  struct Running {
    Search search;
    std::chrono::milliseconds after_stop;
    int calls = 0;
    std::expected<ChildProcess, std::string> child = std::unexpected{std::string{}};
    std::string output = {};
    WatchedTime time = {};
    std::optional<WatchedTime::Clock::time_point> to_stop_since = {};
  };

  void call();
  /// Empty while it runs.
  std::optional<Answer> answer(std::chrono::milliseconds patience);

  std::optional<Running> running_;
};

/// A search that judges a finding again: it finds nothing if the implementations agree now. What it finds has the signature
/// of this judgement.
GuardedSearch::Search confirming(const AnySystem& system, std::vector<std::string> implementations, Guard guard,
                                 Finding finding);

}  // namespace lockstep
