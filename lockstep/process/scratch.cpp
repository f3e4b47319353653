#include "lockstep/process/scratch.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <mutex>
#include <system_error>

#include "lockstep/process/files.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view scratch_prefix = "lockstep-";

/// The PID of lockstep-PID-XXXXXX; 0 for any other name.
pid_t owner_of(std::string_view name) {
  if (!name.starts_with(scratch_prefix)) return 0;
  name.remove_prefix(scratch_prefix.size());
  pid_t owner = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), owner);
  return fault == std::errc{} && owner > 0 && end != name.data() + name.size() && *end == '-' ? owner : 0;
}

bool lives(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

fs::path new_folder() {
  std::error_code fault;
  const fs::path where = fs::temp_directory_path(fault);
  const char* const asked = getenv("TMPDIR");
  if (fault)
    throw fs::filesystem_error{"there is no folder for temporary files (TMPDIR)", asked != nullptr ? asked : "", fault};
  std::string name = (where / (std::string{scratch_prefix} + std::to_string(getpid()) + "-XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw fs::filesystem_error{"no temporary folder", name, std::error_code{errno, std::generic_category()}};
  }
  return name;
}

}  // namespace

ScratchFolder::ScratchFolder() {
  static std::once_flag swept;
  std::call_once(swept, remove_stale_scratch_folders);
  bool made = false;
  do {
    const fs::path locked = new_folder();
    path_ = locked / "in";
    lock_ = std::make_unique<FolderLock>(locked);
    made = mkdir(path_.c_str(), 0700) == 0;
    // Before it is locked, a process in another PID namespace may take the folder for stale and remove it.
  } while (lock_->comes_free());
  if (!made) throw fs::filesystem_error{"no temporary folder", path_, std::error_code{errno, std::generic_category()}};
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_.parent_path(), ignored);
}

void remove_stale_scratch_folders() {
  std::error_code none;
  visit_entries(fs::temp_directory_path(none), [&](const fs::directory_entry& entry) {
    const pid_t owner = owner_of(entry.path().filename().string());
    if (owner == 0 || lives(owner) || entry.is_symlink(none)) return;
    const FolderLock lock{entry.path()};
    if (lock.state() == FolderLock::State::ours) fs::remove_all(entry.path(), none);
  });
}

}  // namespace lockstep
