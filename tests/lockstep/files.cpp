#include "lockstep/process/files.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/file_test.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class Files : public FileTest {};

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

TEST_F(Files, AReplacedFileKeepsItsMode) {
  for (const fs::perms mode : {fs::perms{0600}, fs::perms{0666}, fs::perms{0755}}) {
    ASSERT_TRUE(write_file(folder / "file", "old"));
    fs::permissions(folder / "file", mode);
    ASSERT_TRUE(write_file(folder / "file", "new"));
    EXPECT_EQ(fs::status(folder / "file").permissions(), mode);
    EXPECT_EQ(read_file(folder / "file").value_or(""), "new");
  }
}

TEST_F(Files, AFailedWriteKeepsTheOldFileAndLeavesNoTemporaryOne) {
  fs::create_directories(folder / "taken" / "inside");  // a folder that is not empty cannot be replaced
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "taken", error_of(write_file(folder / "taken", "bytes")));
  EXPECT_EQ(names(), std::vector<std::string>{"taken"});
  EXPECT_TRUE(fs::is_directory(folder / "taken" / "inside"));
}

TEST_F(Files, AnErrorNamesTheFileAndNotTheTemporaryOne) {
  // No user can create files there, root included.
  EXPECT_EQ(write_file("/proc/out.sarif", "x").error(), "/proc/out.sarif: No such file or directory");
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

template <class T>
constexpr bool has_finished_name = requires(T name) { finished_name(std::forward<T>(name)); };
static_assert(has_finished_name<std::string&> && !has_finished_name<std::string>, "it would be a part of what is gone");

TEST_F(Files, ATemporaryNameTellsTheFinishedOne) {
  EXPECT_EQ(finished_name("a.txt.tmp0123456789abcdef"), "a.txt");
  for (const char* const name : {"a.txt", "a.tmp", "a.tmp0123456789abcdeg", "a.tmp0123456789abcde",
                                 "a.tmq0123456789abcdef", ".tmp0123456789abcdef", ".tmp", "0123456789abcdef", ""}) {
    EXPECT_EQ(finished_name(name), "") << name;
  }
}

TEST_F(Files, EachEntryOfAFolderIsVisitedOnce) {
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(write_file(folder / name, "x"));
  std::multiset<std::string> seen;
  EXPECT_FALSE(visit_entries(folder, [&](const auto& entry) { seen.insert(entry.path().filename().string()); }));
  EXPECT_EQ(seen, (std::multiset<std::string>{"a", "b", "c"}));
  EXPECT_EQ(visit_entries(folder / "nothing", [](const auto&) { FAIL(); }), std::errc::no_such_file_or_directory);
}

/// As in a folder on another machine, whose second entry cannot be read.
struct BreaksOff {
  BreaksOff() = default;
  BreaksOff(const fs::path& folder, std::error_code&) : entry{folder / "first"}, more{true} {}
  const fs::directory_entry& operator*() const { return entry; }
  bool operator==(const BreaksOff& other) const { return more == other.more; }
  BreaksOff& operator++() { throw fs::filesystem_error{"this is what a range-for calls", make_error_code(fault)}; }
  BreaksOff& increment(std::error_code& out) {
    out = make_error_code(fault);
    return *this;
  }
  static constexpr std::errc fault = std::errc::io_error;
  fs::directory_entry entry;
  bool more = false;
};

TEST_F(Files, AFolderThatCannotBeReadToItsEndIsTheResultAndNoException) {
  int seen = 0;
  std::error_code fault;
  EXPECT_NO_THROW(fault = visit_entries<BreaksOff>(folder, [&](const auto&) { ++seen; }));
  EXPECT_EQ(fault, BreaksOff::fault);
  EXPECT_EQ(seen, 1);
}

TEST_F(Files, ThoseOfAFolderAreWantedRegularAndSorted) {
  for (const char* const name : {"c", "a", "b.not", "below/d"}) ASSERT_TRUE(write_file(folder / name, "x"));
  fs::create_symlink("nowhere", folder / "dangling");
  fs::create_symlink("a", folder / "link");
  const auto wanted = [](const fs::path& file) { return file.extension() != ".not"; };
  EXPECT_EQ(files_in(folder, wanted), (std::vector<fs::path>{folder / "a", folder / "c", folder / "link"}));
  EXPECT_EQ(files_in<fs::recursive_directory_iterator>(folder, wanted),
            (std::vector<fs::path>{folder / "a", folder / "below/d", folder / "c", folder / "link"}));
}

TEST_F(Files, ThoseOfAFolderThatCannotBeReadToItsEndAreAnError) {
  const auto all = [](const fs::path&) { return true; };
  EXPECT_EQ(files_in(folder / "nothing", all).error(), (folder / "nothing").string() + ": No such file or directory");
  EXPECT_EQ(files_in<BreaksOff>(folder, all).error(), folder.string() + ": Input/output error");
}

}  // namespace
}  // namespace lockstep
