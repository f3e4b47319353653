// The program that plants changes has a script in its place: tests/stress_test.py plants and compiles.
#include "programs/planted_program.hpp"

#include <gtest/gtest.h>

#include <string>

#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/process/shared_files.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/programs/scripts.hpp"

namespace lockstep {
namespace {

class PlantedPrograms : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(shared_file("planter/plant.py")) << "every build with tests has it"; }

  /// Plants with this script, which finds the folder for its files in $out.
  PlantedProgram plant(const std::string& script, const std::string& solution = "right.cpp") {
    scripts_.add("python3", "printf '%s\\n' \"$@\" > " + (folder_ / "arguments") + "\nfor out; do :; done\n" + script);
    return plant_changes(solution, folder_.path());
  }
  PlantedProgram plant_from(const std::string& json) {
    return plant("cat > \"$out/mutants.json\" <<'END'\n" + json + "\nEND");
  }
  std::string refusal(const std::string& script) {
    return message_of([&] { plant(script); });
  }

  ScriptsInPath scripts_;
  ScratchFolder folder_;
};

TEST_F(PlantedPrograms, ChangesHaveTheirNumbersAndNamesOfTheirOwn) {
  const PlantedProgram planted = plant_from(R"({"changes": [
      {"number": 3, "line": 17, "change": "`i < n` -> `i <= n`"},
      {"number": 5, "line": 17, "change": "`i < n` -> `i <= n`"},
      {"number": 8, "line": 18, "change": "`i < n` -> `i <= n`"},
      {"number": 9, "line": 17, "change": "`i < n` -> `i <= n`"}], "skipped": 2})");
  ASSERT_EQ(planted.changes.size(), 4u);
  EXPECT_EQ(planted.changes[0].number, 3);
  EXPECT_EQ(planted.changes[0].name, "line 17: `i < n` -> `i <= n`");
  EXPECT_EQ(planted.changes[1].name, "line 17: `i < n` -> `i <= n` (occurrence 2)");
  EXPECT_EQ(planted.changes[2].name, "line 18: `i < n` -> `i <= n`");
  EXPECT_EQ(planted.changes[3].number, 9);
  EXPECT_EQ(planted.changes[3].name, "line 17: `i < n` -> `i <= n` (occurrence 3)");
  EXPECT_EQ(planted.command, folder_ / "planted");
}

TEST_F(PlantedPrograms, ASolutionMayHaveAnyName) {
  plant("echo '{\"changes\": []}' > \"$out/mutants.json\"", "it's $HOME \"right\".cpp");
  EXPECT_EQ(read_file(folder_ / "arguments").value_or(""), "-B\n" + shared_file("planter/plant.py").value().string() +
                                                               "\n--program\nit's $HOME \"right\".cpp\n--out\n" +
                                                               folder_.path().string() + "\n");
}

TEST_F(PlantedPrograms, WhatThePlanterSaysIsBadInput) {
  EXPECT_EQ(refusal("echo 'plant.py: right.cpp: it does not compile' >&2; exit 1"), "right.cpp: it does not compile");
  EXPECT_EQ(refusal("printf 'one line\\nand another\\n\\n' >&2; exit 2"), "one line\nand another");
  EXPECT_EQ(refusal("exit 3"), "planting changes into right.cpp: exited with status 3");
}

TEST_F(PlantedPrograms, MalformedChangesAreAnInternalError) {
  EXPECT_THROW(plant("exit 0"), InternalError) << "no file";
  for (const char* const json : {"", "[]", "{}", R"({"changes": [{"number": 1}]})",
                                 R"({"changes": [{"number": "1", "line": 1, "change": "x"}]})",
                                 R"({"changes": [{"number": 1, "line": 1, "change": 2}]})"}) {
    EXPECT_THROW(plant_from(json), InternalError) << json;
  }
}

TEST_F(PlantedPrograms, WithoutPythonItIsBadInput) {
  const ScriptsInPath none{ScriptsInPath::Others::hidden};
  EXPECT_THROW(plant_changes("right.cpp", folder_.path()), BadInput);
}

}  // namespace
}  // namespace lockstep
