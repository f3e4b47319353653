// Everything that a file of yours needs:
//
//   lockstep::compare("popcount", naive, fast)                         two functions (compare.hpp)
//   lockstep::system<Lru>().reference<ListLru>("list")…                two classes (builder.hpp, describe.hpp)
//   lockstep::check<Lru, ListLru, IndexedLru>({.seconds = 2})          inside a test (check.hpp)
//
// A file whose main ends in ….main(argc, argv) is a program with every verb. Compiled with -fsanitize=fuzzer and
// -DLOCKSTEP_FUZZ_TARGET, as fuzz_NAME, it is a libFuzzer target, which NAME fuzz uses if both are in one folder. The
// engine then provides main; the file's own main gets another name, and is called to get the system.
#pragma once

#if defined(LOCKSTEP_INSTALLED) && defined(_GLIBCXX_DEBUG)
#error \
    "The installed Lockstep is compiled without _GLIBCXX_DEBUG, which changes the standard library's types: use FetchContent or add_subdirectory, which compile Lockstep with the project's own flags."
#endif

#ifdef LOCKSTEP_FUZZ_TARGET
int main(int argc, char** argv) __asm__("lockstep_main_of_target");
#endif

#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/symmetry.hpp"
#include "lockstep/program/builder.hpp"
#include "lockstep/program/compare.hpp"
