// lockstep grade: compiles and stresses every program of a folder.
#include "programs/grade.hpp"
#include "tools/junit.hpp"
#include "tools/numbers.hpp"
#include "tools/report_files.hpp"
#include "tools/stress_options.hpp"

namespace lockstep {
namespace {

using Outcome = Grade::Outcome;

struct GradeVerbOptions : ProgramOptions {
  std::string system;
  std::filesystem::path folder;
  std::string junit;
  unsigned jobs = 0;
};

struct Graded {
  std::vector<Grade> grades;
  bool stopped = false;  // by Ctrl-C; one that comes while the grades are printed does not change it

  std::size_t count(Outcome outcome) const {
    return static_cast<std::size_t>(std::ranges::count(grades, outcome, &Grade::outcome));
  }
  int exit_code() const {
    return count(Outcome::failed) > 0       ? exit_diverged
           : stopped                        ? exit_interrupted
           : count(Outcome::not_judged) > 0 ? exit_internal_error
                                            : exit_agreed;
  }
};

bool few(const Grade& grade) { return grade.outcome == Outcome::right && grade.result.few(); }

/// The finding, else the failures that did not appear again.
auto& failures_of(auto& result) { return result.findings.empty() ? result.unrepeated : result.findings; }

std::string name_of(const Grade& grade) { return grade.program.filename().string(); }

std::size_t lines_of(const std::string& input) { return static_cast<std::size_t>(std::ranges::count(input, '\n')); }

/// The beginning of the last line that is not empty; '?' stands for what is not ASCII.
std::string last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  std::string out{text.substr(text.rfind('\n') + 1, 120)};
  std::ranges::replace_if(out, [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

std::string table(const std::vector<Grade>& grades) {
  std::vector<std::vector<std::string>> rows{
      {"program", "verdict", "smallest input", "found after", "cases", "heaviest"}};
  for (const Grade& grade : grades) {
    const StressResult& result = grade.result;
    auto& row = rows.emplace_back(std::vector<std::string>{
        name_of(grade), grade.verdict + (few(grade) ? ", few cases" : ""), "-", "-", "-", "-"});
    for (const StressFinding& finding : result.findings) {  // at most one
      row[2] = counted(finding.input.size(), "byte") + ", " + counted(lines_of(finding.input), "line") +
               (finding.minimal ? "" : " or less");
      row[3] = fmt::format("{:.1f} s", result.seconds);
    }
    if (result.processes == 0) continue;
    row[4] = std::to_string(result.cases);
    if (result.heaviest) row[5] = fmt::format("{} ms", result.heaviest->count());
  }
  return table_text(rows, 3, 3);
}

void print(const GradeVerbOptions& options, const Graded& graded) {
  const auto tested =
      std::ranges::find_if(graded.grades, [](const Grade& each) { return !each.result.safety.empty(); });
  if (tested != graded.grades.end()) std::cerr << "safety: " << tested->result.safety << "\n";
  std::cerr << about_corpus(options.stress.corpus, options.system) << "\n";
  fmt::print("{}\n", table(graded.grades));
  for (const Grade& grade : graded.grades) {
    if (grade.outcome == Outcome::right) continue;
    fmt::print("{}: {}: {}\n", name_of(grade), grade.verdict, grade.reason);
    for (const StressFinding& finding : grade.result.findings) {
      if (!finding.errors.empty()) fmt::print("  standard error: {}\n", last_line(finding.errors));
    }
    const auto& failures = failures_of(grade.result);
    if (!failures.empty() && !failures.front().file.empty())
      fmt::print("  input: {}\n", failures.front().file.string());
  }
  if (graded.count(Outcome::right) < graded.grades.size()) fmt::print("\n");
  fmt::print("{}: {} right, {} failed, {} without a verdict; seed {}\n", counted(graded.grades.size(), "program"),
             graded.count(Outcome::right), graded.count(Outcome::failed), graded.count(Outcome::not_judged),
             options.stress.seed);
  if (std::ranges::any_of(graded.grades, few)) fmt::print("{}\n", few_cases_note);
}

}  // namespace

void to_json(nlohmann::ordered_json& out, const Grade& grade) {
  const StressResult& result = grade.result;
  out = {{"program", name_of(grade)}, {"verdict", grade.verdict},
         {"reason", grade.reason},    {"cases", result.cases},
         {"few_cases", few(grade)},   {"processes", result.processes},
         {"seconds", result.seconds}, {"unrepeated", result.unrepeated.size()},
         {"safety", result.safety}};
  if (result.heaviest) out["heaviest_ms"] = result.heaviest->count();
  for (const StressFinding& finding : result.findings) {
    out.update(nlohmann::ordered_json(finding));
    out["bytes"] = finding.input.size();
    out["lines"] = lines_of(finding.input);
  }
}

namespace {

nlohmann::ordered_json json_of(const GradeVerbOptions& options, const Graded& graded) {
  return {{"system", options.system},
          {"folder", options.folder.string()},
          {"seed", options.stress.seed},
          {"corpus", options.stress.corpus.string()},
          {"programs", graded.grades},
          {"right", graded.count(Outcome::right)},
          {"failed", graded.count(Outcome::failed)},
          {"without_verdict", graded.count(Outcome::not_judged)},
          {"exit", graded.exit_code()}};
}

std::string junit_text(const GradeVerbOptions& options, const Graded& graded) {
  std::vector<JunitCase> cases;
  for (const Grade& grade : graded.grades) {
    auto& each = cases.emplace_back(JunitCase{options.system, name_of(grade), grade.result.seconds});
    if (grade.outcome == Outcome::right) continue;
    const bool failed = grade.outcome == Outcome::failed;
    each.outcome = failed ? JunitCase::Outcome::failure : JunitCase::Outcome::error;
    each.type = grade.verdict;
    each.message = grade.verdict + ": " + grade.reason;
    if (!grade.result.findings.empty()) each.details = grade.result.findings.front().input;
  }
  return junit_text(options.system, cases);
}

int grade_folder(GradeVerbOptions& options) {
  if (options.folder.empty()) {  // the one argument of a program with one system is the folder
    const std::string only{all_systems().front()->name()};
    if (all_systems().size() > 1 || options.system == only) throw BadInput{"grade takes a folder: grade SYSTEM FOLDER"};
    options.folder = std::exchange(options.system, only);
  }
  const AnySystem& system = system_named(options.system);
  options.system = system.name();  // it may be given by its problem's number
  const SystemInputs inputs = problem_inputs(system);
  options.complete(system, inputs);
  options.jobs = jobs_of(options.jobs);
  if (!std::filesystem::is_directory(options.folder)) {
    const bool exists = std::filesystem::exists(options.folder);
    throw BadInput{options.folder.string() + (exists ? ": expected a folder of programs; 'stress' tests one program"
                                                     : ": there is no such folder")};
  }
  const auto programs = entries_of(options.folder);
  if (programs.empty()) {
    throw BadInput{options.folder.string() +
                   ": contains no program (*.cpp, *.cc, *.c, *.py, *.js, *.java, *.rs or an executable file)"};
  }
  catch_interrupts();
  ProgressLine progress{!options.json};
  Graded graded;
  std::size_t done = 0;
  graded.grades = grade(
      inputs, programs, options.stress, options.jobs,
      [&](Grade& each) {
        ++done;
        for (StressFinding& finding : failures_of(each.result)) {
          progress.clear();
          write_stress_finding(options.out / each.program.filename(), system, finding, " of " + name_of(each));
        }
      },
      [&] {
        progress.update(fmt::format("{} of {}", done, counted(programs.size(), "program")));
        return interrupted();
      });
  graded.stopped = interrupted();
  progress.clear();
  if (options.json) print_json(json_of(options, graded));
  else print(options, graded);
  if (options.junit.empty()) return graded.exit_code();
  return after_writing(graded.exit_code(), [&] { write_output(options.junit, junit_text(options, graded)); });
}

}  // namespace

void add_grade(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<GradeVerbOptions>(
      program, "grade", "Compiles and stresses every program of a folder", exit_code, grade_folder);
  add_system(*verb, options->system);
  verb->add_option("FOLDER", options->folder,
                   "Folder with *.cpp, *.cc, *.c, *.py, *.js, *.java, *.rs or executable files");
  add_program_options(*verb, *options);
  add_jobs(*verb, options->jobs, "Programs at the same time; default: one for each core");
  verb->add_option("--junit", options->junit, "Also write the grades to this file, as JUnit's XML")->type_name("FILE");
  verb->footer(exit_codes("all programs were right", "at least one failed", "no verdict on at least one") +
               ", 130 interrupted\nexample: lockstep grade SYSTEM solutions --seconds 10 --junit grades.xml");
}

}  // namespace lockstep
