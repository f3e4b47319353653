// Tests of stacking beyond the laws of laws.hpp: its own laws, boards drawn as pictures, and its readers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/stacking/canaries.hpp"
#include "games/stacking/system.hpp"
#include "games/stacking/turns.hpp"
#include "optimized/stacking/batch.hpp"
#include "props/play.hpp"

namespace lockstep {
namespace {

using G = Stacking;
using Position = Stacking::Setup;
using Actions = std::vector<Stacking::Action>;
using Move = Stacking::Move;
using Turn = Stacking::Turn;
using Play = Stacking::Play;

// Pictures ---------------------------------------------------------------------------------------

// A cell is its colour and its stack, bottom first: "Ra>b^" is a red cell with piece a, which faces
// right, and piece b on it, which faces up. Cells are separated by spaces; a is piece 0.
using laws::Picture;

constexpr std::string_view arrows = "><^v";

Position drawn(const Picture& rows) {
  const int size = static_cast<int>(rows.size());
  Position s{.size = size, .board = Grid{size, size}, .pieces = {}};
  std::array<Stacking::Piece, Stacking::pieces_max> pieces{};
  std::size_t count = 0;
  int row = 0;
  for (const std::string_view line : rows) {
    TokenReader in{line};
    for (int column = 0; column < size; ++column) {
      const std::string_view cell = in.word("a cell").value();
      s.board.at(row, column) = static_cast<std::uint8_t>(Stacking::cells.symbols.find(cell[0]));
      for (std::size_t i = 1; i + 1 < cell.size(); i += 2, ++count) {
        const int facing = static_cast<int>(arrows.find(cell[i + 1])) + Stacking::right;
        pieces.at(static_cast<std::size_t>(cell[i] - 'a')) = {row, column, facing, static_cast<int>(i / 2)};
      }
    }
    EXPECT_TRUE(in.at_end()) << "row " << row << " has more than " << size << " cells";
    ++row;
  }
  s.pieces.assign(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(count));
  normalise<G>(s);
  return s;
}

std::string picture(const Position& s) {
  std::string out;
  for (int row = 0; row < s.size; ++row) {
    for (int column = 0; column < s.size; ++column) {
      std::string cell{Stacking::cells.symbols[s.board.at(row, column)]};
      for (int level = 0; level < Stacking::pieces_max; ++level) {
        for (std::size_t i = 0; i < s.pieces.size(); ++i) {
          const Stacking::Piece& p = s.pieces[i];
          if (p.row != row || p.column != column || p.level != level) continue;
          cell += static_cast<char>('a' + i);
          cell += arrows[static_cast<std::size_t>(p.facing - Stacking::right)];
        }
      }
      out += (column == 0 ? "" : " ") + cell;
    }
    out += "\n";
  }
  return out;
}

std::string picture(const Picture& rows) { return picture(drawn(rows)); }

/// "ok", "end", "end by b" (of a turn), "turn 7" (of a play), "never", "illegal".
std::string shown(const Stacking::Observation& o) {
  switch (o.says) {
    case Stacking::Says::illegal: return "illegal";
    case Stacking::Says::moved: return o.ended ? "end" : "ok";
    case Stacking::Says::turned: return o.ended ? std::string{"end by "} + static_cast<char>('a' + o.piece) : "ok";
    case Stacking::Says::played: return o.turn == -1 ? "never" : "turn " + std::to_string(o.turn);
  }
  return "?";
}

// Execution --------------------------------------------------------------------------------------

using laws::broken_by;
using laws::played;

[[maybe_unused]] const bool with_canary_code = laws::also_compare<canaries::WrongStacking, G>();

/// The answers of all simulators, and the picture of the final board.
struct Outcome {
  std::string answers;
  std::string board;
  Position position;
};

Outcome outcome(const Position& setup, const Actions& actions) {
  const Trace<G> trace = played<G>({.setup = setup, .actions = actions});
  Outcome out{.answers = {}, .board = picture(trace.snapshots.back()), .position = trace.snapshots.back()};
  for (const auto& o : trace.observations) out.answers += (out.answers.empty() ? "" : ", ") + shown(o);
  return out;
}

Outcome outcome(const Picture& rows, const Actions& actions) { return outcome(drawn(rows), actions); }

Position at_turn(int turn, Position setup) {
  setup.turn = turn;
  return setup;
}

/// A short game from a suggested position.
Scenario<G> any_game() { return laws::any_suggested<G>(40); }

// One move ---------------------------------------------------------------------------------------

TEST(StackingMove, ToWhiteKeepsTheGroupsOrder) {
  // The problem's example: A, B, C onto D, E gives D, E, A, B, C.
  const Outcome o = outcome({".a>b^c< .d>e<",  //
                             ".       .    "},
                            {Move{0}});
  EXPECT_EQ(o.answers, "end");
  EXPECT_EQ(o.board, picture({". .d>e<a>b^c<",  //
                              ". .          "}));
}

TEST(StackingMove, ToAnEmptyRedCellReversesTheGroup) {
  // The problem's example: A, B, C becomes C, B, A.
  const Outcome o = outcome({".a>b^c< R",  //
                             ".       ."},
                            {Move{0}});
  EXPECT_EQ(o.answers, "ok");
  EXPECT_EQ(o.board, picture({". Rc<b^a>",  //
                              ". .      "}));
}

TEST(StackingMove, ToRedReversesTheGroupOnly) {
  // The problem's example: A, D, F, G onto E, C, B gives E, C, B, G, F, D, A. A stack of four would have ended the game
  // before, so three pieces move here; letters are those of the problem, except that f stands for F and G.
  const Outcome o = outcome({".a>d^f^ Re^c^b^",  //
                             ".       .      "},
                            {Move{0}});
  EXPECT_EQ(o.answers, "end");
  EXPECT_EQ(o.board, picture({". Re^c^b^f^d^a>",  //
                              ". .            "}));
}

TEST(StackingMove, CarriesOnlyThePiecesAbove) {
  const Outcome o = outcome({".a^b>c^ .",  //
                             ".       ."},
                            {Move{1}, Move{2}});
  EXPECT_EQ(o.answers, "ok, ok");         // c meets the edge above and moves down
  EXPECT_EQ(o.board, picture({".a^ .b>",  //
                              ".   .cv"}));
}

TEST(StackingMove, BlueReversesOnlyTheMovingPiece) {
  const Outcome o = outcome({". .a>b> B",  //
                             ". .     .",  //
                             ". .     ."},
                            {Move{0}});
  EXPECT_EQ(o.board, picture({".a<b> . B",  //
                              ".     . .",  //
                              ".     . ."}));
}

TEST(StackingMove, TheEdgeTurnsThePieceRoundLikeBlue) {
  const Outcome o = outcome({".a^ . .b>",  //
                             ".   . .  ",  //
                             ".c< . .dv"},
                            {Move{0}, Move{1}, Move{2}, Move{3}});
  EXPECT_EQ(o.board, picture({".   .b< .  ",  //
                              ".av .   .d^",  //
                              ".   .c> .  "}));
}

TEST(StackingMove, AfterReversingTheColourOfTheNewCellApplies) {
  const Outcome red = outcome({"R .a>b^c^ B",  //
                               ". .       .",  //
                               ". .       ."},
                              {Move{0}});
  EXPECT_EQ(red.board, picture({"Rc^b^a< . B",  //
                                ".       . .",  //
                                ".       . ."}));
  const Outcome white = outcome({". .a>b^c^ B",  //
                                 ". .       .",  //
                                 ". .       ."},
                                {Move{0}});
  EXPECT_EQ(white.board, picture({".a<b^c^ . B",  //
                                  ".       . .",  //
                                  ".       . ."}));
}

TEST(StackingMove, APieceBlockedBothWaysStaysAndReverses) {
  const Picture before = {"B Ra>b^c^ B",  //
                          ". .       .",  //
                          ". .       ."};
  EXPECT_EQ(outcome(before, {Move{0}}).board, picture({"B Ra<b^c^ B",  //
                                                       ". .       .",  //
                                                       ". .       ."}));
  EXPECT_EQ(outcome(before, {Move{0}, Move{0}}).board, picture(before));
  EXPECT_EQ(outcome({".a>b^"}, {Move{1}, Move{0}}).board, picture({".a<bv"}));
}

TEST(StackingMove, ABlockedPieceMovesAgainAfterBeingCarriedElsewhere) {
  const Outcome o = outcome({".       . .",  //
                             "Ba^b>   B .",  //
                             ".       . ."},
                            {Move{1}, Move{0}, Move{1}});
  EXPECT_EQ(o.board, picture({".a^ .b> .",  //
                              "B   B   .",  //
                              ".   .   ."}));
}

// End of the game ----------------------------------------------------------------------------------

TEST(StackingEnd, EndsTheTurnAtOnce) {
  const Outcome o = outcome({".a> .d^b>c>",  //
                             ".   .      "},
                            {Turn{}});
  EXPECT_EQ(o.answers, "end by a");
  EXPECT_EQ(o.board, picture({". .d^b>c>a>",  //
                              ". .        "}));
  EXPECT_EQ(o.position.turn, 1);
}

TEST(StackingEnd, TheWholeGroupLandsFirst) {
  const Outcome o = outcome({".b>d>f> .a^c^e^",  //
                             ".       .      "},
                            {Move{1}});
  EXPECT_EQ(o.answers, "end");
  EXPECT_EQ(o.board, picture({". .a^c^e^b>d>f>",  //
                              ". .            "}));
}

TEST(StackingEnd, MakesEveryActionIllegal) {
  const Picture ended = {".a>b>c>d> .",  //
                         ".         ."};
  const Outcome o = outcome(at_turn(5, drawn(ended)), {Move{0}, Move{3}, Turn{}, Play{}});
  EXPECT_EQ(o.answers, "illegal, illegal, illegal, illegal");
  EXPECT_EQ(o.board, picture(ended));
  EXPECT_EQ(o.position.turn, 5);
}

TEST(StackingEnd, IsAStackOfFourNotThree) {
  EXPECT_EQ(outcome({".a> .b^c^", ". ."}, {Move{0}, Turn{}}).answers, "ok, ok");
  EXPECT_EQ(outcome({".a> .b^c^d^", ". ."}, {Move{0}}).answers, "end");
}

RC_GTEST_PROP(StackingEnd, NoGameReachesAStackOfSeven, ()) {
  const Scenario<G> game = any_game();
  RC_PRE(!game.setup.ended);
  const Trace<G> trace = played<G>(game);
  int tallest = 0;
  for (const Stacking::Piece& p : trace.snapshots.back().pieces) tallest = std::max(tallest, p.level + 1);
  RC_ASSERT(tallest <= 6);
  RC_TAG(tallest);
}

// Turns and games ----------------------------------------------------------------------------------

/// Two pieces, so that a stack of four is impossible.
const Picture restless = {".a> R   B",  //
                          ".   .b^ .",  //
                          "R   .   ."};

/// Ends with piece a in its first turn.
const Picture about_to_end = {".a> .b^c^d<",  //
                              ".   .      "};

TEST(StackingPlay, CountsTurnsFromTheCounter) {
  EXPECT_EQ(outcome(about_to_end, {Play{}}).answers, "turn 1");
  EXPECT_EQ(outcome(at_turn(41, drawn(about_to_end)), {Play{}, Play{}}).answers, "turn 42, illegal");
}

TEST(StackingPlay, Turn1000IsTheLast) {
  EXPECT_EQ(outcome(at_turn(999, drawn(about_to_end)), {Play{}}).answers, "turn 1000");
  const Outcome late = outcome(at_turn(1000, drawn(about_to_end)), {Play{}, Turn{}});
  EXPECT_EQ(late.answers, "never, end by a");
  EXPECT_EQ(late.position.turn, 1001);
}

TEST(StackingPlay, MovesNothingAtTurn1000OrLater) {
  for (const int turn : {1000, 1001, 999'999, Stacking::turn_max}) {
    const Position start = at_turn(turn, drawn(restless));
    const Outcome o = outcome(start, {Play{}});
    EXPECT_EQ(o.answers, "never");
    EXPECT_EQ(o.position, start);
  }
}

TEST(StackingPlay, EndsInTheStateAfterTurn1000) {
  const Actions turns(1000, Turn{});
  EXPECT_EQ(outcome(restless, {Play{}}).position, outcome(restless, turns).position);
}

TEST(StackingPlay, APositionCanRepeatAfterOneTurn) {
  // On red, b moves under a and carries it back; on red, a moves under b again.
  const Picture red = {"Ra>b< R",  //
                       ".     ."};
  EXPECT_EQ(outcome(red, {Move{0}}).board, picture({"R Rb<a>", ". ."}));
  EXPECT_EQ(outcome(red, {Turn{}}).board, picture(red));
  EXPECT_EQ(outcome(red, {Play{}}).position.turn, 1000);
}

TEST(StackingTurn, TheCounterStopsAtItsLimit) {
  const Outcome o = outcome(at_turn(Stacking::turn_max - 1, drawn(restless)), {Turn{}, Turn{}});
  EXPECT_EQ(o.answers, "ok, ok");
  EXPECT_EQ(o.position.turn, Stacking::turn_max);
}

RC_GTEST_PROP(StackingPlay, IsTurnsUntilTheEndOrTurn1000, ()) {
  const Position setup = any_game().setup;
  const std::size_t left = static_cast<std::size_t>(std::max(0, Stacking::turns_played - setup.turn));
  const Position end = played<G>({.setup = setup, .actions = Actions(left, Turn{})}).snapshots.back();
  const Trace<G> play = played<G>({.setup = setup, .actions = {Play{}}});
  RC_ASSERT(play.snapshots.back() == end);
  if (!setup.ended) RC_ASSERT(play.observations.front().turn == (end.ended ? end.turn : -1));
}

RC_GTEST_PROP(StackingTurn, IsAMoveOfEachPieceInOrderUntilTheEnd, ()) {
  const Position setup = any_game().setup;
  RC_PRE(!setup.ended);
  Actions moves;
  for (int i = 0; i < static_cast<int>(setup.pieces.size()); ++i) moves.emplace_back(Move{i});
  const Trace<G> one = played<G>({.setup = setup, .actions = {Turn{}}});
  const Trace<G> many = played<G>({.setup = setup, .actions = moves});
  RC_ASSERT(LawsOf<G>::position(one.snapshots.back()) == LawsOf<G>::position(many.snapshots.back()));
  const auto last = std::ranges::find_if(many.observations, &Stacking::Observation::ended);
  const auto by = last == many.observations.end() ? -1 : last - many.observations.begin();
  RC_ASSERT(one.observations.front().piece == by);
}

// What features and generators know ---------------------------------------------------------------

RC_GTEST_PROP(StackingTurn, IsWhatFeaturesAndGeneratorsPlay, ()) {
  const Position setup = any_game().setup;
  RC_PRE(!setup.ended);
  const Trace<G> trace = played<G>({.setup = setup, .actions = Actions(40, Turn{})}, Cadence::every());
  stacking::Turns game{setup};
  for (std::size_t turn = 1; turn < trace.snapshots.size(); ++turn) {
    RC_ASSERT(game.play() == trace.snapshots[turn].ended);
    RC_ASSERT(game.pieces() == trace.snapshots[turn].pieces);
    if (trace.snapshots[turn].ended) break;
  }
}

TEST(StackingSuggestions, SomeGamesOfTheJudgeEndAboutTurn1000) {
  std::map<std::string, int> answers;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random{seed_of(1, seed)};
    const Scenario<G> game{.setup = Stacking::Suggestions{random}.setup(random), .actions = {Play{}}};
    if (Stacking::ProblemFormat::outside(game, {})) continue;
    const std::string answer = outcome(game.setup, {Play{}, Turn{}}).answers;
    ++answers[answer.substr(0, answer.find(" by"))];
  }
  for (const char* const each : {"turn 999, illegal", "turn 1000, illegal", "never, end"})
    EXPECT_GT(answers[each], 0) << each;
}

// Metamorphic laws ------------------------------------------------------------------------------

/// The scenario without `play`, because the answer of `play` depends on the counter.
Scenario<G> without_play(Scenario<G> scenario) {
  std::erase_if(scenario.actions, [](const Stacking::Action& action) { return std::holds_alternative<Play>(action); });
  return scenario;
}

RC_GTEST_PROP(StackingLaws, TheTurnCounterChangesNoMove, ()) {
  Scenario<G> game = without_play(any_game());
  const Trace<G> one = played<G>(game);
  game.setup.turn = *rc::gen::inRange(0, 2'000);
  const Trace<G> other = played<G>(game);
  RC_ASSERT(one.observations == other.observations);
  RC_ASSERT(LawsOf<G>::position(one.snapshots.back()) == LawsOf<G>::position(other.snapshots.back()));
}

RC_GTEST_PROP(StackingLaws, AFrameOfBlueCellsActsLikeTheEdge, ()) {
  const Scenario<G> game = any_game();
  RC_PRE(game.setup.size <= Stacking::size_max - 2);
  const auto framed = [](const Position& s) {
    Position out = s;
    out.size = s.size + 2;
    out.board = Grid{out.size, out.size};
    std::ranges::fill(out.board.cells, static_cast<std::uint8_t>(Stacking::blue));
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) out.board.at(row + 1, column + 1) = s.board.at(row, column);
    }
    for (Stacking::Piece& p : out.pieces) {
      ++p.row;
      ++p.column;
    }
    return out;
  };
  const Trace<G> inner = played<G>(game);
  const Trace<G> outer = played<G>({.setup = framed(game.setup), .actions = game.actions});
  RC_ASSERT(inner.observations == outer.observations);
  RC_ASSERT(framed(inner.snapshots.back()) == outer.snapshots.back());
}

/// The order of the pieces' numbers affects turns, not single moves.
RC_GTEST_PROP(StackingLaws, RenumberingThePiecesRenamesTheMoves, ()) {
  Scenario<G> game = any_game();
  std::erase_if(game.actions, [](const Stacking::Action& action) { return !std::holds_alternative<Move>(action); });
  const auto renamed = laws::any_order<std::size_t>(game.setup.pieces.size(), 0);
  const auto renumbered = [&](const Position& s) {
    Position out = s;
    for (std::size_t i = 0; i < renamed.size(); ++i) out.pieces[renamed[i]] = s.pieces[i];
    return out;
  };
  Actions actions;
  for (const Stacking::Action& action : game.actions) {
    const std::size_t piece = static_cast<std::size_t>(std::get<Move>(action).piece);
    actions.emplace_back(Move{static_cast<int>(renamed[piece])});
  }
  const Trace<G> one = played<G>(game);
  const Trace<G> other = played<G>({.setup = renumbered(game.setup), .actions = actions});
  RC_ASSERT(one.observations == other.observations);
  RC_ASSERT(renumbered(one.snapshots.back()) == other.snapshots.back());
}

/// The eight symmetries are the identity and the seven declared ones: composing two of them gives one of the eight.
TEST(StackingLaws, TheSymmetriesOfTheSquareAreAGroup) {
  const Position start = drawn({".a> .   Rb^c<",  //
                                "B   .   .    ",  //
                                ".   Rdv .    "});
  const auto symmetries = LawsOf<G>::symmetries();
  std::vector<Position> images{start};
  for (const auto& symmetry : symmetries) images.push_back(symmetry.setup(start));
  for (std::size_t i = 0; i < images.size(); ++i) {
    EXPECT_EQ(std::ranges::count(images, images[i]), 1) << "image " << i;
    for (const auto& symmetry : symmetries) EXPECT_EQ(std::ranges::count(images, symmetry.setup(images[i])), 1);
  }
  EXPECT_EQ(images.size(), 8u);
}

TEST(StackingCanaries, ARestartRevealsTheHiddenStateOfACanary) {
  const auto canaries = laws::canaries(vocabulary<G>());
  const auto canary = std::ranges::find(canaries, "blocked_for_ever", &Runner::name);
  ASSERT_NE(canary, canaries.end());
  const AnyScenario scenario = any_of<G>({.setup = drawn({".       . .",  //
                                                          "Ba^b>   B .",  //
                                                          ".       . ."}),
                                          .actions = {Move{1}, Move{0}, Move{1}}});
  EXPECT_TRUE(laws::restarts_hold(*canary, scenario).diverged());
  for (const auto& simulator : laws::honest(vocabulary<G>()))
    EXPECT_TRUE(laws::restarts_hold(simulator, scenario).agreed());
}

// Lawful setups -------------------------------------------------------------------------------------

Position pieces_at(std::vector<Stacking::Piece> pieces, bool ended = false) {
  return {.size = 2, .ended = ended, .board = Grid{2, 2}, .pieces = std::move(pieces)};
}

TEST(StackingSetup, NormaliseRanksLevelsAndThenPieces) {
  Position s = pieces_at({{.level = 7}, {.level = 2}, {.level = 7}, {.row = 1, .level = 9}}, true);
  normalise<G>(s);
  EXPECT_EQ(s, pieces_at({{.level = 1}, {.level = 0}, {.level = 2}, {.row = 1, .level = 0}}));
}

TEST(StackingSetup, NormaliseEndsTheGameWhenAStackOfFourStands) {
  Position s = pieces_at({{}, {}, {}, {}});
  normalise<G>(s);
  EXPECT_EQ(s, pieces_at({{.level = 0}, {.level = 1}, {.level = 2}, {.level = 3}}, true));
}

TEST(StackingSetup, FlawsNameTheFieldAndThePiece) {
  const auto flaw_of = [](const Position& s) {
    const auto flaw = lockstep::flaw<G>(s);
    return flaw ? std::string{flaw->field} + " " + std::to_string(flaw->row) + ": " + flaw->what : "none";
  };
  EXPECT_EQ(flaw_of(pieces_at({{}})), "none");
  EXPECT_EQ(flaw_of(pieces_at({{}, {.level = 2}})), "piece 1: piece 1 stands at level 2, but its stack holds 2");
  EXPECT_EQ(flaw_of(pieces_at({{}, {}})), "piece 1: piece 1 stands at level 0, where piece 0 is");
  EXPECT_EQ(flaw_of(pieces_at({{}}, true)), "ended -1: the game ends only by a stack of four or more");
  EXPECT_EQ(flaw_of(pieces_at({{.level = 0}, {.level = 1}, {.level = 2}, {.level = 3}})),
            "ended -1: the stack of four or more in row 0, column 0 has ended the game");
}

TEST(StackingSetup, AFlawIsFoundInItsLineOfTheText) {
  const auto refused = [](std::string_view fields) {
    const auto parsed = parse_scenario<G>("lockstep 1 stacking\n" + std::string{fields} + "actions\n");
    return parsed ? "accepted" : parsed.error().message("f");
  };
  EXPECT_EQ(refused("size 2\npiece row=0 column=1 facing=left level=0\n"), "accepted");
  EXPECT_EQ(refused("size 2\npiece row=0 column=1 facing=left level=0\npiece row=1 column=1 facing=up level=1\n"),
            "f:4:1: piece: piece 1 stands at level 1, but its stack holds 1");
  EXPECT_EQ(refused("size 2\nended yes\npiece row=0 column=1 facing=left level=0\n"),
            "f:3:1: ended: the game ends only by a stack of four or more");
  EXPECT_NE(refused("size 2\npiece row=2 column=1 facing=left level=0\n"), "accepted");
  EXPECT_NE(refused("size 2\npiece row=1 column=1 facing=north level=0\n"), "accepted");
  EXPECT_NE(refused("size 2\nboard\n..\n.Y\npiece row=1 column=1 facing=up level=0\n"), "accepted");
  EXPECT_NE(refused("size 13\npiece row=1 column=1 facing=up level=0\n"), "accepted");
  EXPECT_NE(refused("size 2\n"), "accepted");
}

// Invariants ---------------------------------------------------------------------------------------

/// Every check of `violation` is seen failing: take a lawful step and falsify one thing about it.
TEST(StackingInvariants, EachInvariantRejectsAWrongStep) {
  using Observation = Stacking::Observation;
  const Position before = drawn({".a>b^ .   B",  //
                                 ".     .cv .",  //
                                 ".     .   ."});
  const auto of_move = [&](auto&& falsify) { return broken_by<G>(before, Move{0}, falsify); };
  const auto of_turn = [&](auto&& falsify) { return broken_by<G>(before, Turn{}, falsify); };
  const auto of_play = [&](auto&& falsify) { return broken_by<G>(before, Play{}, falsify); };
  const auto nothing = [](Observation&, Position&) {};
  EXPECT_EQ(of_move(nothing), "");
  EXPECT_EQ(of_turn(nothing), "");
  EXPECT_EQ(of_play(nothing), "");

  EXPECT_EQ(of_move([](auto&, Position& s) { s.board.at(2, 2) = Stacking::red; }),
            "the board or the number of pieces changed");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces.pop_back(); }), "the board or the number of pieces changed");
  EXPECT_EQ(of_move([](Observation& o, auto&) { o = {}; }), "an action before the end was refused");
  EXPECT_EQ(of_move([](Observation& o, auto&) { o.says = Stacking::Says::played; }),
            "the answer is that of another action");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[1].level = 0; }),
            "the levels of a stack are not 0, 1, 2 and so on");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.ended = true; }),
            "the game has not ended exactly when a stack of four or more stands");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[2] = {0, 2, Stacking::down, 0}; }), "a piece moved onto blue");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[0].facing = Stacking::up; }), "a piece made a quarter turn");

  EXPECT_EQ(of_move([](auto&, Position& s) { ++s.turn; }), "a move advanced the turn counter");
  EXPECT_EQ(of_move([](Observation& o, auto&) { o.ended = true; }),
            "the move's answer and the state disagree about the end");
  EXPECT_EQ(of_move([&](auto&, Position& s) { s = before; }), "a piece that stayed did not turn round");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[0].facing = Stacking::left; }),
            "a piece did not move one cell in its direction");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[1].facing = Stacking::down; }),
            "a piece turned round that did not move");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[1] = {0, 0, Stacking::up, 0}; }),
            "a piece above the mover was not carried");
  EXPECT_EQ(of_move([](auto&, Position& s) { std::swap(s.pieces[0].level, s.pieces[1].level); }),
            "the carried pieces are not in the order that the cell's colour asks for");
  EXPECT_EQ(of_move([](auto&, Position& s) { s.pieces[2].row = 2; }), "a piece moved that was not carried");

  EXPECT_EQ(of_turn([](auto&, Position& s) { --s.turn; }), "a turn did not advance the turn counter by one");
  EXPECT_EQ(of_turn([](Observation& o, auto&) { o.ended = true; }),
            "the turn's answer and the state disagree about the end");
  EXPECT_EQ(of_turn([](Observation& o, auto&) { o.piece = 0; }), "a turn names a piece exactly when it ends the game");

  EXPECT_EQ(of_play([](auto&, Position& s) { s.turn = 999; }), "play gave up at another turn than 1000");
  EXPECT_EQ(of_play([](Observation& o, auto&) { o.turn = 7; }), "play named a turn, but the game has not ended");
}

TEST(StackingInvariants, EachInvariantOfTheEndRejectsAWrongStep) {
  using Observation = Stacking::Observation;
  const Position before = drawn({".a>b^ .c^d^ .e<",  //
                                 ".     .     .  ",  //
                                 ".     .     .  "});
  const auto nothing = [](Observation&, Position&) {};
  for (const Stacking::Action& action :
       {Stacking::Action{Move{0}}, Stacking::Action{Turn{}}, Stacking::Action{Play{}}}) {
    EXPECT_EQ(broken_by<G>(before, action, nothing), "");
  }
  EXPECT_EQ(broken_by<G>(before, Turn{}, [](Observation& o, auto&) { o.piece = 9; }), "the turn was ended by no piece");
  EXPECT_EQ(broken_by<G>(before, Turn{}, [](Observation& o, auto&) { o.piece = 4; }),
            "the end is not where the piece landed");
  EXPECT_EQ(broken_by<G>(before, Turn{}, [](auto&, Position& s) { s.pieces[4].facing = Stacking::right; }),
            "a piece moved after the end");
  EXPECT_EQ(broken_by<G>(before, Play{}, [](Observation& o, auto&) { o.turn = -1; }),
            "play answered -1, but the game has ended");
  EXPECT_EQ(broken_by<G>(before, Play{}, [](Observation& o, auto&) { o.turn = 2; }),
            "play's answer is not the turn counter");
  EXPECT_EQ(
      broken_by<G>(before, Play{}, [](Observation& o, Position& s) { o.turn = s.turn = Stacking::turns_played + 1; }),
      "play's answer is not a turn that it played");
  EXPECT_EQ(
      broken_by<G>(at_turn(1000, before), Play{}, [](auto&, Position& s) { s.pieces[4].facing = Stacking::right; }),
      "play moved after turn 1000");

  const Position ended = drawn({".a>b>c>d> .",  //
                                ".         ."});
  EXPECT_EQ(broken_by<G>(ended, Move{0}, nothing), "");
  EXPECT_EQ(broken_by<G>(ended, Move{0}, [](Observation& o, auto&) { o.says = Stacking::Says::moved; }),
            "an action after the end was not refused");
  EXPECT_EQ(broken_by<G>(ended, Turn{}, [](auto&, Position& s) { ++s.turn; }), "an illegal action changed the state");
}

// Problem format ----------------------------------------------------------------------------------

constexpr std::string_view sample_2 = "4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1\n1 2 1\n1 3 1\n1 4 1\n";

TEST(StackingProblemFormat, ReadsThePublishedInput) {
  EXPECT_EQ(laws::read_scenario<G>(sample_2), (Scenario<G>{.setup = drawn({".a> .b> .c> .d>",  //
                                                                           ".   .   .   .  ",  //
                                                                           ".   .   .   .  ",  //
                                                                           ".   .   .   .  "}),
                                                           .actions = {Play{}}}));
}

TEST(StackingProblemFormat, ReadsDirectionsAndColoursAsPublished) {
  const auto scenario = laws::read_scenario<G>("4 4\n0 1 2 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1\n2 2 2\n3 3 3\n4 4 4\n");
  EXPECT_EQ(picture(scenario.setup), picture({".a> R   B   .  ",  //
                                              ".   .b< .   .  ",  //
                                              ".   .   .c^ .  ",  //
                                              ".   .   .   .dv"}));
}

TEST(StackingProblemFormat, AnInvalidGameIsRefusedWithItsPlace) {
  laws::expect_refused({
      {"", "in:1:1: expected the size of the board, a number from 4 to 12, got the end of the input"},
      {"3 4", "in:1:1: expected the size of the board, a number from 4 to 12, got '3'"},
      {"13 4", "in:1:1: expected the size of the board, a number from 4 to 12, got '13'"},
      {"4 3", "in:1:3: expected the number of pieces, a number from 4 to 10, got '3'"},
      {"4 11", "in:1:3: expected the number of pieces, a number from 4 to 10, got '11'"},
      {"4 4\n0 0 3", "in:2:5: expected a colour, a number from 0 to 2, got '3'"},
      {"4 4\n0 0 x 0", "in:2:5: expected a colour, a number from 0 to 2, got 'x'"},
      {"4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n5 1 1",
       "in:6:1: expected a piece's row, a number from 1 to 4, got '5'"},
      {"4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 0 1",
       "in:6:3: expected a piece's column, a number from 1 to 4, got '0'"},
      {"4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 5",
       "in:6:5: expected a piece's direction, a number from 1 to 4, got '5'"},
      {"4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1\n1 2 1\n1 1 2",
       "in:8:1: expected a cell of its own for this piece, got row 1, column 1 once more"},
      {"4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1\n1 2 1\n1 3 1",
       "in:8:6: expected a piece's row, a number from 1 to 4, got the end of the input"},
      {"4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1\n1 2 1\n1 3 1\n1 4 1 7",
       "in:9:7: expected the end of the input, got '7'"},
  });
}

TEST(StackingProblemFormat, PrintsAsTheProblemPublishes) {
  EXPECT_EQ(laws::printed<G>({{.says = Stacking::Says::played, .turn = 7}}), "7\n");
  EXPECT_EQ(laws::printed<G>({{.says = Stacking::Says::played, .turn = -1}}), "-1\n");
  EXPECT_EQ(laws::printed<G>({{}}), "refused");
}

TEST(StackingProblemDomain, HoldsOnePlayFromTheStartWithinThePublishedLimits) {
  const Picture start = {".a> .b> .c> .d>",  //
                         ".   .   .   .  ",  //
                         ".   .   .   .  ",  //
                         ".   .   .   .  "};
  EXPECT_EQ(laws::outside<G>({drawn(start), {Play{}}}), "inside");
  const std::string question = "the problem gives a board and asks for one play";
  EXPECT_EQ(laws::outside<G>({drawn(start), {}}), question);
  EXPECT_EQ(laws::outside<G>({drawn(start), {Turn{}}}), question);
  EXPECT_EQ(laws::outside<G>({drawn(start), {Play{}, Play{}}}), question);
  EXPECT_EQ(laws::outside<G>({at_turn(1, drawn(start)), {Play{}}}),
            "the problem starts before turn 1, not after turn 1");
  EXPECT_EQ(laws::outside<G>({drawn({".a> .b> .c> .",  //
                                     ".   .   .   .",  //
                                     ".   .   .   .",  //
                                     ".   .   .   ."}),
                              {Play{}}}),
            "the problem has 4 to 10 pieces, not 3");
  EXPECT_EQ(laws::outside<G>({drawn({".a> .b> .c>",  //
                                     ".d> .   .  ",  //
                                     ".   .   .  "}),
                              {Play{}}}),
            "the problem's boards have size 4 to 12, not 3");
  EXPECT_EQ(laws::outside<G>({drawn({".a> .      .c> .",  //
                                     ".   .b>d>  .   .",  //
                                     ".   .      .   .",  //
                                     ".   .      .   ."}),
                              {Play{}}}),
            "the problem's pieces start on cells of their own; row 1, column 1 has several");
}

// The batch --------------------------------------------------------------------------------------

/// Every game of a batch ends up where it does alone, whatever boards and numbers of pieces are beside it. A block has 64
/// games.
TEST(StackingBatch, PlaysEveryGame) {
  using optimized::StackingGames;
  Random random{130};
  std::size_t ended = 0;
  for (const std::size_t count : {1u, 63u, 65u, 130u}) {
    std::vector<Position> setups;
    StackingGames batch{count};
    for (std::size_t i = 0; i < count; ++i) {
      setups.push_back(draw_scenario<G>(random, styles[i % styles.size()]).setup);
      batch.set(i, StackingGames::game_of(setups[i]), StackingGames::survey(setups[i].board));
    }
    std::vector<Actions> played(count);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::uint8_t> asked(batch.places());
      const bool turn = round % 4 == 3;
      for (std::size_t i = 0; i < count; ++i) {
        asked[i] = static_cast<std::uint8_t>(random.below(setups[i].pieces.size()));
        played[i].push_back(turn ? Stacking::Action{Turn{}} : Move{static_cast<int>(asked[i])});
      }
      turn ? batch.turn() : batch.move(asked);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Position end =
          laws::played<G>({.setup = setups[i], .actions = played[i]}, Cadence::every()).snapshots.back();
      ASSERT_EQ(batch.get(i), StackingGames::game_of(end)) << "game " << i << " of " << count << "\n"
                                                           << scenario_text<G>({setups[i], played[i]});
      ended += end.ended ? 1 : 0;
    }
  }
  EXPECT_GT(ended, 30u);
}

}  // namespace
}  // namespace lockstep
