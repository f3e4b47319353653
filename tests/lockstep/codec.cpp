#include "lockstep/describe/codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>

#include "lockstep/system/typed.hpp"
#include "props/laws.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

constexpr std::int64_t widest = std::numeric_limits<std::int64_t>::max();

Bytes number_bytes(std::int64_t value, std::int64_t lo, std::int64_t hi) {
  Bytes out;
  codec::Encoder{out}.number("", value, lo, hi);
  return out;
}

std::int64_t number_from(const Bytes& bytes, std::int64_t lo, std::int64_t hi) {
  std::int64_t value = -1;
  codec::Decoder{bytes}.number("", value, lo, hi);
  return value;
}

TEST(Codec, ANumberTakesTheFewestOfOneTwoFourOrEightBytes) {
  EXPECT_EQ(codec::byte_width(0), 1);
  EXPECT_EQ(codec::byte_width(0xff), 1);
  EXPECT_EQ(codec::byte_width(0x100), 2);
  EXPECT_EQ(codec::byte_width(0xffff), 2);
  EXPECT_EQ(codec::byte_width(0x1'0000), 4);
  EXPECT_EQ(codec::byte_width(0xffff'ffff), 4);
  EXPECT_EQ(codec::byte_width(0x1'0000'0000), 8);
  EXPECT_EQ(codec::byte_width(~std::uint64_t{0}), 8);
}

TEST(Codec, ANumberIsItsRankLittleEndian) {
  EXPECT_EQ(number_bytes(5, 3, 200), (Bytes{2}));
  EXPECT_EQ(number_bytes(0, -10, 10), (Bytes{0}));
  EXPECT_EQ(number_bytes(-10, -10, 10), (Bytes{20}));
  EXPECT_EQ(number_bytes(300, 0, 1'000), (Bytes{0x2c, 0x01}));
  EXPECT_EQ(number_bytes(70'000, 0, 100'000), (Bytes{0x70, 0x11, 0x01, 0x00}));
  EXPECT_EQ(number_bytes(0x0102'0304'0506'0708, 0, widest), (Bytes{8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(Codec, NumbersOfEveryWidthReadBack) {
  for (const std::int64_t hi : {std::int64_t{0}, std::int64_t{255}, std::int64_t{256}, std::int64_t{65'535},
                                std::int64_t{65'536}, std::int64_t{1} << 40, widest}) {
    for (const std::int64_t value : {std::int64_t{0}, hi / 3, hi - hi / 5, hi}) {
      EXPECT_EQ(number_from(number_bytes(value, 0, hi), 0, hi), value);
    }
  }
  EXPECT_EQ(number_from(number_bytes(-7, -10, 10), -10, 10), -7);
  for (const int bits : {61, 62}) {  // about the widest range that is visited as std::int64_t
    for (const std::int64_t off : {-1, 0, 1}) {
      const std::int64_t hi = (std::int64_t{1} << bits) + off;
      for (const std::int64_t value : {-hi, 1 - hi, std::int64_t{-1}, std::int64_t{1}, hi}) {
        EXPECT_EQ(number_from(number_bytes(value, -hi, hi), -hi, hi), value) << hi;
      }
    }
  }
}

TEST(Codec, ANumberBeyondItsBoundsIsFoldedIntoThem) {
  EXPECT_EQ(number_from({255}, 0, 9), 255 % 10);
  EXPECT_EQ(number_from({255}, 3, 3), 3);
  EXPECT_EQ(number_from({0xff, 0xff}, 0, 999), 65'535 % 1'000);
}

TEST(Codec, MissingBytesAreZero) {
  EXPECT_EQ(number_from({}, 4, 9), 4);
  EXPECT_EQ(number_from({0x34}, 0, 1'000), 0x34);
}

/// A text of up to a million characters.
struct Blobs : NeverRun {
  static constexpr std::string_view name = "blobs";
  using Put = ActionOf<"put", std::string>;
  using Action = std::variant<Put>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Put& a) { io.text("blob", a.value, 0, 1 << 20); }
};

TEST(Codec, ALongListNeedsTheBytesOfItsItems) {
  const auto size = [](const Scenario<Blobs>& scenario) { return std::get<0>(scenario.actions.at(0)).value.size(); };
  EXPECT_LE(size(decode<Blobs>(Bytes{0, 0xff, 0xff, 0x0f, 0})), 4096u);
  const Scenario<Blobs> large{.setup = {}, .actions = {Blobs::Put{std::string(100'000, 'x')}}};
  EXPECT_EQ(decode<Blobs>(encode<Blobs>(large)), large);
}

TEST(Codec, BytesInCharsAreTheSameOnes) {
  const Bytes bytes{0, 7, 255};
  EXPECT_EQ(as_chars(bytes), (std::string_view{"\0\7\xff", 3}));
  EXPECT_TRUE(std::ranges::equal(bytes_in(as_chars(bytes)), bytes));
  EXPECT_TRUE(bytes_in(as_chars(Bytes{})).empty());
}

TEST(Codec, AByteHoldsAsManyCellsAsFit) {
  const std::vector<std::pair<int, int>> table = {{2, 8}, {3, 5},  {4, 4},  {5, 3},   {6, 3},
                                                  {7, 2}, {16, 2}, {17, 1}, {201, 1}, {256, 1}};
  for (const auto& [radix, cells] : table) EXPECT_EQ(codec::cells_per_byte(radix), cells) << radix;
}

TEST(Codec, ABoardStoresItsRowsFromTheTopmostOccupiedOneInRadix) {
  const auto bytes_of = [](int rows, int columns, std::vector<std::uint8_t> cells, const Alphabet& alphabet) {
    Grid grid{rows, columns};
    grid.cells = std::move(cells);
    Bytes out;
    codec::Encoder{out}.board("", grid, rows, columns, alphabet);
    Grid back;
    codec::Decoder{out}.board("", back, rows, columns, alphabet);
    EXPECT_EQ(back, grid);
    return out;
  };
  constexpr Alphabet three = Alphabet::of(".rt");
  EXPECT_EQ(bytes_of(2, 3, {0, 0, 0, 0, 0, 0}, three), (Bytes{0}));
  EXPECT_EQ(bytes_of(2, 3, {0, 0, 0, 1, 0, 2}, three), (Bytes{1, 1 + 0 * 3 + 2 * 9}));
  EXPECT_EQ(bytes_of(2, 3, {0, 2, 0, 0, 0, 1}, three), (Bytes{2, 0 + 2 * 3, 1}));
  EXPECT_EQ(bytes_of(1, 2, {200, 7}, Alphabet::numbers(200)), (Bytes{1, 200, 7}));
  EXPECT_EQ(bytes_of(1, 9, {1, 1, 1, 1, 1, 1, 1, 1, 1}, Alphabet::of(".#")), (Bytes{1, 0xff, 1}));
}

TEST(Codec, AScenarioIsItsSetupAndThenItsActionsToTheEnd) {
  Scenario<Garden> scenario{.setup = {}, .actions = {Garden::Rain{299}, Garden::Wait{}, Garden::Plant{0, 0, 2}}};
  scenario.setup.moles = {{0, 0, true}};
  const Bytes bytes = encode<Garden>(scenario);
  EXPECT_EQ(bytes, (Bytes{0, 0,        // rows, columns
                          0, 0,        // water
                          0, 0,        // season, fence
                          0,           // beds: no row stored
                          1, 0, 0, 1,  // one mole
                          1, 43, 1,    // rain, 299
                          2,           // wait
                          0, 0, 0, 1}));
  EXPECT_EQ(decode<Garden>(bytes), scenario);
}

TEST(Codec, DecodingOverwritesThePreviousScenario) {
  Scenario<Garden> used = laws::scenario_at<Garden>(1, 7);
  edit<Garden>(used, [](AnyScenario& any) { decode(Bytes{}, any); });
  EXPECT_EQ(used, Scenario<Garden>{});
}

Bytes setup_bytes(const Garden::Setup& setup) {
  Bytes out;
  encode_setup(any_of<Garden>({.setup = setup, .actions = {}}), out);
  return out;
}

TEST(Codec, EqualSetupsHaveEqualBytesAndRoundTrip) {
  std::map<Bytes, Garden::Setup> seen;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Garden::Setup setup = laws::scenario_at<Garden>(11, i).setup;
    const Bytes bytes = setup_bytes(setup);
    AnyScenario back = laws::scenario_at(vocabulary<Garden>(), 12, i);  // an arbitrary previous value
    decode_setup(bytes, back);
    ASSERT_EQ(typed<Garden>(back).setup, setup) << i;
    const auto [known, is_new] = seen.emplace(bytes, setup);
    ASSERT_EQ(known->second, setup) << i;
  }
  EXPECT_GT(seen.size(), 1'000u);
}

TEST(Codec, AnEmptyBoardTakesAByte) {
  Garden::Setup setup;
  setup.rows = setup.columns = Garden::side_max;
  setup.beds = Grid{Garden::side_max, Garden::side_max};
  EXPECT_EQ(setup_bytes(setup).size(), setup_bytes({}).size());
}

RC_GTEST_PROP(Codec, AnyBytesAreALawfulScenario, (const Bytes& bytes)) {
  RC_ASSERT(laws::fault_of_bytes(vocabulary<Garden>(), bytes) == "");
}

}  // namespace
}  // namespace lockstep
