#include "lockstep/files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "lockstep/unique_name.hpp"

namespace lockstep {

namespace fs = std::filesystem;

namespace {

std::expected<void, std::string> write_through(const fs::path& path, std::string_view bytes) {
  std::ofstream out{path, std::ios::binary};
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out) return std::unexpected(path.string() + ": cannot be written");
  return {};
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

std::expected<void, std::string> write_file(const fs::path& path, std::string_view bytes) {
  std::error_code fault;
  // A device or a pipe is written to, never replaced; a link stays a link.
  if (fs::exists(path, fault) && !fs::is_regular_file(path, fault)) return write_through(path, bytes);
  if (fs::is_symlink(path, fault)) {
    const fs::path target = fs::canonical(path, fault);
    if (fault) return std::unexpected(path.string() + ": " + fault.message());
    return write_file(target, bytes);
  }
  fault.clear();
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), fault);
  if (fault) return std::unexpected(path.parent_path().string() + ": " + fault.message());
  fs::path temporary = path;
  temporary += ".tmp" + unique_name();
  {
    std::ofstream out{temporary, std::ios::binary | std::ios::trunc};
    if (!out) return std::unexpected(temporary.string() + ": " + std::strerror(errno));
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) {
      fs::remove(temporary, fault);
      return std::unexpected(temporary.string() + ": cannot be written");
    }
  }
  fs::rename(temporary, path, fault);
  if (fault) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return std::unexpected(path.string() + ": " + fault.message());
  }
  return {};
}

}  // namespace lockstep
