// Packs the scenario texts of a folder into byte files: the seed corpus of fuzz_GAME, where the program with its verb
// `corpus pack` is not built.
//
//   seeds_GAME TEXTS OUT
#include LOCKSTEP_SYSTEM

#include <cstdio>
#include <filesystem>

#include "lockstep/describe/codec.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace {

using lockstep::ThisSystem;

/// Why the file cannot be packed; "": it was.
std::string flaw_of_packing(const std::filesystem::path& file, const std::filesystem::path& out) {
  const auto text = lockstep::read_file(file);
  if (!text) return file.string() + ": " + text.error();
  const auto scenario = lockstep::parse_scenario<ThisSystem>(*text);
  if (!scenario) return scenario.error().message(file.string());
  const lockstep::Bytes bytes = lockstep::encode<ThisSystem>(*scenario);
  const auto written = lockstep::write_file(out / file.stem(), lockstep::as_chars(bytes));
  return written ? "" : written.error();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s TEXTS OUT\n", argv[0]);
    return 2;
  }
  const auto files = lockstep::corpus_files(argv[1]);
  if (!files || files->empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[1], files ? "contains no scenario" : files.error().c_str());
    return 2;
  }
  for (const auto& file : *files) {
    if (const std::string flaw = flaw_of_packing(file, argv[2]); !flaw.empty()) {
      std::fprintf(stderr, "%s\n", flaw.c_str());
      return 2;
    }
  }
}
