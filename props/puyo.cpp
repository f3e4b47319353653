// Tests of puyo beyond the laws of laws.hpp: its own laws, fields drawn as pictures, and its readers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "games/puyo/canaries.hpp"
#include "games/puyo/groups.hpp"
#include "games/puyo/system.hpp"
#include "optimized/puyo/batch.hpp"
#include "optimized/puyo/lanes.hpp"
#include "props/play.hpp"

namespace lockstep {
namespace {

using G = Puyo;
using laws::answer_from;
using laws::Picture;
using laws::played;

[[maybe_unused]] const bool with_canary_code = laws::also_compare<canaries::WrongPuyo, G>();

// Fields and answers ---------------------------------------------------------------------------

/// The lowest rows of a field, top row first; the rows above them are empty.
Puyo::Setup drawn(Picture lines) {
  lines.insert(lines.begin(), static_cast<std::size_t>(Puyo::rows) - lines.size(), "......");
  return {.board = laws::grid_of(lines, Puyo::cells.symbols)};
}

/// "illegal", "dropped", "still", or the groups that vanished in each chain: "R4 G4, B5".
std::string shown(const Puyo::Observation& o) {
  if (o.says == Puyo::Says::illegal) return "illegal";
  if (o.says == Puyo::Says::dropped) return "dropped";
  std::string out = o.chains == 0 ? "still" : "";
  for (int i = 0; i < o.chains; ++i) {
    if (i > 0) out += ", ";
    std::string chain;
    for (std::size_t colour = 0; colour < Puyo::colours; ++colour) {
      if (o.chain(i)[colour] == 0) continue;
      if (!chain.empty()) chain += ' ';
      chain.append(1, Puyo::cells.symbols[colour + 1]).append(std::to_string(o.chain(i)[colour]));
    }
    out += chain;
  }
  return out;
}

/// The answer of all simulators to the last action.
std::string answer(const Puyo::Setup& setup, const std::vector<Puyo::Action>& actions = {Puyo::Resolve{}}) {
  return shown(played<G>({.setup = setup, .actions = actions}).observations.back());
}

/// Cells with any content, including floating puyos.
Puyo::Setup any_grid() {
  Random random{laws::any_seed()};
  Puyo::Setup s;
  const unsigned density = static_cast<unsigned>(random.below(9));
  for (auto& cell : s.board.cells) {
    if (random.chance(density, 8)) cell = static_cast<std::uint8_t>(random.integer(1, Puyo::colours));
  }
  return s;
}

// Model -------------------------------------------------------------------------------------------

/// Columns are strings that grow upward, so that erasing letters is gravity. Groups are found by label propagation:
/// neighbours of one colour take the smaller label until no label changes. There is no search and no stack.
struct Model {
  std::array<std::string, Puyo::columns> columns;

  explicit Model(const Puyo::Setup& setup = {}) {
    for (int row = Puyo::rows - 1; row >= 0; --row) {
      for (int column = 0; column < Puyo::columns; ++column) {
        const std::uint8_t puyo = setup.board.at(row, column);
        if (puyo != 0) at(column) += Puyo::cells.symbols[puyo];
      }
    }
  }

  Puyo::Snapshot snapshot() const {
    Puyo::Setup s;
    for (int column = 0; column < Puyo::columns; ++column) {
      for (int i = 0; i < height(column); ++i) {
        const auto cell = Puyo::cells.symbols.find(puyo(column, i));
        s.board.at(Puyo::rows - 1 - i, column) = static_cast<std::uint8_t>(cell);
      }
    }
    return s;
  }

  Puyo::Observation step(const Puyo::Action& action) {
    if (const auto* drop = std::get_if<Puyo::Drop>(&action)) {
      if (height(drop->column) == Puyo::rows) return {.says = Puyo::Says::illegal};
      at(drop->column) += Puyo::cells.symbols[static_cast<std::size_t>(drop->colour)];
      return {.says = Puyo::Says::dropped};
    }
    Puyo::Observation o{.says = Puyo::Says::resolved};
    while (erase(o)) ++o.chains;
    return o;
  }

 private:
  using Labels = std::array<std::array<int, Puyo::rows>, Puyo::columns>;

  std::string& at(int column) { return columns[static_cast<std::size_t>(column)]; }
  int height(int column) const { return static_cast<int>(columns[static_cast<std::size_t>(column)].size()); }
  char puyo(int column, int i) const { return columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(i)]; }
  static int& label(Labels& labels, int column, int i) {
    return labels[static_cast<std::size_t>(column)][static_cast<std::size_t>(i)];
  }

  /// Gives both cells the smaller of their labels if both exist and have one colour; true when a label changed.
  bool agree(Labels& labels, int column, int i, int other_column, int other_i) const {
    if (other_column >= Puyo::columns || other_i >= height(other_column)) return false;
    if (puyo(column, i) != puyo(other_column, other_i)) return false;
    int& a = label(labels, column, i);
    int& b = label(labels, other_column, other_i);
    if (a == b) return false;
    a = b = std::min(a, b);
    return true;
  }

  bool erase(Puyo::Observation& o) {
    Labels labels{};
    for (int column = 0; column < Puyo::columns; ++column) {
      for (int i = 0; i < height(column); ++i) label(labels, column, i) = column * Puyo::rows + i;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (int column = 0; column < Puyo::columns; ++column) {
        for (int i = 0; i < height(column); ++i) {
          changed |= agree(labels, column, i, column + 1, i);
          changed |= agree(labels, column, i, column, i + 1);
        }
      }
    }
    std::array<int, Puyo::rows * Puyo::columns> sizes{};
    for (int column = 0; column < Puyo::columns; ++column) {
      for (int i = 0; i < height(column); ++i) ++sizes[static_cast<std::size_t>(label(labels, column, i))];
    }
    bool any = false;
    for (int column = 0; column < Puyo::columns; ++column) {
      std::string left;
      for (int i = 0; i < height(column); ++i) {
        if (sizes[static_cast<std::size_t>(label(labels, column, i))] < Puyo::group_min) {
          left += puyo(column, i);
          continue;
        }
        any = true;
        ++o.chain(o.chains)[Puyo::cells.symbols.find(puyo(column, i)) - 1];
      }
      at(column) = left;
    }
    return any;
  }
};
static_assert(Implementation<Model, Puyo>);

RC_GTEST_PROP(PuyoModel, AgreesOnAnyScenario, ()) {
  played<G>(laws::any_scenario<G>(), Cadence{}, {laws::implementation<Model, G>("model")});
}

/// Two colours and two columns, so that columns fill up and groups form within a few actions.
RC_GTEST_PROP(PuyoModel, IsFollowed, ()) {
  const auto drop = rc::gen::construct<Puyo::Drop>(rc::gen::inRange(1, 3), rc::gen::inRange(4, 6));
  laws::require_model<Model, G>(
      {}, rc::gen::weightedOneOf<Puyo::Action>(
              {{24, rc::gen::cast<Puyo::Action>(drop)}, {1, rc::gen::just(Puyo::Action{Puyo::Resolve{}})}}));
}

// Laws of execution -----------------------------------------------------------------------------

/// Calls `visit` with every settled field of this many columns and rows in this many colours.
void every_field(int columns, int rows, int colours, auto&& visit) {
  // A column is a number in digits 1 … colours, the lowest cell last; a shorter number is a lower column.
  int contents = 0;
  for (int height = 0, power = 1; height <= rows; ++height, power *= colours) contents += power;
  std::vector<int> column_contents(static_cast<std::size_t>(columns));
  for (;;) {
    Puyo::Setup s;
    for (int column = 0; column < columns; ++column) {
      int digits = column_contents[static_cast<std::size_t>(column)];
      for (int row = Puyo::rows - 1; digits > 0; --row) {
        const int digit = (digits - 1) % colours + 1;
        s.board.at(row, column) = static_cast<std::uint8_t>(digit);
        digits = (digits - digit) / colours;
      }
    }
    visit(s);
    auto turning = column_contents.begin();
    while (turning != column_contents.end() && ++*turning == contents) *turning++ = 0;
    if (turning == column_contents.end()) return;
  }
}

TEST(PuyoLaws, AllImplementationsResolveEverySmallFieldEqually) {
  long fields = 0;
  const auto resolved_alike = [&](const Puyo::Setup& setup) {
    ++fields;
    answer_from<G>(setup, Puyo::Resolve{});
  };
  every_field(6, 2, 2, resolved_alike);
  EXPECT_EQ(fields, 117'649) << "six columns of 1 + 2 + 4 contents: 7⁶";
  every_field(3, 4, 2, resolved_alike);
  EXPECT_EQ(fields, 117'649 + 29'791) << "three columns of 1 + 2 + 4 + 8 + 16 contents: 31³";
  every_field(2, 4, 3, resolved_alike);
  EXPECT_EQ(fields, 117'649 + 29'791 + 14'641) << "two columns of 1 + 3 + 9 + 27 + 81 contents: 121²";
}

RC_GTEST_PROP(PuyoLaws, ResolvingTwiceFindsNothingTheSecondTime, ()) {
  const Puyo::Setup field = laws::any_setup<G>();
  RC_CLASSIFY(puyo::largest_group(field.board) >= Puyo::group_min, "fires");
  const auto trace = played<G>({.setup = field, .actions = {Puyo::Resolve{}, Puyo::Resolve{}}});
  RC_ASSERT(shown(trace.observations[1]) == "still");
  RC_ASSERT(trace.snapshots[2] == trace.snapshots[1]);
}

/// Only the order within a column matters: drops in different columns commute.
RC_GTEST_PROP(PuyoLaws, DropsInDifferentColumnsCommute, ()) {
  const Scenario<G> scenario = laws::any_scenario<G>();
  Scenario<G> drops{.setup = scenario.setup, .actions = {}};
  for (const auto& action : scenario.actions) {
    if (std::holds_alternative<Puyo::Drop>(action)) drops.actions.push_back(action);
  }
  Scenario<G> by_column{.setup = scenario.setup, .actions = {}};
  for (int column = 0; column < Puyo::columns; ++column) {
    std::ranges::copy_if(drops.actions, std::back_inserter(by_column.actions),
                         [&](const auto& action) { return std::get<Puyo::Drop>(action).column == column; });
  }
  RC_ASSERT(played<G>(drops).snapshots.back() == played<G>(by_column).snapshots.back());
}

/// Two fields with an empty column between them are independent: their chains run side by side, and the number of
/// chains is that of the longer one.
RC_GTEST_PROP(PuyoLaws, FieldsWithAnEmptyColumnBetweenThemResolveIndependently, ()) {
  const Puyo::Setup left = laws::any_setup<G>();
  const Puyo::Setup right = laws::any_setup<G>();
  const int between = *rc::gen::inRange(0, Puyo::columns);
  const auto part = [](const Puyo::Setup& whole, int first, int last) {
    Puyo::Setup s;
    for (int row = 0; row < Puyo::rows; ++row) {
      for (int column = first; column < last; ++column) s.board.at(row, column) = whole.board.at(row, column);
    }
    return s;
  };
  const Puyo::Setup a = part(left, 0, between);
  const Puyo::Setup b = part(right, between + 1, Puyo::columns);
  const auto fires = [](const Puyo::Setup& s) { return puyo::largest_group(s.board) >= Puyo::group_min; };
  RC_CLASSIFY(fires(a) && fires(b), "both fire");
  Puyo::Setup both = a;
  for (std::size_t i = 0; i < both.board.cells.size(); ++i) {
    both.board.cells[i] = static_cast<std::uint8_t>(a.board.cells[i] + b.board.cells[i]);
  }
  Puyo::Observation expected = answer_from<G>(a, Puyo::Resolve{});
  const Puyo::Observation of_b = answer_from<G>(b, Puyo::Resolve{});
  expected.chains = std::max(expected.chains, of_b.chains);
  for (std::size_t i = 0; i < expected.vanished.size(); ++i) {
    expected.vanished[i] = static_cast<std::uint8_t>(expected.vanished[i] + of_b.vanished[i]);
  }
  RC_ASSERT(answer_from<G>(both, Puyo::Resolve{}) == expected);
}

/// Chains can be counted without recording what vanishes: by lanes here, by the batch below.
RC_GTEST_PROP(PuyoLaws, CountingChainsEqualsResolving, ()) {
  const Puyo::Setup field = laws::any_setup<G>();
  optimized::LanesPuyo counting{field};
  optimized::LanesPuyo resolving{field};
  RC_ASSERT(counting.count_chains() == resolving.step(Puyo::Resolve{}).chains);
  RC_ASSERT(counting.snapshot() == resolving.snapshot());
}

/// Every field of a batch gets the count that it gets alone. A chunk has 512 fields.
TEST(PuyoBatch, CountsTheChainsOfEveryField) {
  Random random{1100};
  std::vector<Puyo::Setup> setups;
  std::vector<int> expected;
  for (std::size_t i = 0; i < 1100; ++i) {
    setups.push_back(draw_scenario<Puyo>(random, styles[i % styles.size()]).setup);
    if (i % 3 == 0) setups.back() = Puyo::Suggestions::chain_field(random, static_cast<int>(i % 13));
    expected.push_back(optimized::LanesPuyo{setups.back()}.count_chains());
  }
  for (const std::size_t count : {1u, 31u, 33u, 512u, 513u, 1100u}) {
    optimized::PuyoFields batch{count};
    for (std::size_t i = 0; i < count; ++i) batch.set(i, Puyo::Laws::bits_of(setups[i].board));
    std::vector<std::uint8_t> chains(count);
    batch.count_chains(chains);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(chains[i], expected[i]) << "field " << i << " of " << count << "\n" << setup_text<Puyo>(setups[i]);
    }
  }
}

TEST(PuyoLaws, AFieldBuiltForNChainsFiresNChains) {
  Random random{17};
  for (int chains = 0; chains <= 12; ++chains) {
    for (int i = 0; i < 20; ++i) {
      const int palette = i % 2 == 0 ? 4 : Puyo::colours;
      const Puyo::Setup field = Puyo::Suggestions::chain_field(random, chains, palette);
      EXPECT_EQ(laws::fault_of_setup(any_of<G>({.setup = field, .actions = {}})), "");
      EXPECT_EQ(optimized::LanesPuyo{field}.count_chains(), chains);
      EXPECT_LE(std::ranges::max(field.board.cells), palette);
    }
  }
}

/// What the generator must keep reaching, with a margin: it reaches about three times as many.
TEST(PuyoSuggestions, ReachLongChainsFullFieldsAndAllColoursAtOnce) {
  int long_chains = 0;
  int brimful = 0;
  int all_colours = 0;
  int refused = 0;
  for (std::uint64_t index = 0; index < 3'000; ++index) {
    Random random{seed_of(2, index)};
    const Scenario<G> scenario = draw_scenario<G>(random, Style::suggested);
    const Trace<G> trace = laws::dense_trace<G>(laws::honest(vocabulary<G>()).back(), scenario);
    for (const Puyo::Observation& o : trace.observations) {
      refused += o.says == Puyo::Says::illegal ? 1 : 0;
      long_chains += o.chains >= 10 ? 1 : 0;
      for (int i = 0; i < o.chains; ++i) all_colours += std::ranges::count(o.chain(i), 0) == 0 ? 1 : 0;
    }
    brimful += std::ranges::count(scenario.setup.board.cells, 0) == 0 ? 1 : 0;
  }
  EXPECT_GE(long_chains, 15);
  EXPECT_GE(brimful, 20);
  EXPECT_GE(all_colours, 2);
  EXPECT_GE(refused, 1'000);
}

// Setups ----------------------------------------------------------------------------------------

RC_GTEST_PROP(PuyoSetups, NormaliseKeepsTheOrderOfEveryColumn, ()) {
  const Puyo::Setup grid = any_grid();
  Puyo::Setup settled = grid;
  normalise<G>(settled);
  RC_CLASSIFY(settled == grid, "settled already");
  RC_ASSERT(laws::fault_of_normalise(any_of<G>({.setup = grid, .actions = {}})) == "");
  RC_ASSERT(Model{settled}.columns == Model{grid}.columns);
}

TEST(PuyoSetups, AFlawNamesTheFloatingPuyo) {
  const auto flaw = lockstep::flaw<G>(drawn({"..R...",  //
                                             "..G...",  //
                                             ".....Y",  //
                                             "BB..BP"}));
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->field, "board");
  EXPECT_EQ(flaw->row, 9);
  EXPECT_EQ(flaw->column, 2);
}

TEST(PuyoSetups, AGroupOfFourIsLawfulUntilItIsResolved) {
  EXPECT_FALSE(flaw<G>(drawn({"RRRR.."})));
  EXPECT_EQ(answer(drawn({"RRR..."}), {Puyo::Drop{1, 3}}), "dropped");
}

TEST(PuyoSymmetries, AreTheMirrorAndThePermutationsOfColours) {
  const Puyo::Setup row = drawn({"RGBPY."});
  std::vector<std::string> images;
  for (const auto& symmetry : LawsOf<G>::symmetries()) images.push_back(setup_text<G>(symmetry.setup(row)));
  const std::vector<std::string> expected = {setup_text<G>(drawn({".YPBGR"})), setup_text<G>(drawn({"GBPYR."})),
                                             setup_text<G>(drawn({"GRBPY."}))};
  EXPECT_EQ(images, expected);
}

// Pictures --------------------------------------------------------------------------------------

TEST(PuyoPictures, ThePublishedSampleFiresThreeChains) {
  EXPECT_EQ(answer(drawn({".Y....",  //
                          ".YG...",  //
                          "RRYG..",  //
                          "RRYGG."})),
            "R4, Y4, G4");
}

TEST(PuyoPictures, GroupsThatVanishTogetherAreOneChain) {
  EXPECT_EQ(answer(drawn({"R....G",  //
                          "R....G",  //
                          "R....G",  //
                          "R....G"})),
            "R4 G4");
  EXPECT_EQ(answer(drawn({"RRRR..",  //
                          "GBGGB.",  //
                          "RRRRYB"})),
            "R8");
}

TEST(PuyoPictures, AGroupOfThreeStays) {
  EXPECT_EQ(answer(drawn({"R.....",  //
                          "RR..GG",  //
                          "BB..YG",  //
                          "BYYYGB"})),
            "still");
}

/// The five shapes of four cells. The cores of the proof in optimized/puyo/lanes.hpp lie differently in each of them.
TEST(PuyoPictures, AllFiveShapesOfFourVanish) {
  EXPECT_EQ(answer(drawn({".G...P",  //
                          "GGYYYP",  //
                          "GRYBBP",  //
                          "RRRBBP"})),
            "R4 G4 B4 P4 Y4");
}

TEST(PuyoPictures, AnArmThatTurnsUpwardBelongsToTheGroup) {
  EXPECT_EQ(answer(drawn({"RGR...",  //
                          "RRR..."})),
            "R5");
}

TEST(PuyoPictures, CellsDoNotConnectAcrossCornersOrWalls) {
  EXPECT_EQ(answer(drawn({"R.G.B.",  //
                          "GRBGPB",  //
                          "RGPBGP",  //
                          "GRBPBG"})),
            "still");
  EXPECT_EQ(answer(drawn({"Y...RR",  //
                          "RR..YG"})),
            "still");
}

TEST(PuyoPictures, APuyoFallsThroughAllGapsBelowIt) {
  EXPECT_EQ(answer(drawn({"RB....",  //
                          "RRBBB.",  //
                          "RYPYP.",  //
                          "GGGGG."})),
            "R4 G5, B4");
}

TEST(PuyoPictures, AStaircaseFallsStepByStep) {
  const Puyo::Setup staircase = drawn({".GBPY.",  //
                                       ".RGBPY",  //
                                       ".RGBPY",  //
                                       ".RGBPY"});
  EXPECT_EQ(answer(staircase), "still");
  EXPECT_EQ(answer(staircase, {Puyo::Drop{1, 0}, Puyo::Resolve{}}), "R4, G4, B4, P4, Y4");
  EXPECT_EQ(answer(staircase, {Puyo::Drop{2, 0}, Puyo::Resolve{}}), "still");
}

TEST(PuyoPictures, AFullFieldCanVanishInEighteenChains) {
  const Puyo::Setup field = drawn({"YYYGPG",  //
                                   "GPRRPY",  //
                                   "RPYBYB",  //
                                   "YYYRRR",  //
                                   "RGPYYB",  //
                                   "BBPYRB",  //
                                   "BGBBBP",  //
                                   "GPRGRP",  //
                                   "GPGYRB",  //
                                   "GBGRYY",  //
                                   "RGPGGY",  //
                                   "RGPGRR"});
  EXPECT_EQ(answer(field), "Y4, R4, Y4, B4, R4, P4, B4, Y4, G4, G4, P4, G4, B4, R4, G4, P4, R4, Y4");
  EXPECT_TRUE(played<G>({.setup = field, .actions = {Puyo::Resolve{}}}).snapshots.back().board.empty());
}

TEST(PuyoPictures, AFullFieldOfOneColourIsOneGroup) {
  Puyo::Setup field;
  std::ranges::fill(field.board.cells, std::uint8_t{4});
  EXPECT_EQ(answer(field), "P72");
}

TEST(PuyoPictures, AColumnHoldsTwelvePuyos) {
  std::vector<Puyo::Action> drops;
  for (int i = 0; i < Puyo::rows; ++i) {
    drops.emplace_back(Puyo::Drop{1 + i % 2, 3});
    EXPECT_EQ(answer({}, drops), "dropped") << i;
  }
  drops.emplace_back(Puyo::Drop{3, 3});
  EXPECT_EQ(answer({}, drops), "illegal");
  drops.back() = Puyo::Drop{3, 2};
  EXPECT_EQ(answer({}, drops), "dropped");
}

// Invariants --------------------------------------------------------------------------------------

/// A checker must be seen failing: each case falsifies one thing about a correct step.
TEST(PuyoInvariants, EachInvariantRejectsAWrongStep) {
  const Puyo::Setup before = drawn({"B.....", "RRRR.."});
  const Puyo::Setup after = drawn({"B....."});
  Puyo::Observation truth{.says = Puyo::Says::resolved, .chains = 1};
  truth.chain(0)[0] = 4;
  const auto check = [](const Puyo::Setup& from, const Puyo::Action& action, const Puyo::Observation& o,
                        const Puyo::Setup& to) { return LawsOf<G>::violation(from, from, action, o, to); };
  const Puyo::Resolve resolve;
  EXPECT_EQ(check(before, resolve, truth, after), "");
  EXPECT_EQ(check(before, resolve, truth, drawn({"B.....", "......"})),
            "a settled field has no puyo above an empty cell");
  EXPECT_EQ(check(before, resolve, truth, before), "a group of four or more was left after a resolve");
  EXPECT_EQ(check(before, resolve, truth, drawn({"G....."})),
            "puyos in − puyos vanished is not puyos on the field, green");
  EXPECT_EQ(check(before, resolve, {.says = Puyo::Says::illegal}, before), "a resolve was refused");
  EXPECT_EQ(check(before, resolve, {.says = Puyo::Says::dropped}, after), "the answer is one to another action");
  const auto lie = [&](auto&& bend) {
    Puyo::Observation o = truth;
    bend(o);
    return check(before, resolve, o, after);
  };
  EXPECT_EQ(lie([](auto& o) { o.chains = 0; }),
            "there were chains without a group of four, or a group of four without chains");
  EXPECT_EQ(lie([](auto& o) { o.chains = 2; }), "a chain took nothing, or something vanished beyond the last chain");
  EXPECT_EQ(lie([](auto& o) { o.chains = 19; }), "more chains than 72 puyos can make");
  EXPECT_EQ(lie([](auto& o) { o.chain(0)[0] = 3; }), "fewer than four of a colour vanished in one chain");
  EXPECT_EQ(lie([](auto& o) { o.chain(0)[0] = 5; }), "puyos in − puyos vanished is not puyos on the field, red");

  const Puyo::Drop drop{2, 1};
  const Puyo::Setup dropped = drawn({"BG....", "RRRR.."});
  EXPECT_EQ(check(before, drop, {.says = Puyo::Says::dropped}, dropped), "");
  EXPECT_EQ(check(before, drop, {.says = Puyo::Says::dropped}, before),
            "a drop did more or less than to put one puyo on top of its column");
  EXPECT_EQ(check(before, drop, {.says = Puyo::Says::illegal}, before), "a drop into a column with room was refused");
  EXPECT_EQ(check(before, drop, {.says = Puyo::Says::illegal}, dropped), "an illegal action changed the state");
  Puyo::Setup full;
  for (int row = 0; row < Puyo::rows; ++row) full.board.at(row, 1) = static_cast<std::uint8_t>(1 + row % 2);
  EXPECT_EQ(check(full, drop, {.says = Puyo::Says::illegal}, full), "");
  EXPECT_EQ(check(full, drop, {.says = Puyo::Says::dropped}, full), "a drop into a full column was accepted");
}

// Problem format ------------------------------------------------------------------------------------

const std::string empty_rows = "......\n......\n......\n......\n......\n......\n......\n......\n";

TEST(PuyoProblemFormat, AnEmptyFieldFiresNoChain) {
  EXPECT_EQ(laws::solved(empty_rows + empty_rows.substr(0, 28)), "0\n");
}

TEST(PuyoProblemFormat, AnInvalidFieldIsRefusedWithItsPlace) {
  const std::string eleven = empty_rows + "......\n......\n......\n";
  laws::expect_refused({
      {"", "in:1:1: expected row 1 of 12, six characters of '.RGBPY', got the end of the input"},
      {eleven, "in:12:1: expected row 12 of 12, six characters of '.RGBPY', got the end of the input"},
      {eleven + "RR", "in:12:3: expected row 12 of 12, six characters of '.RGBPY', got 2"},
      {eleven + "RGBPYRG", "in:12:7: expected row 12 of 12, six characters of '.RGBPY', got 'G' as a seventh"},
      {eleven + "RGbPYR", "in:12:3: expected row 12 of 12, six characters of '.RGBPY', got 'b'"},
      {eleven + "  RG\x80PYR", "in:12:5: expected row 12 of 12, six characters of '.RGBPY', got '?'"},
      {eleven + "RGBPYR\n......", "in:13:1: expected the end of the input, got '......'"},
      {eleven + "RGBPYR x", "in:12:8: expected the end of the input, got 'x'"},
      {empty_rows + "......\n  ..R...\n......\nGGGGGG\n", "in:10:5: a settled field has no puyo above an empty cell"},
  });
}

TEST(PuyoProblemDomain, HoldsOneResolveOfAnyField) {
  const std::string question = "the problem gives a field and asks for one resolve";
  EXPECT_EQ(laws::outside<G>({drawn({"RRRR.."}), {Puyo::Resolve{}}}), "inside");
  EXPECT_EQ(laws::outside<G>({drawn({"RRRR.."}), {}}), question);
  EXPECT_EQ(laws::outside<G>({drawn({"RRRR.."}), {Puyo::Drop{1, 0}}}), question);
  EXPECT_EQ(laws::outside<G>({drawn({"RRRR.."}), {Puyo::Resolve{}, Puyo::Resolve{}}}), question);
}

}  // namespace
}  // namespace lockstep
