#include "lockstep/process/kept_files.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/process/files.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/file_test.hpp"

namespace {

/// Called by fsync in this program; its return value, unless 0, becomes errno.
std::function<int(const std::string& file)>& on_fsync() {
  static std::function<int(const std::string&)> hook;
  return hook;
}

}  // namespace

extern "C" int fsync(int descriptor) {
  if (on_fsync()) {
    std::error_code none;
    const auto file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none);
    if (const int fault = on_fsync()(file.string()); fault != 0) {
      errno = fault;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class KeptFiles : public FileTest {
 protected:
  void TearDown() override {
    on_fsync() = {};
    FileTest::TearDown();
  }
};

TEST_F(KeptFiles, AKeptFileIsOnTheDiskBeforeItHasItsName) {
  const fs::path path = folder / "kept";
  ASSERT_TRUE(keep_file(path, "old"));
  std::vector<std::string> synced;
  on_fsync() = [&](const std::string& file) {
    synced.push_back(file == folder ? "folder" : fs::path{file}.filename().string().substr(0, 8));
    EXPECT_EQ(read_file(path), file == folder ? "new, in parts" : "old");
    if (file != folder) {
      EXPECT_EQ(read_file(file), "new, in parts");
    }
    return 0;
  };
  const std::string_view parts[] = {"new, ", "", "in parts"};
  ASSERT_TRUE(keep_file(path, parts));
  EXPECT_EQ(synced, (std::vector<std::string>{"kept.tmp", "folder"}));
  ASSERT_TRUE(write_file(path, "this one need not"));
  EXPECT_EQ(synced.size(), 2u);
}

TEST_F(KeptFiles, AFileThatDoesNotReachTheDiskKeepsItsOldContents) {
  const fs::path path = folder / "kept";
  ASSERT_TRUE(keep_file(path, "old"));
  on_fsync() = [](const std::string&) { return EIO; };
  const std::string error = error_of(keep_file(path, "new"));
  EXPECT_TRUE(error.ends_with("Input/output error")) << error;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"kept"});
  on_fsync() = [](const std::string&) { return EINVAL; };  // a file system without it
  EXPECT_TRUE(keep_file(path, "new"));
}

TEST_F(KeptFiles, WhatAKilledProcessLeftIsRemoved) {
  for (const char* const name : {"a.tmp0123456789abcdef", "b.tmp0123456789abcdef", "a.tmp0123456789abcdeg", "a.tmp",
                                 "a.tmp0123456789abcde", ".tmp0123456789abcdef", "a"}) {
    ASSERT_TRUE(write_file(folder / name, ""));
  }
  remove_unfinished(folder, "a");
  EXPECT_FALSE(fs::exists(folder / "a.tmp0123456789abcdef"));
  EXPECT_EQ(names().size(), 6u);
  remove_unfinished(folder);
  EXPECT_FALSE(fs::exists(folder / "b.tmp0123456789abcdef"));
  EXPECT_EQ(names().size(), 5u);
  remove_unfinished(folder / "absent");
}

TEST_F(KeptFiles, TheNamesOfNewFoldersAreKeptToo) {
  std::vector<std::string> kept;
  on_fsync() = [&](const std::string& file) {
    kept.push_back(fs::path{file}.lexically_relative(folder).string());
    return 0;
  };
  ASSERT_TRUE(keep_file(folder / "a" / "b" / "file", "x"));
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_EQ(kept[0], ".") << "which names a";
  EXPECT_EQ(kept[1], "a");
  EXPECT_TRUE(kept[2].starts_with("a/b/file.tmp")) << kept[2];
  EXPECT_EQ(kept[3], "a/b");
  kept.clear();
  EXPECT_EQ(keep_folders(folder / "c"), true);
  EXPECT_EQ(kept, std::vector<std::string>{"."});
  EXPECT_EQ(keep_folders(folder / "c"), false);
}

TEST_F(KeptFiles, ANameThatTheDiskDoesNotKeepIsAnError) {
  on_fsync() = [&](const std::string& file) { return fs::is_directory(file) ? EIO : 0; };
  EXPECT_EQ(error_of(keep_file(folder / "file", "x")), folder.string() + ": Input/output error");
  on_fsync() = [&](const std::string& file) { return fs::is_directory(file) ? EINVAL : 0; };
  EXPECT_TRUE(keep_file(folder / "file", "y")) << "it has no disk";
}

}  // namespace
}  // namespace lockstep
