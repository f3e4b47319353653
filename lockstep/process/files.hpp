// Reads whole files, and writes files atomically: a reader never sees a partial file. Visits the entries of folders.
#pragma once

#include <algorithm>
#include <concepts>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace lockstep {

/// The file's bytes, or the reason why it cannot be read. Refuses files above 256 MiB.
std::expected<std::string, std::string> read_file(const std::filesystem::path& path);

/// Writes to a temporary file in the same folder, then renames it. Creates the folder if it is missing. For a symbolic
/// link, replaces its target; a device or a pipe is written to directly. An error names the file, or a folder
/// above it, never the temporary file.
std::expected<void, std::string> write_file(const std::filesystem::path& path, std::string_view bytes);

/// The final name of a file with a temporary name of write_file; empty for any other name.
std::string_view finished_name(std::string_view temporary);
void finished_name(std::same_as<std::string> auto&& temporary) = delete;  // the result is a part of the argument

/// Calls `visit` with each entry of the folder, in no order. Returns why the folder could not be read to its end; no error
/// if it could. A range-for over an iterator that was made with an error code throws all the same when it goes on, which
/// fails in folders of a network.
template <class Iterator = std::filesystem::directory_iterator, class Visit>
std::error_code visit_entries(const std::filesystem::path& folder, Visit&& visit) {
  std::error_code fault;
  for (Iterator at{folder, fault}, end; !fault && at != end; at.increment(fault)) visit(*at);
  return fault;
}

/// The regular files of the folder whose path is `wanted`, sorted; or the reason why it cannot be read to its end.
template <class Iterator = std::filesystem::directory_iterator, class Wanted>
std::expected<std::vector<std::filesystem::path>, std::string> files_in(const std::filesystem::path& folder,
                                                                        Wanted&& wanted) {
  std::vector<std::filesystem::path> out;
  const std::error_code fault = visit_entries<Iterator>(folder, [&](const std::filesystem::directory_entry& entry) {
    std::error_code none;  // for a dangling link, which is not a regular file
    if (wanted(entry.path()) && entry.is_regular_file(none)) out.push_back(entry.path());
  });
  if (fault) return std::unexpected(folder.string() + ": " + fault.message());
  std::ranges::sort(out);
  return out;
}

}  // namespace lockstep
