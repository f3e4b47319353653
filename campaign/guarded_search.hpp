// Searches for a finding in a child process. That may take seconds, in which the campaign keeps polling its engines.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/child.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {

class GuardedSearch {
 public:
  using Search = std::function<std::optional<FindingText>()>;
  struct Answer {
    std::optional<FindingText> finding = {};
    std::string fault = {};  // why there is no answer, for people; empty: `search` has returned
  };

  /// `search` judges in processes of its own, so nothing that an implementation does ends it: an exception that leaves it is
  /// a fault. If it ends without an answer, or a process that it judges in is killed from outside, it is called again: three
  /// times in all.
  explicit GuardedSearch(Search search);

  /// Waits at most `patience`. Empty while it runs. Must not be called again after an answer.
  std::optional<Answer> poll(std::chrono::milliseconds patience = {});

 private:
  void start();

  Search search_;
  int calls_ = 0;
  std::expected<ChildProcess, std::string> child_;
  std::string output_;
};

/// A search that judges a finding again: it finds nothing if the implementations agree now. What it finds has the signature
/// of this judgement.
GuardedSearch::Search confirming(const Judging& judging, std::vector<std::string> implementations, Guard guard,
                                 FindingText finding);

}  // namespace lockstep
