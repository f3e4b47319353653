// fuzz_text: arbitrary bytes into every reader of every system (text_readers.hpp states the laws).
//
// There is no custom mutator: the inputs have no structure before a reader parses them, so the engine's byte mutations
// are right, with fuzz_text.dict and the texts of corpus/ as the seed corpus:
//
//   fuzz_text -dict=fuzz/fuzz_text.dict NEW_INPUTS corpus/
#include <cstdio>
#include <cstdlib>

#include "fuzz/text_readers.hpp"
#include "lockstep/fuzz/fuzz_engine.hpp"

int LLVMFuzzerInitialize(int*, char***) { return 0; }

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Readers use the text in place; a copy would hide a read past its end.
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  for (const lockstep::AnySystem* system : lockstep::all_systems()) {
    const std::string law = lockstep::law_broken_by_reading(*system, text);
    if (law.empty()) continue;
    std::fprintf(stderr, "BROKEN READER of %s: %s\n", std::string{system->name()}.c_str(), law.c_str());
    std::abort();
  }
  return 0;
}
