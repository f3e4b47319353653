#include "campaign/grade.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/files.hpp"
#include "lockstep/scratch.hpp"
#include "tests/campaign/scripts.hpp"
#include "tests/campaign/squares.hpp"

namespace lockstep {
namespace {

using Paths = std::vector<std::filesystem::path>;

const std::string squaring = "exec awk '{ print $1 * $1 }'";

/// The grades, and the programs in the order in which they ended.
struct Graded {
  std::vector<Grade> grades;
  Paths ended;
};

Graded graded(const Paths& programs, unsigned jobs = 2, bool interrupted = false,
              const ProblemInputs& inputs = Squares{}) {
  const StressOptions options{.command = {}, .seconds = 0.2, .limits = {.processor_time = std::chrono::seconds{20}}};
  Graded out;
  out.grades = grade(inputs, programs, options, jobs,
                     {.done = [&](const Grade& each) { out.ended.push_back(each.program); },
                      .interrupted = [=] { return interrupted; }});
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
    EXPECT_EQ(out.grades[i].reason, reasons[i]) << entries[i];
    EXPECT_EQ(out.grades[i].verdict, reasons[i].empty() ? "right" : "not run");
    EXPECT_EQ(out.grades[i].outcome, reasons[i].empty() ? Grade::Outcome::right : Grade::Outcome::not_judged);
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
  EXPECT_EQ(wrong.outcome, Grade::Outcome::failed);
  EXPECT_EQ(wrong.verdict, "wrong answer");
  EXPECT_EQ(wrong.reason, "line 1 of the output: expected '1', got '0'");
  ASSERT_EQ(wrong.result.findings.size(), 1u);
  EXPECT_EQ(wrong.result.findings[0].input, "1\n");
  EXPECT_EQ(wrong.result.findings[0].expected, "1\n");
  EXPECT_EQ(wrong.result.findings[0].got, "0\n");
  EXPECT_EQ(right.outcome, Grade::Outcome::right);
  EXPECT_EQ(right.verdict, "right");
  EXPECT_EQ(right.reason, "");
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
  EXPECT_EQ(out.grades[1].verdict, "compile error");
  EXPECT_EQ(out.grades[1].outcome, Grade::Outcome::failed);
  EXPECT_EQ(out.grades[1].reason, "b.c:1:1: error: a mistake");
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

/// Temporary files are in this folder while it lives.
class TemporaryFiles {
 public:
  explicit TemporaryFiles(const std::string& folder) { setenv("TMPDIR", folder.c_str(), 1); }
  ~TemporaryFiles() { before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR"); }
  TemporaryFiles(const TemporaryFiles&) = delete;
  TemporaryFiles& operator=(const TemporaryFiles&) = delete;

 private:
  static std::optional<std::string> current() {
    const char* const value = std::getenv("TMPDIR");
    return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
  }
  std::optional<std::string> before_ = current();
};

TEST(Grade, AFolderMayHaveAnyName) {
  const ScratchFolder outer;
  const std::string odd = outer / "it's SOURCE, BUILT, CLASS, HEAP and python3";
  std::filesystem::create_directory(odd);
  const TemporaryFiles here{odd};
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
  for (const Grade& each : out.grades) {
    EXPECT_EQ(each.outcome, Grade::Outcome::not_judged);
    EXPECT_EQ(each.verdict, "not run");
  }
  EXPECT_EQ(out.grades[0].reason, "there is no program 'cc' in PATH");
  EXPECT_EQ(out.grades[1].reason, "there is no program 'g++' in PATH");
  EXPECT_EQ(out.grades[2].reason, "there is no program 'python3' in PATH");
}

TEST(Grade, AfterAnInterruptionNoProgramIsBegun) {
  const ScratchFolder folder;
  const Paths programs{folder / "a", folder / "b", folder / "c"};
  for (const auto& program : programs) write_script(program, "touch " + (folder / "begun"));
  const Graded out = graded(programs, 2, true);
  EXPECT_EQ(out.ended, programs);
  for (const Grade& each : out.grades) {
    EXPECT_EQ(each.outcome, Grade::Outcome::not_judged);
    EXPECT_EQ(each.verdict, "not run");
    EXPECT_EQ(each.reason, "interrupted");
  }
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
  EXPECT_EQ(out.grades[0].outcome, Grade::Outcome::not_judged);
  EXPECT_EQ(out.grades[0].verdict, "no verdict");
  EXPECT_EQ(out.grades[0].reason, "internal error: the process that tested it exited with status 3");
  EXPECT_EQ(out.grades[1].verdict, "right") << out.grades[1].reason;
}

}  // namespace
}  // namespace lockstep
