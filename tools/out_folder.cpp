#include "tools/out_folder.hpp"

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <iostream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/base/unique_name.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/kept_files.hpp"

namespace lockstep {

void refuse_unwritable(const std::filesystem::path& folder, std::string_view option) {
  // access(2) does not know: to root it allows everything, also below /proc. So a file is written and removed again, with
  // the folders that were missing.
  const std::filesystem::path file = std::filesystem::absolute(folder) / (".lockstep-" + unique_name());
  std::error_code none;
  std::vector<std::filesystem::path> missing;
  // A link whose target is missing, such as a disk that is not mounted, is itself there: it is the user's.
  const auto is_missing = [&](const std::filesystem::path& path) {
    return std::filesystem::symlink_status(path, none).type() == std::filesystem::file_type::not_found;
  };
  for (auto each = file.parent_path(); is_missing(each) && each.has_relative_path(); each = each.parent_path())
    missing.push_back(each);
  auto written = write_file(file, "");
  if (!written) written = write_file(file, "");  // another run may just have removed the folder after its own check
  std::filesystem::remove(file, none);
  // rmdir(2) removes empty folders only: it fails if another run has files in it now.
  for (const auto& each : missing) rmdir(each.c_str());
  if (!written) {
    throw BadInput{std::string{option} + " " + folder.string() + ": expected a folder to write to (" + written.error() +
                   ")"};
  }
}

void refuse_used(const std::filesystem::path& folder) {
  std::filesystem::path used;
  const auto fault = visit_entries(folder, [&](const std::filesystem::directory_entry& entry) {
    if (entry.path().filename() != FolderLock::lock_name) used = entry.path();
  });
  const std::string option = "--out " + folder.string() + ": ";
  if (fault && fault != std::errc::no_such_file_or_directory) throw BadInput{option + fault.message()};
  if (!used.empty())
    throw BadInput{option + "expected a new or empty folder, and it has " + used.filename().string() +
                   "; choose another folder"};
}

LockedFolder::LockedFolder(std::filesystem::path folder, const std::string& name, const std::string& taken,
                           bool removed)
    : folder_{std::move(folder)}, made_{removed} {
  // The children of a killed run hold the lock until they have ended, a moment later.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{1};
  do {
    if (lock_) std::this_thread::sleep_for(std::chrono::milliseconds{20});
    const auto made = keep_folders(folder_);
    if (!made) throw BadInput{name + ": " + made.error()};
    made_ = *made || made_;
    lock_.emplace(folder_);
  } while (lock_->comes_free() && std::chrono::steady_clock::now() < deadline);
  if (lock_->comes_free()) throw BadInput{name + ": " + taken};
  if (lock_->state() == FolderLock::State::not_writable) throw BadInput{name + ": " + std::strerror(lock_->why())};
  if (lock_->state() == FolderLock::State::not_lockable)
    std::cerr << name << ": this file system has no locks, so another run that uses it would not be noticed\n";
}

LockedFolder::~LockedFolder() {
  std::error_code none;
  lock_.reset();                                      // and its file
  if (made_) std::filesystem::remove(folder_, none);  // fails if it is not empty
}

}  // namespace lockstep
