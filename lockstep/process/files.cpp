#include "lockstep/process/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "lockstep/base/unique_name.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/process/kept_files.hpp"

namespace lockstep {

namespace fs = std::filesystem;

namespace {

using FileParts = std::span<const std::string_view>;
using Written = std::expected<void, std::string>;

/// Between a file's name and a unique one, while it is being written.
constexpr std::string_view being_written = ".tmp";

std::unexpected<std::string> failure(const fs::path& path, int fault) {
  return std::unexpected(path.string() + ": " + std::strerror(fault));
}

/// A disk that keeps nothing (a pipe, some network file systems) says EINVAL or ENOTSUP.
bool on_disk(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

/// Opens the file, writes the parts, and closes it. An error names `wanted`, whose temporary file it may be. Without
/// `mode` a new file has the one that the umask leaves.
Written write_parts(const fs::path& path, const fs::path& wanted, FileParts parts, bool kept,
                    std::optional<mode_t> mode = {}) {
  const int out = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, mode.value_or(0666));
  if (out < 0) return failure(wanted, errno);
  int fault = mode && fchmod(out, *mode) != 0 ? errno : 0;
  for (const std::string_view part : parts) {
    if (fault == 0 && !write_all(out, part)) fault = errno;
  }
  if (fault == 0 && kept && !on_disk(out)) fault = errno;
  // Over a network, a full disk may show only here.
  if (close(out) != 0 && fault == 0 && errno != EINTR) fault = errno;
  return fault == 0 ? Written{} : failure(wanted, fault);
}

/// A name is on the disk with its folder.
Written keep_name(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return {};  // one that must not be listed can have files all the same
  const int fault = on_disk(descriptor) ? 0 : errno;
  close(descriptor);
  return fault == 0 ? Written{} : failure(folder, fault);
}

/// Creates the folders of a path that are missing. True: at least one was missing.
std::expected<bool, std::string> make_folders(const fs::path& folder, bool kept) {
  std::vector<fs::path> missing;
  std::error_code fault;
  for (fs::path each = folder; !each.empty() && !fs::exists(each, fault); each = each.parent_path()) {
    if (each.has_filename()) missing.push_back(each);
  }
  fs::create_directories(folder, fault);
  if (fault) return std::unexpected(folder.string() + ": " + fault.message());
  for (std::size_t i = missing.size(); kept && i-- > 0;) {
    if (auto written = keep_name(missing[i]); !written) return std::unexpected(written.error());
  }
  return !missing.empty();
}

Written write_whole(const fs::path& path, FileParts parts, bool kept) {
  std::error_code fault;
  // A device or a pipe is written to, never replaced; a link stays a link.
  if (fs::exists(path, fault) && !fs::is_regular_file(path, fault)) return write_parts(path, path, parts, false);
  if (fs::is_symlink(path, fault)) {
    const fs::path target = fs::canonical(path, fault);
    if (fault) return std::unexpected(path.string() + ": " + fault.message());
    return write_whole(target, parts, kept);
  }
  fault.clear();
  if (path.has_parent_path()) {
    if (auto made = make_folders(path.parent_path(), kept); !made) return std::unexpected(made.error());
  }
  fs::path temporary = path;
  temporary += std::string{being_written} + unique_name();
  struct stat old{};
  const bool replaces = stat(path.c_str(), &old) == 0;
  Written written =
      write_parts(temporary, path, parts, kept, replaces ? std::optional{old.st_mode & 07777} : std::nullopt);
  if (written) {
    fs::rename(temporary, path, fault);
    if (fault) written = std::unexpected(path.string() + ": " + fault.message());
  }
  std::error_code none;
  if (!written) fs::remove(temporary, none);  // it may be what fills the disk
  else if (kept) written = keep_name(path);
  return written;
}

}  // namespace

std::expected<std::string, std::string> read_file(const fs::path& path) {
  constexpr std::streamsize limit = 256 << 20;
  std::error_code fault;
  if (fs::is_directory(path, fault)) return std::unexpected("is a folder, not a file");
  std::ifstream in{path, std::ios::binary};
  if (!in) return std::unexpected(std::strerror(errno));
  std::string bytes;
  char block[65536];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    bytes.append(block, static_cast<std::size_t>(in.gcount()));
    if (static_cast<std::streamsize>(bytes.size()) > limit) return std::unexpected("is larger than 256 MiB");
  }
  if (in.bad()) return std::unexpected("cannot be read to its end");
  return bytes;
}

Written write_file(const fs::path& path, std::string_view bytes) { return write_whole(path, {&bytes, 1}, false); }

Written keep_file(const fs::path& path, FileParts parts) { return write_whole(path, parts, true); }

std::expected<bool, std::string> keep_folders(const fs::path& folder) { return make_folders(folder, true); }

std::string_view finished_name(std::string_view temporary) {
  static const std::size_t ending = being_written.size() + unique_name().size();
  const std::size_t length = temporary.size() - std::min(temporary.size(), ending);
  const std::string_view behind = temporary.substr(length);
  const bool unique = behind.starts_with(being_written) &&
                      behind.find_first_not_of("0123456789abcdef", being_written.size()) == std::string_view::npos;
  return unique ? temporary.substr(0, length) : std::string_view{};
}

void remove_unfinished(const fs::path& folder, std::string_view name) {
  visit_entries(folder, [&](const fs::directory_entry& entry) {
    const std::string temporary = entry.path().filename().string();
    const std::string_view finished = finished_name(temporary);
    std::error_code none;
    if (!finished.empty() && (name.empty() || finished == name)) fs::remove(entry, none);
  });
}

}  // namespace lockstep
