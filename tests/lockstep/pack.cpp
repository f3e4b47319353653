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
  pack<Garden>(setup, out);
  return out;
}

TEST(Pack, EqualSetupsHaveEqualBytesAndRoundTrip) {
  std::map<Bytes, Garden::Setup> seen;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Garden::Setup setup = laws::scenario_at<Garden>(11, i).setup;
    const Bytes bytes = packed(setup);
    Garden::Setup back = laws::scenario_at<Garden>(12, i).setup;  // an arbitrary previous value
    unpack<Garden>(bytes, back);
    ASSERT_EQ(back, setup) << i;
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
