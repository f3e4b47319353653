// The engine that every compiler has: a main that runs each input once, as libFuzzer does when it is given files.
//
//   fuzz_GAME FILE|FOLDER…    folders with everything below them, in the order of their names
//
// It keeps fuzz targets from rotting where there is no engine, and replays an engine's corpus under
// another compiler. Arguments that start with '-' are an engine's flags and mean nothing here.
// Exit: 0 all inputs ran · 2 an input cannot be read, or none was given; whatever kills a target kills it.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/engine.hpp"
#include "lockstep/files.hpp"

namespace {

namespace fs = std::filesystem;

/// The file itself, or all regular files below the folder.
std::vector<fs::path> inputs_at(const fs::path& path) {
  std::error_code fault;
  if (!fs::is_directory(path, fault)) return {path};
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at{path, fs::directory_options::skip_permission_denied, fault}, end; at != end;
       at.increment(fault)) {
    if (at->is_regular_file(fault)) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

/// The bytes are copied to a block of exactly their size, so that a sanitizer sees a read beyond them.
int run(const std::string& bytes) {
  const auto block = std::make_unique<std::uint8_t[]>(bytes.size());
  std::ranges::copy(bytes, block.get());
  return LLVMFuzzerTestOneInput(block.get(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  std::vector<fs::path> inputs;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] != '-') std::ranges::move(inputs_at(argv[i]), std::back_inserter(inputs));
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "usage: %s FILE|FOLDER…\nbuilt without a fuzzing engine: runs each input once\n", argv[0]);
    return 2;
  }
  int executions = 0;
  int refused = 0;
  int unreadable = 0;
  for (const fs::path& input : inputs) {
    const auto bytes = lockstep::read_file(input);
    if (!bytes) {
      std::fprintf(stderr, "%s: %s\n", input.c_str(), bytes.error().c_str());
      ++unreadable;
      continue;
    }
    ++executions;
    if (run(*bytes) != 0) ++refused;
  }
  std::fprintf(stderr, "%zu inputs, %d executions", inputs.size(), executions);
  std::fprintf(stderr, refused > 0 ? ", %d refused as too long\n" : "\n", refused);
  return unreadable > 0 ? 2 : 0;
}
