#include "lab/library_score/toy/toy.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(Toy, Doubles) { EXPECT_EQ(lockstep::doubled(2), 4); }

TEST(Toy, CountsSteps) { EXPECT_EQ(lockstep::steps(3), 3); }

TEST(Toy, KeepsWhatIsPositive) { EXPECT_EQ(lockstep::at_least_zero(5), 5); }

TEST(Toy, TriplesInAChildThatEndsAtOnce) {
  const pid_t child = fork();
  if (child == 0) _exit(lockstep::tripled(5) == 15 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Toy, FailsWithoutAChange) { EXPECT_EQ(lockstep::never(2), 2); }

TEST(Sandbox, HidesOtherProcessesAndFiles) {
  EXPECT_LT(getpid(), 20);
  EXPECT_LT(open("/var/tmp/library_score", O_WRONLY | O_CREAT, 0600), 0);
  EXPECT_GE(open("/tmp/library_score", O_WRONLY | O_CREAT | O_EXCL, 0600), 0);
}
