// For tests: runs a program the way a user does.
#pragma once

#include <gtest/gtest.h>
#include <sys/personality.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/process/child.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"

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

/// The path of a file in the folder of this program.
inline std::string beside_this_program(std::string_view name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}

/// Runs argv[0] in `folder` and waits until it ends.
inline ProgramRun run_program(std::vector<std::string> arguments, const Environment& environment,
                              const ScratchFolder& folder, Addresses addresses = Addresses::random) {
  const std::string log = folder / "log";
  auto child = ChildProcess::run(
      std::move(arguments),
      {.stdout_to = log, .stderr_to = log, .environment = environment, .folder = folder.path(), .prepare = [addresses] {
         if (addresses == Addresses::fixed) personality(ADDR_NO_RANDOMIZE);
       }});
  if (!child) return {.exit_code = 127, .output = child.error()};
  const ExitStatus status = child->wait();
  ProgramRun run;
  run.exit_code = status.exit_code().value_or(128 + status.signal().value_or(0));
  run.output = read_file(log).value_or("");
  return run;
}

/// The sorted names of the files in a folder; empty when the folder does not exist.
inline std::vector<std::string> file_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  visit_entries(folder, [&](const auto& entry) { names.push_back(entry.path().filename().string()); });
  std::ranges::sort(names);
  return names;
}

}  // namespace lockstep
