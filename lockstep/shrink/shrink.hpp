// The shrinker: reduces a failing scenario to a 1-minimal one (reduce.hpp) with the same signature.
//
// A candidate is accepted only if it is smaller and fails with the same signature. No pass is best for every failure, so
// there are many:
//
//   first               restate the failure as the position before the failing step and that one action
//   large steps         remove ranges of actions; crop the board by ranges of rows and columns; empty ranges of cells;
//                       remove ranges of items; shorten spans from their beginning; lower numbers by bisection and by
//                       clearing bits; lower a number of the setup and move the numbers of actions along with the bounds
//                       that depend on it; lower numbers that depend on each other by the same amount; put the simpler
//                       of two numbers first
//   single steps        the reductions of reduce.hpp, until none is accepted
//   beyond 1-minimal    join two items to their sum; remove items, and lower the number that says how many there are; change
//                       two numbers, as by moving an amount from one to the other; replace an action by one of another kind
//   wider search        two or three changes at once, drawn by the scenario's hash
//
// A failure that no restatement reproduces has hidden state. The shrinker uses the judge only as a function.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"

namespace lockstep {

/// The names of the shrinker's steps, the wider search last.
std::vector<std::string_view> shrink_steps();
inline constexpr std::string_view wider_search = "wider search";

struct ShrinkBudget {
  std::chrono::milliseconds time = std::chrono::seconds{10};
  std::uint64_t judgements_max = std::uint64_t{1} << 40;
  std::function<bool()> stopped = {};  // says true when the rest of the budget is no longer wanted
  /// Whether a failure that looks like the first one counts; null: each does.
  std::function<bool(const AnyScenario&, const Divergence&)> counts = {};
  std::string_view without = {};  // the step of shrink_steps() that is left out
};

struct Shrunk {
  AnyScenario scenario;
  Divergence divergence;
  std::string needed = {};  // the conditions (conditions.hpp)
  /// True: no reduction fails with the signature; the wider search may not have ended. False: the budget was spent.
  bool minimal = false;
  /// The failure vanishes if the position before it is given as a setup: some implementation has state that its
  /// snapshot does not show.
  bool hidden_state = false;
  /// With hidden state: the position before the last step, and that step. All implementations agree on it.
  std::optional<AnyScenario> restated = {};
  std::uint64_t judgements = 0;
  std::uint64_t wider = 0;  // of these, in the last wider search
  double seconds = 0;       // that shrinking took
  bool repeats = true;      // false: judged again, it does not fail alike each time
};

/// The last `keep` actions of a scenario, starting from the reference's position before them. Only if the system can
/// restate.
AnyScenario restated(const AnyScenario& scenario, std::size_t keep, const Runner& reference);

class Shrinker {
 public:
  /// `reference` only supplies the positions from which failures are restated. It must not crash on prefixes.
  Shrinker(JudgeFunction judge, Runner reference, ShrinkBudget budget = {})
      : judge_{std::move(judge)}, reference_{std::move(reference)}, budget_{std::move(budget)} {}

  /// The scenario must diverge; otherwise it is returned unchanged, with an empty divergence.
  Shrunk shrink(AnyScenario failing) const;

  /// Whether a result fails alike when it is judged three times more: a chance may have brought it here. A hang would take
  /// too long; it is judged again where the whole timeout is known.
  bool repeats(const Shrunk& shrunk) const;

  /// The conditions that the failure of a result needs (conditions.hpp).
  std::string needed_by(const Shrunk& shrunk) const;

 private:
  JudgeFunction judge_;
  Runner reference_;
  ShrinkBudget budget_;
};

}  // namespace lockstep
