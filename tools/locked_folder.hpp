// A folder that belongs to one run at a time: two runs in one folder would overwrite each other's files.
#pragma once

#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "lockstep/error.hpp"
#include "lockstep/folder_lock.hpp"
#include "lockstep/kept_files.hpp"

namespace lockstep {

/// Creates the folder if it is missing and locks it. Throws BadInput, which begins with `name`, if it cannot be created or
/// if another process holds it (`taken`). At the end, removes the folder if it was created here and is still empty.
class LockedFolder {
 public:
  /// `removed`: the destructor removes the folder if it is empty, also one that a killed run has left; else only one that
  /// this object has made.
  LockedFolder(std::filesystem::path folder, const std::string& name, const std::string& taken, bool removed = false)
      : folder_{std::move(folder)}, made_{removed} {
    // The children of a killed run hold the lock until they have ended, a moment later.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{1};
    do {
      if (lock_) std::this_thread::sleep_for(std::chrono::milliseconds{20});
      made_ = make(name) || made_;
      lock_.emplace(folder_);
    } while (comes_free(lock_->state()) && std::chrono::steady_clock::now() < deadline);
    if (comes_free(lock_->state())) throw BadInput{name + ": " + taken};
    if (lock_->state() == FolderLock::State::not_writable) throw BadInput{name + ": " + std::strerror(lock_->why())};
    if (lock_->state() == FolderLock::State::not_lockable)
      std::cerr << name << ": this file system has no locks, so another run that uses it would not be noticed\n";
  }
  ~LockedFolder() {
    std::error_code none;
    lock_.reset();                                      // and its file
    if (made_) std::filesystem::remove(folder_, none);  // fails if it is not empty
  }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;

 private:
  static bool comes_free(FolderLock::State state) {
    return state == FolderLock::State::taken || state == FolderLock::State::gone;
  }
  bool make(const std::string& name) const {
    const auto made = keep_folders(folder_);
    if (!made) throw BadInput{name + ": " + made.error()};
    return *made;
  }

  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
  bool made_;
};

}  // namespace lockstep
