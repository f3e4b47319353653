#include "programs/grade.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/programs/scripts.hpp"
#include "tests/programs/squares.hpp"

namespace lockstep {
namespace {

using Paths = std::vector<std::filesystem::path>;

const std::string squaring = "exec awk '{ print $1 * $1 }'";

void expect_grade(const Grade& grade, Grade::Outcome outcome, const std::string& verdict, const std::string& reason) {
  EXPECT_EQ(grade.outcome, outcome) << grade.program;
  EXPECT_EQ(grade.verdict, verdict) << grade.program;
  EXPECT_EQ(grade.reason, reason) << grade.program;
}

std::vector<Grade> graded(const Paths& programs, unsigned jobs = 2, const ProblemInputs& inputs = Squares{}) {
  const StressOptions options{.command = {}, .seconds = 0.2, .limits = {.processor_time = std::chrono::seconds{20}}};
  return grade(inputs, programs, options, jobs, [](const Grade&) {}, [] { return false; });
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
  const auto out = graded(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    expect_grade(out[i], reasons[i].empty() ? Grade::Outcome::right : Grade::Outcome::not_judged,
                 reasons[i].empty() ? "right" : "not run", reasons[i]);
  }
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
  const auto out = graded(programs);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    EXPECT_EQ(out[i].verdict, sources[i].verdict) << sources[i].text << "\n" << out[i].reason;
    EXPECT_EQ(out[i].reason, sources[i].reason);
  }
}

TEST(Grade, AFolderMayHaveAnyName) {
  const ScratchFolder outer;
  const std::string odd = outer / "it's SOURCE, BUILT, CLASS, HEAP and python3";
  std::filesystem::create_directory(odd);
  const Variable temporary_files{"TMPDIR", odd};
  ScriptsInPath scripts;
  // The sources of cc are scripts.
  scripts.add("cc", "while [ \"$1\" != -o ]; do shift; done\ncp \"$3\" \"$2\" && chmod 755 \"$2\"");
  add_java(scripts);
  scripts.add("python3", "if [ \"$1\" = -c ]; then printf %s \"$0\"; else " + squaring + "; fi");
  const ScratchFolder folder;
  const Paths programs{folder / "it's a.c", folder / "b.java", folder / "c.py"};
  ASSERT_TRUE(write_file(programs[0], "#!/bin/sh\n" + squaring + "\n"));
  ASSERT_TRUE(write_file(programs[1], "-\nright/Right.class \\1\\0\\4main\n"));
  ASSERT_TRUE(write_file(programs[2], ""));
  const auto out = graded(programs);
  for (const Grade& each : out) EXPECT_EQ(each.verdict, "right") << each.program << ": " << each.reason;
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
  const auto out = graded(programs, 1, EndsOnce{});
  expect_grade(out[0], Grade::Outcome::not_judged, "no verdict",
               "internal error: the process that tested it exited with status 3");
  EXPECT_EQ(out[1].verdict, "right") << out[1].reason;
}

}  // namespace
}  // namespace lockstep
