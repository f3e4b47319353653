// The folder of --out: before there is anything to write to it, and while it belongs to one run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/process/folder_lock.hpp"

namespace lockstep {

/// BadInput, which names the option, unless files can be written to the folder. It need not exist. Called before the work,
/// not after it. Leaves nothing.
void refuse_unwritable(const std::filesystem::path& folder, std::string_view option = "--out");

/// BadInput unless the folder of --out is missing, or empty but for a lock: what is there may be the user's. Called before
/// the work.
void refuse_used(const std::filesystem::path& folder);

/// Creates the folder if it is missing and locks it: two runs in one folder would overwrite each other's files. Throws
/// BadInput, which begins with `name`, if it cannot be created or if another process holds it (`taken`). At the end,
/// removes the folder if it was created here and is still empty.
class LockedFolder {
 public:
  /// `removed`: the destructor removes the folder if it is empty, also one that a killed run has left; else only one that
  /// this object has made.
  LockedFolder(std::filesystem::path folder, const std::string& name, const std::string& taken, bool removed = false);
  ~LockedFolder();
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;

 private:
  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
  bool made_;
};

}  // namespace lockstep
