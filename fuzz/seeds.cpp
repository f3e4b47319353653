// Packs a system's scenario texts of a folder into byte files: the seed corpus of fuzz_SYSTEM, where the program with its
// verb `corpus pack` is not built.
//
//   seeds SYSTEM TEXTS OUT
#include <cstdio>
#include <filesystem>

#include "lockstep/describe/codec.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/any_system.hpp"

namespace {

/// Why the file cannot be packed; "": it was.
std::string flaw_of_packing(const lockstep::AnySystem& system, const std::filesystem::path& file,
                            const std::filesystem::path& out) {
  const auto text = lockstep::read_file(file);
  if (!text) return file.string() + ": " + text.error();
  const auto scenario = system.parse(*text);
  if (!scenario) return scenario.error().message(file.string());
  const lockstep::Bytes bytes = lockstep::encoded(*scenario);
  const auto written = lockstep::write_file(out / file.stem(), lockstep::as_chars(bytes));
  return written ? "" : written.error();
}

}  // namespace

int main(int argc, char** argv) {
  const lockstep::AnySystem* const system = argc == 4 ? lockstep::find_system(argv[1]) : nullptr;
  if (system == nullptr) {
    std::fprintf(stderr, "usage: %s SYSTEM TEXTS OUT\n", argv[0]);
    return 2;
  }
  const auto files = lockstep::corpus_files(argv[2]);
  if (!files || files->empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[2], files ? "contains no scenario" : files.error().c_str());
    return 2;
  }
  for (const auto& file : *files) {
    if (const std::string flaw = flaw_of_packing(*system, file, argv[3]); !flaw.empty()) {
      std::fprintf(stderr, "%s\n", flaw.c_str());
      return 2;
    }
  }
}
