// A fuzz target under sanitizers: an error detected inside an implementation becomes a finding like any other.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "fuzz/program.hpp"
#include "fuzz/toy_system.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace {

using namespace lockstep;

const std::string four_nines{"\x00\x00\x00\x09\x00\x09\x00\x09\x00\x09\x00\x01", 12};

/// The text of the finding after the implementation ran on four nines and a one.
std::string finding_of(const std::string& implementation) {
  const ScratchFolder folder;
  EXPECT_TRUE(write_file(folder / "input", four_nines));
  const ProgramRun run =
      run_program({LOCKSTEP_FUZZ_TARGET, folder / "input"}, {{"LOCKSTEP_WITH", implementation}}, folder);
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.output.find("replay it: lockstep replay findings/toy-"), std::string::npos) << run.output;
  const auto files = file_names(folder / "findings");
  EXPECT_EQ(files.size(), 1u) << run.output;
  return files.empty() ? "" : read_file(folder / ("findings/" + files[0])).value();
}

void expect_scenario(const std::string& text) {
  const auto scenario = parse_scenario<Toy>(text);
  ASSERT_TRUE(scenario) << scenario.error().message("finding") << text;
  EXPECT_EQ(scenario->actions.size(), 5u);
}

TEST(FuzzTarget, KeepsAScenarioThatASanitizerStops) {
  const std::map<std::string, std::string> errors = {{"reads_beyond", "heap-buffer-overflow"},
                                                     {"loads_beyond", "heap-buffer-overflow"},
                                                     {"uses_freed", "heap-use-after-free"},
                                                     {"overflows", "signed-integer-overflow"}};
  for (const auto& [implementation, error] : errors) {
    const std::string text = finding_of(implementation);
    expect_scenario(text);
    EXPECT_NE(text.find("signature: toy " + implementation + " crash add " + error), std::string::npos) << text;
    EXPECT_NE(text.find("at step 4 of 5"), std::string::npos) << text;
  }
}

}  // namespace
