#include "tools/fuzz_targets.hpp"

#include <algorithm>
#include <filesystem>

#include "lockstep/error.hpp"

namespace lockstep {

std::vector<FuzzTarget> fuzz_targets(std::string_view system) {
  namespace fs = std::filesystem;
  std::error_code fault;
  const fs::path self = fs::read_symlink("/proc/self/exe", fault);
  if (fault) return {};
  const std::string name = "fuzz_" + std::string{system};
  const fs::path builds = self.parent_path().parent_path().parent_path();
  std::vector<FuzzTarget> out;
  if (self.filename() == "lockstep") {
    out = {{"libfuzzer", builds / "fuzz-fast" / "bin" / name}, {"libfuzzer-asan", builds / "fuzz" / "bin" / name}};
  } else {
    out = {{"libfuzzer", self.parent_path() / name}};
  }
  std::erase_if(out, [](const FuzzTarget& target) { return !fs::exists(target.program); });
  return out;
}

void check_built(const std::vector<std::string>& engines, const std::vector<FuzzTarget>& targets) {
  for (const auto& engine : engines) {
    if (!engine.starts_with("libfuzzer") || std::ranges::find(targets, engine, &FuzzTarget::engine) != targets.end()) {
      continue;
    }
    throw BadInput{"engine " + engine + " is not built; build it with: cmake --preset " +
                   (engine == "libfuzzer" ? "fuzz-fast" : "fuzz")};
  }
}

}  // namespace lockstep
