// The laws of TS Tetris that are more than plain symmetries of scenarios, its pictures, its four
// functions, and its readers.
#include "systems/ts_tetris.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "props/drawing.hpp"
#include "props/laws.hpp"

namespace lockstep {
namespace {

using G = TsTetris;

// Boards and answers ---------------------------------------------------------------------------

using Picture = std::vector<std::string_view>;

G::Setup drawn(const Picture& rows, int to_move = 1) {
  G::Setup s;
  s.height = static_cast<int>(rows.size());
  s.width = static_cast<int>(rows.front().size());
  s.to_move = to_move;
  s.board = Grid{s.height, s.width};
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column) {
      const char cell = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      s.board.at(row, column) = static_cast<std::uint8_t>(G::cells.symbols.find(cell));
    }
  }
  return s;
}

std::string picture(const G::Setup& s) {
  std::string out;
  for (int row = 0; row < s.height; ++row) {
    for (int column = 0; column < s.width; ++column) out += G::cells.symbols[s.board.at(row, column)];
    out += "\n";
  }
  return out;
}

std::string joined(const Picture& rows) {
  std::string out;
  for (const std::string_view row : rows) out.append(row).append("\n");
  return out;
}

Trace<G> played(const AnyImplementation<G>& simulator, const Scenario<G>& scenario) {
  return laws::dense_trace<G>(simulator, scenario);
}

/// One turn and what it must do, with every simulator that must agree.
void expect_turn(const G::Setup& setup, const G::Action& action, std::array<std::int32_t, 2> vanished,
                 const Picture& after) {
  ASSERT_FALSE(G::flaw(setup)) << picture(setup) << G::flaw(setup)->what;
  for (const auto& simulator : laws::honest<G>()) {
    const Trace<G> trace = played(simulator, {setup, {action}});
    const G::Observation& o = trace.observations.front();
    EXPECT_EQ(o.says, G::Says::turn) << simulator.name;
    EXPECT_EQ(o.vanished, vanished) << simulator.name;
    EXPECT_EQ(o.points, vanished[static_cast<std::size_t>(setup.to_move - 1)]) << simulator.name;
    EXPECT_EQ(trace.snapshots.back().to_move, 3 - setup.to_move) << simulator.name;
    EXPECT_EQ(picture(trace.snapshots.back()), joined(after)) << simulator.name;
  }
}

Scenario<G> bounded_scenario() { return laws::bounded<G>(laws::any_scenario<G>()); }

bool refuses_something(const Trace<G>& trace) {
  return std::ranges::count(trace.observations, G::Says::illegal, &G::Observation::says) > 0;
}

// Pictures -------------------------------------------------------------------------------------

TEST(TsTetrisPictures, ThreeCellsFallEachOnItsOwn) {
  expect_turn(drawn({"....",  //
                     ".2..",  //
                     ".1.2"}),
              G::Drop{1}, {0, 0},
              {".1..",  //
               ".2.1",  //
               ".112"});
}

TEST(TsTetrisPictures, FiveInALineVanishInEveryDirection) {
  expect_turn(drawn({".......",  //
                     "11....."}),
              G::Drop{2}, {5, 0},
              {".......",  //
               "......."});
  expect_turn(drawn({"...",  //
                     "1..",  //
                     "1..",  //
                     "1..",  //
                     "1.."}),
              G::Drop{0}, {5, 0},
              {"...",  //
               "...",  //
               "...",  //
               "...",  //
               ".11"});
  const G::Setup rising = drawn({".......",  //
                                 ".......",  //
                                 "...12..",  //
                                 "..122..",  //
                                 ".1221..",  //
                                 "12212.."});
  const Picture fallen = {".......",  //
                          ".......",  //
                          "....2..",  //
                          "...22..",  //
                          "..221..",  //
                          ".221211"};
  expect_turn(rising, G::Drop{4}, {5, 0}, fallen);
  const auto mirror = G::symmetries().front();
  std::vector<std::string> rows;
  for (const std::string_view row : fallen) rows.emplace_back(row.rbegin(), row.rend());
  expect_turn(mirror.setup(rising), mirror.action(rising, G::Drop{4}), {5, 0}, {rows.begin(), rows.end()});
}

TEST(TsTetrisPictures, FourInALineStay) {
  expect_turn(drawn({".....",  //
                     "1...2"}),
              G::Drop{1}, {0, 0},
              {".....",  //
               "11112"});
}

TEST(TsTetrisPictures, ACellOfSeveralRunsCountsOnce) {
  // Two runs across, an upright and a diagonal one share five cells: 15 vanish, not 20.
  expect_turn(drawn({".......",  //
                     "1111...",  //
                     "22121..",  //
                     "12211..",  //
                     "21121..",  //
                     "22111.."}),
              G::Drop{4}, {15, 0},
              {".......",  //
               ".......",  //
               "22.....",  //
               "12.....",  //
               "2122...",  //
               "2212..."});
}

TEST(TsTetrisPictures, BothPlayersVanishAndOnlyTheMoverIsPaid) {
  // Player 1's run takes the ground from under a cell of player 2, which falls into a gap of its row.
  expect_turn(drawn({"....2.....",  //
                     "222211...."}),
              G::Drop{6}, {5, 5},
              {"..........",  //
               ".........."});
}

TEST(TsTetrisPictures, AFlipFollowsItsRegionUpAcrossAndDown) {
  expect_turn(drawn({"222",  //
                     "212",  //
                     "212"}),
              G::Change{0}, {0, 0},
              {"111",  //
               "111",  //
               "111"});
}

TEST(TsTetrisPictures, AFlipStopsAtDiagonals) {
  expect_turn(drawn({"1212",  //
                     "2121",  //
                     "1212"}),
              G::Change{1}, {0, 0},
              {"1212",  //
               "2121",  //
               "1112"});
}

TEST(TsTetrisPictures, AChangeOfNothingSpendsTheTurn) {
  const Picture board = {"...",  //
                         "12."};
  expect_turn(drawn(board), G::Change{2}, {0, 0}, board);     // an empty column
  expect_turn(drawn(board), G::Change{0}, {0, 0}, board);     // an own cell
  expect_turn(drawn(board, 2), G::Change{1}, {0, 0}, board);  // player 2's own
}

TEST(TsTetrisPictures, RunsOfTwelveAndThirteenVanishWhole) {
  expect_turn(drawn({"111122221111"}), G::Change{5}, {12, 0}, {"............"});
  // The two groups of the upper row hang together through the lower one.
  expect_turn(drawn({"1111222122221",  //
                     "2121112221112"}),
              G::Change{6}, {22, 0},
              {".............",  //
               "212.........2"});
}

TEST(TsTetrisPictures, AFullColumnRefusesTheDropAndKeepsTheTurn) {
  const G::Setup setup = drawn({"1......2",  //
                                "2......1"});
  for (const auto& simulator : laws::honest<G>()) {
    const Trace<G> trace = played(simulator, {setup, {G::Drop{0}, G::Drop{5}, G::Drop{1}}});
    EXPECT_EQ(trace.observations[0], G::Observation{}) << simulator.name;
    EXPECT_EQ(trace.observations[1], G::Observation{}) << simulator.name;
    EXPECT_EQ(trace.snapshots[2], setup) << simulator.name;
    EXPECT_EQ(trace.observations[2].says, G::Says::turn) << simulator.name;
  }
}

// The worked example, through the text's four functions -------------------------------------------

struct Call {
  char function;  // d: dropBlocks, c: changeBlocks, r: getResult
  int column;     // for r: player 1's cells left
  int returned;
  int left_2 = 0;
};

constexpr std::array<Call, 36> worked_example = {{
    {'d', 4, 0},  {'d', 6, 0}, {'d', 1, 6},  {'r', 0, 1, 3},   //  4: {0, 3}
    {'d', 4, 5},  {'d', 6, 0}, {'d', 4, 0},  {'d', 7, 0},      //  8
    {'c', 0, 0},  {'d', 3, 5}, {'d', 3, 0},  {'d', 7, 0},      // 12
    {'d', 7, 0},  {'d', 0, 0}, {'d', 2, 5},  {'d', 4, 5},      // 16
    {'d', 4, 7},  {'d', 7, 0}, {'d', 5, 0},  {'d', 3, 0},      // 20
    {'c', 9, 11}, {'d', 0, 0}, {'d', 3, 0},  {'d', 6, 0},      // 24
    {'d', 2, 0},  {'d', 7, 0}, {'d', 2, 0},  {'d', 6, 0},      // 28
    {'d', 6, 0},  {'d', 6, 0}, {'c', 6, 10}, {'r', 2, 2, 14},  // 32: {2, 14}
    {'d', 4, 0},  {'d', 5, 7}, {'d', 4, 0},  {'r', 8, 2, 10},  // 36: {8, 10}
}};

TEST(TsTetrisWorkedExample, IsPlayedBySimulatorsAsTheTextPrintsIt) {
  Scenario<G> scenario{.setup = {.width = 10, .height = 10, .board = Grid{10, 10}}, .actions = {}};
  for (const Call& call : worked_example) {
    if (call.function == 'r') scenario.actions.push_back(G::Result{});
    else if (call.function == 'd') scenario.actions.push_back(G::Drop{call.column});
    else scenario.actions.push_back(G::Change{call.column});
  }
  for (const auto& simulator : laws::honest<G>()) {
    SCOPED_TRACE(simulator.name);
    const auto answers = played(simulator, scenario).observations;
    for (std::size_t i = 0; i < worked_example.size(); ++i) {
      const Call& call = worked_example[i];
      if (call.function == 'r') {
        EXPECT_EQ(answers[i].winner, call.returned) << "step " << i + 1;
        EXPECT_EQ(answers[i].left, (std::array{call.column, call.left_2})) << "step " << i + 1;
      } else {
        EXPECT_EQ(answers[i].points, call.returned) << "step " << i + 1;
      }
    }
  }
}

// Laws of play ----------------------------------------------------------------------------------

/// The scenario on a board with empty rows on top and empty columns on the right.
Scenario<G> enlarged(const Scenario<G>& scenario, int rows, int columns) {
  Scenario<G> out = scenario;
  out.setup.height += rows;
  out.setup.width += columns;
  out.setup.board = Grid{out.setup.height, out.setup.width};
  for (int row = 0; row < scenario.setup.height; ++row) {
    for (int column = 0; column < scenario.setup.width; ++column) {
      out.setup.board.at(row + rows, column) = scenario.setup.board.at(row, column);
    }
  }
  return out;
}

RC_GTEST_PROP(TsTetrisLaws, ACeilingThatNobodyTouchesDoesNotMatter, ()) {
  const Scenario<G> scenario = bounded_scenario();
  const int rows = *rc::gen::inRange(1, 70);
  RC_PRE(scenario.setup.height + rows <= G::side_max);
  const bool touched = refuses_something(played(laws::honest<G>().front(), scenario));
  RC_CLASSIFY(touched, "touched");
  if (touched) return;
  for (const auto& simulator : laws::honest<G>()) {
    const auto high = played(simulator, enlarged(scenario, rows, 0));
    RC_ASSERT(high.observations == played(simulator, scenario).observations);
  }
}

RC_GTEST_PROP(TsTetrisLaws, EmptyColumnsBesideTheWallDoNotMatter, ()) {
  const Scenario<G> scenario = bounded_scenario();
  const int columns = *rc::gen::inRange(1, 70);
  RC_PRE(scenario.setup.width + columns <= G::side_max);
  for (const auto& simulator : laws::honest<G>()) {
    RC_ASSERT(played(simulator, enlarged(scenario, 0, columns)).observations ==
              played(simulator, scenario).observations);
  }
}

RC_GTEST_PROP(TsTetrisLaws, AskingForTheResultIsNotATurn, ()) {
  Scenario<G> asked = bounded_scenario();
  Scenario<G> silent = asked;
  std::erase_if(silent.actions, [](const G::Action& action) { return std::holds_alternative<G::Result>(action); });
  for (const auto& simulator : laws::honest<G>()) {
    Trace<G> trace = played(simulator, asked);
    std::erase_if(trace.observations, [](const G::Observation& o) { return o.says == G::Says::standing; });
    const Trace<G> expected = played(simulator, silent);
    RC_ASSERT(trace.observations == expected.observations);
    RC_ASSERT(trace.snapshots.back() == expected.snapshots.back());
  }
}

/// What a turn does to the board does not depend on the scores, and the scores do not depend on where they began.
RC_GTEST_PROP(TsTetrisLaws, ScoresDecideNothing, ()) {
  const Scenario<G> scenario = bounded_scenario();
  Scenario<G> even = scenario;
  even.setup.score_1 = even.setup.score_2 = 0;
  for (const auto& simulator : laws::honest<G>()) {
    const Trace<G> trace = played(simulator, scenario);
    const Trace<G> other = played(simulator, even);
    for (std::size_t i = 0; i < trace.observations.size(); ++i) {
      RC_ASSERT(trace.observations[i].vanished == other.observations[i].vanished);
      RC_ASSERT(trace.observations[i].left == other.observations[i].left);
    }
    RC_ASSERT(trace.snapshots.back().board == other.snapshots.back().board);
  }
}

/// The plain simulator behind the canaries makes no mistake of its own.
RC_GTEST_PROP(TsTetrisCanaries, WithoutAMistakeAreTheRulebook, ()) {
  using Honest = canaries::WrongTsTetris<canaries::TsTetrisMistake::none>;
  const Scenario<G> scenario = bounded_scenario();
  std::vector<AnyImplementation<G>> pair = {laws::honest<G>().front()};
  pair.push_back({"none", Kind::canary, "no mistake", &run_trace<Honest, G>});
  Judge<G> judge{pair};
  const std::string complaint =
      laws::complaint<G>(pair, scenario, [&](const Scenario<G>& s) { return judge.judge(s); });
  if (!complaint.empty()) RC_FAIL(complaint);
}

// A model, command by command --------------------------------------------------------------------

/// A ledger of the game: what is on the board is not its business, only how much there is and who is paid.
struct Ledger {
  std::array<int, 2> scores{};
  std::array<int, 2> left{};
  int to_move = 1;
};

/// A simulator beside what it last answered, so that the ledger can follow it.
template <class S>
struct Watched {
  S simulator;
  Ledger ledger;
};

/// The columns are the only thing that RapidCheck draws and shrinks; the ledger lives with the simulator,
/// because what vanishes is known only once it has answered.
template <class S>
class Told : public rc::state::Command<Ledger, Watched<S>> {
 public:
  explicit Told(G::Action action) : action_{action} {}

  void run(const Ledger&, Watched<S>& watched) const override {
    Ledger& ledger = watched.ledger;
    const auto mover = static_cast<std::size_t>(ledger.to_move - 1);
    const auto before = watched.simulator.snapshot();
    const G::Observation o = watched.simulator.step(action_);
    const auto after = watched.simulator.snapshot();
    RC_ASSERT(G::violation(before, before, action_, o, after) == "");
    if (o.says == G::Says::standing) {
      RC_ASSERT(o.scores == ledger.scores);
      RC_ASSERT(o.left == ledger.left);
    }
    if (o.says != G::Says::turn) return;
    if (std::holds_alternative<G::Drop>(action_)) ledger.left[mover] += 3;
    const auto now = watched.simulator.step(G::Result{}).left;
    const int flipped = now[mover] - (ledger.left[mover] - o.vanished[mover]);
    RC_ASSERT(flipped >= 0);  // a change moves cells to the mover, and nothing else moves any
    RC_ASSERT(flipped == 0 || std::holds_alternative<G::Change>(action_));
    ledger.left[mover] += flipped - o.vanished[mover];
    ledger.left[1 - mover] -= flipped + o.vanished[1 - mover];
    ledger.scores[mover] += o.points;
    ledger.to_move = 3 - ledger.to_move;
    RC_ASSERT(now == ledger.left);
    RC_ASSERT(after.to_move == ledger.to_move);
  }
  void show(std::ostream& os) const override { os << action_text<G>(board(), action_); }

  static G::Setup board() {
    G::Setup s;
    s.width = s.height = 9;
    s.board = Grid{9, 9};
    return s;
  }

 private:
  G::Action action_;
};

template <class S>
void keeps_the_ledger() {
  using Pointer = std::shared_ptr<const rc::state::Command<Ledger, Watched<S>>>;
  const auto told = [](G::Action action) -> Pointer { return std::make_shared<Told<S>>(action); };
  const auto commands = [&](const Ledger&) {
    const auto drop = rc::gen::map(rc::gen::inRange(0, 7), [=](int column) { return told(G::Drop{column}); });
    const auto change = rc::gen::map(rc::gen::inRange(0, 9), [=](int column) { return told(G::Change{column}); });
    return rc::gen::weightedOneOf<Pointer>({{6, drop}, {2, change}, {1, rc::gen::just(told(G::Result{}))}});
  };
  Watched<S> watched{.simulator = S{Told<S>::board()}, .ledger = {}};
  rc::state::check(Ledger{}, watched, commands);
}

RC_GTEST_PROP(TsTetrisLedger, IsKeptByTheRulebook, ()) { keeps_the_ledger<reference::RulebookTsTetris>(); }
RC_GTEST_PROP(TsTetrisLedger, IsKeptByLean, ()) { keeps_the_ledger<optimized::LeanTsTetris>(); }
RC_GTEST_PROP(TsTetrisLedger, IsKeptByBitPlanes, ()) { keeps_the_ledger<optimized::BitPlanesTsTetris>(); }

// Invariants must be able to fail ------------------------------------------------------------------

TEST(TsTetrisInvariants, NameWhatIsBroken) {
  const G::Setup before = drawn({"......",  //
                                 "11...."});
  const G::Action action = G::Drop{2};
  reference::RulebookTsTetris simulator{before};
  const G::Observation o = simulator.step(action);
  const G::Snapshot after = simulator.snapshot();
  ASSERT_EQ(G::violation(before, before, action, o, after), "");
  const std::string legality = "a drop is refused when one of its columns is full, and nothing else is";
  const std::string kind = "asking for the result is answered by the standing, and nothing else is";

  const auto law = [&](auto&& spoil) {
    G::Observation spoilt = o;
    G::Snapshot left = after;
    spoil(spoilt, left);
    return G::violation(before, before, action, spoilt, left);
  };
  EXPECT_EQ(law([](auto& answer, auto&) { answer.says = G::Says::illegal; }), legality);
  EXPECT_EQ(law([](auto& answer, auto&) { answer.says = G::Says::standing; }), kind);
  EXPECT_EQ(law([](auto&, auto& s) { s.width = 5; }), "the board changed its size");
  EXPECT_EQ(law([](auto&, auto& s) { s.board = Grid{2, 5}; }), "the board changed its size");
  EXPECT_EQ(law([](auto&, auto& s) { s.to_move = 1; }), "the turn did not pass");
  EXPECT_EQ(law([](auto& answer, auto&) { answer.points = 4; }), "the points are not the mover's vanished cells");
  EXPECT_EQ(law([](auto&, auto& s) { s.score_1 = 4; }), "the scores did not grow by the points");
  EXPECT_EQ(law([](auto&, auto& s) { s.score_2 = 1; }), "the scores did not grow by the points");
  EXPECT_EQ(law([](auto&, auto& s) { s.board.at(1, 2) = 2; }), "cells dropped − cells vanished is not the cells left");
  EXPECT_EQ(law([](auto&, auto& s) { s.board.at(1, 5) = 1; }), "cells dropped − cells vanished is not the cells left");
  EXPECT_EQ(law([](auto&, auto& s) { s.board.at(0, 5) = 1; }), "a settled board has no cell above an empty one");
  EXPECT_EQ(law([](auto&, auto& s) {
              for (int column = 0; column < 5; ++column) s.board.at(1, column) = 2;
            }),
            "this cell ends a run of five, which would have vanished");

  const G::Action ask = G::Result{};
  const G::Observation standing = simulator.step(ask);
  const auto law_of_result = [&](auto&& spoil) {
    G::Observation spoilt = standing;
    spoil(spoilt);
    return G::violation(before, after, ask, spoilt, after);
  };
  EXPECT_EQ(law_of_result([](auto&) {}), "");
  EXPECT_EQ(G::violation(before, after, ask, standing, before), "asking for the result changed the state");
  EXPECT_EQ(law_of_result([](auto& answer) { answer.left[1] = 1; }),
            "the counts of the result differ from a recount of the board");
  EXPECT_EQ(law_of_result([](auto& answer) { answer.scores[0] = 1; }),
            "the scores of the result differ from the state's");
  EXPECT_EQ(law_of_result([](auto& answer) { answer.winner = 0; }), "the winner is not the player with more points");
  EXPECT_EQ(law_of_result([](auto& answer) { answer.says = G::Says::illegal; }), legality);
  EXPECT_EQ(law_of_result([](auto& answer) { answer.says = G::Says::turn; }), kind);
}

TEST(TsTetrisInvariants, NameARefusalThatIsNone) {
  const G::Setup full = drawn({"..1.",  //
                               "2.1."});
  const G::Observation refusal{};
  G::Setup changed = full;
  changed.to_move = 2;
  EXPECT_EQ(G::violation(full, full, G::Drop{0}, refusal, full), "");
  EXPECT_EQ(G::violation(full, full, G::Drop{0}, refusal, changed), "an illegal action changed the state");
  EXPECT_NE(G::violation(full, full, G::Change{0}, refusal, full), "");
  EXPECT_NE(G::violation(full, full, G::Drop{1}, {.says = G::Says::turn}, changed), "");
}

TEST(TsTetrisInvariants, NameAChangeThatFlipsWithoutCause) {
  const G::Setup before = drawn({"....",  //
                                 "2.1."});
  const G::Observation quiet{.says = G::Says::turn};
  G::Setup after = before;
  after.to_move = 2;
  EXPECT_EQ(G::violation(before, before, G::Change{2}, quiet, after), "");
  EXPECT_EQ(G::violation(before, before, G::Change{1}, quiet, after), "");
  after.board.at(1, 0) = 1;
  EXPECT_EQ(G::violation(before, before, G::Change{0}, quiet, after), "");
  EXPECT_EQ(G::violation(before, before, G::Change{2}, quiet, after),
            "a change that starts on no cell of the opponent's changed the board");
  after.board.at(1, 2) = 0;
  EXPECT_EQ(G::violation(before, before, G::Change{0}, quiet, after),
            "cells before − cells vanished is not the cells left");
}

// Setups ------------------------------------------------------------------------------------------

TEST(TsTetrisSetups, AreRefusedByTheCellThatBreaksALaw) {
  const auto floating = G::flaw(drawn({".1.",  //
                                       "1.."}));
  ASSERT_TRUE(floating);
  EXPECT_EQ(std::pair(floating->row, floating->column), std::pair(0, 1));
  const auto run = G::flaw(drawn({"211111"}));
  ASSERT_TRUE(run);
  EXPECT_EQ(std::pair(run->row, run->column), std::pair(0, 5));
  EXPECT_FALSE(G::flaw(drawn({"2111122"})));
}

TEST(TsTetrisSetups, OfOneColourAreMendedAtEverySize) {
  for (const auto& [width, height] : {std::pair{3, 1}, {3, 200}, {200, 1}, {5, 5}, {20, 20}, {200, 200}}) {
    G::Setup s;
    s.width = width;
    s.height = height;
    s.board = Grid{height, width};
    std::ranges::fill(s.board.cells, std::uint8_t{1});
    EXPECT_EQ(laws::fault_of_normalise<G>(s), "") << width << " × " << height;
  }
}

RC_GTEST_PROP(TsTetrisSetups, AreSettledByNormaliseWithoutACellMore, ()) {
  Random random{laws::any_seed()};
  G::Setup s;
  s.width = *rc::gen::inRange(3, 24);
  s.height = *rc::gen::inRange(1, 24);
  s.board = Grid{s.height, s.width};
  const auto density = *rc::gen::inRange(0u, 11u);
  for (auto& cell : s.board.cells)
    cell = random.chance(density, 10) ? static_cast<std::uint8_t>(random.integer(1, 2)) : 0;
  RC_ASSERT(laws::fault_of_normalise<G>(s) == "");
  G::Setup mended = s;
  G::normalise(mended);
  for (const std::uint8_t player : {std::uint8_t{1}, std::uint8_t{2}}) {
    RC_ASSERT(std::ranges::count(mended.board.cells, player) <= std::ranges::count(s.board.cells, player));
  }
}

// The judge's format --------------------------------------------------------------------------------

/// The error of a text, as an editor would show it; "read" when there is none.
std::string reading(std::string_view text) {
  const auto cases = G::ProblemFormat::read(text);
  return cases ? "read" : cases.error().message("in");
}

TEST(TsTetrisJudgeFormat, AcceptsAnyWhiteSpaceAndAMissingNewline) {
  EXPECT_EQ(reading("1\n2\n100 10 10\n400\n"), "read");
  EXPECT_EQ(reading("1 2 100 10 10 400"), "read");
  EXPECT_EQ(reading("\r\n1\r\n2\r\n\t100 10 10\r\n400\r\n\r\n"), "read");
  EXPECT_EQ(reading("2\n1\n100 10 10\n3\n100 200 200\n200 1 197\n300 2 199\n"), "read");
}

TEST(TsTetrisJudgeFormat, RefusesWithLineAndColumn) {
  EXPECT_EQ(reading(""),
            "in:1:1: expected the number of test cases, a number from 1 to 1000, got the end of the input");
  EXPECT_EQ(reading("0"), "in:1:1: expected the number of test cases, a number from 1 to 1000, got '0'");
  EXPECT_EQ(reading("1\n0"), "in:2:1: expected the number of calls, a number from 1 to 12001, got '0'");
  EXPECT_EQ(reading("1\n2\n100 9 10"), "in:3:5: expected the width, a number from 10 to 200, got '9'");
  EXPECT_EQ(reading("1\n2\n100 10 201"), "in:3:8: expected the height, a number from 10 to 200, got '201'");
  EXPECT_EQ(reading("1\n2\n200 1 0"), "in:3:1: the first call of a case is 100 (init)");
  EXPECT_EQ(reading("1\n2\n100 10 10\n100 10 10"), "in:4:1: 100 (init) is the first call of a case only");
  EXPECT_EQ(reading("1\n2\n100 10 10\n250 1 0"), "in:4:1: a call is 100, 200, 300 or 400");
  EXPECT_EQ(reading("1\n2\n100 10 10\n500"),
            "in:4:1: expected a call (100, 200, 300 or 400), a number from 100 to 400, got '500'");
  EXPECT_EQ(reading("1\n2\n100 10 10\n200 2 0"), "in:4:5: it is the turn of player 1");
  EXPECT_EQ(reading("1\n3\n100 10 10\n300 1 0\n200 1 0"), "in:5:5: it is the turn of player 2");
  EXPECT_EQ(reading("1\n2\n100 10 10\n200 1 8"), "in:4:7: expected the column, a number from 0 to 7, got '8'");
  EXPECT_EQ(reading("1\n2\n100 10 10\n300 1 10"), "in:4:7: expected the column, a number from 0 to 9, got '10'");
  EXPECT_EQ(reading("1\n2\n100 10 10\n200 1"),
            "in:4:6: expected the column, a number from 0 to 7, got the end of the input");
  EXPECT_EQ(reading("1\n1\n100 10 10\n400"), "in:4:1: expected the end of the input, got '400'");
  EXPECT_EQ(reading("1\n2\n100 10 10\n200 1 4x"), "in:4:7: expected the column, a number from 0 to 7, got '4x'");
}

/// The published limits on calls hold exactly.
TEST(TsTetrisJudgeFormat, CountsTheCalls) {
  const auto repeated = [](int count, std::string_view one, std::string_view other) {
    std::string text = "1\n" + std::to_string(count + 1) + "\n100 10 10\n";
    for (int i = 0; i < count; ++i) text.append(i % 2 == 0 ? one : other).append("\n");
    return reading(text);
  };
  EXPECT_EQ(repeated(1'000, "400", "400"), "read");
  EXPECT_EQ(repeated(1'001, "400", "400"), "in:1004:1: more than 1,000 results");
  EXPECT_EQ(repeated(1'000, "300 1 0", "300 2 0"), "read");
  EXPECT_EQ(repeated(1'001, "300 1 0", "300 2 0"), "in:1004:1: more than 1,000 changes");
  EXPECT_EQ(repeated(10'000, "200 1 0", "200 2 0"), "read");
  EXPECT_EQ(repeated(10'001, "200 1 0", "200 2 0"), "in:10004:1: more than 10,000 drops");
}

/// A drop into a full column is known only in play; the error names the call's place all the same.
TEST(TsTetrisJudgeFormat, NamesTheDropThatBreaksThePromise) {
  std::string text = "1\n12\n100 10 10\n";
  for (int i = 0; i < 11; ++i) text += i % 2 == 0 ? "200 1 0\n" : "200 2 0\n";
  const auto cases = G::ProblemFormat::read(text);
  ASSERT_TRUE(cases);
  for (const auto& simulator : laws::honest<G>()) {
    const auto printed =
        G::ProblemFormat::print(cases->front(), played(simulator, cases->front().scenario).observations);
    ASSERT_FALSE(printed) << simulator.name;
    EXPECT_EQ(printed.error().message("in"), "in:14:1: one of the three columns is full");
  }
}

}  // namespace
}  // namespace lockstep
