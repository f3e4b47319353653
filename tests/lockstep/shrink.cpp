#include "lockstep/shrink/shrink.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "lockstep/draw/draw.hpp"
#include "props/laws.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {

/// Without it, GoogleTest prints the parameter's bytes, padding too, which valgrind reports.
static void PrintTo(const Runner& implementation, std::ostream* out) { *out << implementation.name; }

namespace {

/// A judge of the reference and one wrong gardener, which counts its judgements.
class Bench {
 public:
  explicit Bench(Runner wrong) : judge_{{head_gardener, wrong}} {}

  Verdict judge(const Scenario<Garden>& scenario) {
    ++asked_;
    different_.insert(scenario_text<Garden>(scenario));
    return judge_.judge(scenario);
  }
  bool fails(const Scenario<Garden>& scenario, const std::string& signature) {
    const Verdict verdict = judge(scenario);
    return verdict.diverged() && verdict.divergence->signature() == signature;
  }
  Shrunk shrink(const Scenario<Garden>& scenario, ShrinkBudget budget = {.time = std::chrono::hours{1}}) {
    asked_ = 0;
    different_.clear();
    return Shrinker{[this](const AnyScenario& s) { return judge(typed<Garden>(s)); }, head_gardener, budget}.shrink(
        any_of<Garden>(scenario));
  }
  std::uint64_t asked() const { return asked_; }
  std::uint64_t different() const { return different_.size(); }

  /// The next failing scenario of the stream.
  Scenario<Garden> failing(std::uint64_t& index) {
    for (;; ++index) {
      Scenario<Garden> scenario = laws::scenario_at<Garden>(3, index);
      if (size_of<Garden>(scenario).area > 400 || !judge(scenario).diverged()) continue;
      ++index;
      return scenario;
    }
  }

 private:
  JudgeOf<Garden> judge_;
  std::uint64_t asked_ = 0;
  std::set<std::string> different_;
};

const std::vector<Runner> wrong_gardeners = {
    gardener<Slip::counts_short>("short"),  gardener<Slip::forgets_rain>("dry"),
    gardener<Slip::tires>("tired"),         gardener<Slip::misreads_setup>("open"),
    gardener<Slip::whispers>("loud"),       gardener<Slip::left_handed>("left"),
    gardener<Slip::remembers>("resentful"), gardener<Slip::loses_a_bed>("loser"),
    gardener<Slip::two_faced>("two_faced"),
};

class Shrinking : public testing::TestWithParam<Runner> {
 protected:
  static constexpr int failures = 25;

  /// Calls check(bench, failing scenario) for some failures of the gardener.
  template <class Check>
  void each_failure(Check&& check) {
    Bench bench{GetParam()};
    std::uint64_t index = 0;
    for (int i = 0; i < failures; ++i) check(bench, bench.failing(index));
  }
};

TEST_P(Shrinking, KeepsTheSignature) {
  each_failure([](Bench& bench, const Scenario<Garden>& failing) {
    const std::string signature = bench.judge(failing).divergence->signature();
    const Shrunk shrunk = bench.shrink(failing);
    EXPECT_EQ(shrunk.divergence.signature(), signature);
    const Verdict again = bench.judge(typed<Garden>(shrunk.scenario));
    ASSERT_TRUE(again.diverged());
    EXPECT_EQ(again.divergence->signature(), signature);
    EXPECT_EQ(again.divergence->step, shrunk.divergence.step);
    EXPECT_EQ(laws::fault_of(shrunk.scenario), "");
  });
}

TEST_P(Shrinking, NeverYieldsTheOriginalWhenSomethingSmallerFails) {
  each_failure([](Bench& bench, const Scenario<Garden>& failing) {
    const std::string signature = bench.judge(failing).divergence->signature();
    const bool something_smaller = any_reduction<Garden>(
        failing, [&](const Scenario<Garden>& smaller) { return bench.fails(smaller, signature); });
    const Shrunk shrunk = bench.shrink(failing);
    if (something_smaller) EXPECT_LT(size_of(shrunk.scenario), size_of<Garden>(failing));
    else EXPECT_LE(size_of(shrunk.scenario), size_of<Garden>(failing));
  });
}

TEST_P(Shrinking, EndsWhenNoSingleStepStillFails) {
  each_failure([](Bench& bench, const Scenario<Garden>& failing) {
    const Shrunk shrunk = bench.shrink(failing);
    EXPECT_TRUE(shrunk.minimal);
    any_reduction<Garden>(typed<Garden>(shrunk.scenario), [&](const Scenario<Garden>& smaller) {
      const bool fails = bench.fails(smaller, shrunk.divergence.signature());
      EXPECT_FALSE(fails) << scenario_text<Garden>(smaller) << "is smaller than\n" << scenario_text(shrunk.scenario);
      return fails;
    });
  });
}

TEST_P(Shrinking, KeepsAMinimalScenario) {
  each_failure([](Bench& bench, const Scenario<Garden>& failing) {
    const Shrunk once = bench.shrink(failing);
    EXPECT_EQ(bench.shrink(typed<Garden>(once.scenario)).scenario, once.scenario);
  });
}

TEST_P(Shrinking, JudgesNoScenarioTwice) {
  each_failure([](Bench& bench, const Scenario<Garden>& failing) {
    bench.shrink(failing);
    EXPECT_EQ(bench.asked(), bench.different());
  });
}

TEST_P(Shrinking, StopsAtItsBudgetOfJudgements) {
  std::uint64_t index = 0;
  Bench bench{GetParam()};
  const Scenario<Garden> failing = bench.failing(index);
  ShrinkBudget given{.time = std::chrono::hours{1}, .without = wider_search};
  const std::uint64_t needed = bench.shrink(failing, given).judgements;
  EXPECT_EQ(bench.asked(), needed);
  for (std::uint64_t budget = 1; budget < needed; budget += 1 + needed / 50) {
    given.judgements_max = budget;
    const Shrunk shrunk = bench.shrink(failing, given);
    EXPECT_LE(bench.asked(), budget);
    EXPECT_EQ(shrunk.judgements, bench.asked());
    EXPECT_FALSE(shrunk.minimal) << "after " << budget << " of " << needed << " judgements";
    EXPECT_LE(size_of(shrunk.scenario), size_of<Garden>(failing));
    EXPECT_TRUE(bench.judge(typed<Garden>(shrunk.scenario)).diverged());
  }
}

TEST_P(Shrinking, WithoutTimeReturnsTheOriginalNotMarkedMinimal) {
  std::uint64_t index = 0;
  Bench bench{GetParam()};
  const Scenario<Garden> failing = bench.failing(index);
  const Shrunk shrunk = bench.shrink(failing, {.time = std::chrono::milliseconds{0}});
  EXPECT_EQ(typed<Garden>(shrunk.scenario), failing);
  EXPECT_FALSE(shrunk.minimal);
  EXPECT_EQ(bench.asked(), 1u);
}

TEST_P(Shrinking, ReportsHiddenStateOnlyForAnImplementationThatHasSome) {
  bool hidden = false;
  each_failure(
      [&](Bench& bench, const Scenario<Garden>& failing) { hidden = hidden || bench.shrink(failing).hidden_state; });
  EXPECT_EQ(hidden, GetParam().name == "tired");
}

INSTANTIATE_TEST_SUITE_P(Each, Shrinking, testing::ValuesIn(wrong_gardeners),
                         [](const auto& each) { return std::string{each.param.name}; });

TEST(Shrinker, RestatesAFailureAsAPositionAndOneAction) {
  Bench bench{gardener<Slip::counts_short>("short")};
  Scenario<Garden> failing{.setup = plot(1, 9, 900), .actions = {}};
  failing.setup.season = 2;
  failing.setup.moles = {{0, 2, true}, {0, 7, false}};
  failing.actions = {Garden::Rain{3},        Garden::Plant{0, 8, 1}, Garden::Plant{0, 3, 2}, Garden::Plant{0, 5, 1},
                     Garden::Plant{0, 8, 2}, Garden::Plant{0, 2, 1}, Garden::Rain{9}};
  EXPECT_EQ(scenario_text(bench.shrink(failing).scenario),
            "lockstep 1 garden\n"
            "rows 1\n"
            "columns 3\n"
            "water 1\n"
            "season spring\n"
            "fence no\n"
            "beds\n"
            ".rr\n"
            "actions\n"
            "plant row=0 column=0 flower=rose\n");
}

TEST(Shrinker, KeepsTheActionsThatBuildUpHiddenState) {
  Bench bench{gardener<Slip::tires>("tired")};
  Scenario<Garden> failing{.setup = plot(3, 3, 100), .actions = {}};
  for (int i = 0; i < 9; ++i) {
    failing.actions.emplace_back(Garden::Plant{i / 3, i % 3, 1});
    failing.actions.emplace_back(Garden::Rain{1});
  }
  const Shrunk shrunk = bench.shrink(failing);
  EXPECT_TRUE(shrunk.hidden_state);
  ASSERT_TRUE(shrunk.restated);
  EXPECT_EQ(shrunk.restated->size(), 1u);
  EXPECT_TRUE(bench.judge(typed<Garden>(*shrunk.restated)).agreed());
  EXPECT_TRUE(shrunk.minimal);
  EXPECT_EQ(shrunk.scenario.size(), 4u);
  EXPECT_EQ(typed<Garden>(shrunk.scenario).setup.water, 4);
}

TEST(Shrinker, TwoFaultsOfOneImplementationAreTwoFindings) {
  Bench bench{gardener<Slip::two_faced>("two_faced")};
  std::map<std::string, Scenario<Garden>> findings;  // by signature before shrinking
  std::uint64_t index = 0;
  for (int i = 0; i < 1000; ++i) {
    const Scenario<Garden> failing = bench.failing(index);
    findings.try_emplace(bench.judge(failing).divergence->signature(), failing);
  }
  std::set<std::string> fields;
  for (const auto& [signature, failing] : findings) {
    const Shrunk shrunk = bench.shrink(failing);
    EXPECT_EQ(shrunk.divergence.signature(), signature);
    fields.insert(without_indices(shrunk.divergence.field));
  }
  EXPECT_EQ(fields, (std::set<std::string>{"count", "water"}));
}

/// Every scenario on up to four beds: any beds, little water, every season, one action; and four plants on bare beds.
template <class See>
void each_small_scenario(See&& see) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 2}, {1, 4}, {4, 1}}) {
    Garden::Setup planted = plot(rows, columns, 4);
    std::vector<Garden::Action> plants;
    for (int cell = 0; cell < rows * columns; ++cell) {
      for (const int flower : {1, 2}) plants.emplace_back(Garden::Plant{cell / columns, cell % columns, flower});
    }
    std::vector<Garden::Action> all = plants;
    for (const int amount : {0, 1, 7}) all.emplace_back(Garden::Rain{amount});
    all.emplace_back(Garden::Wait{});
    const int fillings = static_cast<int>(std::pow(3, rows * columns));
    for (int filling = 0; filling < fillings; ++filling) {
      for (int rest = filling, cell = 0; cell < rows * columns; ++cell, rest /= 3) {
        planted.beds.cells[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(rest % 3);
      }
      if (Garden::Laws::flaw(planted)) continue;
      for (int other = 0; other < 3 * 4 * 2; ++other) {
        Garden::Setup setup = planted;
        setup.water = other % 3;
        setup.season = 1 + other / 3 % 4;
        setup.fence = other / 12 == 1;
        see(Scenario<Garden>{.setup = setup, .actions = {}});
        for (const auto& action : all) see(Scenario<Garden>{.setup = setup, .actions = {action}});
      }
    }
    const std::size_t kinds = plants.size();
    for (std::size_t code = 0; code < kinds * kinds * kinds * kinds; ++code) {
      see(Scenario<Garden>{.setup = plot(rows, columns, 4),
                           .actions = {plants[code % kinds], plants[code / kinds % kinds],
                                       plants[code / kinds / kinds % kinds], plants[code / kinds / kinds / kinds]}});
    }
  }
}

/// Except with hidden state: whether a tired gardener's plant is refused depends on all plants before it, and four
/// plants on four beds cannot be reached from six on three, since no reduction enlarges a board.
TEST_P(Shrinking, EndsWithinOneActionOrCellOfTheSmallestThereIs) {
  if (GetParam().name == "tired") GTEST_SKIP() << "hidden state: a smaller one may need a larger board";
  Bench searching{GetParam()};
  std::map<std::string, Size> smallest;  // by signature
  each_small_scenario([&](const Scenario<Garden>& scenario) {
    const Verdict verdict = searching.judge(scenario);
    if (!verdict.diverged()) return;
    const Size size = size_of<Garden>(scenario);
    const auto [known, fresh] = smallest.try_emplace(verdict.divergence->signature(), size);
    if (!fresh) known->second = std::min(known->second, size);
  });
  each_failure([&](Bench& bench, const Scenario<Garden>& failing) {
    const Shrunk shrunk = bench.shrink(failing);
    const auto found = smallest.find(shrunk.divergence.signature());
    ASSERT_NE(found, smallest.end()) << shrunk.divergence.signature();
    const Size size = size_of(shrunk.scenario);
    EXPECT_LE(size.actions + size.occupied, found->second.actions + found->second.occupied + 1)
        << scenario_text(shrunk.scenario);
    EXPECT_GE(size, found->second) << "the search missed\n" << scenario_text(shrunk.scenario);
  });
}

/// Two actions that concern the same key, of a wide range.
struct Store : NeverRun {
  static constexpr std::string_view name = "store";
  using Put = ActionOf<"put", std::uint64_t>;
  using Get = ActionOf<"get", std::uint64_t>;
  using Action = std::variant<Put, Get>;
  using NeverRun::describe;
  template <ActionName word>
  static void describe(auto& io, const Setup&, ActionOf<word, std::uint64_t>& a) {
    io.field("key", a.value);
  }
};

TEST(Shrinker, LowersNumbersThatMustStayEqualTogether) {
  // Fails when a key of 3 or more is put, then got.
  const auto fails = [](const Scenario<Store>& scenario) {
    std::set<std::uint64_t> keys;
    for (const auto& action : scenario.actions) {
      if (const auto* put = std::get_if<Store::Put>(&action)) keys.insert(put->value);
      const auto* get = std::get_if<Store::Get>(&action);
      if (get != nullptr && get->value >= 3 && keys.contains(get->value)) return true;
    }
    return false;
  };
  for (const std::uint64_t key : {4ull, 1ull << 40, ~0ull}) {
    const auto shrunk =
        shrunk_where<Store>({.setup = {}, .actions = {Store::Put{9}, Store::Put{key}, Store::Get{key}}}, fails);
    EXPECT_EQ(actions_text<Store>(shrunk.scenario), "put key=3\nget key=3\n");
    EXPECT_LT(shrunk.judgements, 1000u);
  }
  // A larger number that must stay keeps all from a value on from being lowered at once.
  const auto beside_large = [&](const Scenario<Store>& scenario) {
    return fails(scenario) && std::visit([](const auto& a) { return a.value; }, scenario.actions[0]) >= 1ull << 50;
  };
  const Scenario<Store> failing{.setup = {},
                                .actions = {Store::Put{1ull << 50}, Store::Put{1 << 20}, Store::Get{1 << 20}}};
  EXPECT_LT(shrunk_where<Store>(failing, beside_large).judgements, 1000u);
}

TEST(Shrinker, ExchangesNumbersThatMustDiffer) {
  // Fails when the first key comes back after another one.
  const auto fails = [](const Scenario<Store>& scenario) {
    std::vector<std::uint64_t> keys;
    for (const auto& action : scenario.actions)
      keys.push_back(std::visit([](const auto& a) { return a.value; }, action));
    return keys.size() == 3 && keys[0] == keys[2] && keys[0] != keys[1];
  };
  for (const std::uint64_t key : {1ull, 5ull, ~0ull}) {
    const auto shrunk =
        shrunk_where<Store>({.setup = {}, .actions = {Store::Put{key}, Store::Put{key / 2}, Store::Put{key}}}, fails);
    EXPECT_EQ(actions_text<Store>(shrunk.scenario), "put key=0\nput key=1\nput key=0\n");
  }
}

/// The setup decides which values there are.
struct Pages : NeverRun {
  static constexpr std::string_view name = "pages";
  struct Setup {
    int page = 0;
    bool operator==(const Setup&) const = default;
  };
  using Read = ActionOf<"read", int>;
  using Action = std::variant<Read>;
  using NeverRun::describe;
  static void describe(auto& io, Setup& s) { io.integer("page", s.page, 0, 9); }
  static void describe(auto& io, const Setup& s, Read& a) {
    io.integer("value", a.value, 100 * s.page, 100 * s.page + 99);
  }
};

TEST(Shrinker, MovesNumbersAlongWithTheirBounds) {
  // Fails when a value from 3 to 50 of its page is read twice. A value that is only brought inside the bounds is the last
  // one of a lower page.
  const auto fails = [](const Scenario<Pages>& scenario) {
    const auto value = [&](std::size_t i) { return std::get<Pages::Read>(scenario.actions[i]).value; };
    return scenario.actions.size() == 2 && value(0) == value(1) && value(0) % 100 >= 3 && value(0) % 100 <= 50;
  };
  const auto shrunk = shrunk_where<Pages>({.setup = {7}, .actions = {Pages::Read{742}, Pages::Read{742}}}, fails);
  EXPECT_EQ(scenario_text<Pages>(shrunk.scenario), "lockstep 1 pages\npage 0\nactions\nread value=3\nread value=3\n");
}

/// Ranges whose first number is the lower bound of the second.
struct Ranges : NeverRun {
  static constexpr std::string_view name = "ranges";
  struct Setup {
    int first = 0, end = 0;
    bool operator==(const Setup&) const = default;
  };
  struct Add {
    static constexpr std::string_view name = "add";
    std::uint64_t first = 0, end = 1, step = 1;
    bool operator==(const Add&) const = default;
  };
  using Action = std::variant<Add>;
  static constexpr std::uint64_t most = std::uint64_t{1} << 32;
  using NeverRun::describe;
  static void describe(auto& io, Setup& s) {
    io.integer("first", s.first, 0, 1'000'000);
    io.integer("end", s.end, s.first, 1'000'000);
  }
  static void describe(auto& io, const Setup&, Add& a) {
    io.integer("first", a.first, 0, most - 1);
    io.integer("end", a.end, a.first + 1, most);
    io.integer("step", a.step, 1, 1000);
  }
};

/// The text of the action to which one is shrunk, of those that have the property.
template <System S>
std::string shrunk_range(const typename S::Add& failing, const std::function<bool(const typename S::Add&)>& fails) {
  const auto shrunk = shrunk_where<S>({.setup = {}, .actions = {failing}}, [&](const Scenario<S>& scenario) {
    return scenario.actions.size() == 1 && fails(std::get<typename S::Add>(scenario.actions[0]));
  });
  EXPECT_LE(shrunk.judgements, 2000u);
  return actions_text<S>(shrunk.scenario);
}

TEST(Shrinker, AShorterRangeIsSmaller) {
  using Add = Ranges::Add;
  // A number at the end of a block of 65,536, whatever is in front of it.
  const auto ends_a_block = [](const Add& a) { return a.end % 65'536 == 0; };
  for (const Add& add :
       {Add{0, 65'536, 7}, {100, 65'536, 7}, {3, 196'608, 7}, {258'050, 262'144, 7}, {5, 4'294'967'296, 7}}) {
    EXPECT_EQ(shrunk_range<Ranges>(add, ends_a_block), "add first=65535 end=65536 step=1\n");
  }
  // A length from which on something happens, and then one that ends a block, too.
  const auto is_long = [](const Add& a) { return a.end - a.first >= 4'096; };
  EXPECT_EQ(shrunk_range<Ranges>({258'050, 262'146, 1}, is_long), "add first=0 end=4096 step=1\n");
  EXPECT_EQ(shrunk_range<Ranges>({200'000, 262'144, 1}, [&](const Add& a) { return is_long(a) && ends_a_block(a); }),
            "add first=61440 end=65536 step=1\n");
  // Inside of a place, it is the place's first number that counts.
  EXPECT_EQ(shrunk_range<Ranges>({4'000'000'000, 4'294'967'296, 1},
                                 [](const Add& a) { return a.first < 4'100'000'000 && a.end > 4'050'000'000; }),
            "add first=4050000000 end=4050000001 step=1\n");
}

/// Numbers of either sign that bound others from above and from below.
struct SignedRanges : NeverRun {
  static constexpr std::string_view name = "signed_ranges";
  struct Add {
    static constexpr std::string_view name = "add";
    int at = 0, after = 0, before = 0, other = 0;
    bool operator==(const Add&) const = default;
  };
  using Action = std::variant<Add>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Add& a) {
    io.integer("at", a.at, -100'000, 100'000);
    io.integer("after", a.after, a.at, 100'000);
    io.integer("before", a.before, -100'000, a.at);
    io.integer("other", a.other, -5, 5);
  }
};

TEST(Shrinker, AShorterRangeIsSmallerOnEitherSideOfZero) {
  using Add = SignedRanges::Add;
  EXPECT_EQ(shrunk_range<SignedRanges>({100, 65'536, 0, 3},
                                       [](const Add& a) { return a.after > 0 && a.after % 65'536 == 0; }),
            "add at=65536 after=65536 before=0 other=0\n");
  EXPECT_EQ(shrunk_range<SignedRanges>({-100, 0, -65'536, 3},
                                       [](const Add& a) { return a.before < 0 && a.before % 65'536 == 0; }),
            "add at=-65536 after=0 before=-65536 other=0\n");
}

TEST(Shrinker, ARangeOfTheSetupIsShortenedToo) {
  const auto shrunk = shrunk_where<Ranges>({.setup = {.first = 3, .end = 90'000}, .actions = {}},
                                           [](const Scenario<Ranges>& scenario) { return scenario.setup.end >= 700; });
  EXPECT_EQ(scenario_text<Ranges>(shrunk.scenario), "lockstep 1 ranges\nfirst 700\nend 700\nactions\n");
}

/// Three kinds of actions that put numbers on one of three shelves, and two that look at them.
struct Shelves : NeverRun {
  static constexpr std::string_view name = "shelves";
  template <ActionName word>
  struct PutOne {
    static constexpr std::string_view name{word.letters};
    std::size_t on = 0;
    int number = 0;
    bool operator==(const PutOne&) const = default;
  };
  using Put = PutOne<"put">;
  using PutAgain = PutOne<"put_again">;
  struct PutRange {
    static constexpr std::string_view name = "put_range";
    std::size_t shelf = 0;
    int first = 0, end = 0;
    bool operator==(const PutRange&) const = default;
  };
  /// One shelf becomes like another one.
  struct Copy {
    static constexpr std::string_view name = "copy";
    std::size_t from = 0, to = 1;
    bool operator==(const Copy&) const = default;
  };
  struct Look {
    static constexpr std::string_view name = "look";
    std::size_t shelf = 0;
    int number = 0;
    bool operator==(const Look&) const = default;
  };
  using Action = std::variant<Put, PutAgain, PutRange, Copy, Look>;
  struct Model {
    explicit Model(const Setup&) {}
    bool possible(const auto&) const { return true; }
    bool possible(const Copy& a) const { return a.from != a.to; }
  };
  using NeverRun::describe;
  template <ActionName word>
  static void describe(auto& io, const Model&, PutOne<word>& a) {
    io.integer("on", a.on, 0, 2);
    io.integer("number", a.number, 0, 1000);
  }
  static void describe(auto& io, const Model&, PutRange& a) {
    io.integer("shelf", a.shelf, 0, 2);
    io.integer("first", a.first, 0, 1000);
    io.integer("end", a.end, a.first, 1000);
  }
  static void describe(auto& io, const Model&, Copy& a) {
    io.integer("from", a.from, 0, 2);
    io.integer("to", a.to, 0, 2);
  }
  static void describe(auto& io, const Model&, Look& a) {
    io.integer("shelf", a.shelf, 0, 2);
    io.integer("number", a.number, 0, 1000);
  }

  /// Whether a number lies on a shelf after the actions.
  static bool holds(const Scenario<Shelves>& scenario, std::size_t shelf, int number) {
    std::array<bool, 3> on{};
    for (const Action& action : scenario.actions) {
      if (const auto* put = std::get_if<Put>(&action); put != nullptr && put->number == number) on[put->on] = true;
      if (const auto* put = std::get_if<PutAgain>(&action); put != nullptr && put->number == number) on[put->on] = true;
      if (const auto* put = std::get_if<PutRange>(&action);
          put != nullptr && put->first <= number && number < put->end) {
        on[put->shelf] = true;
      }
      if (const auto* copy = std::get_if<Copy>(&action)) on[copy->to] = on[copy->from];
    }
    return on[shelf];
  }
};

/// What the shrinker makes of these actions, which fail if the last one does so, as the property says.
std::string shrunk_shelves(std::vector<Shelves::Action> actions,
                           const std::function<bool(const Scenario<Shelves>&, const Shelves::Action&)>& fails) {
  const Scenario<Shelves> failing{.setup = {}, .actions = std::move(actions)};
  return actions_text<Shelves>(shrunk_where<Shelves>(failing, [&](const Scenario<Shelves>& scenario) {
                                 return !scenario.actions.empty() && fails(scenario, scenario.actions.back());
                               }).scenario);
}

TEST(Shrinker, AnActionIsReplacedByASimplerKindOfTheFailingScenario) {
  using S = Shelves;
  const auto finds = [](const Scenario<S>& scenario, const S::Action& last) {
    const auto* look = std::get_if<S::Look>(&last);
    return look != nullptr && look->number >= 7 && S::holds(scenario, look->shelf, look->number);
  };
  // The first two put nothing where the last one looks, so they would be removed.
  EXPECT_EQ(shrunk_shelves({S::Put{1, 3}, S::PutAgain{0, 3}, S::PutRange{2, 5, 20}, S::Look{2, 9}}, finds),
            "put on=0 number=7\nlook shelf=0 number=7\n");
  EXPECT_EQ(shrunk_shelves({S::PutAgain{0, 3}, S::PutRange{2, 5, 20}, S::Look{2, 9}}, finds),
            "put_again on=0 number=7\nlook shelf=0 number=7\n");
  // Kinds that do not occur may have been left out for a reason.
  EXPECT_EQ(shrunk_shelves({S::PutRange{2, 5, 20}, S::Look{2, 9}}, finds),
            "put_range shelf=0 first=7 end=8\nlook shelf=0 number=7\n");
}

TEST(Shrinker, OfKindsWithTheSameNumbersTheFirstIsSimpler) {
  const Scenario<Shelves> put{.setup = {}, .actions = {Shelves::Put{1, 3}}};
  const Scenario<Shelves> again{.setup = {}, .actions = {Shelves::PutAgain{1, 3}}};
  EXPECT_TRUE(smaller<Shelves>(put, again, size_of<Shelves>(again)));
  EXPECT_FALSE(smaller<Shelves>(again, put, size_of<Shelves>(put)));
  EXPECT_FALSE(smaller<Shelves>(put, put, size_of<Shelves>(put)));
}

TEST(Shrinker, TwoNumbersThatMustDifferAreExchanged) {
  using S = Shelves;
  const auto copies = [](const Scenario<S>& scenario, const S::Action& last) {
    const auto* copy = std::get_if<S::Copy>(&last);
    return copy != nullptr && S::holds(scenario, copy->to, 0);
  };
  EXPECT_EQ(shrunk_shelves({S::Put{2, 0}, S::Copy{2, 0}}, copies), "put on=1 number=0\ncopy from=1 to=0\n");
  const auto any = [](const Scenario<S>&, const S::Action& last) { return std::holds_alternative<S::Copy>(last); };
  EXPECT_EQ(shrunk_shelves({S::Copy{1, 0}}, any), "copy from=0 to=1\n");
}

TEST(Shrinker, AScenarioThatDoesNotFailIsReturnedUnchanged) {
  Bench bench{gardener<Slip::none>("good")};
  const Scenario<Garden> fine = laws::scenario_at<Garden>(3, 0);
  const Shrunk shrunk = bench.shrink(fine);
  EXPECT_EQ(typed<Garden>(shrunk.scenario), fine);
  EXPECT_FALSE(shrunk.minimal);
  EXPECT_TRUE(shrunk.divergence.blamed.empty());
}

TEST(Shrinker, ABrokenInvariantIsShrunkToo) {
  JudgeOf<Garden> judge{{gardener<Slip::borrows>("one"), gardener<Slip::borrows>("two")}};
  Scenario<Garden> failing{.setup = plot(7, 7), .actions = {Garden::Rain{1}, Garden::Wait{}}};
  for (int column = 0; column < 7; ++column) failing.actions.emplace_back(Garden::Plant{3, column, 2});
  const Shrinker shrinker{[&](const AnyScenario& s) { return judge.any().judge(s); }, head_gardener};
  const Shrunk shrunk = shrinker.shrink(any_of<Garden>(failing));
  EXPECT_TRUE(shrunk.minimal);
  EXPECT_EQ(typed<Garden>(shrunk.scenario), (Scenario<Garden>{.setup = {}, .actions = {Garden::Plant{}}}));
}

}  // namespace
}  // namespace lockstep
