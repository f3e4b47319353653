// Judges the memory of implementations under valgrind's memcheck, for libraries that are not compiled with a sanitizer.
//
// Valgrind starts slowly. So the program runs itself under it once, as `PROGRAM serve-memcheck`, and that process forks for
// each scenario; a fork stays under valgrind, and its report has a file of its own.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/memory.hpp"

namespace lockstep {

/// The verb that a program with memcheck must have; it calls serve_memcheck.
inline constexpr const char* memcheck_verb = "serve-memcheck";

class Memcheck {
 public:
  /// `timeout`: for one action. BadInput as refuse_memcheck_without_valgrind.
  explicit Memcheck(std::chrono::milliseconds timeout);
  ~Memcheck();
  Memcheck(const Memcheck&) = delete;
  Memcheck& operator=(const Memcheck&) = delete;

  /// The verdict on the memory alone. An action may take 30 times as long as without valgrind.
  Verdict judge(std::string_view system, std::string_view text, const std::vector<std::string>& names);
  MemoryJudge judge_of(std::string_view system);

 private:
  struct Server;
  std::chrono::milliseconds timeout_;
  std::unique_ptr<Server> server_;
};

/// BadInput if there is no valgrind, or if this build has AddressSanitizer.
void refuse_memcheck_without_valgrind();

/// Answers the requests on standard input, a socket, until it is closed. Returns the exit code.
int serve_memcheck();

}  // namespace lockstep
