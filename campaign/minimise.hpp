// Makes a corpus small: keeps as few scenarios as a greedy choice needs for all that the whole corpus reaches.
//
// What a scenario reaches are the features of its system and implementations (lockstep/describe/features.hpp) and, where
// implementations are compiled with them, the edges that they take (lockstep/draw/coverage.hpp). Findings are kept, whatever
// they reach: scenarios on which the implementations do not agree, and texts that name a finding's signature, which
// show that it is mended.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// A scenario that small_cover chooses or leaves out.
struct CoverCandidate {
  Size size = {};
  std::vector<std::uint32_t> coverage = {};  // what it reaches, by number, each once
  bool required = false;                     // chosen in any case
};

/// The indices, in ascending order, of a few candidates that together reach all that `all` reaches. The choice is greedy:
///
///   1. All that are required are chosen.
///   2. Then, repeatedly, the one that adds the most; if several add as much, the smallest of them.
///   3. At last, the largest first, those that are not required and reach nothing alone are dropped.
///
/// So each chosen one that is not required reaches something that no other chosen one reaches, and a choice among the
/// chosen ones chooses all of them.
std::vector<std::size_t> small_cover(std::span<const CoverCandidate> all);

struct Minimised {
  /// A text that is no scenario of the system.
  struct Bad {
    std::size_t place;
    TextError error;
  };

  std::vector<std::size_t> kept;      // places of texts, rising
  std::vector<std::size_t> findings;  // those of them that are kept as findings
  std::vector<Bad> bad = {};          // neither kept nor judged
  std::size_t judged = 0;             // different scenarios
  std::size_t features = 0;           // that the corpus reaches; the kept scenarios reach the same
  std::size_t edges = 0;              // likewise, edges with the classes of their counts
};

/// Judges the texts in child processes: with the implementations `names` (as resolve_implementations returns them), or,
/// if there are none, with those that a text names, or all that are judged by default. Of equal scenarios the first one
/// is taken, or the first that is of a finding. `goes_on` is called with the number of scenarios done; if it returns
/// false, the rest counts as findings, so that nothing is lost. Throws InternalError if no child can be started.
Minimised minimise(const AnySystem& system, std::span<const std::string> texts, const std::vector<std::string>& names,
                   Guard guard, const std::function<bool(std::size_t done)>& goes_on);

}  // namespace lockstep
