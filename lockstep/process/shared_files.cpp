#include "lockstep/process/shared_files.hpp"

namespace lockstep {

namespace fs = std::filesystem;

fs::path own_prefix() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path().parent_path();
}

std::optional<fs::path> shared_file(const fs::path& name) {
  for (const fs::path& place : {own_prefix(), fs::path{"/usr/local"}, fs::path{"/usr"}}) {
    const fs::path file = place / "share" / "lockstep" / name;
    std::error_code none;
    if (!place.empty() && fs::exists(file, none)) return file;
  }
  return std::nullopt;
}

fs::path own_corpus() {
  const fs::path prefix = own_prefix();
  return prefix.empty() ? prefix : prefix / "share" / "lockstep" / "corpus";
}

}  // namespace lockstep
