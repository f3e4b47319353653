// The inputs of a toy problem: N, and then takes from N, of which none may fail. Published: 10 ≤ N ≤ 50.
#include "programs/problems.hpp"

#include <gtest/gtest.h>

#include <set>

#include "programs/problem_domain.hpp"
#include "programs/problems_of.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

struct Takes {
  static constexpr std::string_view name = "takes";
  struct Setup {
    int heap = 0;
    bool operator==(const Setup&) const = default;
  };
  using Take = ActionOf<"take", int>;
  using Action = std::variant<Take>;
  struct Observation {
    bool legal = true;
    int left = 0;
    bool operator==(const Observation&) const = default;
  };
  using Snapshot = Setup;

  static void describe(auto& io, Setup& s) { io.number("heap", s.heap, 0, 100); }
  static void describe(auto& io, const Setup&, Take& a) { io.number("count", a.value, 1, 9); }
  static void describe(auto& io, Observation& o) {
    io.flag("legal", o.legal);
    io.value("left", o.left);
  }

  struct ProblemFormat {
    static constexpr int cases_max = 100;

    static Parsed<std::vector<ProblemCase<Takes>>> read(std::string_view text) {
      TokenReader in{text};
      std::vector<ProblemCase<Takes>> out;
      const int cases = in.number("the number of cases", 0, cases_max).value();
      for (int i = 0; i < cases; ++i) {
        ProblemCase<Takes>& one = out.emplace_back();
        one.places.emplace_back(in.line(), in.column());
        one.scenario.setup.heap = in.number("the heap", 0, 100).value();
        for (int left = in.number("the number of takes", 0, 9'999).value(); left > 0; --left)
          one.scenario.actions.emplace_back(Take{in.number("a take", 1, 9).value()});
      }
      return out;
    }
    static Parsed<std::string> print(const ProblemCase<Takes>&, std::span<const Observation> answers) {
      std::string out;
      for (const Observation& o : answers) {
        if (!o.legal) return text_error(7, 7, "there is less on the heap");
        out += std::to_string(o.left) + "\n";
      }
      return out;
    }
    static std::string write(std::span<const Scenario<Takes>> scenarios) {
      std::string out = std::to_string(scenarios.size()) + "\n";
      for (const auto& [setup, actions] : scenarios) {
        out += std::to_string(setup.heap) + " " + std::to_string(actions.size());
        for (const Action& action : actions) out += " " + std::to_string(std::get<Take>(action).value);
        out += "\n";
      }
      return out;
    }
    static std::optional<std::string> outside(const Scenario<Takes>& s, std::span<const Observation> answers) {
      if (s.setup.heap < 10 || s.setup.heap > 50) return "the heap is from 10 to 50";
      for (const Observation& o : answers) {
        if (!o.legal) return "every take is possible";
      }
      return std::nullopt;
    }
    static void bring_inside(Scenario<Takes>& s, std::span<const Observation> answers) {
      s.setup.heap = std::clamp(s.setup.heap, 10, 50);
      std::size_t i = 0;
      std::erase_if(s.actions, [&](const Action&) {
        const std::size_t at = i++;
        return at < answers.size() && !answers[at].legal;
      });
    }
  };
};

class Heap {
 public:
  explicit Heap(const Takes::Setup& setup) : state_{setup} {}
  Takes::Observation step(const Takes::Action& action) {
    [[maybe_unused]] volatile int last = 0;
    for (int i = 0; i < 1'000; ++i) last = i;  // longer than what surrounds a step: TheHeaviestCasesAreLongGames
    const int count = std::get<Takes::Take>(action).value;
    if (count > state_.heap) return {.legal = false, .left = state_.heap};
    state_.heap -= count;
    return {.legal = true, .left = state_.heap};
  }
  Takes::Snapshot snapshot() const { return state_; }

 private:
  Takes::Setup state_;
};
const auto heap = register_implementation<Heap, Takes>("heap", Kind::reference, "the toy's reference");

/// A format that changes scenarios and never brings them inside.
struct Stubborn final : ProblemWithDomainOf<Takes> {
  std::optional<std::string> outside(const AnyScenario&, const AnyTrace*) const override { return "nothing is inside"; }
};

TEST(ProblemDomain, AFormatThatNeverBringsAScenarioInsideIsAnInternalError) {
  const Stubborn problem;
  ProblemDomain domain{problem, registry<Takes>().front()};
  AnyScenario scenario = any_of<Takes>({.setup = {.heap = 5}, .actions = {}});
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "still outside: nothing is inside\nlockstep 1 takes\nheap 10\n",
                      message_of<InternalError>([&] { domain.bring_inside(scenario); }));
}

TEST(ProblemDomain, AFormatWithoutOneReadsAndAnswersOnly) {
  const ProblemOf<Takes> problem;
  EXPECT_FALSE(problem.has_domain());
  EXPECT_EQ(answer_to_input(problem, "1\n12 2 2 3\n", "heap").value(), "10\n7\n");
  EXPECT_THROW(SystemInputs{problem}.case_of("lockstep 1 takes\nheap 12\nactions\n"), InternalError);
}

const SystemInputs inputs{*problem_of<Takes>()};
constexpr std::chrono::seconds enough{60};

TEST(ProblemInputs, DrawsTheSameCasesFromTheSameSeedAllInside) {
  const auto stream = inputs.draw(1, 0, 1, {});
  const auto again = inputs.draw(1, 0, 1, {});
  std::set<std::string> different;
  for (int i = 0; i < 300; ++i) {
    const InputCase one = stream->next(4);
    EXPECT_EQ(again->next(4).input, one.input);
    const auto read = inputs.cases_of(one.input);
    ASSERT_TRUE(read) << read.error().message(one.input);
    EXPECT_EQ(read->front().answer, one.answer);
    different.insert(one.input);
  }
  EXPECT_GT(different.size(), 200u);
}

TEST(ProblemInputs, TheHeaviestCasesAreLongGames) {
  const auto takes = [](const InputCase& one) { return std::ranges::count(one.answer, '\n'); };
  std::vector<InputCase> heaviest;
  std::ptrdiff_t longest = 0;
  // Half a second is enough on an idle machine. What is reached in that time depends on the machine: a busy one gets more.
  for (std::chrono::milliseconds time{500}; time < std::chrono::minutes{5} && longest <= 24; time *= 2) {
    heaviest = inputs.heaviest(1, {}, time, 3);
    ASSERT_EQ(heaviest.size(), 3u);
    longest = takes(heaviest.front());
  }
  EXPECT_GT(longest, 24) << "games that are drawn end earlier";
  for (const InputCase& one : heaviest) EXPECT_EQ(inputs.cases_of(one.input).value().front().answer, one.answer);
}

TEST(ProblemInputs, RefuseWhatIsOutsideWithItsPlaceAndReason) {
  const auto refusal = [](std::string_view input) { return error_of(inputs.cases_of(input)); };
  EXPECT_EQ(refusal("2\n10 1 9\n50 0\n"), "no error");
  EXPECT_EQ(refusal("2\n10 1 9\n51 0\n"), "x:3:1: the heap is from 10 to 50");
  EXPECT_EQ(refusal("1\n10 2 9 9\n"), "x:7:7: there is less on the heap");
  EXPECT_EQ(refusal("0\n"), "x:1:1: expected at least one case");
  EXPECT_EQ(inputs.case_of("lockstep 1 takes\nheap 9\nactions\n").error().what, "the heap is from 10 to 50");
  EXPECT_EQ(inputs.case_of("lockstep 1 takes\nheap 12\nactions\ntake count=2\n").value().input, "1\n12 1 2\n");
}

/// A program that fails on cases with these properties, which the shrinker knows only by running it.
ShrunkInput shrunk(std::string_view input, const std::function<bool(const std::vector<Scenario<Takes>>&)>& fails) {
  const InputJudge judge = [&](const std::string& text, const std::vector<std::string>&) {
    std::vector<Scenario<Takes>> scenarios;
    const auto cases = Takes::ProblemFormat::read(text).value();
    for (const auto& one : cases) scenarios.push_back(one.scenario);
    return fails(scenarios) ? std::optional{InputFailure{"wrong answer", scenarios.size() - 1, 0}} : std::nullopt;
  };
  return inputs.shrink(inputs.cases_of(input).value(), judge, enough);
}

TEST(ProblemInputs, ShrinkingStaysInsideTheDomain) {
  const ShrunkInput out = shrunk("1\n44 3 1 9 2\n", [](const auto& cases) { return cases[0].actions.size() > 1; });
  EXPECT_EQ(out.input, "1\n10 2 1 1\n") << "0 would be simpler than 10, but it is no input";
  EXPECT_TRUE(out.minimal);
  ASSERT_EQ(out.cases.size(), 1u);
  EXPECT_EQ(out.cases[0].answer, "9\n8\n");
}

TEST(ProblemInputs, AFailureOfOneCaseIsShrunkToThatCase) {
  const ShrunkInput out = shrunk("5\n11 0\n12 0\n33 1 4\n14 0\n15 0\n", [](const auto& cases) {
    return std::ranges::any_of(cases, [](const auto& one) { return one.setup.heap > 20; });
  });
  EXPECT_EQ(out.input, "1\n21 0\n");
}

TEST(ProblemInputs, AFailureThatNeedsTwoCasesKeepsTwo) {
  const ShrunkInput out = shrunk("5\n11 0\n30 2 4 4\n14 0\n45 1 3\n13 0\n", [](const auto& cases) {
    bool before = false;  // a variable that survives into the next case
    for (const auto& one : cases) {
      if (before && one.setup.heap > 20) return true;
      before = before || !one.actions.empty();
    }
    return false;
  });
  EXPECT_EQ(out.input, "2\n10 1 1\n21 0\n");
}

TEST(ProblemInputs, ACaseThatCannotShrinkIsReplacedByASmallerOneThatFailsInTheSameWay) {
  const ShrunkInput out = shrunk("1\n44 5 3 4 3 4 3\n", [](const auto& cases) {
    const auto& takes = cases[0].actions;
    const auto is_nine = [](const auto& take) { return std::get<Takes::Take>(take).value == 9; };
    return (takes.size() == 5 && cases[0].setup.heap == 44) || std::ranges::any_of(takes, is_nine);
  });
  EXPECT_EQ(out.input, "1\n10 1 9\n");
  EXPECT_TRUE(out.minimal);
}

TEST(ProblemInputs, AProgramThatIsRightAgainIsNotShrunk) {
  const ShrunkInput out = shrunk("1\n44 1 5\n", [](const auto&) { return false; });
  EXPECT_EQ(out.input, "1\n44 1 5\n");
  EXPECT_FALSE(out.minimal);
}

}  // namespace
}  // namespace lockstep
