// Checks the law of symmetries (typed.hpp), which needs the game's types.
#include LOCKSTEP_SYSTEM

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "props/generators.hpp"
#include "props/typed.hpp"

namespace lockstep {
namespace {

using G = ThisSystem;

RC_GTEST_PROP(Laws, EverySymmetryHolds, ()) {
  static const auto all = symmetries<G>();
  for (const auto& symmetry : all) {
    laws::require_of_each([&](const Runner& simulator, const AnyScenario& scenario) {
      return laws::symmetry_holds<G>(simulator, symmetry, typed<G>(scenario));
    });
  }
}

}  // namespace
}  // namespace lockstep
