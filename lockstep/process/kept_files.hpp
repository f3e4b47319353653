// Files that outlive a crash of the machine: findings, checkpoints and corpora.
//
// write_file (files.hpp) is enough for what a run may lose. It is cheaper: a kept file waits for the disk, some
// milliseconds.
#pragma once

#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "lockstep/base/error.hpp"

namespace lockstep {

/// A file of this program's own format is damaged.
struct DamagedFile : BadInput {
  explicit DamagedFile(const std::filesystem::path& damaged, const std::string& why = "is damaged")
      : BadInput{damaged.string() + ": " + why}, file{damaged}, fault{why} {}

  std::filesystem::path file;
  std::string fault;
};

/// Writes the parts, one after another, as write_file does. They are on the disk before the file gets its name, and the
/// name is there before this returns, with the names of folders that it creates. A file system that cannot promise that
/// (some refuse fsync) is no error.
std::expected<void, std::string> keep_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

inline std::expected<void, std::string> keep_file(const std::filesystem::path& path, std::string_view bytes) {
  return keep_file(path, std::span{&bytes, 1});
}

/// Creates the folder, and those above it, if they are missing; returns whether one was. Their names are on the disk.
std::expected<bool, std::string> keep_folders(const std::filesystem::path& folder);

/// Removes what killed processes have left of files that they were writing into the folder: of those with this name, or
/// of all. No other process may be writing them.
void remove_unfinished(const std::filesystem::path& folder, std::string_view name = {});

}  // namespace lockstep
