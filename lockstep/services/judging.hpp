// The judging service: judges and shows a scenario that is given as text.
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

/// The timeout for one action; an action that takes longer counts as a hang.
struct Guard {
  std::chrono::milliseconds timeout{20'000};
};

/// The result of judging one text.
struct Replay {
  std::vector<std::string> implementations;
  std::size_t actions = 0;
  Verdict verdict;
  std::string explanation;    // one line; empty if all agree
  bool hidden_state = false;  // the failure vanishes when it starts from the position before its last step
};

struct ShowOptions {
  std::optional<std::size_t> step;  // position in actions done; by default the position that differs, or the last
  bool colour = false;
};

/// Implementations run in a child process, so that a crash or a hang is a verdict too. `names` are names of
/// implementations as resolve_implementations returns them, the reference first.
class Judging {
 public:
  virtual ~Judging() = default;

  /// The scenario in canonical form, without comments.
  virtual Parsed<std::string> canonical(std::string_view text) const = 0;
  virtual Parsed<Size> size(std::string_view text) const = 0;

  virtual Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard) const = 0;
  virtual Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names, const ShowOptions&,
                                   Guard) const = 0;
  /// nullopt if the scenario does not diverge.
  virtual Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard,
                                                    std::chrono::milliseconds time) const = 0;
  /// The parts of the scenario on which the failure depends; nullopt if the scenario does not diverge.
  virtual Parsed<std::optional<Explanation>> explain(std::string_view text, const std::vector<std::string>& names,
                                                     Guard, std::chrono::milliseconds time) const = 0;
};

}  // namespace lockstep
