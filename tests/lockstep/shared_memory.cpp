#include "lockstep/process/shared_memory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <string>

#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

struct Numbered {
  int number = 7;
  int written;
};

TEST(SharedMemory, KeepsWhatAChildHasWritten) {
  const SharedMemory<Numbered> shared = share<Numbered>(3);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    shared.get()[2].written = 5;
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(shared.get()[2].written, 5);
}

TEST(SharedMemory, HoldsConstructedObjects) {
  const SharedMemory<Numbered> shared = share<Numbered>(100'000);
  EXPECT_EQ(shared.get()[0].number, 7);
  EXPECT_EQ(shared.get()[99'999].number, 7);
}

TEST(SharedMemory, WhatCannotBeSharedIsNamedWithItsReason) {
  const std::string said = message_of<std::exception>([] { share_memory(SIZE_MAX / 2 + 1); });
  for (const auto* const part :
       {"9223372036854775808 bytes of memory to share with child processes", "Cannot allocate memory", "ulimit -v"})
    EXPECT_TRUE(said.contains(part)) << said;
}

}  // namespace
}  // namespace lockstep
