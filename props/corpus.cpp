// Replays everything in corpus/GAME with every simulator that must agree: scenarios as text through the judge, and
// published samples through the problem's format.
#include LOCKSTEP_SYSTEM

#include "lockstep/draw/corpus.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <iostream>

#include "lockstep/base/hash.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/registry.hpp"
#include "props/golden.hpp"
#include "props/play.hpp"
#include "props/strict_text.hpp"
#include "props/typed.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using G = ThisSystem;

const fs::path folder = fs::path{LOCKSTEP_CORPUS} / G::name;
CorpusFiles scenario_files() { return corpus_files_if_any(folder); }
// [[maybe_unused]], here and below: by systems without a problem's format.
[[maybe_unused]] CorpusFiles problem_files() { return corpus_files_if_any(folder / "judge", ".in"); }

std::string contents(const fs::path& path) {
  const auto bytes = read_file(path);
  EXPECT_TRUE(bytes) << path << ": " << bytes.error();
  return bytes.value_or("");
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
[[maybe_unused]] std::string trimmed_lines(std::string_view text) {
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

TEST(Corpus, HoldsAScenario) { EXPECT_FALSE(scenario_files().empty()) << folder; }

TEST(Corpus, EveryScenarioIsCanonicalApartFromComments) {
  for (const fs::path& path : scenario_files()) {
    const std::string text = contents(path);
    const auto scenario = parse_scenario<G>(text);
    ASSERT_TRUE(scenario) << scenario.error().message(path.string());
    EXPECT_EQ(without_comments(text), scenario_text<G>(*scenario)) << path;
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
    EXPECT_EQ(laws::fault_of_strictness<G>(text), "") << path;
  }
  EXPECT_GT(tried, 0);
}

TEST(Corpus, AllSimulatorsAgreeOnEveryScenario) {
  JudgeOf<G> judge{laws::honest<G>()};
  for (const fs::path& path : scenario_files()) {
    const auto scenario = parse_scenario<G>(contents(path));
    ASSERT_TRUE(scenario) << scenario.error().message(path.string());
    const auto complaint =
        laws::complaint<G>(judge.implementations(), *scenario, [&](const Scenario<G>& s) { return judge.judge(s); });
    EXPECT_EQ(complaint, "") << path;
  }
}

/// Detects a silent change of behaviour, even one that all simulators share: the hash differs.
TEST(Corpus, AnswersAreTheSameInEveryBuild) {
  std::string answers;
  for (const fs::path& path : scenario_files()) {
    const auto scenario = parse_scenario<G>(contents(path));
    ASSERT_TRUE(scenario) << scenario.error().message(path.string());
    Trace<G> trace;
    run_typed<G>(registry<G>().front(), *scenario, Cadence{}, trace);
    answers += path.filename().string() + "\n";
    for (const auto& observation : trace.observations) answers += line_of(observation_fields<G>(observation)) + "\n";
    answers += snapshot_text<G>(trace.snapshots.back());
  }
  const std::string hash = hash_text(answers);
  std::cout << "corpus of " << G::name << ": " << scenario_files().size() << " scenarios, hash of all observations "
            << hash << "\n";
  EXPECT_TRUE(matches_golden_line("corpus_hashes.txt", G::name, hash));
}

// Problem format --------------------------------------------------------------------------------------

/// Runs a test of the problem's reader. A template, because a system may come without a problem format.
template <class Game, class Test>
void with_problem_format(Test&& test) {
  if constexpr (requires { typename Game::ProblemFormat; }) test(std::type_identity<Game>{});
  else GTEST_SKIP() << "the system does not come from a problem";
}

TEST(ProblemFormat, EverySampleIsSolvedByEverySimulator) {
  with_problem_format<G>([](auto game) {
    ASSERT_FALSE(problem_files().empty()) << folder / "judge";
    for (const fs::path& path : problem_files()) {
      const std::string expected = contents(fs::path{path}.replace_extension(".out"));
      const std::string solved = laws::solved<typename decltype(game)::type>(contents(path));
      EXPECT_EQ(trimmed_lines(solved), trimmed_lines(expected)) << path;
    }
  });
}

[[maybe_unused]] std::string with_line_ends(std::string_view text, std::string_view end) {
  std::string out;
  for (const char c : text) c == '\n' ? out.append(end) : out.append(1, c);
  return out;
}

TEST(ProblemFormat, WhiteSpaceBetweenLinesDoesNotMatter) {
  with_problem_format<G>([](auto game) {
    using Game = typename decltype(game)::type;
    const auto scenarios = [](const std::string& text) {
      std::vector<Scenario<Game>> out;
      const auto cases = Game::ProblemFormat::read(text);
      EXPECT_TRUE(cases) << laws::reading<Game>(text);
      if (cases) std::ranges::transform(*cases, std::back_inserter(out), &ProblemCase<Game>::scenario);
      return out;
    };
    for (const fs::path& path : problem_files()) {
      const std::string text = contents(path);
      const std::string unended = text.substr(0, text.find_last_not_of(" \r\n") + 1);
      const auto expected = scenarios(text);
      for (const std::string& other :
           {unended, with_line_ends(text, "\r\n"), with_line_ends(text, "  \n\n\t"), "\n \t" + unended + " \n\n"}) {
        EXPECT_EQ(scenarios(other), expected) << path;
      }
    }
  });
}

/// The text with a few characters changed, so that damage occurs at every depth of a reader.
[[maybe_unused]] std::string damaged(std::string text, Random& random) {
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
template <class Game>
std::string fault_of_reading(std::string_view text) {
  const auto cases = Game::ProblemFormat::read(text);
  if (!cases) {
    const auto& refusal = cases.error();
    return refusal.line >= 1 && refusal.column >= 1 && !refusal.what.empty() ? "" : "a refusal without place or reason";
  }
  for (const ProblemCase<Game>& asked : *cases) {
    if (std::string fault = laws::fault_of<Game>(asked.scenario); !fault.empty()) return fault;
  }
  return "";
}

TEST(ProblemFormat, ADamagedSampleIsReadAsLawfulScenariosOrRefusedWithItsPlace) {
  with_problem_format<G>([](auto game) {
    using Game = typename decltype(game)::type;
    Random random{20261121};
    int refused = 0;
    constexpr int rounds = 2'000;
    const auto files = problem_files();
    for (int i = 0; i < rounds; ++i) {
      const std::string text = damaged(contents(random.pick(files)), random);
      ASSERT_EQ(fault_of_reading<Game>(text), "") << text;
      refused += laws::reading<Game>(text) == "read" ? 0 : 1;
    }
    EXPECT_GT(refused, rounds / 4);
    EXPECT_LT(refused, rounds);
  });
}

/// Random bytes alone, and random bytes in place of one end of a sample.
RC_GTEST_PROP(ProblemFormat, AnyBytesAreReadAsLawfulScenariosOrRefusedWithTheirPlace, ()) {
  with_problem_format<G>([](auto game) {
    const auto noise = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
        {{8, rc::gen::element('0', '1', '2', '.', 'R', ' ', '\n')}, {1, rc::gen::arbitrary<char>()}}));
    const std::string text = contents(*rc::gen::elementOf(problem_files()));
    const auto cut = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    for (const std::string& changed : {noise, text.substr(0, cut) + noise, noise + text.substr(cut)}) {
      RC_ASSERT(fault_of_reading<typename decltype(game)::type>(changed) == "");
    }
  });
}

// Problem domain --------------------------------------------------------------------------------------

/// Runs a test of the problem's domain with a domain.
template <class Game, class Test>
void with_problem_domain(Test&& test) {
  if constexpr (HasProblemDomain<Game>) test(ProblemDomain<Game>{registry<Game>().front()});
  else GTEST_SKIP() << "the system does not come from a problem, or does not say what is inside";
}

/// The scenarios of several texts, one after another.
template <class Game>
std::vector<Scenario<Game>> read_back(std::string_view text) {
  const auto cases = Game::ProblemFormat::read(text);
  EXPECT_TRUE(cases) << laws::reading<Game>(text);
  std::vector<Scenario<Game>> out;
  if (cases) std::ranges::transform(*cases, std::back_inserter(out), &ProblemCase<Game>::scenario);
  return out;
}

TEST(ProblemDomain, EveryPublishedSampleIsInside) {
  with_problem_domain<G>([]<class Game>(ProblemDomain<Game> domain) {
    for (const fs::path& path : problem_files()) {
      for (const auto& scenario : read_back<Game>(contents(path)))
        EXPECT_EQ(domain.outside(scenario).value_or("inside"), "inside") << path;
    }
  });
}

/// The law of drawing inside the domain, for a lawful scenario.
template <class Game>
void expect_inside_once_brought(ProblemDomain<Game>& domain, Scenario<Game> scenario) {
  const bool was_inside = !domain.outside(scenario);
  const Scenario<Game> before = scenario;
  domain.bring_inside(scenario);
  RC_ASSERT(!domain.outside(scenario));
  RC_ASSERT(laws::fault_of<Game>(scenario) == "");
  if (was_inside) RC_ASSERT(scenario == before);
  RC_ASSERT(read_back<Game>(Game::ProblemFormat::write(std::span{&scenario, 1})) == std::vector{scenario});
  RC_ASSERT(domain.answer(scenario) != "" || scenario.actions.empty());
}

RC_GTEST_PROP(ProblemDomain, BringingInsideEndsInsideAndReadingUndoesWriting, ()) {
  with_problem_domain<G>([]<class Game>(ProblemDomain<Game> domain) {
    expect_inside_once_brought(domain, laws::bounded<Game>(laws::any_scenario<Game>()));
  });
}

TEST(ProblemDomain, BringingTheCorpusInsideEndsInside) {
  with_problem_domain<G>([]<class Game>(ProblemDomain<Game> domain) {
    for (const fs::path& path : scenario_files()) {
      const auto scenario = parse_scenario<Game>(contents(path));
      ASSERT_TRUE(scenario) << path;
      Scenario<Game> inside = *scenario;
      domain.bring_inside(inside);
      EXPECT_EQ(domain.outside(inside).value_or("inside"), "inside") << path;
      EXPECT_EQ(read_back<Game>(Game::ProblemFormat::write(std::span{&inside, 1})), std::vector{inside}) << path;
    }
  });
}

}  // namespace
}  // namespace lockstep
