// Every domain of describe.hpp, alone in an action and in a setup: round trips, totality, drawing, shrinking.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_set>

#include "lockstep/describe/enumerate.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/text/text.hpp"
#include "props/strict_text.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/toy.hpp"

/// A type of the standard library, which has no `describe` of its own.
template <>
struct lockstep::Description<std::chrono::seconds> {
  static void describe(auto& io, std::chrono::seconds& s) {
    auto count = s.count();
    io.number("", count, 0, 3600);
    s = std::chrono::seconds{count};
  }
};

namespace lockstep {
namespace {

enum class Side : std::uint8_t { buy, sell, both };
enum class Sparse : std::int16_t { one = 1, four = 4, nine = 9 };

struct Point {
  int row = 0;
  int column = 0;
  static void describe(auto& io, Point& p) {
    io.number("row", p.row, -3, 4);
    io.number("column", p.column, 0, p.row + 5);
  }
  auto operator<=>(const Point&) const = default;
};

/// A recursive value: a leaf has a number, an inner node has children.
struct Nested {
  int leaf = 0;
  std::vector<Nested> children;
  static void describe(auto& io, Nested& t) {
    io.number("leaf", t.leaf, 0, 9);
    io.sequence("children", t.children, 0, 3, [](auto& inner, Nested& child) { inner.field("", child); });
  }
  bool operator==(const Nested&) const = default;
};

/// A recursive value whose inner nodes always have two children.
struct Formula;
struct Sum {
  static constexpr std::string_view name = "sum";
  std::vector<Formula> terms;
  static void describe(auto& io, Sum& s);
  bool operator==(const Sum&) const;
};
struct Formula {
  std::variant<int, Sum> value;
  static void describe(auto& io, Formula& f) { io.field("", f.value); }
  bool operator==(const Formula&) const = default;
};
void Sum::describe(auto& io, Sum& s) {
  io.sequence("terms", s.terms, 2, 2, [](auto& inner, Formula& term) { inner.field("", term); });
}
bool Sum::operator==(const Sum& other) const { return terms == other.terms; }

struct Market {
  static constexpr std::string_view name = "market";
  bool operator==(const Market&) const = default;
};
/// Its `name` is a value, not that of the type.
struct Person {
  std::string name;
  static void describe(auto& io, Person& p) { io.text("name", p.name, 0, 9); }
  bool operator==(const Person&) const = default;
};
struct Ceiling {
  static constexpr std::string_view name = "limit";
  std::uint16_t price = 0;
  static void describe(auto& io, Ceiling& l) { io.number("price", l.price, 1, 999); }
  bool operator==(const Ceiling&) const = default;
};

// Types whose describe narrows the domain of a value.
template <class Value, auto domain>
struct Narrow {
  Value value{};
  static void describe(auto& io, Narrow& n) { domain(io, n.value); }
  bool operator==(const Narrow&) const = default;
};
using Word = Narrow<std::string, [](auto& io, auto& text) { io.text("", text, 1, 9, Text::of("abc=#\" ")); }>;
using Short = Narrow<std::string, [](auto& io, auto& text) { io.text("", text, 0, 9, Text::of("abc")); }>;
using Unicode = Narrow<std::string, [](auto& io, auto& text) { io.text("", text, 0, 40, Text::utf8); }>;
using Share = Narrow<double, [](auto& io, auto& value) { io.real("", value, -1.5, 2.0); }>;
using Sizes = Narrow<std::vector<std::int64_t>, [](auto& io, auto& items) {
  io.sequence("", items, 2, 300, [](auto& inner, std::int64_t& x) { inner.number("", x, -5, 1000); });
}>;
/// Bounds that depend on an earlier field and leave out 0.
struct Price {
  int most = 1;
  double value = 1;
  static void describe(auto& io, Price& p) {
    io.number("most", p.most, 1, 9);
    io.real("value", p.value, 1.0, static_cast<double>(p.most));
  }
  bool operator==(const Price&) const = default;
};
struct Picture {
  Grid grid{2, 3};
  static void describe(auto& io, Picture& p) { io.board("grid", p.grid, 2, 3, Alphabet::of(".#x")); }
  bool operator==(const Picture&) const = default;
};

/// The types whose domains are tested. The setup has a value of each, too.
using Types =
    TypeList<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
             std::uint64_t, Side, Sparse, float, double, Share, Price, std::string, Word, Unicode, Short,
             std::vector<std::uint8_t>, std::vector<std::byte>, std::vector<int>, std::vector<std::vector<int>>, Sizes,
             std::vector<bool>, std::array<int, 12>, std::array<std::uint8_t, 2>, std::pair<Side, bool>,
             std::tuple<int, std::string, double>, std::optional<std::uint64_t>, std::optional<Side>,
             std::optional<int>, std::optional<Point>, std::variant<int, Person, Market, Ceiling>,
             std::variant<bool, Market, Side>, std::variant<std::uint64_t, Market>, std::set<std::int16_t>,
             std::set<int>, std::map<std::string, int>, std::unordered_set<int>, std::chrono::seconds, Point, Nested,
             Formula, Picture>;

struct AllTypes : NeverRun {
  static constexpr std::string_view name = "all_types";
  struct Setup {
    Types::Tuple values;
    bool operator==(const Setup&) const = default;
  };
  template <class T>
  using Use = Types::Use<T>;
  using Action = Types::Actions<>;
  using NeverRun::describe;
  static void describe(auto& io, Setup& s) {
    std::apply([&]<class... T>(T&... values) { (io.field(Types::name_of<T>, values), ...); }, s.values);
  }
  template <class T>
  static void describe(auto& io, const Setup&, Use<T>& a) {
    io.field("value", a.value);
  }
};

using S = AllTypes;

std::string text(const Scenario<S>& scenario) { return scenario_text<S>(scenario); }

/// An action of one kind.
S::Action drawn_action(Random& random, std::size_t kind) {
  AnyScenario any = vocabulary<S>().scenario();
  any.grow([&](AnyScenario::TryAction try_one) {
    bool possible = false;
    while (!possible) {
      DrawFields fields{random, false};
      possible = try_one(kind, fields);
    }
  });
  return typed<S>(any).actions.at(0);
}

/// An action of each kind.
Scenario<S> drawn(std::uint64_t seed) {
  Random random{seed};
  Scenario<S> out = made<S>([&](AnyScenario& any) { draw_setup(random, any); });
  for (std::size_t kind = 0; kind < Types::size; ++kind) out.actions.push_back(drawn_action(random, kind));
  return out;
}

// Values are compared as text: NaN is not equal to itself.

template <class P>
void expect_text_reads_back(const Scenario<P>& scenario) {
  const std::string written = scenario_text<P>(scenario);
  const auto parsed = parse_scenario<P>(written);
  ASSERT_TRUE(parsed) << parsed.error().message("text") << "\n" << written;
  EXPECT_EQ(scenario_text<P>(*parsed), written);
}

TEST(Domains, BytesGiveTheScenarioBack) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto scenario = drawn(seed);
    EXPECT_EQ(text(decode<S>(encode<S>(scenario))), text(scenario));
  }
}

TEST(Domains, TextGivesTheScenarioBack) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) expect_text_reads_back<S>(drawn(seed));
}

/// Each line alone, so that a text is short: a field of the setup, or an action.
TEST(Domains, EveryByteOfATextCounts) {
  constexpr std::size_t line_max = 200;
  const std::string head = "lockstep 1 all_types\n";
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::istringstream written{text(drawn(seed))};
    bool setup = true;
    for (std::string line; std::getline(written, line);) {
      if (line + "\n" == head || line.size() > line_max) continue;
      if (line == "actions") setup = false;
      else
        EXPECT_EQ(laws::fault_of_strictness(vocabulary<S>(),
                                            head + (setup ? line + "\nactions\n" : "actions\n" + line + "\n")),
                  "");
    }
  }
}

TEST(Domains, EveryStringOfBytesIsALawfulScenario) {
  Random random{7};
  for (int i = 0; i < 300; ++i) {
    const auto scenario = decode<S>(random_bytes(random, 3000));
    EXPECT_EQ(text(decode<S>(encode<S>(scenario))), text(scenario));
    expect_text_reads_back<S>(scenario);
  }
}

/// An action with a number and between `least` and that number of items.
template <int least>
struct Picks : NeverRun {
  static constexpr std::string_view name = "picks";
  struct Pick {
    static constexpr std::string_view name = "pick";
    int most = 0;
    std::vector<int> items;
    std::string word;
    bool operator==(const Pick&) const = default;
  };
  using Action = std::variant<Pick>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Pick& a) {
    io.number("most", a.most, 0, 3);
    io.sequence("items", a.items, least, a.most, [](auto& inner, int& x) { inner.number("", x, 0, 9); });
    io.text("word", a.word, least, a.most);
  }
};

TEST(Sizes, ThatNoneIsPossibleMakeTheActionImpossible) {
  using P = Picks<1>;
  Random random{3};
  std::size_t actions = 0;
  for (int i = 0; i < 200; ++i) {
    const Bytes bytes = random_bytes(random, 40);
    auto scenario = crossover<P>(random, draw_scenario<P>(random, Style::uniform), decode<P>(bytes));
    mutate<P>(random, scenario);
    if (scenario.actions.size() > 30) scenario.actions.resize(30);
    refit<P>(scenario);
    actions += scenario.actions.size();
    expect_text_reads_back<P>(scenario);
    expect_text_reads_back<P>(decode<P>(bytes));
  }
  EXPECT_GT(actions, 500u);
  EXPECT_TRUE(decode<P>(Bytes{0, 0}).actions.empty());
}

TEST(Sizes, BelowZeroCountAsZero) {
  using P = Picks<-2>;
  Random random{3};
  for (int i = 0; i < 50; ++i) expect_text_reads_back<P>(draw_scenario<P>(random, Style::uniform));
  EXPECT_EQ(scenario_text<P>(decode<P>(Bytes{0, 0})), "lockstep 1 picks\nactions\npick most=0 items=[] word=\"\"\n");
}

TEST(Enumerations, WithoutTheValueZeroNeverHaveIt) {
  constexpr auto kind = static_cast<std::uint8_t>(Types::index_of<Sparse>);
  const auto value = [](const S::Action& action) { return std::get<S::Use<Sparse>>(action).value; };
  EXPECT_EQ(std::get<Sparse>(decode<S>({}).setup.values), Sparse::one);  // a value-initialized Sparse is 0
  Random random{1};
  for (int i = 0; i < 50; ++i) {
    const Sparse drawn = value(drawn_action(random, kind));
    EXPECT_TRUE(drawn == Sparse::one || drawn == Sparse::four || drawn == Sparse::nine);
  }
}

TEST(Domains, MutantsAndCrossoversAreLawful) {
  Random random{11};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    auto scenario = drawn(seed);
    for (int i = 0; i < 200; ++i) {
      mutate<S>(random, scenario);
      if (i % 8 == 0) scenario = crossover<S>(random, scenario, drawn(1000 + seed));
      if (scenario.actions.size() > 60) scenario.actions.resize(60);
      expect_text_reads_back<S>(scenario);
    }
  }
}

TEST(Domains, ShrinkingEndsWithTheSimplestValueWhichIsThatOfNoBytes) {
  const Scenario<S> simplest = decode<S>({});
  Random random{5};
  for (std::size_t kind = 0; kind < Types::size; ++kind) {
    // The simplest action of a kind: all its fields are 0.
    Scenario<S> wanted = simplest;
    wanted.actions.push_back(alternative<S::Action>(kind));
    const auto bytes = encode<S>(wanted);
    wanted = decode<S>(std::span{bytes}.first(encode<S>(simplest).size() + 1));
    const auto fails = [&](const Scenario<S>& candidate) {
      return !candidate.actions.empty() && candidate.actions[0].index() == kind;
    };
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      Scenario<S> failing = drawn(seed);
      failing.actions = {drawn_action(random, kind), drawn_action(random, kind)};
      EXPECT_EQ(text(shrunk_where<S>(failing, fails).scenario), text(wanted));
    }
  }
}

/// The value that is left of one that fails, if `fails` says which values do.
template <class T, class Fails>
T shrunk_value(T value, Fails fails) {
  const Scenario<S> failing{.setup = decode<S>({}).setup, .actions = {S::Use<T>{std::move(value)}}};
  const auto shrunk = shrunk_where<S>(failing, [&](const Scenario<S>& candidate) {
    if (candidate.actions.empty()) return false;
    const auto* const use = std::get_if<S::Use<T>>(&candidate.actions[0]);
    return use != nullptr && fails(use->value);
  });
  return std::get<S::Use<T>>(shrunk.scenario.actions.at(0)).value;
}

TEST(Shrinking, ClearsBitsAroundAPatternOfBits) {
  EXPECT_EQ(shrunk_value(std::uint32_t{0xb3a7ff19}, [](std::uint32_t n) { return (n & 0xff00) == 0xff00; }), 0xff00u);
}

TEST(Shrinking, LowersNumbersTogetherWhoseDifferencesMatter) {
  const auto has_neighbours = [](const std::set<int>& numbers) {
    return std::ranges::any_of(numbers, [&](int n) { return numbers.contains(n + 1) && numbers.contains(n + 2); });
  };
  EXPECT_EQ(shrunk_value(std::set<int>{23, 24, 25, 60}, has_neighbours), (std::set<int>{-1, 0, 1}));
}

TEST(Shrinking, RemovesGroupsOfCharactersFromShortTexts) {
  const auto in_fours = [](const std::string& text) { return text.size() % 4 == 0 && text.contains('!'); };
  EXPECT_EQ(shrunk_value<std::string>("bdef!dfghiaz", in_fours).size(), 4u);
}

bool has_leaf(const Nested& value, int leaf) {
  return value.leaf == leaf ||
         std::ranges::any_of(value.children, [=](const auto& each) { return has_leaf(each, leaf); });
}

TEST(Shrinking, ReplacesAValueByOneOfItsTypeInsideIt) {
  const Nested deep{0, {{1, {}}, {2, {{3, {{7, {{4, {}}}}}}}}}};
  EXPECT_EQ(shrunk_value(deep, [](const Nested& value) { return has_leaf(value, 7); }), (Nested{7, {}}));
  Scenario<S> failing{.setup = {}, .actions = {S::Use<bool>{}}};
  std::get<Nested>(failing.setup.values) = deep;
  const auto shrunk = shrunk_where<S>(
      failing, [](const Scenario<S>& candidate) { return has_leaf(std::get<Nested>(candidate.setup.values), 7); });
  EXPECT_EQ(std::get<Nested>(shrunk.scenario.setup.values), (Nested{7, {}}));
}

TEST(Domains, BytesGiveTheSetupBack) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AnyScenario stored = any_of<S>(drawn(seed));
    Bytes bytes;
    encode_setup(stored, bytes);
    AnyScenario again = vocabulary<S>().scenario();
    decode_setup(bytes, again);
    EXPECT_EQ(setup_text(again), setup_text(stored));
  }
}

template <class T, class Wanted>
std::size_t drawn_among(int draws, Wanted wanted) {
  const S::Setup setup;
  Random random{3};
  std::set<std::string> found;
  for (int i = 0; i < draws; ++i) {
    const auto action = drawn_action(random, Types::index_of<T>);
    if (wanted(std::get<S::Use<T>>(action).value)) found.insert(action_text<S>(setup, action));
  }
  return found.size();
}

TEST(Drawing, IntegersReachTheEdgesOfTheirType) {
  const auto at_edge = []<class T>(T value) {
    using Limits = std::numeric_limits<T>;
    return value == Limits::min() || value == Limits::max() || value == 0 || value == 1 || value == T{1} << 20;
  };
  EXPECT_EQ(drawn_among<std::int32_t>(10'000, at_edge), 5u);
  EXPECT_EQ(drawn_among<std::int64_t>(10'000, at_edge), 5u);
  EXPECT_EQ(drawn_among<std::uint64_t>(10'000, at_edge), 4u);  // 0 is the minimum
}

TEST(Drawing, AWideRangeOfBothSignsReachesTheNumbersAroundZero) {
  Random random{3};
  std::set<int> small;
  for (int i = 0; i < 2'000; ++i) {
    int value = 0;
    DrawFields draw{random, false};
    draw.number("", value, -1'000'000, 1'000'000);
    if (value >= -2 && value <= 2) small.insert(value);
  }
  EXPECT_EQ(small, (std::set{-2, -1, 0, 1, 2}));
}

TEST(Drawing, RealsReachSpecialValues) {
  EXPECT_EQ(drawn_among<double>(10'000,
                                [](double v) {
                                  return std::isnan(v) || std::isinf(v) || v == 0 ||
                                         v == std::numeric_limits<double>::max() ||
                                         v == std::numeric_limits<double>::denorm_min();
                                }),
            // ±∞, ±0, the positive maximum and minimum, and NaNs: at least the quiet ones
            9u);
  EXPECT_GT(drawn_among<Share>(10'000, [](const Share& s) { return s.value == -1.5 || s.value == 2.0; }), 1u);
  EXPECT_EQ(drawn_among<Share>(10'000, [](const Share& s) { return !(s.value >= -1.5 && s.value <= 2.0); }), 0u);
}

TEST(Drawing, SizesReachPowersOfTwoAndTheirNeighbours) {
  std::set<std::size_t> sizes;
  Random random{3};
  for (int i = 0; i < 5'000; ++i) {
    Sizes drawn;
    DrawFields draw{random, false};
    Sizes::describe(draw, drawn);
    sizes.insert(drawn.value.size());
  }
  for (const std::size_t size : {2u, 3u, 4u, 7u, 8u, 9u, 63u, 64u, 65u, 255u, 256u, 257u, 300u}) {
    EXPECT_TRUE(sizes.contains(size)) << size;
  }
}

TEST(Drawing, WordsOfADictionaryOccurWhole) {
  static constexpr std::string_view words[] = {"SELECT", "--"};
  Random random{5};
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    std::string text;
    DrawFields draw{random, false};
    draw.text("", text, 0, 30, Text::ascii.with(words));
    EXPECT_LE(text.size(), 30u);
    found += text.contains("SELECT") ? 1 : 0;
  }
  EXPECT_GT(found, 20);
}

int depth_of(const Nested& value) {
  int depth = 0;
  for (const Nested& child : value.children) depth = std::max(depth, 1 + depth_of(child));
  return depth;
}

TEST(Drawing, ValuesThatContainThemselvesAreOftenDeep) {
  EXPECT_GT(drawn_among<Nested>(1'000, [](const Nested& value) { return depth_of(value) >= 3; }), 200u);
}

std::size_t leaves_of(const Formula& formula) {
  const auto* const sum = std::get_if<Sum>(&formula.value);
  if (sum == nullptr) return 1;
  std::size_t leaves = 0;
  for (const auto& term : sum->terms) leaves += leaves_of(term);
  return leaves;
}

TEST(Drawing, ValuesThatContainThemselvesHaveAnEnd) {
  Random random{1};
  std::size_t most = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto action = drawn_action(random, Types::index_of<Formula>);
    most = std::max(most, leaves_of(std::get<S::Use<Formula>>(action).value));
  }
  EXPECT_GT(most, 16u);
  EXPECT_LE(most, 128u) << "6 sums below each other, and one more in each of their terms";
}

template <class T>
std::size_t enumerated() {
  AnyScenario all = vocabulary<S>().scenario();
  enumerate_kind(Types::index_of<T>, all);
  std::set<std::string> texts;
  for (std::size_t i = 0; i < all.size(); ++i) texts.insert(action_text(all, i));
  EXPECT_EQ(texts.size(), all.size());
  return all.size();
}

TEST(Enumerating, FiniteDomainsAreCompleteWithoutRepetition) {
  EXPECT_EQ(enumerated<bool>(), 2u);
  EXPECT_EQ(enumerated<std::int8_t>(), 256u);
  EXPECT_EQ(enumerated<Side>(), 3u);
  EXPECT_EQ(enumerated<std::optional<Side>>(), 4u);
  EXPECT_EQ((enumerated<std::pair<Side, bool>>()), 6u);
  EXPECT_EQ((enumerated<std::variant<bool, Market, Side>>()), 2u + 1u + 3u);
  EXPECT_EQ(enumerated<Point>(), 3u + 4u + 5u + 6u + 7u + 8u + 9u + 10u);  // column depends on row
}

TEST(Enumerating, ADomainWithoutEndIsRefused) { EXPECT_THROW(enumerated<std::string>(), BadInput); }

/// The actions inside the bounds, as text.
template <class T>
std::vector<std::string> bounded(const std::vector<std::string>& bounds) {
  std::vector<Bound> all_bounds;
  for (const auto& each : bounds) all_bounds.push_back(bound_from(each));
  AnyScenario all = vocabulary<S>().scenario();
  enumerate_kind(Types::index_of<T>, all, all_bounds);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < all.size(); ++i) out.push_back(action_text(all, i).substr(4));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Bounds, ATextOfUpToTwoOfThreeCharactersIsThirteenActions) {
  const Texts all = bounded<Short>({"value=0..2"});
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 13u);
  EXPECT_EQ(all.size(), 13u);
  EXPECT_EQ(bounded<Short>({"value=1", "value.item=0..1"}), (Texts{R"(value="a")", R"(value="b")"}));
}

TEST(Bounds, AreOnTheSizeOfASequenceAndOnItsItems) {
  EXPECT_EQ(bounded<std::vector<int>>({"value=0..2", "value.item=5..6"}),
            (Texts{"value=[]", "value=[5]", "value=[6]", "value=[5,5]", "value=[5,6]", "value=[6,5]", "value=[6,6]"}));
  EXPECT_EQ(bounded<std::vector<std::uint8_t>>({"value=1", "value.item=65..66"}),
            (Texts{"value=\"A\"", "value=\"B\""}));
}

TEST(Bounds, NarrowTheFieldOfThatNameOnly) {
  const std::string point{Types::name_of<Point>};
  EXPECT_EQ(bounded<Point>({"row=-4..-2", "column=2..9"}),
            (Texts{"value={row=-3 column=2}", "value={row=-2 column=2}", "value={row=-2 column=3}"}));
  EXPECT_EQ(bounded<Point>({point + ".row=4", point + ".column=9"}), (Texts{"value={row=4 column=9}"}));
  EXPECT_EQ(bounded<Point>({"other.row=4", point + ".row=3", "column=0"}), (Texts{"value={row=3 column=0}"}));
  EXPECT_EQ(bounded<Point>({"row=0", "row=0..1", "column=0"}), (Texts{"value={row=0 column=0}"}));
}

TEST(Bounds, OfANamelessValueHaveTheNameAroundIt) {
  EXPECT_EQ(bounded<std::optional<std::uint64_t>>({"value=7..8"}), (Texts{"value=none", "value=7", "value=8"}));
  EXPECT_EQ((bounded<std::variant<std::uint64_t, Market>>({"value=7"})).size(), 2u);
  EXPECT_EQ(bounded<Side>({"value=1..2"}), (Texts{"value=sell", "value=both"}));
  EXPECT_EQ(bounded<bool>({"value=1"}), (Texts{"value=yes"}));
}

TEST(Bounds, OfARealValueAreWholeNumbers) {
  EXPECT_EQ(bounded<double>({"value=-1..1"}), (Texts{"value=-1", "value=0", "value=1"}));
  EXPECT_EQ(bounded<Share>({"value=-9..9"}), (Texts{"value=-1", "value=0", "value=1", "value=2"}));
}

TEST(Bounds, WithoutACommonValueLeaveTheActionOut) {
  EXPECT_EQ(bounded<std::uint8_t>({"value=300"}), Texts{});
  EXPECT_EQ(bounded<std::vector<int>>({"value=65..99"}), Texts{});
  EXPECT_EQ(bounded<std::vector<int>>({"value=0..2", "value.item=99999999999"}), Texts{"value=[]"});
  EXPECT_EQ(bounded<Share>({"value=3..9"}), Texts{});
  EXPECT_EQ(bounded<Point>({"column=13"}), Texts{});
}

// What people read and write ------------------------------------------------------------------------

/// An action's text without the name of its kind.
template <class T>
std::string shown(T value) {
  const S::Setup setup;
  return action_text<S>(setup, S::Use<T>{std::move(value)}).substr(4);
}

TEST(ValueText, IsWhatAPersonWouldWrite) {
  EXPECT_EQ(shown<std::int8_t>(-7), "value=-7");
  EXPECT_EQ(shown<std::uint64_t>(~std::uint64_t{0}), "value=18446744073709551615");
  EXPECT_EQ(shown(true), "value=yes");
  EXPECT_EQ(shown(Side::sell), "value=sell");
  EXPECT_EQ(shown(Sparse::four), "value=four");
  EXPECT_EQ(shown(Sparse{404}), "value=404") << "an observation may have a value without a name";
  EXPECT_EQ(shown(0.1), "value=0.1");
  EXPECT_EQ(shown(0.1f), "value=0.1");
  EXPECT_EQ(shown(-0.0), "value=-0");
  EXPECT_EQ(shown(std::numeric_limits<double>::quiet_NaN()), "value=nan");
  EXPECT_EQ(shown(std::string{"a \"b\"\n"}), R"(value="a \"b\"\n")");
  EXPECT_EQ(shown(std::vector<std::uint8_t>{0, 65, 255}), R"(value="\x00A\xff")");
  EXPECT_EQ(shown(std::vector<std::vector<int>>{{1, 2}, {}}), "value=[[1,2],[]]");
  EXPECT_EQ(shown(std::array<int, 12>{1, 2}), "value=[1,2,0,0,0,0,0,0,0,0,0,0]");
  EXPECT_EQ(shown(std::array<std::uint8_t, 2>{65, 255}), R"(value="A\xff")");
  EXPECT_EQ(shown(std::vector<bool>{true, false}), "value=[yes,no]");
  EXPECT_EQ(shown(std::optional<int>{}), "value=none");
  EXPECT_EQ(shown(std::chrono::seconds{90}), "value=90");
  EXPECT_EQ(shown(std::optional<Point>{{1, 2}}), "value={row=1 column=2}");
  EXPECT_EQ(shown(std::pair{Side::buy, false}), "value={first=buy second=no}");
  EXPECT_EQ(shown(std::variant<int, Person, Market, Ceiling>{Ceiling{5}}), "value=limit:{price=5}");
  EXPECT_EQ(shown(std::variant<int, Person, Market, Ceiling>{Market{}}), "value=market");
  EXPECT_EQ(shown(std::variant<int, Person, Market, Ceiling>{Person{"a"}}), R"(value=1:{name="a"})");
  EXPECT_EQ(shown(std::set<std::int16_t>{3, -1}), "value=[-1,3]");
  EXPECT_EQ(shown(std::map<std::string, int>{{"a", 1}}), "value=[{first=\"a\" second=1}]");
  EXPECT_EQ(shown(Nested{0, {{3, {}}}}), "value={leaf=0 children=[{leaf=3 children=[]}]}");
}

/// The simplest scenario with one action, given as text.
auto parsed_action(const std::string& action) { return parse_scenario<S>(text(decode<S>({})) + action + "\n"); }

/// The column at which a value is refused, and why.
template <class T>
std::string refusal(const std::string& value) {
  const auto parsed = parsed_action(std::string{Types::name_of<T>} + " value=" + value);
  if (parsed) return "";
  const std::string line = "x:" + std::to_string(1 + std::ranges::count(text(decode<S>({})), '\n')) + ":";
  const std::string message = parsed.error().message("x");
  EXPECT_TRUE(message.starts_with(line)) << message;
  return message.substr(line.size());
}

TEST(ValueText, ErrorsHaveAPlaceAndSayWhatWasExpected) {
  EXPECT_EQ(refusal<std::int8_t>("128"), "11: value must be a number from -128 to 127, got '128'");
  EXPECT_EQ(refusal<std::uint64_t>("18446744073709551616"),
            "11: value must be a number from 0 to 18446744073709551615, got '18446744073709551616'");
  EXPECT_EQ(refusal<Side>("hold"), "11: value must be one of buy, sell, both, got 'hold'");
  EXPECT_EQ(refusal<double>("1.5x"), "11: value must be a number, got '1.5x'");
  EXPECT_EQ(refusal<double>(".5"), "11: value: expected '0.5', got '.5'");
  EXPECT_EQ(refusal<double>("1e20"), "11: value: expected '1e+20', got '1e20'");
  EXPECT_EQ(refusal<double>("-012.50"), "");
  EXPECT_EQ(refusal<Share>("3"), "11: value must be a number from -1.5 to 2, got '3'");
  EXPECT_EQ(refusal<std::string>("abc"), "11: value: expected a text in quotes");
  EXPECT_EQ(refusal<std::string>("\"abc"), "15: value: the closing quote is missing");
  EXPECT_EQ(refusal<std::string>("\"\\q\""), "13: value: expected \\n, \\t, \\\\, \\\" or \\xHH");
  EXPECT_EQ(refusal<std::string>("\"\\xff\""), "11: value must be of printable ASCII");
  EXPECT_EQ(refusal<Word>("\"\""), "11: value must have 1 to 9 characters, got 0");
  EXPECT_EQ(refusal<std::vector<int>>("1,2"), "11: value must be a list, [a,b,…], got '1,2'");
  EXPECT_EQ(refusal<std::vector<int>>("[1,x]"), "14: value must be a number from -2147483648 to 2147483647, got 'x'");
  EXPECT_EQ(refusal<std::vector<int>>("[1,,2]"), "14: value: an item is empty");
  EXPECT_EQ(refusal<std::vector<int>>("[1,]"), "14: value: an item is empty");
  EXPECT_EQ(refusal<std::vector<int>>("[,1]"), "12: value: an item is empty");
  EXPECT_EQ(refusal<Picture>(R"({grid="..#//.x."})"), "17: grid needs 2 rows, got 3");
  EXPECT_EQ(refusal<Picture>(R"({grid="..#/"})"), "22: row 1 of grid is empty");
  EXPECT_EQ(refusal<Point>("{row=1}"), "18: expected column=…");
  EXPECT_EQ(refusal<Point>("{row=1 column=2 x=3}"), "27: there is no field 'x' here");
  EXPECT_EQ((refusal<std::variant<std::uint64_t, Market>>("shop")), "11: value must begin with one of 0, market");
}

TEST(ValueText, ACommentMayFollowAndAHashInQuotesIsNone) {
  const auto parsed = parsed_action(std::string{Types::name_of<std::string>} + " value=\"a # b\"  # the comment");
  ASSERT_TRUE(parsed) << parsed.error().message("x");
  EXPECT_EQ(std::get<S::Use<std::string>>(parsed->actions[0]).value, "a # b");
}

}  // namespace
}  // namespace lockstep
