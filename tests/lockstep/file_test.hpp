// A folder for tests of files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

/// Each test has an empty folder, which is removed after it.
class FileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
      out.push_back(entry.path().filename().string());
    }
    return out;
  }

  const std::filesystem::path folder =
      std::filesystem::path{testing::TempDir()} / ("lockstep_files_" + std::to_string(getpid()));
};

}  // namespace lockstep
