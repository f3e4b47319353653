// AFL++'s custom mutator of the toy system, called as afl-fuzz calls it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "fuzz/toy_system.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/system/typed.hpp"

// NOLINTBEGIN(readability-redundant-declaration): in a unity file, the mutator's source declares them, too
extern "C" {
void* afl_custom_init(void* afl, unsigned seed);
void afl_custom_deinit(void* data);
std::size_t afl_custom_fuzz(void* data, std::uint8_t* input, std::size_t size, std::uint8_t** out, std::uint8_t* other,
                            std::size_t other_size, std::size_t size_max);
}
// NOLINTEND(readability-redundant-declaration)

namespace {

using namespace lockstep;

/// The results of so many calls: some of mutation, some of crossover.
void call_mutator(int calls, std::size_t size_max, const auto& look) {
  void* const mutator = afl_custom_init(nullptr, 1);
  std::uint8_t input[] = {0, 5, 0, 9, 0, 8};
  std::uint8_t other[] = {0, 0, 0, 1};
  for (int i = 0; i < calls; ++i) {
    std::uint8_t* out = nullptr;
    const std::size_t size =
        afl_custom_fuzz(mutator, input, sizeof input, &out, i % 2 == 0 ? other : nullptr, sizeof other, size_max);
    look(std::span{out, size});
  }
  afl_custom_deinit(mutator);
}

TEST(AflMutator, YieldsCanonicalBytesWithinTheLimitsOfAflFuzzAndOfTheCampaign) {
  for (const std::size_t size_max : {std::size_t{4}, std::size_t{1'000}, std::size_t{1} << 20}) {
    call_mutator(2'000, size_max, [&](std::span<const std::uint8_t> bytes) {
      ASSERT_NE(bytes.data(), nullptr);
      ASSERT_LE(bytes.size(), std::min(size_max, std::size_t{32'768}));
      ASSERT_FALSE(bytes.empty());  // the toy's setup has two bytes, so there is always a new input
      ASSERT_TRUE(std::ranges::equal(encode<Toy>(decode<Toy>(bytes)), bytes));
    });
  }
}

TEST(AflMutator, AnExceptionOfTheSystemsSuggestionsIsAFaultThatEndsAflFuzz) {
  const ScratchFolder folder;
  const std::string lines = folder / "lines";
  const auto fuzz = [&] {
    setenv("TOY_THROWS", "suggestions", 1);
    setenv("LOCKSTEP_FINDINGS_JSON", lines.c_str(), 1);
    call_mutator(10'000, 1'000, [](std::span<const std::uint8_t>) {});
  };
  EXPECT_EXIT(fuzz(), testing::ExitedWithCode(1),
              "FAULT in toy: an exception that no implementation threw: std::runtime_error: no suggestions today");
  EXPECT_EQ(read_file(lines).value_or(""), fault_to_json("std::runtime_error: no suggestions today") + "\n");
}

}  // namespace
