// Judging and showing the text of a scenario.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/explain.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/measure.hpp"

namespace lockstep {

/// How long one action may take before it counts as a hang.
struct Guard {
  std::chrono::milliseconds timeout{20'000};
};

/// The result of judging one text.
struct Replay {
  std::vector<std::string> implementations;
  std::size_t actions = 0;
  Verdict verdict;
  std::string explanation;    // one line; empty when all agreed
  bool hidden_state = false;  // it diverges, but not from the position before the step that differs
};

struct ShowOptions {
  std::optional<std::size_t> step;  // the position after that many actions; by default where they differ, or the last
  bool colour = false;
};

/// Everything that runs implementations does so in a child process, so that a crash or a hang is a verdict too.
/// `names` are names of implementations as resolve_implementations returns them, the reference first.
class Judging {
 public:
  virtual ~Judging() = default;

  /// The text's scenario in canonical form, without comments.
  virtual Parsed<std::string> canonical(std::string_view text) const = 0;
  virtual Parsed<Size> size(std::string_view text) const = 0;

  virtual Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard) const = 0;
  virtual Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names, const ShowOptions&,
                                   Guard) const = 0;
  /// Nothing when the scenario does not diverge.
  virtual Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard,
                                                    std::chrono::milliseconds time) const = 0;
  /// What the failure depends on; nothing when the scenario does not diverge.
  virtual Parsed<std::optional<Explanation>> explain(std::string_view text, const std::vector<std::string>& names,
                                                     Guard, std::chrono::milliseconds time) const = 0;
};

}  // namespace lockstep
