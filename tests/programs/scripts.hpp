// Shell scripts in place of the programs that campaigns start.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {

/// Makes the file a program that runs this script.
inline void write_script(const std::filesystem::path& program, const std::string& script) {
  EXPECT_TRUE(write_file(program, "#!/bin/sh\n" + script + "\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
}

/// A folder of scripts, where programs are looked for first while it lives.
class ScriptsInPath {
 public:
  enum class Others { found, hidden };

  explicit ScriptsInPath(Others others = Others::found)
      : path_{"PATH",
              folder_.path().string() + (others == Others::hidden ? "" : ":" + std::string{std::getenv("PATH")})} {}

  void add(const std::string& name, const std::string& script) { write_script(folder_ / name, script); }

 private:
  ScratchFolder folder_;
  Variable path_;
};

}  // namespace lockstep
