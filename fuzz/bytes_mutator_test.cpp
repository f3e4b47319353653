// The laws of mutation and crossover, for every system.
#include "lockstep/fuzz/bytes_mutator.hpp"

#include LOCKSTEP_SYSTEM

#include <gtest/gtest.h>

#include "lockstep/draw/mutate.hpp"
#include "lockstep/fuzz/fuzz_work.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace {

using namespace lockstep;
using S = ThisSystem;

constexpr std::uint8_t untouched = 0xa5;

/// An engine whose mutations ignore scenarios: any size, any bytes.
std::size_t wild_engine(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  static Random random{7};
  const std::size_t new_size = 1 + random.below(max_size);
  const std::size_t first = random.below(std::min(size, new_size) + 1);
  for (std::size_t i = first; i < new_size; ++i) data[i] = static_cast<std::uint8_t>(random.next());
  return new_size;
}

/// A buffer as an engine passes it: room for the larger of both sizes, followed by guard bytes that must not be
/// written.
struct Buffer {
  std::vector<std::uint8_t> bytes;
  std::size_t size;
  std::size_t max_size;

  Buffer(const Bytes& content, std::size_t max)
      : bytes(std::max(content.size(), max) + 64, untouched), size{content.size()}, max_size{max} {
    std::ranges::copy(content, bytes.begin());
  }
  void mutate(BytesMutator& mutator, unsigned seed) { size = mutator.mutate(bytes.data(), size, max_size, seed); }
  std::span<const std::uint8_t> content() const { return {bytes.data(), size}; }
  bool wall_stands() const {
    return std::all_of(bytes.end() - 64, bytes.end(), [](std::uint8_t byte) { return byte == untouched; });
  }
};

/// What every result must be: within the size, canonical, lawful, and within the work bound.
testing::AssertionResult is_sound(std::span<const std::uint8_t> bytes, std::size_t max_size) {
  if (bytes.size() > max_size) return testing::AssertionFailure() << bytes.size() << " bytes of " << max_size;
  if (bytes.empty()) return testing::AssertionSuccess();  // gave up
  const Scenario<S> scenario = decode<S>(bytes);
  if (const auto flaw = lockstep::flaw<S>(scenario.setup)) return testing::AssertionFailure() << flaw->what;
  if (!std::ranges::equal(encode<S>(scenario), bytes)) {
    return testing::AssertionFailure() << "not what encoding gives:\n" << scenario_text<S>(scenario);
  }
  if (scenario.actions.size() > actions_max(untyped<S>(scenario))) {
    return testing::AssertionFailure() << scenario.actions.size() << " actions are too many";
  }
  return testing::AssertionSuccess();
}

Bytes drawn(std::uint64_t seed) {
  Random random{seed};
  return encode<S>(draw_scenario<S>(random, random.pick(styles)));
}

TEST(Mutation, KeepsEveryScenarioLawful) {
  Random random{1};
  Scenario<S> scenario;
  for (int i = 0; i < 5'000; ++i) {
    if (scenario.actions.size() > 200) scenario = {};
    edit<S>(scenario, [&](AnyScenario& any) { mutate(random, any); });
    ASSERT_EQ(decode<S>(encode<S>(scenario)), scenario) << scenario_text<S>(scenario);
  }
}

TEST(BytesMutator, YieldsCanonicalBytesOfLawfulScenarios) {
  BytesMutator mutator{vocabulary<S>(), wild_engine};
  Buffer buffer{{}, 2'000};
  for (unsigned seed = 0; seed < 5'000; ++seed) {
    buffer.mutate(mutator, seed);
    ASSERT_TRUE(is_sound(buffer.content(), buffer.max_size)) << "seed " << seed;
    ASSERT_TRUE(buffer.wall_stands()) << "seed " << seed;
  }
}

TEST(BytesMutator, RespectsEverySize) {
  BytesMutator mutator{vocabulary<S>(), wild_engine};
  int gave_up = 0;
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    Buffer buffer{drawn(seed % 100), 1 + seed % 97};
    buffer.mutate(mutator, seed);
    ASSERT_TRUE(is_sound(buffer.content(), buffer.max_size)) << "seed " << seed;
    ASSERT_TRUE(buffer.wall_stands()) << "seed " << seed;
    gave_up += buffer.size == 0 ? 1 : 0;
  }
  EXPECT_LT(gave_up, 3'000);
}

TEST(BytesMutator, ShrinksInputsAboveTheSizeLimit) {
  BytesMutator mutator{vocabulary<S>(), wild_engine};
  int shrunk = 0;
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    const Bytes before = drawn(seed % 100);
    if (before.size() < 2) continue;
    Buffer buffer{before, before.size() - 1};
    buffer.mutate(mutator, seed);
    ASSERT_TRUE(is_sound(buffer.content(), buffer.max_size)) << "seed " << seed;
    if (buffer.size == 0) continue;
    ++shrunk;
    ASSERT_LE(size_of<S>(decode<S>(buffer.content())), size_of<S>(decode<S>(before))) << "seed " << seed;
  }
  EXPECT_GT(shrunk, 500);
}

TEST(BytesMutator, DropsActionsToFitTheRoom) {
  BytesMutator mutator{vocabulary<S>(), nullptr};
  Random random{3};
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Scenario<S> scenario = draw_scenario<S>(random, random.pick(styles));
    const std::size_t setup_size = encode<S>({.setup = scenario.setup, .actions = {}}).size();
    const Bytes whole = encode<S>(scenario);
    Bytes out(setup_size);
    // The end of the other input is cut off: only the setup of the first one fits, and the result must contain it.
    const std::size_t size = mutator.cross_over(whole, whole, out, seed);
    ASSERT_EQ(size, setup_size);
    ASSERT_EQ(decode<S>(out).setup, scenario.setup);
    if (setup_size > 1) {
      ASSERT_EQ(mutator.cross_over(whole, whole, std::span{out}.first(setup_size - 1), seed), 0u);
    }
  }
}

TEST(BytesMutator, UsesAllTheRoomThatItCan) {
  BytesMutator mutator{vocabulary<S>(), nullptr};
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Bytes whole = drawn(seed);
    Bytes roomy(1 << 16);
    const std::size_t free_size = mutator.cross_over(whole, whole, roomy, seed);
    if (free_size < 2) continue;
    const Scenario<S> free = decode<S>(std::span{roomy}.first(free_size));
    if (free.actions.empty()) continue;
    Bytes tight(free_size - 1);
    const std::size_t size = mutator.cross_over(whole, whole, tight, seed);
    Scenario<S> one_less = free;
    one_less.actions.pop_back();
    ASSERT_EQ(decode<S>(std::span{tight}.first(size)), one_less) << "seed " << seed;
  }
}

TEST(BytesMutator, DependsOnItsArgumentsAlone) {
  BytesMutator used{vocabulary<S>(), nullptr};
  for (unsigned seed = 0; seed < 500; ++seed) {
    BytesMutator fresh{vocabulary<S>(), nullptr};
    Buffer one{drawn(seed), 500};
    Buffer other = one;
    one.mutate(used, seed);
    other.mutate(fresh, seed);
    ASSERT_TRUE(std::ranges::equal(one.content(), other.content())) << "seed " << seed;
  }
}

TEST(BytesMutator, CrossesTheBeginningOfOneWithTheEndOfTheOther) {
  BytesMutator mutator{vocabulary<S>(), nullptr};
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    const Bytes one = drawn(2 * seed);
    const Bytes other = drawn(2 * seed + 1);
    Bytes out(1 << 16);
    const std::span child = std::span{out}.first(mutator.cross_over(one, other, out, seed));
    ASSERT_TRUE(is_sound(child, out.size())) << "seed " << seed;
    ASSERT_FALSE(child.empty());
    ASSERT_EQ(decode<S>(child).setup, decode<S>(one).setup) << "seed " << seed;
  }
}

}  // namespace
