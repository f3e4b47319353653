// The laws of mutation and crossover, for every system.
#include "lockstep/fuzz/bytes_mutator.hpp"

#include <gtest/gtest.h>

#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/fuzz/fuzz_work.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/text/text.hpp"

namespace {

using namespace lockstep;

AnyScenario decoded(std::span<const std::uint8_t> bytes) { return decoded(this_vocabulary(), bytes); }

/// The bytes of the setup alone.
Bytes setup_of(const AnyScenario& scenario) {
  Bytes out;
  encode_setup(scenario, out);
  return out;
}

AnyScenario drawn_by(Random& random) { return drawn_scenario(this_vocabulary(), random, random.pick(styles)); }

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
  const AnyScenario scenario = decoded(bytes);
  if (const auto flaw = scenario.flaw()) return testing::AssertionFailure() << flaw->what;
  if (!std::ranges::equal(encoded(scenario), bytes)) {
    return testing::AssertionFailure() << "not what encoding gives:\n" << scenario_text(scenario);
  }
  if (scenario.size() > actions_max(scenario)) {
    return testing::AssertionFailure() << scenario.size() << " actions are too many";
  }
  return testing::AssertionSuccess();
}

Bytes drawn(std::uint64_t seed) {
  Random random{seed};
  return encoded(drawn_by(random));
}

TEST(Mutation, KeepsEveryScenarioLawful) {
  Random random{1};
  AnyScenario scenario = this_vocabulary().scenario();
  for (int i = 0; i < 5'000; ++i) {
    if (scenario.size() > 200) scenario = this_vocabulary().scenario();
    mutate(random, scenario);
    ASSERT_EQ(decoded(encoded(scenario)), scenario) << scenario_text(scenario);
  }
}

TEST(BytesMutator, YieldsCanonicalBytesOfLawfulScenarios) {
  BytesMutator mutator{this_vocabulary(), wild_engine};
  Buffer buffer{{}, 2'000};
  for (unsigned seed = 0; seed < 5'000; ++seed) {
    buffer.mutate(mutator, seed);
    ASSERT_TRUE(is_sound(buffer.content(), buffer.max_size)) << "seed " << seed;
    ASSERT_TRUE(buffer.wall_stands()) << "seed " << seed;
  }
}

TEST(BytesMutator, RespectsEverySize) {
  BytesMutator mutator{this_vocabulary(), wild_engine};
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
  BytesMutator mutator{this_vocabulary(), wild_engine};
  int shrunk = 0;
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    const Bytes before = drawn(seed % 100);
    if (before.size() < 2) continue;
    Buffer buffer{before, before.size() - 1};
    buffer.mutate(mutator, seed);
    ASSERT_TRUE(is_sound(buffer.content(), buffer.max_size)) << "seed " << seed;
    if (buffer.size == 0) continue;
    ++shrunk;
    ASSERT_LE(size_of(decoded(buffer.content())), size_of(decoded(before))) << "seed " << seed;
  }
  EXPECT_GT(shrunk, 500);
}

TEST(BytesMutator, DropsActionsToFitTheRoom) {
  BytesMutator mutator{this_vocabulary(), nullptr};
  Random random{3};
  for (unsigned seed = 0; seed < 300; ++seed) {
    const AnyScenario scenario = drawn_by(random);
    const Bytes setup = setup_of(scenario);
    const std::size_t setup_size = setup.size();
    const Bytes whole = encoded(scenario);
    Bytes out(setup_size);
    // The end of the other input is cut off: only the setup of the first one fits, and the result must contain it.
    const std::size_t size = mutator.cross_over(whole, whole, out, seed);
    ASSERT_EQ(size, setup_size);
    ASSERT_EQ(setup_of(decoded(out)), setup);
    if (setup_size > 1) {
      ASSERT_EQ(mutator.cross_over(whole, whole, std::span{out}.first(setup_size - 1), seed), 0u);
    }
  }
}

TEST(BytesMutator, UsesAllTheRoomThatItCan) {
  BytesMutator mutator{this_vocabulary(), nullptr};
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Bytes whole = drawn(seed);
    Bytes roomy(1 << 16);
    const std::size_t free_size = mutator.cross_over(whole, whole, roomy, seed);
    if (free_size < 2) continue;
    const AnyScenario free = decoded(std::span{roomy}.first(free_size));
    if (free.size() == 0) continue;
    Bytes tight(free_size - 1);
    const std::size_t size = mutator.cross_over(whole, whole, tight, seed);
    AnyScenario one_less = free;
    one_less.truncate(free.size() - 1);
    ASSERT_EQ(decoded(std::span{tight}.first(size)), one_less) << "seed " << seed;
  }
}

TEST(BytesMutator, DependsOnItsArgumentsAlone) {
  BytesMutator used{this_vocabulary(), nullptr};
  for (unsigned seed = 0; seed < 500; ++seed) {
    BytesMutator fresh{this_vocabulary(), nullptr};
    Buffer one{drawn(seed), 500};
    Buffer other = one;
    one.mutate(used, seed);
    other.mutate(fresh, seed);
    ASSERT_TRUE(std::ranges::equal(one.content(), other.content())) << "seed " << seed;
  }
}

TEST(BytesMutator, CrossesTheBeginningOfOneWithTheEndOfTheOther) {
  BytesMutator mutator{this_vocabulary(), nullptr};
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    const Bytes one = drawn(2 * seed);
    const Bytes other = drawn(2 * seed + 1);
    Bytes out(1 << 16);
    const std::span child = std::span{out}.first(mutator.cross_over(one, other, out, seed));
    ASSERT_TRUE(is_sound(child, out.size())) << "seed " << seed;
    ASSERT_FALSE(child.empty());
    ASSERT_EQ(setup_of(decoded(child)), setup_of(decoded(one))) << "seed " << seed;
  }
}

}  // namespace
