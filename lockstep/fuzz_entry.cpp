// The functions that a fuzzing engine calls, for the one target of the process. A program that is no fuzz target refers to
// nothing here, so that a linker leaves this object of the library out.
#include <cstdio>
#include <cstdlib>

#include "lockstep/fuzz_engine.hpp"
#include "lockstep/fuzz_target.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the sanitizers' and the compiler's
// Functions of the sanitizers: the callback before a report, and the report's details; null in builds without them.
extern "C" {
void __asan_on_error();
void __ubsan_on_report();
[[gnu::weak]] const char* __asan_get_report_description();
[[gnu::weak]] void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                                   unsigned* line, unsigned* column, char** address);
// AFL++'s runtime (afl-compiler-rt.o): the map of what was reached, and how instrumented code has places in it, each of
// which has a number from the first call on, and is counted by the second. Null with other engines.
[[gnu::weak]] extern std::uint8_t* __afl_area_ptr;
[[gnu::weak]] void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* first, std::uint32_t* end);
[[gnu::weak]] void __sanitizer_cov_trace_pc_guard(std::uint32_t* place);
// NOLINTEND(bugprone-reserved-identifier)
/// The main function of a user's file (lockstep.hpp); null in the other targets.
[[gnu::weak]] int lockstep_main_of_target(int argc, char** argv);
}

namespace lockstep {
FuzzedSystem* fuzzed_system = nullptr;

// libFuzzer clears the counters by words, hence the alignment.
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]] alignas(8) std::uint8_t fuzz_counters[feature_indices];
static_assert(sizeof fuzz_counters % 8 == 0);

namespace {

bool under_afl() { return &__afl_area_ptr != nullptr; }

/// The places of features in AFL++'s map. The size of the map is fixed when main starts, so they are taken before.
std::uint32_t afl_places[feature_indices];
[[gnu::constructor]] void take_afl_places() {
  if (under_afl()) __sanitizer_cov_trace_pc_guard_init(std::begin(afl_places), std::end(afl_places));
}

/// Does with the counters what libFuzzer does by itself.
void pass_counters_to_afl() {
  for (std::size_t i = 0; i < feature_indices; ++i) {
    if (fuzz_counters[i] != 0) __sanitizer_cov_trace_pc_guard(&afl_places[i]);
    fuzz_counters[i] = 0;
  }
}

}  // namespace

void refuse_to_fuzz(std::string_view name, const std::string& why) {
  std::fprintf(stderr, "fuzz_%s: %s\n", std::string{name}.c_str(), why.c_str());
  std::exit(2);
}

std::string environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

}  // namespace lockstep

using lockstep::fuzzed_system;

int LLVMFuzzerInitialize(int*, char*** argv) {
  // The engine has the process's main function; the file's own registers the system. The arguments are the engine's.
  if (fuzzed_system == nullptr && lockstep_main_of_target != nullptr) {
    char* own[] = {(*argv)[0], nullptr};
    if (const int refused = lockstep_main_of_target(1, own); refused != 0) std::exit(refused);
  }
  if (fuzzed_system == nullptr) {
    lockstep::refuse_to_fuzz("target",
                             "there is no system to fuzz: main must end in lockstep::system<…>()….main(argc, argv)");
  }
  fuzzed_system->start();
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!lockstep::under_afl()) return fuzzed_system->execute({data, size});
  const int kept = fuzzed_system->execute({data, size});
  lockstep::pass_counters_to_afl();
  return kept;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  return fuzzed_system->mutate(data, size, max_size, seed);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size, const std::uint8_t* other,
                                      std::size_t other_size, std::uint8_t* out, std::size_t out_max, unsigned seed) {
  return fuzzed_system->cross_over({one, one_size}, {other, other_size}, {out, out_max}, seed);
}

// Both are called while the process can still write a file. The crash callback of sanitizers belongs to libFuzzer:
// setting it would lose the engine's artifact.

void __asan_on_error() {
  if (fuzzed_system == nullptr) return;
  // Through a pointer that the compiler cannot see through: OSS-Fuzz refuses a build with UBSan that calls __asan_….
  const char* (*const volatile describe)() = __asan_get_report_description;
  const char* const what = describe != nullptr ? describe() : nullptr;
  fuzzed_system->report_crash(what != nullptr ? what : "memory error", "AddressSanitizer");
}

void __ubsan_on_report() {
  if (fuzzed_system == nullptr) return;
  const char* kind = nullptr;
  const char* text = nullptr;
  unsigned place = 0;
  char* address = nullptr;
  if (__ubsan_get_current_report_data != nullptr) {
    const char* file = nullptr;
    __ubsan_get_current_report_data(&kind, &text, &file, &place, &place, &address);
  }
  fuzzed_system->report_crash(kind != nullptr ? kind : "undefined behaviour", "UndefinedBehaviorSanitizer");
}
