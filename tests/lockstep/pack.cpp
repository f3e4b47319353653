#include "lockstep/pack.hpp"

#include <gtest/gtest.h>

#include <map>

#include "lockstep/codec.hpp"
#include "lockstep/typed.hpp"
#include "props/laws.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

Bytes packed(const Garden::Setup& setup) {
  Bytes out;
  pack(any_of<Garden>({.setup = setup, .actions = {}}), out);
  return out;
}

TEST(Pack, EqualSetupsHaveEqualBytesAndRoundTrip) {
  std::map<Bytes, Garden::Setup> seen;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Garden::Setup setup = laws::scenario_at<Garden>(11, i).setup;
    const Bytes bytes = packed(setup);
    AnyScenario back = any_of<Garden>(laws::scenario_at<Garden>(12, i));  // an arbitrary previous value
    unpack(bytes, back);
    ASSERT_EQ(typed<Garden>(back).setup, setup) << i;
    const auto [known, is_new] = seen.emplace(bytes, setup);
    ASSERT_EQ(known->second, setup) << i;
  }
  EXPECT_GT(seen.size(), 1'000u);
}

TEST(Pack, AnEmptyBoardTakesAFewBytes) {
  Garden::Setup setup;
  setup.rows = setup.columns = Garden::side_max;
  setup.beds = Grid{Garden::side_max, Garden::side_max};
  EXPECT_LE(packed(setup).size(), 5u);
}

}  // namespace
}  // namespace lockstep
