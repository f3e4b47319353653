// For tests: runs a program the way a user does.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"

namespace lockstep {

struct ProgramRun {
  int exit_code = -1;  // 128 + the signal's number when a signal ended it
  std::string output;  // stdout and stderr
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Whether the process uses random or fixed addresses. libFuzzer's coverage depends on them a little: on the stack
/// depth, which depends on alignment under AddressSanitizer, and on the addresses that UndefinedBehaviorSanitizer
/// compares.
enum class Addresses { random, fixed };

/// Whether the operating system lets a process fix its addresses; some containers forbid it.
inline bool addresses_can_be_fixed() {
  const int now = personality(0xffffffff);
  if (now < 0 || personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return false;
  personality(static_cast<unsigned long>(now));
  return true;
}

/// Runs argv[0] in `folder` and waits until it ends.
inline ProgramRun run_program(std::vector<std::string> arguments, const Environment& environment,
                              const ScratchFolder& folder, Addresses addresses = Addresses::random) {
  const std::string log = folder / "log";
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (addresses == Addresses::fixed) personality(ADDR_NO_RANDOMIZE);
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(folder.path().c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ProgramRun run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.output = read_file(log).value_or("");
  return run;
}

/// The sorted names of the files in a folder; empty when the folder does not exist.
inline std::vector<std::string> file_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator{folder, fault}) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace lockstep
