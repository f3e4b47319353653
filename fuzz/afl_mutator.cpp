// AFL++'s custom mutator of a game, compiled once per game as mutator_GAME.so: what libFuzzer calls in the target itself
// (lockstep/fuzz/bytes_mutator.hpp). afl-fuzz loads it, so the implementations are not in it.
//
// The interface is AFL++'s (docs/custom_mutators.md of its sources). An exception ends afl-fuzz as a fault, by exit: it
// removes its shared memory and ends its processes then, which it would not do after an abort.
#include LOCKSTEP_SYSTEM

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "lockstep/base/random.hpp"
#include "lockstep/fuzz/bytes_mutator.hpp"
#include "lockstep/fuzz/fuzz_fault.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace {

/// afl-fuzz names its own limit, a megabyte, whatever it was told; this is the campaign's.
constexpr std::size_t input_max = 32'768;

struct AflMutator {
  explicit AflMutator(unsigned seed) : random{seed} {}

  lockstep::Random random;
  // null: without mutations of the engine
  lockstep::BytesMutator mutator{lockstep::vocabulary<lockstep::ThisSystem>(), nullptr};
  std::vector<std::uint8_t> out;
};

auto guarded(const auto& run) {
  return lockstep::run_guarded(run, [](const std::string& exception) {
    lockstep::note_fault(lockstep::ThisSystem::name, exception);
    std::exit(1);
  });
}

}  // namespace

#define LOCKSTEP_SEEN_BY_AFL extern "C" [[gnu::visibility("default")]]

LOCKSTEP_SEEN_BY_AFL void* afl_custom_init(void*, unsigned seed) {
  return guarded([&] { return new AflMutator{seed}; });
}

LOCKSTEP_SEEN_BY_AFL void afl_custom_deinit(void* data) { delete static_cast<AflMutator*>(data); }

/// Writes a new input to *out, which is valid until the next call, and returns its size; 0: there is none.
LOCKSTEP_SEEN_BY_AFL std::size_t afl_custom_fuzz(void* data, std::uint8_t* input, std::size_t size, std::uint8_t** out,
                                                 std::uint8_t* other, std::size_t other_size, std::size_t size_max) {
  AflMutator& self = *static_cast<AflMutator*>(data);
  return guarded([&] {
    const auto seed = static_cast<unsigned>(self.random.next());
    size_max = std::min(size_max, input_max);
    self.out.resize(std::max(size, size_max));
    *out = self.out.data();
    if (other != nullptr && self.random.chance(1, 4)) {
      return self.mutator.cross_over({input, size}, {other, other_size}, std::span{self.out}.first(size_max), seed);
    }
    std::copy_n(input, size, self.out.data());
    return self.mutator.mutate(self.out.data(), size, size_max, seed);
  });
}
