#include "lockstep/process/child.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/stats.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

std::string all_output(ChildProcess& child) {
  std::string out;
  while (child.read(out, 1s)) {
  }
  return out;
}

/// The number of a process that the child sends.
pid_t sent_number(ChildProcess& child) {
  std::string number;
  while (!number.ends_with('\n') && child.read(number, 1s)) {
  }
  return std::stoi(number);
}

bool lives(pid_t process) { return kill(process, 0) == 0; }

/// Whether the process is killed by a signal soon after its parent was killed. This process becomes the one that reaps
/// it.
bool is_killed(pid_t process) {
  int status = 0;
  for (int tries = 0; tries < 500; ++tries) {
    if (waitpid(process, &status, WNOHANG) == process) return WIFSIGNALED(status);
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

TEST(ChildProcess, ReturnsTheOutputOfTheFunction) {
  const std::string large(300'000, 'x');
  auto child = ChildProcess::call([&](Outbox& out) { out.send(large); });
  ASSERT_TRUE(child) << child.error();
  EXPECT_EQ(all_output(*child), large);
  EXPECT_TRUE(child->wait().clean());
}

/// Closes all that the process has open, as daemons do, and opens a file under each number.
void close_descriptors() {
  for (int file = 0; file < 1024; ++file) close(file);
  for (int file = 0; file < 100; ++file) static_cast<void>(open("/dev/null", O_RDWR));
}

TEST(ChildProcess, WhatItSendsArrivesAlsoWhenItHasClosedItsDescriptors) {
  const std::string large(3'000'000, 'x');
  auto child = ChildProcess::call([&](Outbox& out) {
    close_descriptors();
    out.send(large);
  });
  ASSERT_TRUE(child) << child.error();
  EXPECT_EQ(all_output(*child).size(), large.size());
  EXPECT_TRUE(child->wait().clean());
}

TEST(ChildProcess, AFunctionThatExitsHasNotReturned) {
  auto child = ChildProcess::call([](Outbox&) { std::exit(0); }, ChildProcess::quiet());
  ASSERT_TRUE(child) << child.error();
  EXPECT_FALSE(child->wait().clean());
  EXPECT_EQ(child->wait().exit_code(), 0);
}

TEST(ChildProcess, ACopyOfItSendsNothing) {
  auto child = ChildProcess::call([](Outbox& out) {
    const pid_t copy = fork();
    out.send("once");
    waitpid(copy, nullptr, 0);
  });
  ASSERT_TRUE(child) << child.error();
  EXPECT_EQ(all_output(*child), "once");
}

TEST(ChildProcess, ReportsHowItEnded) {
  auto exits = ChildProcess::call([](Outbox&) { _exit(3); });
  auto dies = ChildProcess::call([](Outbox&) { raise(SIGKILL); });
  auto throws = ChildProcess::call([](Outbox&) { throw 1; }, ChildProcess::quiet());
  ASSERT_TRUE(exits && dies && throws);
  EXPECT_EQ(exits->wait().text(), "exited with status 3");
  EXPECT_EQ(exits->wait().kind(), "exit 3");
  EXPECT_EQ(dies->wait().text(), "died of signal 9 (Killed)");
  EXPECT_EQ(dies->wait().kind(), "signal 9");
  EXPECT_EQ(throws->wait().signal(), SIGABRT);
}

TEST(ChildProcess, RunsAProgramWithItsEnvironmentFolderAndFiles) {
  const ScratchFolder scratch;
  auto child = ChildProcess::run({"/bin/sh", "-c", "echo $WORD; pwd; echo wrong >&2; exit 7"},
                                 {.stdout_to = scratch / "out",
                                  .stderr_to = scratch / "err",
                                  .environment = {{"WORD", "given"}},
                                  .folder = scratch.path()});
  ASSERT_TRUE(child) << child.error();
  EXPECT_EQ(child->wait().exit_code(), 7);
  EXPECT_EQ(read_file(scratch / "out"), "given\n" + scratch.path().string() + "\n");
  EXPECT_EQ(read_file(scratch / "err"), "wrong\n");
}

TEST(ChildProcess, AFileForItsOutputThatCannotBeOpenedIsAnError) {
  const ChildProcess::Options options{.stderr_to = "/nowhere/err"};
  const std::string error = "/nowhere/err: No such file or directory";
  EXPECT_EQ(error_of(ChildProcess::run({"/bin/true"}, options)), error);
  EXPECT_EQ(error_of(ChildProcess::call([](Outbox&) {}, options)), error);
}

TEST(ChildProcess, HasAStatusAlsoIfTheCallerIgnoresItsEnd) {
  signal(SIGCHLD, SIG_IGN);
  auto child = ChildProcess::call([](Outbox&) { _exit(3); });
  ASSERT_TRUE(child);
  EXPECT_EQ(child->wait().exit_code(), 3);
}

TEST(ChildProcess, WhoseStatusAnotherHasReadIsCleanIfTheFunctionHasReturned) {
  for (const bool returns : {true, false}) {
    auto child = ChildProcess::call([returns](Outbox&) {
      if (!returns) _exit(0);
    });
    auto program = ChildProcess::run({"/bin/true"}, {});
    ASSERT_TRUE(child && program);
    for (ChildProcess* const each : {&*child, &*program}) {
      EXPECT_EQ(waitpid(each->id(), nullptr, 0), each->id());
      EXPECT_TRUE(each->wait().lost());
      EXPECT_EQ(each->wait().clean(), returns && each == &*child);
      EXPECT_EQ(each->wait().kind(), "end");
    }
  }
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  EXPECT_EQ(error_of(ChildProcess::run({"/no/such/program"}, {})), "/no/such/program: No such file or directory");
}

TEST(ChildProcess, WaitingWithATimeoutReturnsWhileItRuns) {
  auto child = ChildProcess::call([](Outbox&) { std::this_thread::sleep_for(1min); });
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->wait(10ms));
  EXPECT_EQ(child->kill().signal(), SIGKILL);
  EXPECT_TRUE(child->wait(0ms));
}

TEST(ChildProcess, KillingItKillsItsChildren) {
  adopt_orphans();
  auto child = ChildProcess::call([](Outbox& out) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      while (true) pause();
    }
    out.send(std::to_string(grandchild) + "\n");
    while (true) pause();
  });
  ASSERT_TRUE(child);
  const pid_t grandchild = sent_number(*child);
  EXPECT_TRUE(lives(grandchild));
  child->kill();
  EXPECT_TRUE(is_killed(grandchild));
}

TEST(ChildProcess, IsKilledByItsDestructorAndWithItsParent) {
  adopt_orphans();
  auto parent = ChildProcess::call([](Outbox& out) {
    const auto child = ChildProcess::call([&out](Outbox&) {
      out.send(std::to_string(getpid()) + "\n");  // by now it is set up to end with its parent
      while (true) pause();
    });
    while (true) pause();
  });
  ASSERT_TRUE(parent);
  const pid_t child =
      sent_number(*parent);  // in its own process group, so killing its parent's group does not reach it
  EXPECT_TRUE(lives(child));
  const pid_t id = parent->id();
  {
    const ChildProcess ended = std::move(*parent);
  }
  EXPECT_FALSE(lives(id));
  EXPECT_TRUE(is_killed(child));
}

TEST(RunInChild, ReturnsTheAnswerOrHowItDied) {
  const ChildResult answer = run_in_child([] { return std::string{"42"}; }, 10s);
  EXPECT_EQ(answer.end, ChildResult::End::returned);
  EXPECT_EQ(answer.output, "42");
  const ChildResult death = run_in_child([]() -> std::string { std::abort(); }, 10s);
  EXPECT_EQ(death.end, ChildResult::End::died);
  EXPECT_EQ(death.reason, "died of signal 6 (Aborted)");
}

TEST(RunInChild, AFunctionThatEndsTheProcessHasDied) {
  const ChildResult early = run_in_child([]() -> std::string { _exit(0); }, 10s);
  EXPECT_EQ(early.end, ChildResult::End::died);
  EXPECT_EQ(early.reason, "exited with status 0");
}

TEST(RunInChild, AFunctionThatClosesItsDescriptorsAndHangsTimesOut) {
  const auto hangs = []() -> std::string {
    close_descriptors();
    while (true) pause();
  };
  EXPECT_EQ(run_in_child(hangs, 200ms).end, ChildResult::End::timed_out);
}

TEST(RunInChild, OnlyAChildWithoutProgressTimesOut) {
  const SharedStats stats = share_stats();
  const auto progress = [&] { return std::uint64_t{stats->scenarios.load()}; };
  const auto beats = [&]() -> std::string {
    for (int i = 0; i < 60; ++i) {
      stats->scenarios.fetch_add(1);
      std::this_thread::sleep_for(50ms);
    }
    return "slow";
  };
  EXPECT_EQ(run_in_child(beats, 2s, ChildProcess::quiet(), progress).output, "slow");
  EXPECT_EQ(run_in_child(beats, 200ms).end, ChildResult::End::timed_out);
}

TEST(ErrorOutput, KeepsTheEndOfWhatAChildWrites) {
  const ErrorOutput errors;
  const auto writes = [&](const std::string& text) {
    run_in_child([&] { return write_all(STDERR_FILENO, text) ? "" : "cannot write"; }, 10s, errors.options());
  };
  writes("one\n");
  writes("two\n");
  EXPECT_EQ(errors.text(), "one\ntwo\n");
  writes(std::string(1 << 20, 'x') + "three\n");
  EXPECT_TRUE(errors.text().ends_with("three\n"));
  EXPECT_LT(errors.text().size(), std::size_t{1} << 17);
  errors.bound();
  EXPECT_EQ(errors.text(), "");
  writes("four\n");
  EXPECT_EQ(errors.text(), "four\n");
}

TEST(LastWords, BeginAtTheMessageAndHaveNoNumbersOfTheRun) {
  const std::string report =
      "noise\n"
      "=================================================================\n"
      "==2211==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x5581\n"
      "READ of size 4 at 0x602000000014 thread T0\n"
      "    #0 0x55814c in Fast::step(int) fast.cpp:12:3\n"
      "    #1 0x55814d in trace\n    #2 a\n    #3 b\n    #4 c\n    #5 d\n    #6 e\n";
  EXPECT_EQ(telling_lines(report),
            "ERROR: AddressSanitizer: heap-buffer-overflow on address 0x.. at pc 0x..\n"
            "READ of size 4 at 0x.. thread T0\n"
            "    #0 0x.. in Fast::step(int) fast.cpp:12:3\n"
            "    #1 0x.. in trace\n    #2 a\n    #3 b\n    #4 c\n    #5 d\n");
  EXPECT_EQ(memory_error(telling_lines(report)), "heap-buffer-overflow");
  EXPECT_EQ(telling_lines("a\nfast.cpp:1:2: runtime error: shift exponent 40\n"),
            "fast.cpp:1:2: runtime error: shift exponent 40\n");
}

TEST(LastWords, WithoutAMessageAreTheLastLines) {
  EXPECT_EQ(telling_lines(""), "");
  EXPECT_EQ(telling_lines("1\n2\n\n3\n4\nfree(): \x1binvalid pointer"), "2\n3\n4\nfree():  invalid pointer\n");
  EXPECT_EQ(memory_error("free(): invalid pointer\n"), "");
}

}  // namespace
}  // namespace lockstep
