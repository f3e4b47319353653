// Replays everything in corpus/GAME with every simulator that must agree: scenarios as text through the judge, and
// published samples through the problem's format.
#include "lockstep/draw/corpus.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <iostream>

#include "lockstep/base/hash.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/text/text.hpp"
#include "programs/problem_domain.hpp"
#include "props/generators.hpp"
#include "props/golden.hpp"
#include "props/laws.hpp"
#include "props/play.hpp"
#include "props/strict_text.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
fs::path folder() { return fs::path{LOCKSTEP_CORPUS} / this_system().name(); }
CorpusFiles scenario_files() { return corpus_files_if_any(folder()); }
CorpusFiles problem_files() { return corpus_files_if_any(folder() / "judge", ".in"); }

std::string contents(const fs::path& path) {
  const auto bytes = read_file(path);
  EXPECT_TRUE(bytes) << path << ": " << bytes.error();
  return bytes.value_or("");
}

/// The scenario of a file of the corpus. Throws if it cannot be read.
AnyScenario scenario_in(const fs::path& path) {
  auto scenario = this_system().parse(contents(path));
  if (!scenario) throw std::runtime_error(scenario.error().message(path.string()));
  return std::move(*scenario);
}

/// The text without a finding's section, its comments and lines that held only a comment.
std::string without_comments(std::string_view text) {
  std::string out;
  const std::string_view section = text::finding_section(text);
  while (!text.empty()) {
    if (text.data() == section.data()) text.remove_prefix(section.size());
    std::string_view line = take_line(text);
    if (const std::size_t hash = line.find('#'); hash != std::string_view::npos) {
      line = line.substr(0, hash);
      line = line.substr(0, line.find_last_not_of(' ') + 1);
      if (line.empty()) continue;
    }
    out.append(line).append("\n");
  }
  return out;
}

/// Outputs are compared as the problems' judges do: white space at the end of a line is ignored.
std::string trimmed_lines(std::string_view text) {
  std::string out;
  std::string line;
  for (const char c : std::string{text} + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    line.erase(line.find_last_not_of(" \r\t") + 1);
    out += line + "\n";
    line.clear();
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

TEST(Corpus, HoldsAScenario) { EXPECT_FALSE(scenario_files().empty()) << folder(); }

TEST(Corpus, EveryScenarioIsCanonicalApartFromComments) {
  for (const fs::path& path : scenario_files()) {
    const std::string text = contents(path);
    EXPECT_EQ(without_comments(text), scenario_text(scenario_in(path))) << path;
    EXPECT_TRUE(text.contains("\n# ") || text.contains("\nfinding\n")) << path << " does not say what it shows";
  }
}

TEST(Corpus, EveryByteOfAShortScenarioCounts) {
  constexpr std::size_t short_max = 500;  // bytes; each is a reading of the text
  int tried = 0;
  for (const fs::path& path : scenario_files()) {
    const std::string text = without_comments(contents(path));
    if (text.size() > short_max) continue;
    ++tried;
    EXPECT_EQ(laws::fault_of_strictness(this_vocabulary(), text), "") << path;
  }
  EXPECT_GT(tried, 0);
}

TEST(Corpus, AllSimulatorsAgreeOnEveryScenario) {
  Judge judge{this_vocabulary(), laws::honest(this_vocabulary())};
  for (const fs::path& path : scenario_files()) {
    const auto complaint = laws::complaint(judge.implementations(), scenario_in(path),
                                           [&](const AnyScenario& s) { return judge.judge(s); });
    EXPECT_EQ(complaint, "") << path;
  }
}

/// Detects a silent change of behaviour, even one that all simulators share: the hash differs.
TEST(Corpus, AnswersAreTheSameInEveryBuild) {
  std::string answers;
  for (const fs::path& path : scenario_files()) {
    const AnyScenario scenario = scenario_in(path);
    AnyTrace trace = this_vocabulary().trace();
    this_system().implementations().front().run(scenario, Cadence{}, trace);
    answers += path.filename().string() + "\n";
    for (std::size_t i = 0; i < scenario.size(); ++i)
      answers += line_of(collected([&](Fields& io) { trace.read_answer(i, io); })) + "\n";
    answers += text::picture([&](Fields& io) { trace.read_snapshot(trace.snapshots() - 1, io); });
  }
  const std::string hash = hash_text(answers);
  std::cout << "corpus of " << this_system().name() << ": " << scenario_files().size()
            << " scenarios, hash of all observations " << hash << "\n";
  EXPECT_TRUE(matches_golden_line("corpus_hashes.txt", this_system().name(), hash));
}

// Problem format --------------------------------------------------------------------------------------

/// Runs a test of the problem's reader.
void with_problem(FunctionRef<void(const AnyProblem&)> test) {
  if (const AnyProblem* problem = this_system().problem()) test(*problem);
  else GTEST_SKIP() << "the system does not come from a problem";
}

/// The scenarios of an input's cases. Throws if it cannot be read.
std::vector<AnyScenario> scenarios_of(const AnyProblem& problem, std::string_view input) {
  auto cases = problem.read(input);
  if (!cases) throw std::runtime_error(cases.error().message("in"));
  std::vector<AnyScenario> out;
  for (auto& one : *cases) out.push_back(std::move(one.scenario));
  return out;
}

TEST(ProblemFormat, EverySampleIsSolvedByEverySimulator) {
  with_problem([](const AnyProblem&) {
    ASSERT_FALSE(problem_files().empty()) << folder() / "judge";
    for (const fs::path& path : problem_files()) {
      const std::string expected = contents(fs::path{path}.replace_extension(".out"));
      EXPECT_EQ(trimmed_lines(laws::solved(contents(path))), trimmed_lines(expected)) << path;
    }
  });
}

std::string with_line_ends(std::string_view text, std::string_view end) {
  std::string out;
  for (const char c : text) c == '\n' ? out.append(end) : out.append(1, c);
  return out;
}

TEST(ProblemFormat, WhiteSpaceBetweenLinesDoesNotMatter) {
  with_problem([](const AnyProblem& problem) {
    for (const fs::path& path : problem_files()) {
      const std::string text = contents(path);
      const std::string unended = text.substr(0, text.find_last_not_of(" \r\n") + 1);
      const auto expected = scenarios_of(problem, text);
      for (const std::string& other :
           {unended, with_line_ends(text, "\r\n"), with_line_ends(text, "  \n\n\t"), "\n \t" + unended + " \n\n"}) {
        EXPECT_TRUE(scenarios_of(problem, other) == expected) << path;
      }
    }
  });
}

/// The text with a few characters changed, so that damage occurs at every depth of a reader.
std::string damaged(std::string text, Random& random) {
  constexpr std::string_view likely = "[],0123456789 \n\r-.RGBPYx";
  for (int hits = random.integer(0, 4); hits > 0 && !text.empty(); --hits) {
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text.erase(at, 1 + random.below(3)); break;
      case 1: text.insert(at, 1, likely[random.below(likely.size())]); break;
      case 2: text[at] = likely[random.below(likely.size())]; break;
      default: text[at] = static_cast<char>(random.next());
    }
  }
  return text;
}

/// "" when the reader accepts the text as lawful scenarios, or rejects it with a place and a reason.
std::string fault_of_reading(const AnyProblem& problem, std::string_view text) {
  const auto cases = problem.read(text);
  if (!cases) {
    const auto& refusal = cases.error();
    return refusal.line >= 1 && refusal.column >= 1 && !refusal.what.empty() ? "" : "a refusal without place or reason";
  }
  for (const auto& asked : *cases) {
    if (std::string fault = laws::fault_of(asked.scenario); !fault.empty()) return fault;
  }
  return "";
}

TEST(ProblemFormat, ADamagedSampleIsReadAsLawfulScenariosOrRefusedWithItsPlace) {
  with_problem([](const AnyProblem& problem) {
    Random random{20261121};
    int refused = 0;
    constexpr int rounds = 2'000;
    const auto files = problem_files();
    for (int i = 0; i < rounds; ++i) {
      const std::string text = damaged(contents(random.pick(files)), random);
      ASSERT_EQ(fault_of_reading(problem, text), "") << text;
      refused += laws::reading(text) == "read" ? 0 : 1;
    }
    EXPECT_GT(refused, rounds / 4);
    EXPECT_LT(refused, rounds);
  });
}

/// Random bytes alone, and random bytes in place of one end of a sample.
RC_GTEST_PROP(ProblemFormat, AnyBytesAreReadAsLawfulScenariosOrRefusedWithTheirPlace, ()) {
  with_problem([](const AnyProblem& problem) {
    const auto noise = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
        {{8, rc::gen::element('0', '1', '2', '.', 'R', ' ', '\n')}, {1, rc::gen::arbitrary<char>()}}));
    const std::string text = contents(*rc::gen::elementOf(problem_files()));
    const auto cut = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    for (const std::string& changed : {noise, text.substr(0, cut) + noise, noise + text.substr(cut)}) {
      RC_ASSERT(fault_of_reading(problem, changed) == "");
    }
  });
}

// Problem domain --------------------------------------------------------------------------------------

/// Runs a test of the problem's domain.
void with_domain(FunctionRef<void(const AnyProblem&, ProblemDomain&)> test) {
  const AnyProblem* problem = this_system().problem();
  if (problem == nullptr || !problem->has_domain()) {
    GTEST_SKIP() << "the system does not come from a problem, or does not say what is inside";
  }
  ProblemDomain domain{*problem, this_system().implementations().front()};
  test(*problem, domain);
}

TEST(ProblemDomain, EveryPublishedSampleIsInside) {
  with_domain([](const AnyProblem& problem, ProblemDomain& domain) {
    for (const fs::path& path : problem_files()) {
      for (const AnyScenario& scenario : scenarios_of(problem, contents(path)))
        EXPECT_EQ(domain.outside(scenario).value_or("inside"), "inside") << path;
    }
  });
}

RC_GTEST_PROP(ProblemDomain, BringingInsideEndsInsideAndReadingUndoesWriting, ()) {
  with_domain([](const AnyProblem& problem, ProblemDomain& domain) {
    AnyScenario scenario = laws::bounded(laws::any_scenario(this_vocabulary()));
    const bool was_inside = !domain.outside(scenario);
    const AnyScenario before = scenario;
    domain.bring_inside(scenario);
    RC_ASSERT(!domain.outside(scenario));
    RC_ASSERT(laws::fault_of(scenario) == "");
    if (was_inside) RC_ASSERT(scenario == before);
    RC_ASSERT(scenarios_of(problem, problem.write({&scenario, 1})) == std::vector{scenario});
    RC_ASSERT(domain.answer(scenario) != "" || scenario.size() == 0);
  });
}

TEST(ProblemDomain, BringingTheCorpusInsideEndsInside) {
  with_domain([](const AnyProblem& problem, ProblemDomain& domain) {
    for (const fs::path& path : scenario_files()) {
      AnyScenario inside = scenario_in(path);
      domain.bring_inside(inside);
      EXPECT_EQ(domain.outside(inside).value_or("inside"), "inside") << path;
      EXPECT_TRUE(scenarios_of(problem, problem.write({&inside, 1})) == std::vector{inside}) << path;
    }
  });
}

}  // namespace
}  // namespace lockstep
