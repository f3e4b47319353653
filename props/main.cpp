// The main function of every test program here.
//
// Properties are drawn from a fixed seed, so that a test run repeats exactly; fuzzing campaigns supply fresh scenarios, and
// ./dev test long draws three times as many from another seed.
// RC_PARAMS overrides the seed: RC_PARAMS="seed=7 max_success=1000000" ./props_omok
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "lockstep/system/processor.hpp"

using namespace lockstep;

int main(int argc, char** argv) {
  const auto level = level_asked();
  if (!level) {
    std::fprintf(stderr, "%s\n", level.error().c_str());
    return 2;
  }
  const char* const asked = std::getenv("LOCKSTEP_LEVEL");
  if (asked != nullptr && *asked != '\0' && *level > level_of_processor()) {
    constexpr int skipped = 77;  // SKIP_RETURN_CODE of the tests of a level
    std::fprintf(stderr, "this processor lacks the level %s\n", to_string(*level).data());
    return skipped;
  }
  constexpr int keep_what_the_caller_set = 0;
  setenv("RC_PARAMS", "seed=20240229 max_success=1000", keep_what_the_caller_set);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
