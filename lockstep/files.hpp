// Files: read whole, and written so that a reader never meets half of one.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep {

/// The file's bytes, or why it cannot be read. Refuses files above 256 MiB.
std::expected<std::string, std::string> read_file(const std::filesystem::path& path);

/// Writes to a temporary name beside it, then renames; makes the folder when it is not there. A link's target is
/// what is replaced; a device or a pipe is written to as it is.
std::expected<void, std::string> write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace lockstep
