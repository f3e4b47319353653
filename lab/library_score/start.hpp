// Included before every planted copy: a process has the change on that LOCKSTEP_CHANGE numbers, and so have the processes
// that it starts. (LOCKSTEP_MUTANT is for users' programs, which tests of the core plant.) If LOCKSTEP_REACHED names a
// file, one byte a change, these processes mark in it what they reach, however they end.
#pragma once

#define LOCKSTEP_RECORDS_REACHED
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "tools/planter/switch.hpp"

namespace lockstep::mutants {

inline bool start() {
  if (const char* const number = std::getenv("LOCKSTEP_CHANGE")) active = std::atoi(number);
  const char* const path = std::getenv("LOCKSTEP_REACHED");
  const int file = path != nullptr ? open(path, O_RDWR | O_CLOEXEC) : -1;
  struct stat about{};
  if (file < 0 || fstat(file, &about) != 0) return false;
  void* const bytes =
      mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bytes != MAP_FAILED) all_reached = static_cast<volatile char*>(bytes);
  return true;
}

inline const bool started = start();  // before the static variables of any planted copy

}  // namespace lockstep::mutants
