// Reads whole files, and writes files atomically: a reader never sees a partial file.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep {

/// The file's bytes, or the reason why it cannot be read. Refuses files above 256 MiB.
std::expected<std::string, std::string> read_file(const std::filesystem::path& path);

/// Writes to a temporary file in the same folder, then renames it. Creates the folder if it is missing. For a symbolic
/// link, replaces its target; a device or a pipe is written to directly.
std::expected<void, std::string> write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace lockstep
