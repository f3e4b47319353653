// fuzz_text as users run it, with corpus/ as the seed corpus.
#include <gtest/gtest.h>

#include "fuzz/program.hpp"

namespace {

using namespace lockstep;

TEST(FuzzText, EveryReaderSurvivesChangedTexts) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "new");  // libFuzzer writes to the first folder given
  // Without an engine the flags are ignored, and every text of the corpus runs unchanged.
  const ProgramRun run = run_program({LOCKSTEP_FUZZ_TARGET, "-seed=1", "-runs=3000", "-max_len=4096",
                                      std::string{"-dict="} + LOCKSTEP_DICTIONARY, folder / "new", LOCKSTEP_CORPUS},
                                     {}, folder);
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

}  // namespace
