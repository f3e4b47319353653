// Tests of the claims: the graphs compute what the code computes, a mistake of the translator would be seen, and wrong
// claims are refuted with a scenario on which the canary diverges.
#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "proof/evaluate.hpp"
#include "proof/prove.hpp"

namespace lockstep::proof {
namespace {

const Claim& named(std::string_view game, std::string_view name) {
  for (const Claim& claim : claims()) {
    if (claim.game == game && claim.name == name) return claim;
  }
  throw std::out_of_range{std::string(game) + "." + std::string(name)};
}

int exit_of(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Operations, ComputeWhatTheProcessorComputes) {
  std::size_t count = 0;
  const auto program = std::make_shared<Program>(Program::from_file(std::string(named("operations", "add").bitcode)));
  for (const Claim& claim : claims()) {
    if (claim.game != "operations") continue;
    ++count;
    const Translation translation{claim, Clock::time_point::max(), program};
    for (const Obligation& each : translation.kernel.obligations) {
      EXPECT_NE(each.kind, Obligation::Kind::understood)
          << claim.name << ": " << each.what << ": " << each.place.instruction;
    }
    EXPECT_EQ(evaluated_differently(claim, translation, 1 << 13), std::nullopt) << claim.name;
  }
  EXPECT_GT(count, 50u);
}

/// A test for each claim, because some take minutes.
std::vector<Claim> claims_if(bool (*asked)(const Claim&)) {
  std::vector<Claim> out;
  for (const Claim& claim : claims()) {
    if (asked(claim)) out.push_back(claim);
  }
  if (out.empty()) throw std::logic_error{"no claim to test"};
  return out;
}
std::string test_name(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

/// Claims of a game are of its shipped code: those of mistakes say so in the name of the game, which has a space.
bool is_shipped(const Claim& claim) { return claim.game != "operations" && !claim.game.contains(' '); }
bool is_canary(const Claim& claim) { return claim.game.starts_with("canaries of "); }

class Kernels : public testing::TestWithParam<Claim> {};

TEST_P(Kernels, HaveGraphsThatComputeWhatTheirCodeComputes) {
  const Claim& claim = GetParam();
  if (!claim.run_kernel) GTEST_SKIP() << "the processor lacks instructions of this kernel";
  const Translation translation{claim, Clock::time_point::max()};
  EXPECT_EQ(evaluated_differently(claim, translation, 1'000'000), std::nullopt);
}
INSTANTIATE_TEST_SUITE_P(Of, Kernels, testing::ValuesIn(claims_if(is_shipped)),
                         [](const auto& claim) { return test_name(claim.param.full_name()); });

/// A translator that takes one instruction for another is one that is right about other IR.
TEST(Operations, ATranslatorsMistakeIsSeen) {
  struct Mistake {
    std::string_view operation, right, wrong;
  };
  const std::vector<Mistake> mistakes = {
      {"add", "add i64", "sub i64"},
      {"multiply", "mul i64", "add i64"},
      {"shift_right", "lshr i64", "ashr i64"},
      {"shift_left", "shl i64", "lshr i64"},
      {"conjunction", "and i64", "or i64"},
      {"exclusive_or", "xor i64", "or i64"},
      {"less", "icmp ult", "icmp slt"},
      {"at_most_signed", "icmp sle", "icmp slt"},
      {"extend_signed", "ashr exact i64", "lshr exact i64"},
      {"remainder", "urem i32", "srem i32"},
      {"ones", "llvm.ctpop.i64", "llvm.bswap.i64"},
      {"rotate", "llvm.fshl.i64", "llvm.fshr.i64"},
      {"minimum_signed", "llvm.smin.i64", "llvm.umin.i64"},
      {"leading_zeros", "llvm.ctlz.i64", "llvm.cttz.i64"},
  };
  for (const Mistake& mistake : mistakes) {
    const Claim& claim = named("operations", mistake.operation);
    const Program program = Program::from_file(std::string(claim.bitcode));
    std::string text;
    llvm::raw_string_ostream stream{text};
    program.module().print(stream, nullptr);
    const std::size_t start = text.find("@operation_" + std::string(mistake.operation) + "(");
    const std::size_t end = text.find("\n}", start);
    std::size_t changes = 0;
    for (std::size_t at = start; (at = text.find(mistake.right, at)) < end; at += mistake.wrong.size()) {
      text.replace(at, mistake.right.size(), mistake.wrong);
      ++changes;
    }
    ASSERT_GT(changes, 0u) << mistake.operation << " has no " << mistake.right;
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "mistaken.ll";
    if (mistake.right.starts_with("llvm.")) {
      text += "\ndeclare i64 @" + std::string(mistake.wrong) + "(i64" +
              (mistake.operation == "rotate"           ? ", i64, i64"
               : mistake.operation == "minimum_signed" ? ", i64"
               : mistake.operation == "leading_zeros"  ? ", i1"
                                                       : "") +
              ")\n";
      const std::string declared = "declare i64 @" + std::string(mistake.wrong) + "(";
      if (text.find(declared) != text.rfind(declared)) text.resize(text.rfind(declared));
    }
    std::ofstream{file} << text;
    Claim wrong = claim;
    const std::string name = file.string();
    wrong.bitcode = name;
    const Translation translation{wrong, Clock::time_point::max()};
    EXPECT_NE(evaluated_differently(wrong, translation, 4096), std::nullopt)
        << mistake.right << " as " << mistake.wrong;
  }
}

class Canaries : public testing::TestWithParam<Claim> {};

/// A claim of each game can fail, and its counterexample is a scenario. Planted changes are refuted in changes_test.py.
TEST_P(Canaries, AreRefutedByAScenarioOnWhichTheyDiverge) {
  const Claim& claim = GetParam();
  const Result result = prove(claim, 300);
  ASSERT_EQ(result.answer, Answer::refuted) << result.reason;
  ASSERT_TRUE(result.lawful);
  EXPECT_TRUE(claim.meets_invariant(result.input));
  EXPECT_NE(claim.run_kernel(result.input), claim.run_specification(result.input));
  const std::string text = claim.scenario(result.input);
  const std::string file =
      (std::filesystem::path(testing::TempDir()) / (std::string(claim.kernel) + "." + std::string(claim.name) + ".txt"))
          .string();
  std::ofstream{file} << text;
  const std::string replay = std::string(LOCKSTEP_PROGRAM) + " replay '" + file + "'";
  EXPECT_EQ(exit_of(replay), 0) << "the simulators agree\n" << text;
  EXPECT_EQ(exit_of(replay + " --with " + std::string(claim.name)), 1) << "the canary does not\n" << text;
}
INSTANTIATE_TEST_SUITE_P(Of, Canaries, testing::ValuesIn(claims_if(is_canary)), [](const auto& claim) {
  return test_name(std::string(claim.param.name) + "_in_" + std::string(claim.param.kernel));
});

/// No scenario shows this mistake of a kernel.
TEST(WrongClaims, WithoutAScenarioAreRefuted) {
  const Claim& claim = named("mistakes in omok", "batch_shares_a_cell");
  const Result result = prove(claim, 100);
  ASSERT_EQ(result.answer, Answer::refuted) << result.reason;
  EXPECT_TRUE(claim.meets_invariant(result.input));
  EXPECT_NE(claim.run_kernel(result.input), claim.run_specification(result.input));
}

/// The command that judges a counterexample ends with 1 if the simulators differ, with 0 if they agree, which is an
/// internal error; with any other code nothing was judged, and the refutation stays.
TEST(Program, ExitsByWhatTheReplayOfACounterexampleSays) {
  struct Case {
    int replay;
    int exit;
    std::string_view says;
  };
  for (const Case& each : {Case{1, 1, "\"replayed\": true"},
                           Case{0, 3, "internal error: the simulators do not differ on the counterexample"},
                           Case{7, 1, "could not be judged: the command ended with 7"}}) {
    const std::filesystem::path folder = testing::TempDir();
    const std::filesystem::path file = folder / "prove_wrong.json";
    const std::string command = std::string(LOCKSTEP_PROVE_WRONG) + " 'canaries of omok' six_counts_as_five --json" +
                                " --findings '" + folder.string() + "' --replay 'exit " + std::to_string(each.replay) +
                                " #' >'" + file.string() + "' 2>/dev/null";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, each.exit) << command;
    std::ifstream in{file};
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(text.find(each.says), std::string::npos) << text;
  }
}

TEST(Program, RefusesATimeThatIsNoNumberOfSeconds) {
  for (const std::string_view wrong : {"nan", "inf", "0.5", "1e7", "x"}) {
    EXPECT_EQ(exit_of(std::string(LOCKSTEP_PROVE_WRONG) + " --list --seconds " + std::string(wrong)), 2) << wrong;
  }
  EXPECT_EQ(exit_of(std::string(LOCKSTEP_PROVE_WRONG) + " --list --seconds 1.5"), 0);
}

/// JSON has UTF-8 only: a name with other bytes must not cost the answer.
TEST(Program, KeepsARefutationInAFolderWhoseNameIsNotUtf8) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path file = folder / "prove_wrong.json";
  const std::string command = std::string(LOCKSTEP_PROVE_WRONG) + " 'canaries of omok' six_counts_as_five --json" +
                              " --findings '" + (folder / "\xff").string() + "' >'" + file.string() + "' 2>/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 1) << command;
  std::ifstream in{file};
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("\"answer\": \"refuted\""), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep::proof
