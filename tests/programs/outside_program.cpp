#include "programs/outside_program.hpp"

#include <gtest/gtest.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "lockstep/process/child.hpp"
#include "lockstep/process/files.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using End = ProgramRun::End;

constexpr ProgramLimits ample{.processor_time = 20s, .memory = 512 << 20, .output = 2 << 20};  // for a busy machine
constexpr ProgramLimits brief{.processor_time = 200ms, .wall_time = 400ms, .memory = 512 << 20, .output = 2 << 20};

std::string misbehaving(const std::string& how) { return "'" LOCKSTEP_MISBEHAVE "' " + how; }

/// Processes that a run has left. Programs inherit the mark; this process had another environment when it started.
int left_behind(const std::string& mark) {
  int left = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc", ignored}) {
    if (std::isdigit(entry.path().filename().string()[0]) == 0) continue;
    std::ifstream environment{entry.path() / "environ", std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{environment}, {}};
    left += text.contains(mark) ? 1 : 0;
  }
  return left;
}

/// Whether root's programs can run as another user with the right to use all files: not in each container.
bool may_leave_root() {
  const auto tried = run_in_child(
      [] {
        const bool may = prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) == 0 &&
                         setresuid(1 << 30, 1 << 30, 1 << 30) == 0 && access("/root", X_OK) == 0;
        return std::string{may ? "yes" : "no"};
      },
      60s);
  return tried.output == "yes";
}

class OutsidePrograms : public testing::TestWithParam<Safety> {
 protected:
  void SetUp() override {
    mark_ = "LOCKSTEP_TEST_" + std::to_string(getpid());
    setenv(mark_.c_str(), "1", 1);
    if (GetParam() == Safety::limits) return;
    const auto program = OutsideProgram::make("true");
    ASSERT_TRUE(program) << program.error();
    if (program->safety().starts_with("limits")) GTEST_SKIP() << "not in bubblewrap: " << program->safety();
  }
  void TearDown() override {
    EXPECT_EQ(left_behind(mark_), 0);
    unsetenv(mark_.c_str());
  }

  static ProgramRun run_command(const std::string& command, std::string_view input, const ProgramLimits& limits) {
    auto program = OutsideProgram::make(command, limits, GetParam());
    if (program) return program->run(input);
    ProgramRun failed;
    failed.reason = program.error();
    return failed;
  }
  static ProgramRun run(const std::string& how, std::string_view input = {}, const ProgramLimits& limits = ample) {
    return run_command(misbehaving(how), input, limits);
  }

  std::string mark_;
};

INSTANTIATE_TEST_SUITE_P(Tiers, OutsidePrograms, testing::Values(Safety::limits, Safety::automatic),
                         [](const auto& tier) { return tier.param == Safety::limits ? "Limits" : "Bubblewrap"; });

TEST_P(OutsidePrograms, AnswerWhatTheyRead) {
  const ProgramRun three = run("sum", "1 2 3\n");
  EXPECT_EQ(three.end, End::answered) << three.reason;
  EXPECT_EQ(three.output, "6\n");
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "1\n";
  EXPECT_EQ(run("sum", many).output, "200000\n");
}

TEST_P(OutsidePrograms, NeedNotReadTheirInput) {
  const std::string large(10'000'000, '1');
  EXPECT_EQ(run("deaf", large).output, "42\n");
  const ProgramRun closed = run("deaf_and_dumb", large);
  EXPECT_EQ(closed.end, End::answered) << closed.reason;
  EXPECT_EQ(closed.output, "");
}

TEST_P(OutsidePrograms, MayWriteBeforeTheyRead) {
  const ProgramRun first = run("answer_first", std::string(1'000'000, ' ') + "7");
  EXPECT_EQ(first.end, End::answered) << first.reason;
  EXPECT_EQ(first.output.size(), 1'000'002);
}

TEST_P(OutsidePrograms, AFailureNamesItsCause) {
  const ProgramRun exits = run("complain");
  EXPECT_EQ(exits.end, End::runtime_error);
  EXPECT_EQ(exits.kind, "exit 3");
  EXPECT_TRUE(exits.errors.ends_with("the end"));
  EXPECT_LE(exits.errors.size(), 4096);
  const ProgramRun dies = run("abort");
  EXPECT_EQ(dies.end, End::runtime_error);
  EXPECT_EQ(dies.kind, "signal 6");
}

TEST_P(OutsidePrograms, ThatHangAreStopped) {
  // The other limit is far away, so that a busy machine does not look like a limit that does not hold.
  constexpr ProgramLimits of_processor{.processor_time = 200ms, .wall_time = 300s};
  constexpr ProgramLimits of_wall{.processor_time = 300s, .wall_time = 200ms};
  for (const auto& [how, limits] :
       {std::pair{"spin", of_processor}, {"spin_in_child", of_processor}, {"sleep", of_wall}}) {
    const auto start = std::chrono::steady_clock::now();
    const ProgramRun hangs = run(how, {}, limits);
    EXPECT_EQ(hangs.end, End::time_limit) << how;
    EXPECT_EQ(hangs.kind, "time limit");
    EXPECT_LT(std::chrono::steady_clock::now() - start, 200s) << how;
  }
}

TEST_P(OutsidePrograms, OfRootCannotSignalItsProcesses) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  if (!may_leave_root()) GTEST_SKIP() << "root's programs run as root here";
  EXPECT_NE(run("user").output, "0\n");
  EXPECT_EQ(run("signal_parent").output, "refused\n");
  // It may use all files that root may use, and so may the keeper that starts it.
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / (mark_ + "_folder");
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file("/bin/cat", folder / "cat");
  ASSERT_TRUE(write_file(folder / "secret", "7"));
  std::filesystem::permissions(folder / "secret", std::filesystem::perms::none);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  EXPECT_EQ(run_command("test -r '" + (folder / "secret").string() + "'", {}, ample).end, End::answered);
  EXPECT_EQ(run_command("'" + (folder / "cat").string() + "' '" + (folder / "secret").string() + "'", {}, ample).output,
            "7");
  std::filesystem::remove_all(folder);
}

TEST_P(OutsidePrograms, ThatForkWithoutEndAreStopped) {
  EXPECT_EQ(run("fork_sleepers").kind, "too many processes");
  EXPECT_EQ(left_behind(mark_), 0);
  if (geteuid() == 0 && !may_leave_root()) GTEST_SKIP() << "root's programs run as root here: no limit binds them";
  // Processes that all fork leave little time for looking, so that the time may end them.
  const ProgramRun bomb = run("fork_bomb", {}, brief);
  EXPECT_TRUE(bomb.kind == "too many processes" || bomb.kind == "time limit") << bomb.reason;
  EXPECT_EQ(left_behind(mark_), 0);
}

TEST_P(OutsidePrograms, ThatTouchMemoryWithoutEndAreStopped) {
  const ProgramRun touches = run("memory", {}, {.processor_time = 20s, .memory = 128 << 20});
  EXPECT_EQ(touches.end, End::memory_limit) << touches.reason;
  EXPECT_EQ(touches.kind, "memory limit");
}

TEST_P(OutsidePrograms, ThatPrintWithoutEndAreStopped) {
  const ProgramRun prints = run("print");
  EXPECT_EQ(prints.end, End::output_limit) << prints.reason;
  EXPECT_EQ(prints.output.size(), ample.output);
}

TEST_P(OutsidePrograms, LeaveNoDaemon) {
  const ProgramRun daemon = run("daemon");
  EXPECT_EQ(daemon.end, End::answered) << daemon.reason;
  EXPECT_EQ(daemon.output, "42\n");
  EXPECT_EQ(left_behind(mark_), 0);
}

TEST_P(OutsidePrograms, EndWhenThisProcessIsKilled) {
  auto killed = ChildProcess::call([](Outbox&) { run("daemon_and_sleep", {}, {.processor_time = 60s}); });
  ASSERT_TRUE(killed);
  // While they start, one may be between two programs when the list is read.
  int most = 0;
  for (int tries = 0; most < 2 && tries < 500; ++tries) {
    most = std::max(most, left_behind(mark_));
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_GE(most, 2);
  kill(killed->id(), SIGKILL);
  for (int tries = 0; left_behind(mark_) > 0 && tries < 200; ++tries) std::this_thread::sleep_for(10ms);
}

TEST_P(OutsidePrograms, InBubblewrapReachNothingElse) {
  if (GetParam() == Safety::limits) GTEST_SKIP() << "limits alone do not prevent it";
  EXPECT_EQ(run("kill_all").end, End::answered);  // nothing to be seen that could be killed
  EXPECT_EQ(run("write_file").end, End::answered);
}

TEST_P(OutsidePrograms, SeeTheFilesThatTheCommandNames) {
  for (const std::string folder : {"/tmp", "/dev/shm"}) {
    const std::string script = folder + "/lockstep_outside_" + std::to_string(getpid());
    ASSERT_TRUE(write_file(script, "p\n"));
    const ProgramRun printed = run_command("sed --quiet --file=" + script, "7\n", ample);
    EXPECT_EQ(printed.output, "7\n") << printed.errors;
    std::filesystem::remove(script);
  }
}

TEST_P(OutsidePrograms, MayReadTheirInputAsAFileAndAgain) {
  EXPECT_EQ(run_command("sh -c 'cat /dev/stdin; tail -c 3'", "7 8\n", ample).output, "7 8\n 8\n");
}

TEST_P(OutsidePrograms, AreStoppedWhenTheUserWants) {
  auto program = OutsideProgram::make("sh -c 'read how; case $how in sleep) sleep 300;; esac; echo 42'",
                                      {.processor_time = 300s}, GetParam());
  ASSERT_TRUE(program) << program.error();
  for (int i = 0; i < 3; ++i) {
    int calls = 0;
    EXPECT_EQ(program->run("sleep\n", [&] { return ++calls > 2; }).end, End::stopped);
    EXPECT_EQ(program->run("now\n", [&] { return i == 1; }).kind.empty(), false);  // ended before, or stopped
    EXPECT_EQ(program->run("now\n").output, "42\n") << "it runs again after that";
  }
}

TEST_P(OutsidePrograms, AreSplitAsAShellWould) {
  EXPECT_EQ(run(R"(arguments 'a b' "c \"d\" \e" f\ g '' h'i'"j")").output, "a b\nc \"d\" \\e\nf g\n\nhij\n");
  EXPECT_EQ(run("arguments one | tr a-z A-Z").output, "ONE\n");
  EXPECT_EQ(run("arguments '|' \"*\"").output, "|\n*\n");
}

TEST(OutsideProgram, RunsAgainAndAgain) {
  auto program = OutsideProgram::make(misbehaving("sum"));
  ASSERT_TRUE(program) << program.error();
  EXPECT_NE(program->safety(), "");
  for (int i = 0; i < 100; ++i) ASSERT_EQ(program->run(std::to_string(i) + " 1").output, std::to_string(i + 1) + "\n");
}

TEST(OutsideProgram, ThatCannotBeFoundIsAnError) {
  EXPECT_EQ(OutsideProgram::make("/no/such/program").error(), "/no/such/program: No such file or directory");
  EXPECT_EQ(OutsideProgram::make("no_such_program").error(), "there is no program 'no_such_program' in PATH");
  EXPECT_EQ(OutsideProgram::make("a 'b").error(), "the command has a quote that is not closed: a 'b");
  EXPECT_EQ(OutsideProgram::make("").error(), "the command is empty");
}

TEST(OutsideProgram, AScriptThatDoesNotExistIsNoProgram) {
  EXPECT_EQ(OutsideProgram::make("perl no_such_script").error(), "there is no file 'no_such_script'");
  for (const char* const command : {"perl -e 'print 1'", "perl -e 'print 1' no_such_file.pl", "echo no_such_file.pl"})
    EXPECT_TRUE(OutsideProgram::make(command)) << command;
}

TEST(OutsideProgram, AJavaMachineFitsIntoTheLimits) {
  auto java = OutsideProgram::make("java -version");
  if (!java) GTEST_SKIP() << java.error();
  const ProgramRun run = java->run({});
  EXPECT_EQ(run.end, End::answered) << run.reason << run.errors;
}

}  // namespace
}  // namespace lockstep
