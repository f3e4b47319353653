#include "lockstep/memory.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Memory, AnAccessIsNamedByItsInnermostFunction) {
  const auto errors = memory_errors_in(
      "==10384== Warning: set address range perms: large range [0x1, 0x2) (undefined)\n"
      "==10384== Invalid read of size 4\n"
      "==10384==    at 0x48417B4: memcpy (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)\n"
      "==10384==    by 0x10921C: void list<int>::at(int) (list.cpp:7)\n"
      "==10384==    by 0x109328: main (in /tmp/a)\n"
      "==10384==  Address 0x4d6fc8c is 0 bytes after a block of size 12 alloc'd\n"
      "==10384==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)\n"
      "==10384==    by 0x109208: make(int) (in /tmp/a)\n"
      "==10384== \n"
      "==10384== \n"
      "==10384== Exit program on first error (--exit-on-first-error=yes)\n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].what, "invalid read");
  EXPECT_EQ(errors[0].where, "void list<int>::at(int)");
  EXPECT_EQ(errors[0].lines, "Invalid read of size 4\n  in void list<int>::at(int)\n  by main\n");
  EXPECT_FALSE(errors[0].leak());
}

TEST(Memory, ALeakIsNamedByTheTwoInnermostFunctionsThatAreNoAllocators) {
  const auto errors = memory_errors_in(
      "==1== 7 bytes in 1 blocks are definitely lost in loss record 1 of 2\n"
      "==1==    at 0x48417B4: operator new(unsigned long) (in /usr/libexec/valgrind/vgpreload_memcheck.so)\n"
      "==1==    by 0x1: std::__new_allocator<int>::allocate(unsigned long, void const*) (new_allocator.h:137)\n"
      "==1==    by 0x2: node(int) (list.cpp:3)\n"
      "==1==    by 0x3: List::push(int) (list.cpp:9)\n"
      "==1==    by 0x4: main (list.cpp:20)\n"
      "==1== \n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(errors[0].leak());
  EXPECT_EQ(errors[0].where, "node(int), called by List::push(int)");
  EXPECT_TRUE(errors[0].lines.starts_with("7 bytes in 1 blocks are definitely lost\n  in node(int)\n"))
      << errors[0].lines;
}

TEST(Memory, EachDirectLeakOfLeakSanitizerIsAnError) {
  const auto errors = memory_errors_in(
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
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].where, "node(int), called by main");
  EXPECT_EQ(errors[1].where, "libx.so.1+0x1234");
}

TEST(Memory, BlocksThatPointToEachOtherInACircleAreOneLeak) {
  const auto errors = memory_errors_in(
      "Indirect leak of 32 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in operator new(unsigned long) /build/asan_new_delete.cpp:95:3\n"
      "    #1 0x56 in node(int) /home/user/ring.cpp:3:10\n"
      "    #2 0x57 in main /home/user/ring.cpp:20:1\n\n"
      "Indirect leak of 32 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x55 in operator new(unsigned long) /build/asan_new_delete.cpp:95:3\n"
      "    #1 0x58 in other(int) /home/user/ring.cpp:4:10\n\n"
      "SUMMARY: AddressSanitizer: 64 byte(s) leaked in 2 allocation(s).\n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(errors[0].leak());
  EXPECT_EQ(errors[0].where, "node(int), called by main");
}

TEST(Memory, WarningsAndTheEndOfAProcessAreNoErrors) {
  EXPECT_TRUE(memory_errors_in("").empty());
  EXPECT_TRUE(memory_errors_in("==1== Warning: client switching stacks?\n==1== \n").empty());
  EXPECT_TRUE(memory_errors_in("==1== Process terminating with default action of signal 6 (SIGABRT)\n"
                               "==1==    at 0x1: raise (raise.c:1)\n")
                  .empty());
  EXPECT_TRUE(memory_errors_in("==1== valgrind: Unrecognised instruction at address 0x1.\n"
                               "==1==    at 0x1: wide (wide.c:1)\n")
                  .empty());
}

TEST(Memory, AnUninitialisedAnswerIsAttributedToItsImplementation) {
  const auto errors = memory_errors_in(
      "==1== Conditional jump or move depends on uninitialised value(s)\n"
      "==1==    at 0x1: void lockstep::CollectFields::value<int>(char const*, int&) (fields.hpp:9)\n"
      "==1== \n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].what, "use of uninitialised value");
  EXPECT_EQ(errors[0].where, "an answer");
}

}  // namespace
}  // namespace lockstep
