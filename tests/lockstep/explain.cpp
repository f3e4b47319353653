#include "lockstep/shrink/explain.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/typed.hpp"
#include "props/laws.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

class Explaining {
 public:
  explicit Explaining(Runner wrong) : judge_{{head_gardener, wrong}} {}

  std::optional<Explanation> explain(const Scenario<Garden>& failing,
                                     std::chrono::milliseconds time = std::chrono::hours{1}) {
    return lockstep::explain([this](const AnyScenario& s) { return judge_.any().judge(s); }, time,
                             untyped<Garden>(failing));
  }

  /// Checks the explanation of the beds without the explainer: "" when it is right, else the error.
  std::string fault_of_beds(const Scenario<Garden>& failing, const Explanation& explanation) {
    const std::string signature = judge_.judge(failing).divergence->signature();
    int row = 0;
    for (const auto& line : explanation.lines) {
      if (line.kind != ExplainedLine::Kind::row) continue;
      for (int column = 0; column < failing.setup.columns; ++column) {
        bool vanishes = false;
        bool can_change = false;
        for (std::uint8_t value = 0; value <= 2; ++value) {
          Scenario<Garden> other = failing;
          other.setup.beds.at(row, column) = value;
          Garden::Laws::normalise(other.setup);
          if (other == failing) continue;
          can_change = true;
          const Verdict verdict = judge_.judge(other);
          vanishes |= !verdict.diverged() || verdict.divergence->signature() != signature;
        }
        const Matter expected = !can_change ? Matter::fixed : vanishes ? Matter::matters : Matter::free;
        const Matter said = line.words[static_cast<std::size_t>(column)].matter;
        if (said != expected) {
          return "bed " + std::to_string(row) + "," + std::to_string(column) + " is said to be " +
                 std::string{to_string(said)} + ", and is " + std::string{to_string(expected)};
        }
      }
      ++row;
    }
    return row == failing.setup.rows ? "" : "not every row is explained";
  }

 private:
  JudgeOf<Garden> judge_;
};

// counts_short miscounts the third rose. The failure needs the two planted roses, the water, and the bed that is
// planted.
constexpr std::string_view third_rose = R"(lockstep 1 garden
rows 2
columns 3
water 1
season autumn
fence no
beds
rr.
..t
mole row=1 column=1 awake=no
actions
plant row=0 column=2 flower=rose
)";

TEST(Explain, MarksWhatTheFailureDependsOn) {
  Explaining explaining{gardener<Slip::counts_short>("short")};
  const auto explanation = explaining.explain(scenario_of(third_rose));
  ASSERT_TRUE(explanation);
  EXPECT_TRUE(explanation->complete);
  EXPECT_EQ(explanation_text(*explanation, false),
            "* rows 2\n"
            "* columns 3\n"
            "* water 1\n"
            "  season autumn\n"
            "  fence no\n"
            "* beds\n"
            "* rr.   ***\n"
            "  ..t   ...\n"
            "  mole row=1 column=1 awake=no\n"
            "  actions\n"
            "* plant row=0 column=2 flower=rose\n");
}

TEST(Explain, PrintsWhatDoesNotMatterInGrey) {
  Explaining explaining{gardener<Slip::misreads_setup>("open")};
  Scenario<Garden> failing;
  failing.setup.fence = true;
  failing.actions = {Garden::Wait{}};
  const auto explanation = explaining.explain(failing);
  ASSERT_TRUE(explanation);
  const std::string text = explanation_text(*explanation, true);
  EXPECT_NE(text.find("* fence yes\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\x1b[90mwait\x1b[0m"), std::string::npos) << text;
  EXPECT_NE(text.find("\x1b[90mseason spring\x1b[0m"), std::string::npos) << text;
}

TEST(Explain, ACellIsFreeExactlyIfEveryValueOfItFails) {
  for (const auto& wrong : {gardener<Slip::counts_short>("short"), gardener<Slip::loses_a_bed>("loser"),
                            gardener<Slip::tires>("tired"), gardener<Slip::left_handed>("left")}) {
    Explaining explaining{wrong};
    JudgeOf<Garden> judge{{head_gardener, wrong}};
    int explained = 0;
    for (std::uint64_t index = 0; explained < 20; ++index) {
      const Scenario<Garden> scenario = laws::scenario_at<Garden>(3, index);
      if (scenario.setup.beds.cells.size() > 60 || scenario.actions.size() > 40) continue;
      if (!judge.judge(scenario).diverged()) continue;
      ++explained;
      const auto explanation = explaining.explain(scenario);
      ASSERT_TRUE(explanation);
      EXPECT_EQ(explaining.fault_of_beds(scenario, *explanation), "") << scenario_text<Garden>(scenario);
    }
  }
}

TEST(Explain, AWrongMarkIsNoticed) {
  Explaining explaining{gardener<Slip::counts_short>("short")};
  const Scenario<Garden> failing = scenario_of(third_rose);
  const Explanation right = *explaining.explain(failing);
  ASSERT_EQ(explaining.fault_of_beds(failing, right), "");
  for (std::size_t i = 0; i < right.lines.size(); ++i) {
    if (right.lines[i].kind != ExplainedLine::Kind::row) continue;
    for (std::size_t cell = 0; cell < right.lines[i].words.size(); ++cell) {
      Explanation wrong = right;
      Matter& matter = wrong.lines[i].words[cell].matter;
      matter = matter == Matter::matters ? Matter::free : Matter::matters;
      EXPECT_NE(explaining.fault_of_beds(failing, wrong), "") << i << " " << cell;
    }
  }
}

TEST(Explain, FindsTheFewActionsThatMatterAmongMany) {
  Explaining explaining{gardener<Slip::forgets_rain>("dry")};
  Scenario<Garden> failing;
  for (int i = 0; i < 40; ++i) failing.actions.emplace_back(Garden::Rain{i % 5});
  failing.actions.emplace_back(Garden::Rain{7});
  for (int i = 0; i < 40; ++i) failing.actions.emplace_back(Garden::Wait{});
  const auto explanation = explaining.explain(failing);
  ASSERT_TRUE(explanation);
  std::size_t action = 0;
  for (const auto& line : explanation->lines) {
    if (line.kind != ExplainedLine::Kind::action) continue;
    EXPECT_EQ(line.matter, action == 40 ? Matter::matters : Matter::free) << action;
    ++action;
  }
  EXPECT_EQ(action, failing.actions.size());
  EXPECT_GT(explanation->redrawn, 0);
}

TEST(Explain, ReportsPartsThatAreFreeAloneButNotTogether) {
  // Four roses: any one can be removed, but not two.
  Explaining explaining{gardener<Slip::counts_short>("short")};
  const auto explanation = explaining.explain(
      scenario_of("lockstep 1 garden\nrows 1\ncolumns 5\nwater 0\nbeds\nrrrr.\nactions\nrain amount=0\n"));
  ASSERT_TRUE(explanation);
  EXPECT_NE(explanation_text(*explanation, false).find("rrrr.   ....."), std::string::npos);
  EXPECT_LT(explanation->redrawn_that_fail, explanation->redrawn);
}

/// A shelf, from which nothing can be taken while it is empty.
struct Shelf : NeverRun {
  static constexpr std::string_view name = "shelf";
  struct Setup {
    int books = 0;
    bool operator==(const Setup&) const = default;
  };
  using Take = ActionOf<"take", int>;
  using Ring = ActionOf<"ring">;
  using Action = std::variant<Take, Ring>;
  using NeverRun::describe;
  static void describe(auto& io, Setup& s) { io.number("books", s.books, 0, 1); }
  static void describe(auto& io, const Setup& s, Take& a) { io.number("book", a.value, 1, s.books); }
};

TEST(Explain, ANumberThatDecidesWhichActionsAreLawfulShiftsNoAction) {
  const auto fails_if_it_rings = [](const AnyScenario& s) {
    const bool rings = std::ranges::any_of(typed<Shelf>(s).actions, [](const auto& a) { return a.index() == 1; });
    return rings ? Verdict{.state = Verdict::State::diverged, .divergence = Divergence{}} : Verdict{};
  };
  const auto explanation =
      explain(fails_if_it_rings, std::chrono::hours{1}, any_of<Shelf>({{1}, {Shelf::Take{1}, Shelf::Ring{}}}));
  ASSERT_TRUE(explanation);
  EXPECT_EQ(explanation_text(*explanation, false), "  books 1\n  actions\n  take book=1\n* ring\n");
  EXPECT_EQ(explanation->redrawn_that_fail, explanation->redrawn) << "only the ring matters, and it stays";
}

TEST(Explain, WithoutTimeLeavesEverythingUntested) {
  Explaining explaining{gardener<Slip::counts_short>("short")};
  const auto explanation = explaining.explain(scenario_of(third_rose), std::chrono::milliseconds{0});
  ASSERT_TRUE(explanation);
  EXPECT_FALSE(explanation->complete);
  for (const auto& line : explanation->lines) EXPECT_EQ(line.matter, Matter::untested) << line.name;
}

TEST(Explain, WithoutTimeToTestPartsTogetherIsComplete) {
  Judge judge{vocabulary<Garden>(), {head_gardener, gardener<Slip::counts_short>("short")}};
  const AnyScenario failing = any_of<Garden>(scenario_of(third_rose));
  const auto counting = [&](const AnyScenario& s) { return judge.judge(s); };
  const Explanation unhurried = *lockstep::explain(counting, std::chrono::hours{1}, failing);
  ASSERT_GT(unhurried.redrawn, 0);
  const std::uint64_t first_redrawn = unhurried.judgements - static_cast<std::uint64_t>(unhurried.redrawn) + 1;

  const std::chrono::seconds time{1};
  std::uint64_t judgements = 0;
  const auto stalling = [&](const AnyScenario& s) {
    if (++judgements == first_redrawn) std::this_thread::sleep_for(time);
    return judge.judge(s);
  };
  const Explanation hurried = *lockstep::explain(stalling, time, failing);
  EXPECT_EQ(hurried.redrawn, 1);
  EXPECT_TRUE(hurried.complete);
}

TEST(Explain, AnAgreeingScenarioHasNoExplanation) {
  Explaining explaining{gardener<Slip::none>("good")};
  EXPECT_FALSE(explaining.explain(scenario_of(third_rose)));
}

}  // namespace
}  // namespace lockstep
