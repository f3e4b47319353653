#include "lockstep/process/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/file_test.hpp"
#include "tests/lockstep/keeping_child.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Uses its own temporary folder, so that it sees no other scratch folders.
class Scratch : public FileTest {
 protected:
  std::size_t count() const { return names().size(); }
  pid_t owner_of_a_scratch_folder() const {
    return child_that_keeps([] {
      auto kept = std::make_unique<ScratchFolder>();
      EXPECT_TRUE(fs::create_directory(kept->path() / "within"));
      return kept;
    });
  }

 private:
  const Variable temporary_files_{"TMPDIR", folder};
};

TEST_F(Scratch, IsRemovedWithItsOwner) {
  {
    const ScratchFolder scratch;
    EXPECT_TRUE(fs::create_directory(scratch.path() / "within"));
    EXPECT_EQ(count(), 1u);
  }
  EXPECT_EQ(count(), 0u);
}

TEST_F(Scratch, IsRemovedIfItsOwnerWasKilledAndKeptIfItRuns) {
  const pid_t killed = owner_of_a_scratch_folder();
  const pid_t living = owner_of_a_scratch_folder();
  end_child(killed);
  EXPECT_EQ(count(), 2u);
  remove_stale_scratch_folders();
  EXPECT_EQ(count(), 1u);
  end_child(living);
  remove_stale_scratch_folders();
  EXPECT_EQ(count(), 0u);
}

TEST_F(Scratch, IsKeptWhileItsLockIsHeldEvenIfItsOwnerIsInvisible) {
  const pid_t other = child_that_keeps([] { return 0; });
  end_child(other);  // an unused PID
  const fs::path unseen = folder / ("lockstep-" + std::to_string(other) + "-unseen");
  fs::create_directory(unseen);
  const pid_t holder = child_that_keeps([&] { return std::make_unique<FolderLock>(unseen); });
  remove_stale_scratch_folders();
  EXPECT_TRUE(fs::exists(unseen));
  end_child(holder);
  remove_stale_scratch_folders();
  EXPECT_FALSE(fs::exists(unseen));
}

TEST_F(Scratch, OtherFoldersAreKept) {
  const pid_t other = child_that_keeps([] { return 0; });
  end_child(other);
  for (const std::string name : {"lockstep-abcdef", "lockstep-", "lockstep-12", "other-"}) {
    fs::create_directory(folder / (name == "other-" ? name + std::to_string(other) + "-abcdef" : name));
  }
  remove_stale_scratch_folders();
  EXPECT_EQ(count(), 4u);
}

}  // namespace
}  // namespace lockstep
