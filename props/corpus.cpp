// Replays everything in corpus/GAME: scenarios as text through the judge, published samples through the
// judge format, both by every simulator that must agree.
#include LOCKSTEP_SYSTEM

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "lockstep/files.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/lines.hpp"
#include "props/golden.hpp"
#include "props/laws.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using G = ThisSystem;

/// The files of a folder with this extension, sorted by name; none when there is no such folder.
std::vector<fs::path> files_in(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator{folder, fault}) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

const fs::path folder = fs::path{LOCKSTEP_CORPUS} / G::name;
std::vector<fs::path> scenario_files() { return files_in(folder, ".txt"); }
std::vector<fs::path> judge_files() { return files_in(folder / "judge", ".in"); }

std::string contents(const fs::path& path) {
  const auto bytes = read_file(path);
  EXPECT_TRUE(bytes) << path << ": " << bytes.error();
  return bytes.value_or("");
}

/// The text without its comments, and without the lines that held nothing else.
std::string without_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
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

/// Judges' outputs are compared as they compare them: white space at the end of a line means nothing.
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

TEST(Corpus, HasAtLeastOneScenario) { EXPECT_FALSE(scenario_files().empty()) << folder; }

TEST(Corpus, IsCanonicalApartFromComments) {
  for (const fs::path& path : scenario_files()) {
    const std::string text = contents(path);
    const auto scenario = parse_scenario<G>(text);
    ASSERT_TRUE(scenario) << scenario.error().message(path.string());
    EXPECT_EQ(without_comments(text), scenario_text<G>(*scenario)) << path;
    EXPECT_NE(text.find("\n# "), std::string::npos) << path << " does not say what it shows";
  }
}

TEST(Corpus, IsPlayedAlikeByAllSimulators) {
  Judge<G> judge{laws::honest<G>()};
  for (const fs::path& path : scenario_files()) {
    const auto scenario = parse_scenario<G>(contents(path));
    ASSERT_TRUE(scenario) << scenario.error().message(path.string());
    const auto complaint =
        laws::complaint<G>(judge.implementations(), *scenario, [&](const Scenario<G>& s) { return judge.judge(s); });
    EXPECT_EQ(complaint, "") << path;
  }
}

/// A silent change of behaviour, one that all simulators share, shows as another hash.
TEST(Corpus, AnswersAsItDidBefore) {
  std::string answers;
  for (const fs::path& path : scenario_files()) {
    const auto scenario = parse_scenario<G>(contents(path));
    ASSERT_TRUE(scenario) << scenario.error().message(path.string());
    Trace<G> trace;
    registry<G>().front().trace(*scenario, Cadence{}, trace);
    answers += path.filename().string() + "\n";
    for (const auto& observation : trace.observations) answers += observation_text<G>(observation) + "\n";
    answers += snapshot_text<G>(trace.snapshots.back());
  }
  const std::string hash = hash_text(answers);
  std::cout << "corpus of " << G::name << ": " << scenario_files().size() << " scenarios, hash of all observations "
            << hash << "\n";
  EXPECT_TRUE(matches_golden_line("corpus_hashes.txt", G::name, hash));
}

/// The output of one simulator for a judge's input, or the error. A template, because a game need not have
/// a judge format.
template <class Game>
Parsed<std::string> answer(const AnyImplementation<Game>& simulator, std::string_view input) {
  const auto cases = Game::ProblemFormat::read(input);
  if (!cases) return std::unexpected(cases.error());
  std::string out;
  for (const ProblemCase<Game>& asked : *cases) {
    Trace<Game> trace;
    simulator.trace(asked.scenario, Cadence{}, trace);
    const auto printed = Game::ProblemFormat::print(asked, trace.observations);
    if (!printed) return std::unexpected(printed.error());
    out += *printed;
  }
  return out;
}

template <class Game>
void answer_all_samples() {
  if constexpr (requires { typename Game::ProblemFormat; }) {
    ASSERT_FALSE(judge_files().empty()) << folder / "judge";
    for (const fs::path& path : judge_files()) {
      const std::string input = contents(path);
      const std::string expected = contents(fs::path{path}.replace_extension(".out"));
      for (const auto& simulator : laws::honest<Game>()) {
        const auto output = answer<Game>(simulator, input);
        ASSERT_TRUE(output) << output.error().message(path.string());
        EXPECT_EQ(trimmed_lines(*output), trimmed_lines(expected)) << path << " by " << simulator.name;
      }
    }
  } else {
    GTEST_SKIP() << "the game does not come from a judge";
  }
}

TEST(JudgeSamples, AreAnsweredByEverySimulator) { answer_all_samples<G>(); }

/// A text with a few characters changed, so that damage is met at every depth of a reader.
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

/// "" when the reader takes the text for lawful scenarios, or refuses it and says where and why.
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

template <class Game>
void read_damaged_samples() {
  if constexpr (requires { typename Game::ProblemFormat; }) {
    Random random{20261121};
    int refused = 0;
    constexpr int rounds = 2'000;
    const auto files = judge_files();
    for (int i = 0; i < rounds; ++i) {
      const std::string text = damaged(contents(random.pick(files)), random);
      ASSERT_EQ(fault_of_reading<Game>(text), "") << text;
      refused += Game::ProblemFormat::read(text) ? 0 : 1;
    }
    EXPECT_GT(refused, rounds / 4);
    EXPECT_LT(refused, rounds);
  } else {
    GTEST_SKIP() << "the game does not come from a judge";
  }
}

TEST(JudgeReader, TakesLawfulScenariosAndNamesThePlaceOfWhatItRefuses) { read_damaged_samples<G>(); }

}  // namespace
}  // namespace lockstep
