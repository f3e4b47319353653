// The main function of every test program here.
//
// Properties are drawn from a fixed seed, so that a test run repeats exactly; fuzzing campaigns supply fresh scenarios.
// RC_PARAMS overrides the seed: RC_PARAMS="seed=7 max_success=1000000" ./props_omok
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "lockstep/processor.hpp"

int main(int argc, char** argv) {
  // The tests of a level say so when the processor does not have it (SKIP_RETURN_CODE).
  constexpr int skipped = 77;
  const char* const level = std::getenv("LOCKSTEP_LEVEL");
  if (level != nullptr && lockstep::to_string(lockstep::level_in_use()) != level) return skipped;
  constexpr int keep_what_the_caller_set = 0;
  setenv("RC_PARAMS", "seed=20240229 max_success=2000", keep_what_the_caller_set);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
