// A minimal engine for every compiler: a main that runs each input once, as libFuzzer does when given files.
//
//   fuzz_GAME FILE|FOLDER…    folders are read recursively, in the order of names
//
// It keeps fuzz targets compiling where no engine exists, and replays an engine's corpus under another compiler.
// Arguments that start with '-' are flags for engines and are ignored.
// Exit status: 0 all inputs ran · 2 an input cannot be read, or none was given; a crash of the target ends the process.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/fuzz/fuzz_engine.hpp"
#include "lockstep/process/files.hpp"

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

/// Copies the bytes to a block of exactly their size, so that a sanitizer detects a read past the end.
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
