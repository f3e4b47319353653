#include "lockstep/services/memory.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Memory, EachDirectLeakIsOneAndIsNamedByTheInnermostFunctionsThatAreNoAllocators) {
  const auto leaks = leaks_in(
      "\n=================================================================\n"
      "==9==ERROR: LeakSanitizer: detected memory leaks\n\n"
      "Direct leak of 16 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in malloc /build/asan_malloc_linux.cpp:68:3\n"
      "    #1 0x56 in node(int) /home/user/list.cpp:3:10\n"
      "    #2 0x57 in main /home/user/list.cpp:20:1\n\n"
      "Indirect leak of 8 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in malloc /build/asan_malloc_linux.cpp:68:3\n"
      "    #1 0x58 in inner(int) /home/user/list.cpp:4:10\n\n"
      "Direct leak of 4 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in operator new[](unsigned long) /build/asan_new_delete.cpp:98:3\n"
      "    #1 0x59  (/usr/lib/libx.so.1+0x1234) (BuildId: 12)\n\n"
      "SUMMARY: AddressSanitizer: 28 byte(s) leaked in 3 allocation(s).\n");
  ASSERT_EQ(leaks.size(), 2u);
  EXPECT_EQ(leaks[0].where, "node(int), called by main");
  EXPECT_EQ(leaks[1].where, "libx.so.1+0x1234");
}

TEST(Memory, BlocksThatPointToEachOtherInACircleAreOneLeak) {
  const auto leaks = leaks_in(
      "Indirect leak of 32 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in operator new(unsigned long) /build/asan_new_delete.cpp:95:3\n"
      "    #1 0x56 in node(int) /home/user/ring.cpp:3:10\n"
      "    #2 0x57 in main /home/user/ring.cpp:20:1\n\n"
      "Indirect leak of 32 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in operator new(unsigned long) /build/asan_new_delete.cpp:95:3\n"
      "    #1 0x58 in other(int) /home/user/ring.cpp:4:10\n\n"
      "SUMMARY: AddressSanitizer: 64 byte(s) leaked in 2 allocation(s).\n");
  ASSERT_EQ(leaks.size(), 1u);
  EXPECT_EQ(leaks[0].where, "node(int), called by main");
}

TEST(Memory, AnotherOutputHasNoLeaks) {
  EXPECT_TRUE(leaks_in("").empty());
  EXPECT_TRUE(leaks_in("Direct leak of nothing\n").empty());
  EXPECT_TRUE(leaks_in("==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x12\n"
                       "READ of size 4 at 0x12 thread T0\n    #0 0x55 in node(int) /home/user/list.cpp:3:10\n")
                  .empty());
}

}  // namespace
}  // namespace lockstep
