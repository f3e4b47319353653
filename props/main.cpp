// The main function of every test program here.
//
// Properties are drawn from a fixed seed, so that a test run repeats exactly; fuzzing campaigns supply fresh scenarios.
// RC_PARAMS overrides the seed: RC_PARAMS="seed=7 max_success=1000000" ./props_omok
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  constexpr int keep_what_the_caller_set = 0;
  setenv("RC_PARAMS", "seed=20240229 max_success=2000", keep_what_the_caller_set);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
