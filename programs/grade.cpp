#include "programs/grade.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/base/json.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/services/stats.hpp"

namespace lockstep {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InputCase, scenario, input, answer)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StressFinding, verdict, kind, reason, cases, case_number, input, expected, got,
                                   other, errors, minimal)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StressResult, findings, cases, processes, unrepeated, seconds, safety, heaviest)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Grade, outcome, verdict, reason, result)

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;
namespace fs = std::filesystem;

// ---- from a file to a command ----

/// How files of a kind become programs. In the commands, SOURCE is the file and BUILT the folder for what is compiled; of
/// Java, CLASS is the class to start and HEAP its memory in MiB.
struct Language {
  std::string_view extension;
  std::array<std::string_view, 2> compilers;  // the first one that is installed compiles it; none: nothing to compile
  std::string_view run;
};

constexpr std::array<std::string_view, 2> cpp{"g++ -O2 -std=c++20 -w -Wfatal-errors -o BUILT/program SOURCE",
                                              "clang++ -O2 -std=c++20 -w -Wfatal-errors -o BUILT/program SOURCE"};
constexpr Language languages[] = {
    {".cpp", cpp, "BUILT/program"},
    {".cc", cpp, "BUILT/program"},
    {".c", {"cc -O2 -w -Wfatal-errors -o BUILT/program SOURCE -lm"}, "BUILT/program"},
    {".rs", {"rustc -O --crate-name program --error-format short -o BUILT/program SOURCE"}, "BUILT/program"},
    // A heap without a bound holds more garbage than the memory limit; the compiler and collector use processor time.
    {".java",
     {"javac -nowarn -Xmaxerrs 1 -d BUILT SOURCE"},
     "java -XmxHEAPm -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp BUILT CLASS"},
    {".py", {}, "python3 SOURCE"},
    {".js", {}, "node SOURCE"}};

const Language* language_of(const fs::path& program) {
  const auto found = std::ranges::find(languages, program.extension(), &Language::extension);
  return found == std::end(languages) ? nullptr : found;
}

/// The line of a compiler's messages that says what is wrong.
std::string first_error(std::string_view messages) {
  std::string first;
  while (!messages.empty()) {
    const std::string_view line = take_line(messages);
    if (line.contains("error: ") || line.contains("error[") || line.contains("undefined reference")) {
      return std::string{line};
    }
    if (first.empty()) first = line;
  }
  return first;
}

/// The error of a program that does not compile; nullopt if it does. BadInput if there is no compiler, or if it is no judge.
std::optional<std::string> compile(const Language& language, const std::string& source, const std::string& built) {
  constexpr ProgramLimits limits{.processor_time = 30s, .memory = 2ULL << 30};
  std::string missing;
  for (const std::string_view compiler : language.compilers) {
    if (compiler.empty()) break;
    const std::string command = replaced(compiler, {{"BUILT", built}, {"SOURCE", source}});
    auto program = OutsideProgram::make(command, limits, Safety::limits);  // it has to write files
    if (!program) {
      if (missing.empty()) missing = program.error();
      continue;
    }
    const ProgramRun run = program->run("");
    if (run.end == ProgramRun::End::answered) return std::nullopt;
    if (run.end != ProgramRun::End::runtime_error || !run.kind.starts_with("exit")) {
      throw BadInput{"the compiler " + run.reason};
    }
    const std::string error = first_error(run.errors);
    return error.empty() ? "the compiler " + run.reason : replaced(error, {{built + "/", ""}});
  }
  throw BadInput{missing};
}

/// Compiles a source of Java. A public class must be in a file of its name, which only the compiler knows for sure: if it
/// asks for another name than the program's, it gets a copy with that name.
std::optional<std::string> compile_java(const Language& language, const fs::path& program, const fs::path& folder) {
  constexpr std::string_view demand = "should be declared in a file named ";
  const std::string text = or_refuse(read_file(program));
  std::string name = program.filename();
  std::optional<std::string> fault;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const fs::path copy = folder / name;
    if (const auto written = write_file(copy, text); !written) throw InternalError{written.error()};
    fault = compile(language, shell_word(copy.string()), shell_word(folder.string()));
    const std::size_t asked = fault ? fault->find(demand) : std::string::npos;
    if (asked == std::string::npos) break;
    name = fault->substr(asked + demand.size());
  }
  return fault;
}

/// The compiled class to start, as `java` takes its name. Of several with a method main: Main, else one that a file is
/// named after, else Solution. In a class file each name is a constant: a byte 1, its length in two bytes, its characters.
std::string java_class(const fs::path& folder) {
  constexpr std::string_view main_constant{"\1\0\4main", 7};
  std::vector<std::string> found;
  for (const fs::path& file : or_refuse(files_in<fs::recursive_directory_iterator>(
           folder, [](const fs::path& each) { return each.extension() == ".class"; }))) {
    std::string name = file.lexically_relative(folder).replace_extension();
    std::ranges::replace(name, '/', '.');
    if (!name.contains('$') && or_refuse(read_file(file)).contains(main_constant)) found.push_back(std::move(name));
  }
  const auto rank = [&](const std::string& name) {
    const std::string simple = name.substr(name.rfind('.') + 1);
    return simple == "Main" ? 0 : fs::exists(folder / (simple + ".java")) ? 1 : simple == "Solution" ? 2 : 3;
  };
  const auto best = std::ranges::min_element(found, {}, rank);
  if (found.size() == 1 || (best != found.end() && rank(*best) < 3)) return *best;
  throw BadInput{found.empty() ? "none of its classes has a method main"
                               : "several of its classes have a method main: " + joined(found, ", ")};
}

/// The interpreter itself: what PATH calls python3 may be a script that takes longer to find it than most cases take.
std::string python() {
  auto program = OutsideProgram::make("python3 -c 'import sys; print(sys.executable, end=\"\")'");
  const ProgramRun run = program ? program->run("") : ProgramRun{};
  return run.end == ProgramRun::End::answered && !run.output.empty() ? shell_word(run.output) : "python3";
}

/// BadInput, with the reason, for an entry of the folder that is no program.
void refuse_no_program(const fs::path& entry) {
  std::error_code none;
  if (fs::is_directory(entry, none))
    throw BadInput{"it is a folder, and grade tests only what is directly in the folder"};
  if (!fs::is_regular_file(entry, none)) throw BadInput{"it is no file"};
  if (language_of(entry) != nullptr || access(entry.c_str(), X_OK) == 0) return;
  throw BadInput{"grade knows no language by its name, and it is not executable"};
}

/// The command that runs the program, which is compiled first if its language asks for it; or the error of one that does
/// not compile. BadInput if it cannot be run.
std::expected<std::string, std::string> command_for(const fs::path& program, const fs::path& folder,
                                                    const ProgramLimits& limits) {
  refuse_no_program(program);
  const Language* const language = language_of(program);
  if (language == nullptr) return shell_word(program.string());
  fs::create_directories(folder);
  const std::string built = shell_word(folder.string());
  std::vector<std::pair<std::string_view, std::string>> words{{"BUILT", built},
                                                              {"SOURCE", shell_word(program.string())}};
  const bool java = language->extension == ".java";
  if (!language->compilers[0].empty()) {
    auto fault = java ? compile_java(*language, program, folder) : compile(*language, words[1].second, built);
    if (fault) return std::unexpected(std::move(*fault));
  }
  if (java) {
    words.emplace_back("CLASS", shell_word(java_class(folder)));
    words.emplace_back("HEAP", std::to_string(std::max<std::uint64_t>(limits.memory >> 21, 1)));
  }
  if (language->extension == ".py") words.emplace_back("python3", python());
  return replaced(language->run, words);
}

// ---- one program ----

Grade graded(const ProblemInputs& inputs, const fs::path& program, const StressOptions& options, const fs::path& folder,
             const std::function<bool()>& interrupted) {
  const auto command = command_for(program, folder, options.limits);
  if (!command) return {.outcome = Grade::Outcome::failed, .verdict = "compile error", .reason = command.error()};
  StressOptions how = options;
  how.command = *command;
  Grade out{.result = stress(inputs, how, {.interrupted = interrupted})};
  if (!out.result.findings.empty()) {
    const StressFinding& finding = out.result.findings.front();
    out.outcome = Grade::Outcome::failed;
    std::tie(out.verdict, out.reason) = std::tie(finding.verdict, finding.reason);
    return out;
  }
  out.verdict = "no verdict";
  if (interrupted()) {
    out.reason = "interrupted";
  } else if (const auto& lost = out.result.unrepeated; !lost.empty()) {
    out.reason = counted(lost.size(), "failure") +
                 " did not appear again when the program ran alone: " + lost.front().verdict + ", " +
                 lost.front().reason;
  } else if (out.result.cases == 0) {
    out.reason = "the time was too short for one case";
  } else {
    out.verdict = "right";
    out.outcome = Grade::Outcome::right;
  }
  return out;
}

/// The grade, without the program, as JSON.
std::string grade_one(const ProblemInputs& inputs, const fs::path& program, const StressOptions& options,
                      const fs::path& folder, const std::function<bool()>& interrupted) {
  Grade grade;
  // first_error and compile_java read English, and Java reads names of classes in UTF-8
  setenv("LC_ALL", "C.UTF-8", 1);
  try {
    grade = graded(inputs, program, options, folder, interrupted);
  } catch (const BadInput& fault) {  // it cannot be run
    grade.reason = fault.what();
  } catch (const std::exception& fault) {
    grade.verdict = "no verdict";
    grade.reason = std::string{"internal error: "} + fault.what();
  }
  return dumped<json>(grade);
}

}  // namespace

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> out;
  const std::error_code fault = visit_entries(folder, [&](const fs::directory_entry& entry) {
    if (!entry.path().filename().string().starts_with('.')) out.push_back(entry.path());
  });
  if (fault) throw BadInput{folder.string() + ": " + fault.message()};
  std::ranges::sort(out);
  return out;
}

std::vector<Grade> grade(const ProblemInputs& inputs, const std::vector<fs::path>& programs,
                         const StressOptions& options, unsigned jobs, const std::function<void(Grade&)>& done,
                         const std::function<bool()>& interrupted) {
  StressOptions alike = options;
  if (!alike.heaviest) alike.heaviest = heaviest_cases(inputs, options);
  const ScratchFolder scratch;
  const SharedStats shared = share_stats();
  std::vector<Grade> out;
  for (const auto& program : programs) out.push_back({.program = program, .reason = "interrupted"});
  std::size_t ended = 0;
  std::optional<Clock::time_point> stopped;
  const auto begun = in_children(
      programs.size(), jobs,
      [&](std::size_t i) {
        return grade_one(inputs, programs[i], alike, scratch.path() / std::to_string(i),
                         [&] { return shared->stop.load() != 0; });
      },
      [&](std::size_t i, const std::string& returned, const ExitStatus& status) {
        if (status.clean()) {
          out[i] = json::parse(returned).get<Grade>();
          out[i].program = programs[i];
        } else {
          out[i].verdict = "no verdict";
          if (!stopped) out[i].reason = "internal error: the process that tested it " + status.text();
        }
        ++ended;
        done(out[i]);
      },
      [&] {
        if (!stopped && interrupted()) {
          shared->stop.store(1);
          stopped = Clock::now();
        }
        if (!stopped) return ChildrenMay::start;
        // A compiler does not look at the request. It ends with the process.
        return Clock::now() - *stopped > 2s ? ChildrenMay::not_run : ChildrenMay::finish;
      });
  if (!begun) throw InternalError{begun.error()};
  for (; ended < programs.size(); ++ended) done(out[ended]);
  return out;
}

}  // namespace lockstep
