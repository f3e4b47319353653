#include "lockstep/explore/explore.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "lockstep/explore/exploring_of.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Plot = Garden::Setup;  // testing::Test has a Setup too
using Bytes = std::vector<std::uint8_t>;

template <class S>
std::unique_ptr<Explorer> walk_of(const std::vector<Runner>& all, const ExploreOptions& options,
                                  const typename S::Setup& start) {
  return walk_from(vocabulary<S>(), all, options, {any_of<S>({.setup = start, .actions = {}})});
}

std::unique_ptr<Explorer> finished(std::unique_ptr<Explorer> explorer) {
  while (explorer->end() == ExploreEnd::running) explorer->advance(20ms);
  return explorer;
}

std::vector<std::uint64_t> positions_of(const Explorer& explorer) {
  std::vector<std::uint64_t> out;
  for (const auto& level : explorer.state().levels) out.push_back(level.positions);
  return out;
}

std::uint64_t all_positions(const Explorer& explorer) {
  const auto positions = positions_of(explorer);
  return std::accumulate(positions.begin(), positions.end(), std::uint64_t{0});
}

// Walks ----------------------------------------------------------------------------------------

/// A stack that throws when nothing is left to pop.
struct Stack {
  static constexpr std::string_view name = "stack";
  struct Setup {
    int size = 0;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  using Push = ActionOf<"push", int>;
  using Pop = ActionOf<"pop", int>;
  using Action = std::variant<Pop, Push>;
  struct Observation {
    int size = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Setup& s) { io.number("size", s.size, 0, 9); }
  static void describe(auto& io, const Setup& s, Push& a) { io.number("count", a.value, 1, std::min(1, 9 - s.size)); }
  static void describe(auto& io, const Setup&, Pop& a) { io.number("count", a.value, 1, 1); }
  static void describe(auto& io, Observation& o) { io.value("size", o.size); }
};
struct ThrowingStack {
  explicit ThrowingStack(const Stack::Setup& setup) : state{setup} {}
  Stack::Observation step(const Stack::Action& action) {
    const bool pops = std::holds_alternative<Stack::Pop>(action);
    if (pops && state.size == 0) throw std::out_of_range{"empty"};
    state.size += pops ? -1 : 1;
    return {state.size};
  }
  Stack::Snapshot snapshot() const { return state; }
  Stack::Setup state;
};

TEST(Walk, EndsWhereAllImplementationsThrow) {
  const Runner one{"one", Kind::reference, "", typed_code<Stack>(&run_trace<ThrowingStack, Stack>)};
  const Runner other{"other", Kind::optimized, "", typed_code<Stack>(&run_trace<ThrowingStack, Stack>)};
  const auto walk = finished(walk_of<Stack>({one, other}, {.depth = 20}, {0}));
  EXPECT_FALSE(walk->counterexample());
  EXPECT_EQ(all_positions(*walk), 10u);
}

const std::vector<bool> no_rain = {true, false, true};

template <Slip slip>
std::unique_ptr<Explorer> walk(const Plot& start, ExploreOptions options) {
  options.kinds = no_rain;
  const std::vector<Runner> all = {gardener<Slip::none>("book", Kind::reference), gardener<slip>("other")};
  return walk_of<Garden>(all, options, start);
}

/// The same search in textbook form: breadth-first, with whole levels of texts.
std::vector<std::uint64_t> textbook(const Plot& start, std::size_t depth, bool mirrored) {
  const auto mirror = symmetries<Garden>().front();
  const auto key = [&](const Plot& s) {
    const std::string own = snapshot_text<Garden>(s);
    return mirrored ? std::min(own, snapshot_text<Garden>(mirror.setup(s))) : own;
  };
  std::set<std::string> known = {key(start)};
  std::vector<Plot> level = {start};
  std::vector<std::uint64_t> counts = {1};
  while (counts.size() <= depth && !level.empty()) {
    std::vector<Plot> next;
    for (const Plot& s : level) {
      std::vector<Garden::Action> actions = {Garden::Wait{}};
      for (int row = 0; row < s.rows; ++row) {
        for (int column = 0; column < s.columns; ++column) {
          for (const int flower : {1, 2}) actions.emplace_back(Garden::Plant{row, column, flower});
        }
      }
      for (const auto& action : actions) {
        Gardener<Slip::none> gardener{s};
        gardener.step(action);
        if (known.insert(key(gardener.snapshot())).second) next.push_back(gardener.snapshot());
      }
    }
    level = std::move(next);
    if (!level.empty()) counts.push_back(level.size());
  }
  return counts;
}

TEST(Walk, CountsAsManyPositionsAsASimpleSearch) {
  for (const bool fold : {false, true}) {
    for (const unsigned jobs : {1u, 3u}) {
      const Plot start = plot(2, 3, 3);
      const auto explorer = finished(walk<Slip::none>(start, {.depth = 50, .jobs = jobs, .fold = fold}));
      EXPECT_EQ(explorer->end(), ExploreEnd::exhausted);
      EXPECT_EQ(positions_of(*explorer), textbook(start, 50, fold)) << "fold " << fold << ", jobs " << jobs;
      EXPECT_FALSE(explorer->counterexample());
      EXPECT_EQ(explorer->state().levels[0].steps, 2u * 3u * 2u + 1u);
      EXPECT_EQ(explorer->state().levels[0].illegal, 3u) << "tulips in the top row";
    }
  }
}

TEST(Walk, EndsAtItsMaximumDepth) {
  const Plot start = plot(2, 3, 9);
  const auto explorer = finished(walk<Slip::none>(start, {.depth = 3}));
  EXPECT_EQ(explorer->end(), ExploreEnd::covered);
  EXPECT_EQ(positions_of(*explorer), textbook(start, 3, false));
  EXPECT_EQ(explorer->state().levels.back().steps, 0u);
}

TEST(Walk, FindsTheSmallestDivergenceOfTheFirstFailingDepthWithAnyNumberOfJobs) {
  std::set<std::string> found;
  for (const unsigned jobs : {1u, 2u, 5u}) {
    const auto explorer = finished(walk<Slip::counts_short>(plot(2, 2, 9), {.depth = 9, .jobs = jobs}));
    ASSERT_EQ(explorer->end(), ExploreEnd::diverged);
    EXPECT_EQ(explorer->state().levels.size(), 3u) << "the third rose is planted by the third action";
    ASSERT_TRUE(explorer->counterexample());
    EXPECT_EQ(explorer->counterexample()->size->actions, 1u);
    EXPECT_EQ(explorer->counterexample()->size->occupied, 2u);
    found.insert(explorer->counterexample()->text);
  }
  EXPECT_EQ(found.size(), 1u);
}

TEST(Walk, FindsEveryKindOfMistake) {
  const Plot start = plot(2, 2, 2);
  Plot fenced = start;
  fenced.fence = true;
  EXPECT_TRUE(finished(walk<Slip::loses_a_bed>(start, {.depth = 9}))->counterexample());
  EXPECT_TRUE(finished(walk<Slip::remembers>(start, {.depth = 9}))->counterexample());
  EXPECT_TRUE(finished(walk<Slip::left_handed>(start, {.depth = 9}))->counterexample());
  EXPECT_TRUE(finished(walk<Slip::misreads_setup>(fenced, {.depth = 9}))->counterexample());
  EXPECT_TRUE(finished(walk<Slip::whispers>(start, {.depth = 9}))->counterexample());
  EXPECT_FALSE(finished(walk<Slip::borrows>(start, {.depth = 2}))->counterexample()) << "there is water until then";
  EXPECT_TRUE(finished(walk<Slip::borrows>(start, {.depth = 3}))->counterexample());
  const auto broken = finished(walk<Slip::dreams>(start, {.depth = 3}));
  EXPECT_TRUE(broken->end() == ExploreEnd::cannot_judge || broken->counterexample()) << "not deterministic";
}

/// All implementations break the law in the same way: none differs, and it is found all the same.
TEST(Walk, ChecksInvariants) {
  ExploreOptions options{.depth = 9};
  options.kinds = no_rain;
  const std::vector<Runner> all = {gardener<Slip::borrows>("one", Kind::reference), gardener<Slip::borrows>("two")};
  EXPECT_EQ(finished(walk_of<Garden>(all, options, plot(1, 2, 1)))->end(), ExploreEnd::diverged);
}

TEST(Walk, StopsAtItsMemoryBoundAndReportsItsProgress) {
  const Plot start = plot(3, 3, 4);
  const auto all = finished(walk<Slip::none>(start, {.depth = 50}));
  const auto bounded = finished(walk<Slip::none>(start, {.depth = 50, .memory = 100'000}));
  EXPECT_EQ(bounded->end(), ExploreEnd::out_of_memory);
  EXPECT_LE(bounded->memory(), 100'000u);
  ASSERT_LT(bounded->state().levels.size(), all->state().levels.size());
  ASSERT_GE(bounded->state().levels.size(), 2u);
  for (std::size_t i = 0; i + 1 < bounded->state().levels.size(); ++i)
    EXPECT_EQ(bounded->state().levels[i], all->state().levels[i]);
  const auto shard = walk<Slip::none>(start, {.depth = 3, .memory = 1'000, .shard = {0, 2}});
  while (!shard->awaits_others() && shard->end() == ExploreEnd::running) shard->advance(0ms);
  EXPECT_EQ(shard->end(), ExploreEnd::out_of_memory);
}

TEST(Walk, ResumesWithTheDivergenceFoundBefore) {
  const Plot start = plot(2, 2, 9);
  const auto failed = finished(walk<Slip::counts_short>(start, {.depth = 9}))->counterexample();
  auto other = walk<Slip::counts_short>(start, {.depth = 9});
  other->restore(other->state(), Bytes{other->positions().begin(), other->positions().end()}, {}, failed->text);
  EXPECT_EQ(other->counterexample()->text, failed->text);
}

/// A parent process needs this when the child has died.
TEST(Walk, NamesTheScenarioThatEachJobIsJudging) {
  const auto beacons = std::make_unique<Beacon[]>(1);
  const Plot start = plot(2, 2, 2);
  const auto explorer = finished(walk<Slip::none>(start, {.depth = 1, .beacons = beacons.get()}));
  const auto scenario = parse_scenario<Garden>(explorer->scenario_under(beacons[0]));
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->setup, start);
  EXPECT_EQ(scenario->actions, (std::vector<Garden::Action>{Garden::Wait{}, Garden::Wait{}}))
      << "the last one, and the question";
  EXPECT_EQ(beacons[0].beats.load(), 2u * 2u * 2u + 1u);
  EXPECT_FALSE(beacons[0].busy.load());
}

// Sweeps ---------------------------------------------------------------------------------------

Sweep<Garden> all_waters(std::vector<int> columns) {
  Sweep<Garden> parts;
  for (const int wide : columns) {
    parts.push_back({.name = std::to_string(wide),
                     .numbers = 100,
                     .each = 2,
                     .scenarios = [wide](std::uint64_t number, Scenario<Garden>& scenario, const Judged& judged) {
                       if (number % 10 == 3) return;  // left out
                       scenario.setup = plot(1, wide, static_cast<int>(number));
                       scenario.actions.assign(2, Garden::Plant{});
                       judged();
                     }});
  }
  return parts;
}

std::unique_ptr<Explorer> swept(const std::vector<Runner>& all, const ExploreOptions& options, Sweep<Garden> sweep) {
  return finished(sweep_over(vocabulary<Garden>(), all, options, any_sweep<Garden>(std::move(sweep))));
}

/// What a sweep over all waters counts. Illegal are the second flower, and the first without water.
const std::vector<LevelCount> every_water = {{"1", 2 * 90, 2 * 90, 90 + 1}, {"2", 2 * 90, 2 * 90, 90 + 1}};

TEST(Sweep, JudgesEveryNumberOnceAndSkipsThoseWithoutAPosition) {
  const std::vector<Runner> all = {gardener<Slip::none>("a"), gardener<Slip::none>("b")};
  const auto explorer = swept(all, {.jobs = 3}, all_waters({1, 2}));
  EXPECT_EQ(explorer->end(), ExploreEnd::covered);
  EXPECT_EQ(explorer->state().levels, every_water);
}

TEST(Sweep, ItsShardsTogetherJudgeEveryNumberOnce) {
  const std::vector<Runner> all = {gardener<Slip::none>("a"), gardener<Slip::none>("b")};
  for (const unsigned count : {1u, 3u, 8u, 150u}) {  // 150: more than there are numbers
    std::vector<LevelCount> sums = {{.name = "1"}, {.name = "2"}};
    for (unsigned index = 0; index < count; ++index) {
      const auto shard = swept(all, {.jobs = 2, .shard = {index, count}}, all_waters({1, 2}));
      EXPECT_EQ(shard->end(), ExploreEnd::covered);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += shard->state().levels.at(i);
    }
    EXPECT_EQ(sums, every_water) << count;
  }
}

TEST(Sweep, EndsAfterTheFirstPartThatDiverges) {
  const std::vector<Runner> all = {gardener<Slip::none>("a"), gardener<Slip::remembers>("b")};
  const auto explorer = swept(all, {.jobs = 2}, all_waters({1, 2, 3}));
  EXPECT_EQ(explorer->end(), ExploreEnd::diverged);
  EXPECT_EQ(explorer->state().levels.size(), 1u);
  ASSERT_TRUE(explorer->counterexample());
  EXPECT_NE(explorer->counterexample()->text.find("water 2\n"), std::string::npos) << explorer->counterexample()->text;
}

TEST(ShareOut, AnExceptionOfAThreadIsRethrown) {
  EXPECT_THROW(share_out(3, 0, 100, 50ms,
                         [](unsigned, std::uint64_t i) {
                           if (i == 77) throw std::runtime_error{"77"};
                         }),
               std::runtime_error);
}

}  // namespace
}  // namespace lockstep
