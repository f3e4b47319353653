#include "lockstep/shared_memory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <new>

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

TEST(SharedMemory, ThatThereIsNotIsBadAlloc) { EXPECT_THROW(share_memory(SIZE_MAX), std::bad_alloc); }

}  // namespace
}  // namespace lockstep
