// The laws of omok that are more than plain symmetries of scenarios, its pictures, and its readers.
#include "systems/omok.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/files.hpp"
#include "props/drawing.hpp"
#include "props/laws.hpp"

namespace lockstep {
namespace {

// Boards and answers ---------------------------------------------------------------------------

using Picture = std::initializer_list<std::string_view>;

Omok::Setup drawn(Picture rows) {
  const int size = static_cast<int>(rows.size());
  Omok::Setup s{.size = size, .board = Grid{size, size}};
  int row = 0;
  for (const std::string_view line : rows) {
    EXPECT_EQ(line.size(), rows.size()) << "row " << row;
    for (int column = 0; column < size; ++column) {
      const auto cell = Omok::cells.symbols.find(line[static_cast<std::size_t>(column)]);
      s.board.at(row, column) = static_cast<std::uint8_t>(cell);
    }
    ++row;
  }
  return s;
}

/// "-", "illegal", "nobody", or "black 3,2": row and column of the winning stone, counted from 1.
std::string shown(const Omok::Observation& o) {
  if (o.says == Omok::Says::illegal) return "illegal";
  if (o.says == Omok::Says::done) return "-";
  if (o.winner == 0) return "nobody";
  return std::string{Omok::colours[static_cast<std::size_t>(o.winner - 1)]} + " " + std::to_string(o.row) + "," +
         std::to_string(o.column);
}

std::vector<Omok::Observation> played(const AnyImplementation<Omok>& simulator, const Scenario<Omok>& scenario) {
  Trace<Omok> trace;
  simulator.trace(scenario, Cadence{}, trace);
  return trace.observations;
}

Omok::Observation judged(const AnyImplementation<Omok>& simulator, const Omok::Setup& setup) {
  return played(simulator, {.setup = setup, .actions = {Omok::Judge{}}}).front();
}

/// What every honest simulator says of a board; a list of all answers when they differ.
std::string answer(const Omok::Setup& setup) {
  std::vector<std::string> answers;
  for (const auto& simulator : laws::honest<Omok>()) answers.push_back(shown(judged(simulator, setup)));
  if (std::ranges::adjacent_find(answers, std::not_equal_to{}) == answers.end()) return answers.front();
  return std::accumulate(answers.begin(), answers.end(), std::string{"differing:"},
                         [](const std::string& all, const std::string& one) { return all + " " + one; });
}

Omok::Setup any_board() { return laws::any_scenario<Omok>().setup; }

std::vector<Omok::Place> stones_of(const Omok::Setup& setup) {
  std::vector<Omok::Place> stones;
  for (int row = 0; row < setup.size; ++row) {
    for (int column = 0; column < setup.size; ++column) {
      const int colour = setup.board.at(row, column);
      if (colour != 0) stones.push_back({.colour = colour, .row = row, .column = column});
    }
  }
  return stones;
}

// What a win is, a second time ------------------------------------------------------------------

/// The wins of a board by another road than Omok::wins: each line as a string, cut into its maximal runs.
std::vector<Omok::Win> wins_by_lines(const Grid& board) {
  std::vector<Omok::Win> found;
  const auto cut = [&](int row, int column, int down, int right) {
    std::string line;
    for (int i = 0; board.contains(row + i * down, column + i * right); ++i) {
      line += Omok::cells.symbols[board.at(row + i * down, column + i * right)];
    }
    for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
      end = std::min(line.find_first_not_of(line[begin], begin), line.size());
      if (line[begin] == '.' || end - begin != 5) continue;
      Omok::Win win{.line = {}, .colour = line[begin] == 'B' ? 1 : 2};
      for (int i = 0; i < 5; ++i) {
        const int at = static_cast<int>(begin) + i;
        win.line[static_cast<std::size_t>(i)] = {.column = column + at * right, .row = row + at * down};
      }
      std::ranges::sort(win.line);
      found.push_back(win);
    }
  };
  for (int i = 0; i < board.rows; ++i) {
    cut(i, 0, 0, 1);                              // across
    cut(0, i, 1, 0);                              // down
    cut(0, i, 1, 1);                              // falling, from the top
    if (i > 0) cut(i, 0, 1, 1);                   //          from the left
    cut(0, i, 1, -1);                             // rising, from the top
    if (i > 0) cut(i, board.columns - 1, 1, -1);  //   from the right
  }
  std::ranges::sort(found);
  return found;
}

RC_GTEST_PROP(OmokWins, AreTheMaximalRunsOfExactlyFive, ()) {
  const Omok::Setup setup = any_board();
  RC_ASSERT(Omok::wins(setup.board) == wins_by_lines(setup.board));
}

RC_GTEST_PROP(OmokWins, TheFirstOfThemAnswers, ()) {
  const Omok::Setup setup = any_board();
  const auto all = wins_by_lines(setup.board);
  RC_CLASSIFY(all.empty());
  RC_CLASSIFY(all.size() == 1);
  RC_CLASSIFY(all.size() > 1);
  Omok::Observation expected{.says = Omok::Says::judged};
  if (!all.empty()) {
    expected.winner = static_cast<std::int8_t>(all.front().colour);
    expected.row = static_cast<std::int8_t>(all.front().line.front().row + 1);
    expected.column = static_cast<std::int8_t>(all.front().line.front().column + 1);
  }
  RC_ASSERT(answer(setup) == shown(expected));
}

/// The ruling is unambiguous: the answer need not say which of two wins with one naming stone it means.
RC_GTEST_PROP(OmokWins, ThatShareTheirStoneHaveTheSameOwner, ()) {
  const auto all = wins_by_lines(any_board().board);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].line.front() == all[i - 1].line.front()) RC_ASSERT(all[i].colour == all[i - 1].colour);
  }
}

/// The image of a win under a symmetry: where its placements would go, in order again.
Omok::Win image_of(const Omok::Win& win, const Symmetry<Omok>& symmetry, const Omok::Setup& setup) {
  Omok::Win image = win;
  for (Omok::Cell& cell : image.line) {
    const Omok::Place stone{.colour = win.colour, .row = cell.row, .column = cell.column};
    const auto mapped = std::get<Omok::Place>(symmetry.action(setup, stone));
    cell = {.column = mapped.column, .row = mapped.row};
    image.colour = mapped.colour;
  }
  std::ranges::sort(image.line);
  return image;
}

RC_GTEST_PROP(OmokWins, AreMappedAsASetByEverySymmetry, ()) {
  const Omok::Setup setup = any_board();
  for (const auto& symmetry : Omok::symmetries()) {
    std::vector<Omok::Win> expected;
    for (const Omok::Win& win : wins_by_lines(setup.board)) expected.push_back(image_of(win, symmetry, setup));
    std::ranges::sort(expected);
    if (wins_by_lines(symmetry.setup(setup).board) != expected) RC_FAIL(std::string{symmetry.name});
  }
}

TEST(OmokSymmetries, AreTheEightOfTheSquareAndTheColours) {
  const Omok::Setup corner = drawn({"BW.",  //
                                    "...",  //
                                    "..."});
  std::vector<std::string> images = {setup_text<Omok>(corner)};
  for (const auto& symmetry : Omok::symmetries()) images.push_back(setup_text<Omok>(symmetry.setup(corner)));
  EXPECT_EQ(images.size(), 9u) << "the identity, seven more, and the colours";
  std::ranges::sort(images);
  EXPECT_EQ(std::ranges::adjacent_find(images), images.end()) << "no two are the same map";
}

// Laws of play ----------------------------------------------------------------------------------

/// A board moved within a larger one is judged as it was, moved along: however many have won.
RC_GTEST_PROP(OmokLaws, MovingABoardIntoALargerOneMovesTheAnswer, ()) {
  const Omok::Setup setup = any_board();
  RC_PRE(setup.size < Omok::size_max);
  const int size = *rc::gen::inRange(setup.size + 1, Omok::size_max + 1);
  const int down = *rc::gen::inRange(0, size - setup.size + 1);
  const int right = *rc::gen::inRange(0, size - setup.size + 1);
  Omok::Setup larger{.size = size, .board = Grid{size, size}};
  for (const Omok::Place& stone : stones_of(setup)) {
    larger.board.at(stone.row + down, stone.column + right) = static_cast<std::uint8_t>(stone.colour);
  }
  for (const auto& simulator : laws::honest<Omok>()) {
    Omok::Observation expected = judged(simulator, setup);
    if (expected.winner != 0) {
      expected.row = static_cast<std::int8_t>(expected.row + down);
      expected.column = static_cast<std::int8_t>(expected.column + right);
    }
    RC_ASSERT(judged(simulator, larger) == expected);
  }
}

/// To a colour's runs a stone of the other colour is as good as an empty cell. So the answer is the
/// better of the two answers that the colours get alone.
RC_GTEST_PROP(OmokLaws, EachColourIsJudgedAsIfItWereAlone, ()) {
  const Omok::Setup setup = any_board();
  for (const auto& simulator : laws::honest<Omok>()) {
    Omok::Observation best{.says = Omok::Says::judged};
    for (const std::uint8_t colour : {std::uint8_t{1}, std::uint8_t{2}}) {
      Omok::Setup alone = setup;
      std::ranges::replace_if(alone.board.cells, [&](std::uint8_t cell) { return cell != colour; }, std::uint8_t{0});
      const Omok::Observation o = judged(simulator, alone);
      const auto rank = [](const Omok::Observation& a) { return std::pair{a.column, a.row}; };
      if (o.winner != 0 && (best.winner == 0 || rank(o) < rank(best))) best = o;
    }
    RC_ASSERT(judged(simulator, setup) == best);
  }
}

/// A board remembers nothing of how it came about: its stones may be placed in any order, with others
/// in between that are taken away again.
RC_GTEST_PROP(OmokLaws, AnyRoadToABoardIsJudgedAlike, ()) {
  const Omok::Setup setup = any_board();
  Random random{*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())};
  std::vector<Omok::Place> stones = stones_of(setup);
  for (std::size_t i = stones.size(); i > 1; --i) std::swap(stones[i - 1], stones[random.below(i)]);
  Scenario<Omok> road{.setup = {.size = setup.size, .board = Grid{setup.size, setup.size}}, .actions = {}};
  for (const Omok::Place& stone : stones) {
    const Omok::Place detour{.colour = 3 - stone.colour, .row = stone.row, .column = stone.column};
    if (random.chance(1, 4)) {
      road.actions.emplace_back(detour);
      road.actions.emplace_back(Omok::Remove{.row = stone.row, .column = stone.column});
    }
    road.actions.emplace_back(stone);
  }
  road.actions.emplace_back(Omok::Judge{});
  for (const auto& simulator : laws::honest<Omok>()) {
    Trace<Omok> trace;
    simulator.trace(road, Cadence{}, trace);
    RC_ASSERT(trace.observations.back() == judged(simulator, setup));
    RC_ASSERT(trace.snapshots.back() == setup);
  }
}

/// Every filling of a line of ten cells, in each direction: the odometer of all 3¹⁰ fillings turns on
/// one board, so that every filling is reached by stones that come and go.
TEST(OmokLaws, EveryFillingOfALineOfTenIsJudgedAlikeInAllDirections) {
  constexpr int length = 10;
  struct Generator {
    int row, column, down, right;
  };
  for (const Generator way :
       {Generator{4, 0, 0, 1}, Generator{0, 6, 1, 0}, Generator{0, 0, 1, 1}, Generator{9, 0, -1, 1}}) {
    reference::RulebookOmok rulebook{{.size = length, .board = Grid{length, length}}};
    optimized::ShiftsOmok shifts{{.size = length, .board = Grid{length, length}}};
    optimized::LinesOmok lines{{.size = length, .board = Grid{length, length}}};
    const auto all = [&](const Omok::Action& action) {
      const Omok::Observation o = rulebook.step(action);
      EXPECT_EQ(shown(shifts.step(action)), shown(o));
      EXPECT_EQ(shown(lines.step(action)), shown(o));
      return o;
    };
    std::string line(length, '.');
    int winning = 0;
    while (true) {
      std::size_t first = std::string::npos;  // where the first maximal run of five begins
      for (std::size_t begin = 0, end = 0; begin < length && first == std::string::npos; begin = end) {
        end = std::min(line.find_first_not_of(line[begin], begin), line.size());
        if (line[begin] != '.' && end - begin == 5) first = begin;
      }
      Omok::Observation expected{.says = Omok::Says::judged};
      if (first != std::string::npos) {
        const int at = static_cast<int>(first);
        expected.winner = line[first] == 'B' ? 1 : 2;
        expected.row = static_cast<std::int8_t>(way.row + at * way.down + 1);
        expected.column = static_cast<std::int8_t>(way.column + at * way.right + 1);
        ++winning;
      }
      ASSERT_EQ(shown(all(Omok::Judge{})), shown(expected)) << line;
      // The next filling: the last cells turn from W to '.', the one before them turns from '.' to B or from B to W.
      int turning = length - 1;
      const auto cell = [&](int i) -> char& { return line[static_cast<std::size_t>(i)]; };
      const auto at = [&](int i) {
        return Omok::Remove{.row = way.row + i * way.down, .column = way.column + i * way.right};
      };
      for (; turning >= 0 && cell(turning) == 'W'; --turning) {
        all(at(turning));
        cell(turning) = '.';
      }
      if (turning < 0) break;
      if (cell(turning) == 'B') all(at(turning));
      const int colour = cell(turning) == 'B' ? 2 : 1;
      all(Omok::Place{.colour = colour, .row = at(turning).row, .column = at(turning).column});
      cell(turning) = Omok::cells.symbols[static_cast<std::size_t>(colour)];
    }
    // Of one colour, 2·3⁴ fillings have their run of exactly five at each end, and 2²·3³ at each of the four places
    // between; two fillings have a run of both colours, BBBBBWWWWW and WWWWWBBBBB.
    EXPECT_EQ(winning, 2 * (2 * 162 + 4 * 108) - 2);
  }
}

#if defined(__x86_64__)
/// All boards of a batch are judged, each as it would be alone: two groups of them, the second not full.
TEST(OmokBatch, AnswersForEveryBoard) {
  if (!has_avx512()) GTEST_SKIP() << "no AVX-512";
  Random random{300};
  std::vector<Omok::Setup> setups;
  for (std::size_t i = 0; i < 300; ++i) setups.push_back(draw_scenario<Omok>(random, styles[i % styles.size()]).setup);
  optimized::OmokBoards batch{setups.size()};
  for (std::size_t i = 0; i < setups.size(); ++i) {
    for (const Omok::Place& stone : stones_of(setups[i])) batch.put(i, stone.colour, stone.row, stone.column);
  }
  std::vector<Omok::Observation> answers(setups.size());
  batch.judge(answers);
  int won = 0;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    const Omok::Observation alone = judged(laws::honest<Omok>().front(), setups[i]);
    EXPECT_EQ(shown(answers[i]), shown(alone)) << "board " << i << "\n" << setup_text<Omok>(setups[i]);
    won += alone.winner != 0 ? 1 : 0;
  }
  EXPECT_GT(won, 50);
}
#endif

/// The plain simulator behind the canaries makes no mistake of its own.
RC_GTEST_PROP(OmokCanaries, WithoutAMistakeAreTheRulebook, ()) {
  using Honest = canaries::WrongOmok<canaries::OmokMistake::none>;
  const Scenario<Omok> scenario = laws::any_scenario<Omok>();
  std::vector<AnyImplementation<Omok>> pair = {laws::honest<Omok>().front()};
  pair.push_back({"none", Kind::canary, "no mistake", &run_trace<Honest, Omok>});
  Judge<Omok> judge{pair};
  const std::string complaint =
      laws::complaint<Omok>(pair, scenario, [&](const Scenario<Omok>& s) { return judge.judge(s); });
  if (!complaint.empty()) RC_FAIL(complaint);
}

// A model, command by command --------------------------------------------------------------------

/// The board as a model, and a simulator that must follow it. Stones stay within two rows and four columns
/// round the middle line, mostly black, so that runs of five come and go within a few commands.
struct Model {
  Omok::Setup state{.size = 8, .board = Grid{8, 8}};
};

template <class S>
using CommandPointer = std::shared_ptr<const rc::state::Command<Model, S>>;

template <class S>
class Told : public rc::state::Command<Model, S> {
 public:
  explicit Told(Omok::Action action) : action_{action} {}
  void apply(Model& model) const override {
    if (const auto* place = std::get_if<Omok::Place>(&action_)) {
      std::uint8_t& cell = model.state.board.at(place->row, place->column);
      if (cell == 0) cell = static_cast<std::uint8_t>(place->colour);
    }
    if (const auto* remove = std::get_if<Omok::Remove>(&action_)) model.state.board.at(remove->row, remove->column) = 0;
  }
  void run(const Model& model, S& simulator) const override {
    const Omok::Observation o = simulator.step(action_);
    const Model after = this->nextState(model);
    RC_ASSERT(Omok::violation(model.state, model.state, action_, o, after.state) == "");
    RC_ASSERT(simulator.snapshot() == after.state);
  }
  void show(std::ostream& os) const override { os << action_text<Omok>(Model{}.state, action_); }

 private:
  Omok::Action action_;
};

template <class S>
void follows_the_model() {
  const auto commands = [](const Model&) {
    const auto row = rc::gen::inRange(3, 5);
    const auto column = rc::gen::inRange(1, 8);
    const auto told = [](Omok::Action action) -> CommandPointer<S> { return std::make_shared<Told<S>>(action); };
    const auto place = rc::gen::map(
        rc::gen::tuple(rc::gen::weightedElement<int>({{9, 1}, {1, 2}}), row, column), [=](const auto& drawn) {
          return told(Omok::Place{std::get<0>(drawn), std::get<1>(drawn), std::get<2>(drawn)});
        });
    const auto remove = rc::gen::map(rc::gen::pair(row, column),
                                     [=](const auto& drawn) { return told(Omok::Remove{drawn.first, drawn.second}); });
    return rc::gen::weightedOneOf<CommandPointer<S>>(
        {{6, place}, {1, remove}, {2, rc::gen::just(told(Omok::Judge{}))}});
  };
  S simulator{Model{}.state};
  rc::state::check(Model{}, simulator, commands);
}

RC_GTEST_PROP(OmokModel, IsFollowedByTheRulebook, ()) { follows_the_model<reference::RulebookOmok>(); }
RC_GTEST_PROP(OmokModel, IsFollowedByShifts, ()) { follows_the_model<optimized::ShiftsOmok>(); }
RC_GTEST_PROP(OmokModel, IsFollowedByLines, ()) { follows_the_model<optimized::LinesOmok>(); }

// Pictures --------------------------------------------------------------------------------------

TEST(OmokPictures, FiveWinAndAreNamedByTheirLeftmostStone) {
  EXPECT_EQ(answer(drawn({"......",  //
                          ".BBBBB",  //
                          "......",  //
                          "......",  //
                          "......",  //
                          "......"})),
            "black 2,2");
  EXPECT_EQ(answer(drawn({"W.....",  //
                          ".W....",  //
                          "..W...",  //
                          "...W..",  //
                          "....W.",  //
                          "......"})),
            "white 1,1");
  EXPECT_EQ(answer(drawn({".....B",  //
                          "....B.",  //
                          "...B..",  //
                          "..B...",  //
                          ".B....",  //
                          "......"})),
            "black 5,2");
}

TEST(OmokPictures, AnUprightFiveIsNamedByItsTopmostStone) {
  EXPECT_EQ(answer(drawn({"......",  //
                          "....W.",  //
                          "....W.",  //
                          "....W.",  //
                          "....W.",  //
                          "....W."})),
            "white 2,5");
}

TEST(OmokPictures, FourAndSixAreNoWin) {
  EXPECT_EQ(answer(drawn({"BBBBBB",  //
                          "......",  //
                          "WWWW..",  //
                          "..WBBW",  //
                          "...WB.",  //
                          "....B."})),
            "nobody");
}

TEST(OmokPictures, ARunDoesNotGoOnInTheNextRow) {
  EXPECT_EQ(answer(drawn({"...BBB",  //
                          "BB....",  //
                          ".....W",  //
                          "W.....",  //
                          ".W....",  //
                          "..WW.."})),
            "nobody");
}

TEST(OmokPictures, OfSeveralWinsTheLeftmostStoneAnswersThenTheTopmost) {
  EXPECT_EQ(answer(drawn({"..BBBBB",  //
                          ".......",  //
                          ".W.....",  //
                          ".WWWWW.",  //
                          ".W.....",  //
                          ".W.....",  //
                          ".W....."})),
            "white 3,2");
}

/// The answers of one scenario in the corpus, one word for each judgement and refusal.
std::string answers_in_corpus(const AnyImplementation<Omok>& simulator, std::string_view file) {
  const auto path = std::filesystem::path{LOCKSTEP_CORPUS} / "omok" / file;
  const auto text = read_file(path);
  if (!text) return text.error();
  const auto scenario = parse_scenario<Omok>(*text);
  if (!scenario) return scenario.error().message(path.string());
  std::string out;
  for (const Omok::Observation& o : played(simulator, *scenario)) {
    if (o.says != Omok::Says::done) out += (out.empty() ? "" : "; ") + shown(o);
  }
  return out;
}

/// Worked out by hand from the boards in the files: the one place where no simulator speaks for another.
TEST(OmokCorpus, IsAnsweredAsItsCommentsSay) {
  constexpr std::pair<std::string_view, std::string_view> expected[] = {
      {"sample_1.txt", "black 3,2"},
      {"sample_2.txt", "white 7,5"},
      {"all_black.txt", "black 5,1; black 15,1; black 1,15; black 19,15; nobody; illegal; nobody"},
      {"borders.txt", "white 2,1; black 7,1; black 1,2; white 11,2; white 1,11; black 7,11; nobody; black 6,11"},
      {"corner_diagonals.txt", "white 4,1; white 4,1; black 1,4; white 8,4; nobody"},
      {"four_directions.txt",
       "nobody; black 4,2; nobody; nobody; black 2,4; nobody; nobody; black 2,2; nobody; nobody; black 6,2; nobody"},
      {"full_without_a_win.txt", "nobody; nobody; black 19,15; black 19,15; white 1,1"},
      {"hemmed_in.txt", "black 4,1; black 2,3; black 6,5; black 6,5; illegal; black 6,5"},
      {"largest_board.txt", "white 15,19; black 19,14; nobody; black 19,15; white 19,14"},
      {"one_stone_names_four.txt", "black 6,2; black 6,2; black 6,2; black 6,2; black 6,2; black 6,2; nobody"},
      {"refused.txt",
       "illegal; illegal; black 2,1; illegal; black 2,1; illegal; illegal; illegal; black 2,1; nobody; illegal; "
       "nobody; black 2,1"},
      {"removal_makes_a_win.txt", "nobody; white 6,1; white 6,7; white 6,1; white 6,1; nobody; nobody; white 6,2"},
      {"rows_do_not_wrap.txt", "nobody; nobody; black 1,3; nobody; nobody; nobody"},
      {"several_wins.txt", "white 5,1; white 5,1; black 1,4; black 5,4; white 5,1; white 5,1; nobody"},
      {"six_is_no_win.txt", "black 2,2; white 4,3; nobody; nobody; black 6,2; white 4,2; white 4,2; white 4,2"},
      {"sixteen_wins.txt", "black 1,1; black 1,1; black 1,1; white 2,1; black 3,1"},
      {"smallest_board.txt", "nobody; illegal; illegal; nobody; illegal; nobody; nobody"},
      {"thirteen_and_nineteen.txt", "nobody; nobody; nobody; black 9,1; white 6,9; nobody; nobody; white 13,14"},
      {"too_small_to_win.txt", "nobody; nobody; illegal; nobody"},
      {"win_in_column_16.txt", "black 4,16"},
  };
  for (const auto& simulator : laws::honest<Omok>()) {
    for (const auto& [file, answers] : expected) {
      EXPECT_EQ(answers_in_corpus(simulator, file), answers) << file << " by " << simulator.name;
    }
  }
}

// Invariants see what is wrong ------------------------------------------------------------------

TEST(OmokInvariants, ContradictWrongAnswers) {
  const Omok::Setup two_wins = drawn({"B.....",  //
                                      "B.WWWW",  //
                                      "B.....",  //
                                      "B.WWWW",  //
                                      "B.....",  //
                                      ".BBBBB"});
  const auto complaint = [&](int winner, int row, int column) {
    return Omok::violation(two_wins, two_wins, Omok::Judge{},
                           {.says = Omok::Says::judged,
                            .winner = static_cast<std::int8_t>(winner),
                            .row = static_cast<std::int8_t>(row),
                            .column = static_cast<std::int8_t>(column)},
                           two_wins);
  };
  EXPECT_EQ(complaint(1, 1, 1), "");
  EXPECT_EQ(complaint(0, 0, 0), "a run is exactly five, but nobody is said to have won");
  EXPECT_EQ(complaint(2, 1, 1), "the winning stone is not the winner's");
  EXPECT_EQ(complaint(1, 5, 1), "the winning stone is not the first of a run of exactly five");
  EXPECT_EQ(complaint(2, 2, 3), "the winning stone is not the first of a run of exactly five");
  EXPECT_EQ(complaint(1, 6, 2), "another win is further left, or as far left and higher");
  const Omok::Setup empty{.size = 6, .board = Grid{6, 6}};
  EXPECT_EQ(Omok::violation(empty, empty, Omok::Judge{}, {.says = Omok::Says::judged, .winner = 1}, empty),
            "a winner is named, but no run is exactly five");
}

TEST(OmokInvariants, ContradictWrongChanges) {
  const Omok::Setup before = drawn({"B.", ".."});
  const Omok::Setup after = drawn({"BW", ".."});
  constexpr Omok::Observation done{.says = Omok::Says::done};
  constexpr Omok::Observation illegal{.says = Omok::Says::illegal};
  const auto complaint = [&](const Omok::Action& action, const Omok::Observation& o, const Omok::Setup& now) {
    return Omok::violation(before, before, action, o, now);
  };
  EXPECT_EQ(complaint(Omok::Place{2, 0, 1}, done, after), "");
  EXPECT_EQ(complaint(Omok::Place{1, 0, 1}, done, after), "the board did not change in the named cell alone");
  EXPECT_EQ(complaint(Omok::Place{2, 0, 1}, illegal, before), "place is legal on empty cells, and only there");
  EXPECT_EQ(complaint(Omok::Place{2, 0, 0}, done, before), "place is legal on empty cells, and only there");
  EXPECT_EQ(complaint(Omok::Place{2, 0, 0}, illegal, after), "an illegal action changed the board");
  EXPECT_EQ(complaint(Omok::Remove{1, 0}, done, before), "remove is legal on stones, and only there");
  EXPECT_EQ(complaint(Omok::Remove{0, 0}, done, before), "the board did not change in the named cell alone");
  EXPECT_EQ(complaint(Omok::Judge{}, {.says = Omok::Says::judged}, after), "asking the judge changed the board");
  EXPECT_EQ(complaint(Omok::Judge{}, illegal, before), "the judge did not answer");
  EXPECT_EQ(complaint(Omok::Judge{}, done, Omok::Setup{}), "the board changed its size");
}

// Judge format ----------------------------------------------------------------------------------

std::string judge_text(const Omok::Setup& setup, std::string_view line_end = "\n") {
  std::string out;
  for (int row = 0; row < setup.size; ++row) {
    for (int column = 0; column < setup.size; ++column) {
      out += (column == 0 ? "" : " ") + std::to_string(setup.board.at(row, column));
    }
    out += line_end;
  }
  return out;
}

Omok::Setup empty_19() { return {.size = Omok::size_max, .board = Grid{Omok::size_max, Omok::size_max}}; }

/// The error of a refused text, or "accepted".
std::string refusal(const std::string& text) {
  const auto read = Omok::ProblemFormat::read(text);
  return read ? "accepted" : read.error().message("in");
}

RC_GTEST_PROP(OmokJudgeFormat, ReadsWhatAJudgeWouldWrite, ()) {
  Omok::Setup setup = empty_19();
  for (const Omok::Place& stone : stones_of(any_board())) {
    setup.board.at(stone.row, stone.column) = static_cast<std::uint8_t>(stone.colour);
  }
  std::string text = judge_text(setup, *rc::gen::element<std::string>("\n", "\r\n", " \t\n\n"));
  if (*rc::gen::arbitrary<bool>()) text.erase(text.find_last_not_of(" \t\r\n") + 1);
  const auto cases = Omok::ProblemFormat::read(text);
  RC_ASSERT(cases.has_value());
  RC_ASSERT(cases->size() == 1u);
  RC_ASSERT(cases->front().scenario == (Scenario<Omok>{.setup = setup, .actions = {Omok::Judge{}}}));
}

TEST(OmokJudgeFormat, RefusesWhatIsNoBoardAndSaysWhere) {
  const std::string board = judge_text(empty_19());
  EXPECT_EQ(refusal(board), "accepted");
  EXPECT_EQ(refusal(""),
            "in:1:1: expected the cell of row 1, column 1 (0 empty, 1 black, 2 white), a number from 0 to 2, got the "
            "end of the input");
  std::string three = board;
  three[38 * 2 + 8] = '3';
  EXPECT_EQ(refusal(three),
            "in:3:9: expected the cell of row 3, column 5 (0 empty, 1 black, 2 white), a number from 0 to 2, got '3'");
  std::string letter = board;
  letter[38 + 36] = 'B';
  EXPECT_EQ(refusal(letter).substr(0, 51), "in:2:37: expected the cell of row 2, column 19 (0 e");
  std::string negative = board;
  negative.replace(0, 1, "-1");
  EXPECT_EQ(refusal(negative).substr(0, 45), "in:1:1: expected the cell of row 1, column 1 ");
  std::string glued = board;
  glued.replace(0, 3, "12");
  EXPECT_EQ(refusal(glued).substr(refusal(glued).size() - 8), "got '12'") << "two numbers need a space between them";
  EXPECT_EQ(refusal(board.substr(0, board.size() - 2)).substr(0, 48),
            "in:19:37: expected the cell of row 19, column 19");
  EXPECT_EQ(refusal(board + "0\n"), "in:20:1: expected the end of the input, got '0'");
}

RC_GTEST_PROP(OmokJudgeFormat, SurvivesAnyBytes, ()) {
  const auto noise = *rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{8, rc::gen::element('0', '1', '2', ' ', '\n')}, {1, rc::gen::arbitrary<char>()}}));
  const std::string board = judge_text(empty_19());
  const auto cut = *rc::gen::inRange<std::size_t>(0, board.size() + 1);
  for (const std::string& text : {noise, board.substr(0, cut) + noise, noise + board.substr(cut)}) {
    const auto read = Omok::ProblemFormat::read(text);
    if (read) continue;
    RC_ASSERT(read.error().line > 0);
    RC_ASSERT(read.error().column > 0);
    RC_ASSERT(!read.error().what.empty());
  }
}

TEST(OmokJudgeFormat, PrintsAsTheProblemPublishes) {
  const auto printed = [](const Omok::Observation& o) {
    return Omok::ProblemFormat::print({}, std::span{&o, 1}).value_or("refused");
  };
  EXPECT_EQ(printed({.says = Omok::Says::judged}), "0\n");
  EXPECT_EQ(printed({.says = Omok::Says::judged, .winner = 2, .row = 7, .column = 5}), "2\n7 5\n");
  EXPECT_EQ(printed({.says = Omok::Says::done}), "refused");
}

}  // namespace
}  // namespace lockstep
