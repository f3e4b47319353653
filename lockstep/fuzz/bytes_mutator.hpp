// Mutation and crossover for byte-based engines: bytes → scenario → changed scenario → bytes.
//
// Ensures: the result is the encoding of a lawful scenario, is at most max_size bytes long, stays within the bound of
// fuzz_work.hpp, and depends on the arguments alone. Returns 0 when the setup alone is longer than max_size: the engine then
// tries again.
//
// Engines handle sizes in unexpected ways. `-minimize_crash` passes more bytes than it allows back: then only shrinking
// makes sense. With `-mutate_depth` above 1, libFuzzer 19 repeats the size of the first input, so that the last bytes
// may be leftovers (LLVM issue 149942). That needs no handling here: decoding is total, so all bytes decode to a lawful
// scenario.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/base/random.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

class BytesMutator {
 public:
  /// The engine's own in-place byte mutation (LLVMFuzzerMutate); null when it has none.
  using EngineMutate = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t max_size);

  BytesMutator(const Vocabulary& system, EngineMutate engine) : engine_{engine}, scenario_{system.scenario()} {}

  /// `data` has room for max_size bytes and holds `size`; either of the two may be larger.
  std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

  /// Joins the beginning of `one` and the end of `other`.
  std::size_t cross_over(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                         std::span<std::uint8_t> out, unsigned seed);

 private:
  void shrink(Random& random);
  void lower_setup_number(Random& random);
  void clear_cells(Random& random);
  std::size_t put(std::span<std::uint8_t> out);
  std::size_t actions_that_fit(std::size_t room);

  EngineMutate engine_;
  // Kept between calls to reuse their memory.
  AnyScenario scenario_;
  Bytes bytes_;
};

}  // namespace lockstep
