#include "lockstep/files.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "lockstep/kept_files.hpp"

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

class Files : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override {
    on_fsync() = {};
    fs::remove_all(folder);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator{folder}) out.push_back(entry.path().filename().string());
    return out;
  }

  const fs::path folder = fs::path{testing::TempDir()} / ("lockstep_files_" + std::to_string(getpid()));
};

TEST_F(Files, AFileIsReadBackByteForByte) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i % 251);
  ASSERT_TRUE(write_file(folder / "all", bytes));
  EXPECT_EQ(read_file(folder / "all"), bytes);
  ASSERT_TRUE(write_file(folder / "all", ""));
  EXPECT_EQ(read_file(folder / "all"), "");
}

TEST_F(Files, WritingCreatesMissingFolders) {
  ASSERT_TRUE(write_file(folder / "a" / "b" / "c.txt", "here"));
  EXPECT_EQ(read_file(folder / "a" / "b" / "c.txt"), "here");
}

TEST_F(Files, WritingLeavesNoTemporaryFile) {
  ASSERT_TRUE(write_file(folder / "one", "1"));
  ASSERT_TRUE(write_file(folder / "one", "2"));
  EXPECT_EQ(names(), std::vector<std::string>{"one"});
}

TEST_F(Files, AKeptFileIsOnTheDiskBeforeItHasItsName) {
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

TEST_F(Files, AFileThatDoesNotReachTheDiskKeepsItsOldContents) {
  const fs::path path = folder / "kept";
  ASSERT_TRUE(keep_file(path, "old"));
  on_fsync() = [](const std::string&) { return EIO; };
  const auto written = keep_file(path, "new");
  ASSERT_FALSE(written);
  EXPECT_TRUE(written.error().ends_with("Input/output error")) << written.error();
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"kept"});
  on_fsync() = [](const std::string&) { return EINVAL; };  // a file system without it
  EXPECT_TRUE(keep_file(path, "new"));
}

TEST_F(Files, WhatAKilledProcessLeftIsRemoved) {
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

/// At any moment a reader sees the whole old file or the whole new one.
TEST_F(Files, AReaderNeverSeesAPartlyWrittenFile) {
  const std::string old_bytes(300'000, 'o');
  const std::string new_bytes(200'000, 'n');
  const fs::path path = folder / "turning";
  ASSERT_TRUE(write_file(path, old_bytes));
  std::atomic<bool> done = false;
  std::thread writer{[&] {
    for (int i = 0; i < 200; ++i) static_cast<void>(write_file(path, i % 2 == 0 ? new_bytes : old_bytes));
    done = true;
  }};
  while (!done) {
    const auto seen = read_file(path);
    EXPECT_TRUE(seen && (*seen == old_bytes || *seen == new_bytes));
  }
  writer.join();
}

TEST_F(Files, AFailedWriteKeepsTheOldFileAndLeavesNoTemporaryOne) {
  fs::create_directories(folder / "taken" / "inside");  // a folder that is not empty cannot be replaced
  const auto written = write_file(folder / "taken", "bytes");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().find("taken"), std::string::npos) << written.error();
  EXPECT_EQ(names(), std::vector<std::string>{"taken"});
  EXPECT_TRUE(fs::is_directory(folder / "taken" / "inside"));
}

TEST_F(Files, TheNamesOfNewFoldersAreKeptToo) {
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

TEST_F(Files, ANameThatTheDiskDoesNotKeepIsAnError) {
  on_fsync() = [&](const std::string& file) { return fs::is_directory(file) ? EIO : 0; };
  const auto written = keep_file(folder / "file", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), folder.string() + ": Input/output error");
  on_fsync() = [&](const std::string& file) { return fs::is_directory(file) ? EINVAL : 0; };
  EXPECT_TRUE(keep_file(folder / "file", "y")) << "it has no disk";
}

TEST_F(Files, AFileWhereAFolderIsExpectedIsAnError) {
  ASSERT_TRUE(write_file(folder / "file", "x"));
  EXPECT_FALSE(write_file(folder / "file" / "below", "y"));
  EXPECT_EQ(read_file(folder / "file"), "x");
}

TEST_F(Files, ReadingAMissingFileIsAnError) {
  EXPECT_EQ(read_file(folder / "nothing").error(), "No such file or directory");
  EXPECT_EQ(read_file(folder).error(), "is a folder, not a file");
}

TEST_F(Files, ALinkStaysALinkAndItsTargetIsReplaced) {
  ASSERT_TRUE(write_file(folder / "target", "old"));
  fs::create_symlink("target", folder / "link");
  ASSERT_TRUE(write_file(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "target").value_or(""), "new");
}

TEST_F(Files, ADeviceIsWrittenNotReplaced) {
  ASSERT_TRUE(write_file("/dev/null", "anything"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, ThreadsMayWriteOneFileAtOnce) {
  const fs::path file = folder / "file";
  const std::vector<std::string> texts = {std::string(100'000, 'a'), std::string(100'000, 'b')};
  std::vector<std::string> errors(8);
  {
    std::vector<std::jthread> writers;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      writers.emplace_back([&, i] {
        for (int round = 0; round < 50; ++round) {
          if (const auto written = write_file(file, texts[i % 2]); !written) errors[i] = written.error();
        }
      });
    }
  }
  for (const auto& error : errors) EXPECT_EQ(error, "");
  const auto text = read_file(file);
  ASSERT_TRUE(text);
  EXPECT_TRUE(*text == texts[0] || *text == texts[1]);
  EXPECT_EQ(names(), std::vector<std::string>{"file"}) << "no temporary file is left";
}

}  // namespace
}  // namespace lockstep
