// Shell scripts in place of the programs that campaigns start.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"

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

  explicit ScriptsInPath(Others others = Others::found) {
    const std::string own = folder_.path().string();
    setenv("PATH", (others == Others::hidden ? own : own + ":" + before_).c_str(), 1);
  }
  ~ScriptsInPath() { setenv("PATH", before_.c_str(), 1); }
  ScriptsInPath(const ScriptsInPath&) = delete;
  ScriptsInPath& operator=(const ScriptsInPath&) = delete;

  void add(const std::string& name, const std::string& script) { write_script(folder_ / name, script); }

 private:
  ScratchFolder folder_;
  const std::string before_ = std::getenv("PATH");
};

}  // namespace lockstep
