// A fuzz target under libFuzzer whose mutator meets an exception of the system's own parts.
#include <gtest/gtest.h>

#include "fuzz/program.hpp"

namespace {

using namespace lockstep;

TEST(FuzzTarget, AnExceptionOfTheSystemsSuggestionsWhileMutatingIsAFault) {
  const ScratchFolder folder;
  const ProgramRun run = run_program({LOCKSTEP_FUZZ_TARGET, "-seed=1", "-runs=10000"},
                                     {{"LOCKSTEP_WITH", "same"}, {"TOY_THROWS", "suggestions"}}, folder);
  EXPECT_NE(run.exit_code, 0);
  EXPECT_TRUE(run.output.contains(
      "FAULT in toy: an exception that no implementation threw: std::runtime_error: no suggestions today\n"))
      << run.output;
}

}  // namespace
