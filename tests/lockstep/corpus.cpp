#include "lockstep/draw/corpus.hpp"

#include <gtest/gtest.h>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

TEST(CorpusFiles, AreTheScenariosOfAFolderInTheOrderOfTheirNames) {
  const ScratchFolder scratch;
  for (const char* name : {"b.txt", "a.txt", "c.bin", "d.txt.tmp"}) ASSERT_TRUE(write_file(scratch.path() / name, "x"));
  fs::create_directory(scratch.path() / "folder.txt");
  fs::create_symlink("nowhere", scratch.path() / "dangling.txt");
  const CorpusFiles expected = {scratch.path() / "a.txt", scratch.path() / "b.txt"};
  EXPECT_EQ(corpus_files(scratch.path()), expected);
  EXPECT_EQ(corpus_files_if_any(scratch.path()), expected);
  EXPECT_EQ(corpus_files_if_any(scratch.path(), ".bin"), CorpusFiles{scratch.path() / "c.bin"});
}

TEST(CorpusFiles, OfAFolderAndAllFoldersBelowAreInTheOrderOfTheirPaths) {
  const ScratchFolder scratch;
  fs::create_directories(scratch.path() / "b" / "c");
  for (const char* name : {"d.txt", "b/a.txt", "b/c/e.txt", "b/c/f.in"})
    ASSERT_TRUE(write_file(scratch.path() / name, "x"));
  const CorpusFiles expected = {scratch.path() / "b/a.txt", scratch.path() / "b/c/e.txt", scratch.path() / "d.txt"};
  EXPECT_EQ(corpus_files_below(scratch.path()), expected);
  EXPECT_EQ(corpus_files_below(scratch.path(), ".in"), CorpusFiles{scratch.path() / "b/c/f.in"});
  EXPECT_FALSE(corpus_files_below("/no/such/folder"));
}

TEST(CorpusFiles, OfAFolderThatIsMissingAreAnErrorOrNone) {
  EXPECT_EQ(error_of(corpus_files("/no/such/folder")), "/no/such/folder: No such file or directory");
  EXPECT_TRUE(corpus_files_if_any("/no/such/folder").empty());
}

TEST(CorpusFolder, IsThatOfTheSystemOrTheCorpusItself) {
  const ScratchFolder scratch;
  fs::create_directory(scratch.path() / "lru");
  EXPECT_EQ(corpus_folder(scratch.path(), "lru"), scratch.path() / "lru");
  EXPECT_EQ(corpus_folder(scratch.path() / "lru", "lru"), scratch.path() / "lru");
}

TEST(CorpusFolder, OfNoCorpusHasNoFiles) {
  const ScratchFolder scratch;
  ASSERT_TRUE(write_file(scratch.path() / "lru" / "a.txt", "x"));
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  EXPECT_EQ(corpus_folder("", "lru"), "") << "and not a folder of the current one";
  EXPECT_TRUE(corpus_files_if_any(corpus_folder("", "lru")).empty());
  fs::current_path(before);
}

}  // namespace
}  // namespace lockstep
