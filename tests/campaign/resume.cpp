#include "campaign/resume.hpp"

#include <gtest/gtest.h>

#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/campaign/garden_system.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

const AnySystem& named(const std::string& name) {
  if (name != garden().name()) throw BadInput{"there is no system '" + name + "'"};
  return garden();
}

class Resume : public testing::Test {
 protected:
  Resume() {
    static_cast<void>(write_file(finding_file_, "the scenario\n"));
    CampaignResult result;
    result.system = &garden();
    result.implementations = {"rulebook", "honest"};
    result.engines = {{"uniform", {1, 2, 3.5, 4, 5, 6}}};
    result.seconds = 7.5;
    result.canary = {"counts_short", true, "swarm", 0.25, 8};
    result.findings = {{{.signature = "garden honest crash rain exit 5",
                         .file_name = "finding.txt",
                         .scenario = "the scenario\n",
                         .explanation = "at step 1",
                         .minimal = true,
                         .hidden_state = true,
                         .actions_before = 9,
                         .actions = 1,
                         .judgements = 10,
                         .engine = "uniform"},
                        finding_file_}};
    result.faults = {"a fault"};
    result.ignored_signatures = {{"garden honest crash rain exit 5", true}, {"garden honest hang wait", false}};
    result.mended = {"rain.txt: it rained"};
    result.notes = {"libfuzzer was not built"};
    result.processor = {.used = 2.5, .available = 9};
    result.next = {11, 12};
    result.features.set(3);
    result.timeline.add(0.5, 1, {{"uniform", {.scenarios = 1, .steps = 2, .features = 1}}});
    result.timeline.add(7.5, 4, {{"swarm", {.scenarios = 3, .steps = 9, .features = 3, .findings = 1}}});
    run_ = {.systems = {"garden", "garden"},
            .options = {.seconds = 13,
                        .runs = 14,
                        .seed = UINT64_MAX,
                        .jobs = 2,
                        .with = {"honest"},
                        .engines = {"uniform"},
                        .without = {"rain"},
                        .actions_max = 500,
                        .ignore = "known.txt",
                        .corpus = "somewhere",
                        .timeout = std::chrono::milliseconds{15},
                        .keep_going = true,
                        .hunt_canary = false},
            .results = {result}};
  }

  FuzzRun read(const std::string& text) {
    static_cast<void>(write_file(resume_file(folder_.path()), text));
    return read_resume(folder_.path(), named);
  }

  ScratchFolder folder_;
  std::string finding_file_ = folder_ / "finding.txt";
  FuzzRun run_;
};

TEST_F(Resume, ARunSurvivesWritingAndReading) {
  const FuzzRun back = read(resume_text(run_));
  EXPECT_EQ(resume_text(back), resume_text(run_));
  const std::string before = replaced(resume_text(run_), {{"\"systems\"", "\"games\""}, {"_run\":15", "_run\":14"}});
  EXPECT_EQ(resume_text(read(before)), resume_text(run_));
  EXPECT_EQ(std::ranges::count(resume_text(run_), '\n'), 1) << "it is written once a second";
  EXPECT_EQ(back.options.out, folder_.path());
  EXPECT_EQ(back.options.seed, UINT64_MAX);
  const CampaignResult result = only(back.results);
  EXPECT_EQ(result.system, &garden());
  EXPECT_EQ(result.next, (std::vector<std::uint64_t>{11, 12}));
  EXPECT_TRUE(result.processor.starved());
  EXPECT_EQ(result.processor.starved_text(), run_.results[0].processor.starved_text());
  EXPECT_EQ(result.ignored_signatures, run_.results[0].ignored_signatures);
  EXPECT_EQ(result.mended, run_.results[0].mended);
  EXPECT_EQ(result.notes, run_.results[0].notes);
  EXPECT_TRUE(result.features[3]);
  const Found found = only(result.findings);
  EXPECT_EQ(found.file, finding_file_);
  EXPECT_EQ(found.finding.scenario, "the scenario\n");
  EXPECT_EQ(found.finding.judgements, 10u);
  EXPECT_EQ(back.used(), 7.5);
  EXPECT_EQ(result.timeline.engines.at("swarm").steps, (std::vector<std::uint64_t>{0, 9}));
}

TEST_F(Resume, AFindingWhoseFileIsGoneIsLeftOut) {
  std::filesystem::remove(finding_file_);
  EXPECT_TRUE(read(resume_text(run_)).results[0].findings.empty());
  EXPECT_EQ(read_fuzz_run(resume_file(folder_.path()), named).results[0].findings.size(), 1u);
}

TEST_F(Resume, AFindingThatCouldNotBeWrittenIsKept) {
  run_.results[0].findings[0].file.clear();
  EXPECT_EQ(only(read(resume_text(run_)).results[0].findings).file, "");
}

TEST_F(Resume, PathsMayHaveBytesThatAreNoUtf8) {
  const std::string folder = folder_ / "caf\xe9";
  const std::string file = folder + "/finding.txt";
  ASSERT_TRUE(write_file(file, "the scenario\n"));
  run_.results[0].findings[0].file = file;
  run_.options.corpus = folder;
  run_.options.ignore = folder + "/known.txt";
  run_.options.with = {"honest", folder + "/mine.so:fast"};
  run_.results[0].implementations = {"rulebook", "honest", folder + "/mine.so:fast"};
  const FuzzRun back = read(resume_text(run_));
  EXPECT_EQ(only(back.results[0].findings).file, file);
  EXPECT_EQ(back.options.corpus, run_.options.corpus);
  EXPECT_EQ(back.options.ignore, run_.options.ignore);
  EXPECT_EQ(back.options.with, run_.options.with);
  EXPECT_EQ(back.results[0].implementations, run_.results[0].implementations);
}

TEST_F(Resume, WithoutAFileThereIsNothingToResume) { EXPECT_THROW(read_resume(folder_.path(), named), BadInput); }

TEST_F(Resume, AMalformedFileIsBadInputThatNamesIt) {
  const std::string good = resume_text(run_);
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& text :
       {std::string{}, std::string{"nonsense"}, std::string{"{}"}, std::string{"[1]"}, good.substr(0, good.size() / 2),
        changed("\"garden\"", "\"chess\""), changed("\"lockstep_fuzz_run\":", "\"lockstep_fuzz_run\":1"),
        changed("\"jobs\":2", "\"jobs\":-2"), changed("\"jobs\":2", "\"jobs\":1"),
        changed("\"seed\":", "\"seed\":\"x\", \"was\":"), changed("\"features\":\"0", "\"features\":\"2"),
        changed("\"scenario\":", "\"scene\":")}) {
    const std::string error = message_of([&] { read(text); });
    EXPECT_TRUE(error.starts_with(resume_file(folder_.path()).string() + ": ")) << error << "\n" << text;
  }
}

}  // namespace
}  // namespace lockstep
