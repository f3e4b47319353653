#include "campaign/grade.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"
#include "tests/campaign/scripts.hpp"
#include "tests/campaign/squares.hpp"
#include "tests/lockstep/expected.hpp"

namespace lockstep {
namespace {

using Paths = std::vector<std::filesystem::path>;

const std::string squaring = "exec awk '{ print $1 * $1 }'";

void expect_grade(const Grade& grade, Grade::Outcome outcome, const std::string& verdict, const std::string& reason) {
  EXPECT_EQ(grade.outcome, outcome) << grade.program;
  EXPECT_EQ(grade.verdict, verdict) << grade.program;
  EXPECT_EQ(grade.reason, reason) << grade.program;
}

/// The grades, and the programs in the order in which they ended.
struct Graded {
  std::vector<Grade> grades;
  Paths ended;
};

Graded graded(const Paths& programs, unsigned jobs = 2, bool interrupted = false,
              const ProblemInputs& inputs = Squares{}) {
  const StressOptions options{.command = {}, .seconds = 0.2, .limits = {.processor_time = std::chrono::seconds{20}}};
  Graded out;
  out.grades = grade(
      inputs, programs, options, jobs, [&](const Grade& each) { out.ended.push_back(each.program); },
      [=] { return interrupted; });
  return out;
}

TEST(Grade, EachEntryOfAFolderIsRunOrSaysWhyNot) {
  const ScratchFolder folder;
  const auto in = [&](const char* name) { return folder.path() / name; };
  for (const char* const name : {"notes.txt", "sh", "e.hpp", ".hidden"})
    ASSERT_TRUE(write_file(in(name), "#!/bin/sh\n"));
  write_script(in("z.sh"), squaring);
  std::filesystem::create_directory(in("folder.cpp"));
  ASSERT_TRUE(write_file(in("folder.cpp") / "below.cpp", ""));
  std::filesystem::create_symlink("nothing", in("link.py"));
  const Paths entries = entries_of(folder.path());
  EXPECT_EQ(entries, (Paths{in("e.hpp"), in("folder.cpp"), in("link.py"), in("notes.txt"), in("sh"), in("z.sh")}));
  const std::string unknown = "grade knows no language by its name, and it is not executable";
  const std::vector<std::string> reasons{
      unknown, "it is a folder, and grade tests only what is directly in the folder", "it is no file", unknown, unknown,
      ""};
  const Graded out = graded(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    expect_grade(out.grades[i], reasons[i].empty() ? Grade::Outcome::right : Grade::Outcome::not_judged,
                 reasons[i].empty() ? "right" : "not run", reasons[i]);
  }
}

TEST(Grade, EachProgramHasItsVerdictInTheOrderOfThePrograms) {
  const ScratchFolder folder;
  const Paths programs{folder / "wrong", folder / "right", folder / "no_program", folder / "dies"};
  write_script(programs[0], "echo 0");
  write_script(programs[1], squaring);
  ASSERT_TRUE(write_file(programs[2],
                         "\x7f"
                         "ELF"));
  std::filesystem::permissions(programs[2], std::filesystem::perms::owner_all);
  write_script(programs[3], "echo oh >&2; exit 5");
  Graded out = graded(programs);
  ASSERT_EQ(out.grades.size(), programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) EXPECT_EQ(out.grades[i].program, programs[i]);
  std::ranges::sort(out.ended);
  Paths sorted = programs;
  std::ranges::sort(sorted);
  EXPECT_EQ(out.ended, sorted) << "each ends once";

  const Grade& wrong = out.grades[0];
  const Grade& right = out.grades[1];
  const Grade& no_program = out.grades[2];
  const Grade& dies = out.grades[3];
  expect_grade(wrong, Grade::Outcome::failed, "wrong answer", "line 1 of the output: expected '1', got '0'");
  const StressFinding finding = only(wrong.result.findings);
  EXPECT_EQ(finding.input, "1\n");
  EXPECT_EQ(finding.expected, "1\n");
  EXPECT_EQ(finding.got, "0\n");
  expect_grade(right, Grade::Outcome::right, "right", "");
  EXPECT_GT(right.result.cases, 0u);
  EXPECT_TRUE(right.result.heaviest);
  EXPECT_EQ(no_program.outcome, Grade::Outcome::not_judged);
  EXPECT_EQ(no_program.verdict, "not run");
  EXPECT_TRUE(no_program.reason.contains("Exec format error")) << no_program.reason;
  EXPECT_EQ(dies.outcome, Grade::Outcome::failed);
  EXPECT_EQ(dies.verdict, "runtime error");
  EXPECT_EQ(dies.result.findings.at(0).errors, "oh\n");
}

/// A script in the place of cc, whose sources are scripts.
void add_cc(ScriptsInPath& scripts) {
  scripts.add("cc",
              "while [ \"$1\" != -o ]; do shift; done\n"
              "if grep -q mistake \"$3\"; then\n"
              "  echo \"In function 'main':\" >&2\n  echo 'b.c:1:1: error: a mistake' >&2\n  exit 1\nfi\n"
              "cp \"$3\" \"$2\" && chmod 755 \"$2\"");
}

TEST(Grade, ASourceIsCompiledAndTheLineWithTheErrorIsTheReason) {
  ScriptsInPath compilers;
  add_cc(compilers);
  const ScratchFolder folder;
  const Paths programs{folder / "it's right.c", folder / "b.c"};
  ASSERT_TRUE(write_file(programs[0], "#!/bin/sh\n" + squaring + "\n"));
  ASSERT_TRUE(write_file(programs[1], "mistake"));
  const Graded out = graded(programs);
  EXPECT_EQ(out.grades[0].verdict, "right") << out.grades[0].reason;
  expect_grade(out.grades[1], Grade::Outcome::failed, "compile error", "b.c:1:1: error: a mistake");
}

/// Scripts in the place of javac and java. A source's first line names its public class, "-" for none; each other line a
/// class file to write, and what is in it.
void add_java(ScriptsInPath& scripts) {
  scripts.add(
      "javac",
      "while [ \"$1\" != -d ]; do shift; done\n"
      "read class < \"$3\"\n"
      "if [ \"$class\" != - ] && [ \"$class.java\" != \"${3##*/}\" ]; then\n"
      "  echo \"$3:1: error: class $class is public, should be declared in a file named $class.java\" >&2\n"
      "  exit 1\nfi\n"
      "sed 1d \"$3\" | while read -r name text; do mkdir -p \"$2/${name%/*}\"; printf \"$text\" > \"$2/$name\"; done");
  scripts.add("java", "while [ \"$1\" != -cp ]; do shift; done\n[ \"$3\" = right.Right ] || exit 1\n" + squaring);
}

TEST(Grade, AJavaClassWithAMethodMainIsStarted) {
  struct Source {
    std::string text;
    std::string verdict = "right";
    std::string reason = {};
  };
  const std::string with_main = R"(x\1\0\4mainx)";  // as a class file names its methods
  const std::string right = "right/Right.class " + with_main + "\n";
  const std::vector<Source> sources{
      {"-\n" + right},
      {"Right\n" + right + "a/A.class " + with_main + "\n"},
      {"-\n" + right + "a/A.class main\nright/Right$1.class " + with_main + "\n"},
      {"-\nright/Right.class main\n", "not run", "none of its classes has a method main"},
      {"-\n" + right + "a/A.class " + with_main + "\n", "not run",
       "several of its classes have a method main: a.A, right.Right"},
      {"-\n" + right + "a/Solution.class " + with_main + "\n", "runtime error", "exited with status 1"},
  };
  ScriptsInPath java;
  add_java(java);
  const ScratchFolder folder;
  Paths programs;
  for (const Source& source : sources) {
    programs.push_back(folder / (std::to_string(programs.size()) + ".java"));
    ASSERT_TRUE(write_file(programs.back(), source.text));
  }
  const Graded out = graded(programs);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    EXPECT_EQ(out.grades[i].verdict, sources[i].verdict) << sources[i].text << "\n" << out.grades[i].reason;
    EXPECT_EQ(out.grades[i].reason, sources[i].reason);
  }
}

TEST(Grade, AFolderMayHaveAnyName) {
  const ScratchFolder outer;
  const std::string odd = outer / "it's SOURCE, BUILT, CLASS, HEAP and python3";
  std::filesystem::create_directory(odd);
  const Variable temporary_files{"TMPDIR", odd};
  ScriptsInPath scripts;
  add_cc(scripts);
  add_java(scripts);
  scripts.add("python3", "if [ \"$1\" = -c ]; then printf %s \"$0\"; else " + squaring + "; fi");
  const ScratchFolder folder;
  const Paths programs{folder / "a.c", folder / "b.java", folder / "c.py"};
  ASSERT_TRUE(write_file(programs[0], "#!/bin/sh\n" + squaring + "\n"));
  ASSERT_TRUE(write_file(programs[1], "-\nright/Right.class \\1\\0\\4main\n"));
  ASSERT_TRUE(write_file(programs[2], ""));
  const Graded out = graded(programs);
  for (const Grade& each : out.grades) EXPECT_EQ(each.verdict, "right") << each.program << ": " << each.reason;
}

TEST(Grade, WithoutItsCompilerOrInterpreterAProgramIsNotRun) {
  const ScratchFolder folder;
  const Paths programs{folder / "a.c", folder / "a.cpp", folder / "a.py"};
  for (const auto& program : programs) ASSERT_TRUE(write_file(program, ""));
  const ScriptsInPath none{ScriptsInPath::Others::hidden};
  const Graded out = graded(programs);
  const char* const needed[] = {"cc", "g++", "python3"};
  for (std::size_t i = 0; i < programs.size(); ++i) {
    expect_grade(out.grades[i], Grade::Outcome::not_judged, "not run",
                 "there is no program '" + std::string{needed[i]} + "' in PATH");
  }
}

TEST(Grade, AfterAnInterruptionNoProgramIsBegun) {
  const ScratchFolder folder;
  const Paths programs{folder / "a", folder / "b", folder / "c"};
  for (const auto& program : programs) write_script(program, "touch " + (folder / "begun"));
  const Graded out = graded(programs, 2, true);
  EXPECT_EQ(out.ended, programs);
  for (const Grade& each : out.grades) expect_grade(each, Grade::Outcome::not_judged, "not run", "interrupted");
  EXPECT_FALSE(std::filesystem::exists(folder / "begun"));
}

/// Ends its process when it is used for the first time.
class EndsOnce final : public Squares {
 public:
  std::unique_ptr<InputStream> draw(std::uint64_t seed, std::uint64_t first, std::uint64_t stride,
                                    const std::filesystem::path& corpus) const override {
    if (std::filesystem::create_directory(folder_.path() / "used")) std::_Exit(3);
    return Squares::draw(seed, first, stride, corpus);
  }

 private:
  ScratchFolder folder_;
};

TEST(Grade, AReferenceThatEndsItsProcessDoesNotDisturbTheNextProgram) {
  const ScratchFolder folder;
  const Paths programs{folder / "a", folder / "b"};
  for (const auto& program : programs) write_script(program, squaring);
  const Graded out = graded(programs, 1, false, EndsOnce{});
  expect_grade(out.grades[0], Grade::Outcome::not_judged, "no verdict",
               "internal error: the process that tested it exited with status 3");
  EXPECT_EQ(out.grades[1].verdict, "right") << out.grades[1].reason;
}

}  // namespace
}  // namespace lockstep
