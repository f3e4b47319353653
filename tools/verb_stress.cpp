// lockstep stress: tests a user's program, which solves the original problem, against the reference.
#include "lockstep/process/side_by_side.hpp"
#include "tools/stress_options.hpp"

namespace lockstep {
namespace {

struct StressVerbOptions : ProgramOptions {
  std::string system;
  std::vector<std::string> commands;
  std::string input;
  bool without_reference = false;
};

const InputCase& wrong_case(const StressFinding& finding) {
  return finding.cases[std::min(finding.case_number, finding.cases.size() - 1)];
}

/// The reference's position at which the program's answer is wrong; of a case that asks one question, its first position.
/// Nullopt if that case is the whole input, which is printed already, or is not known: of several, a checker or another
/// program does not tell which one is wrong.
std::optional<std::size_t> position_of(const AnySystem& system, const StressVerbOptions& options,
                                       const StressFinding& finding) {
  if (finding.cases.size() > 1 && (options.without_reference || options.stress.rules.checker)) return std::nullopt;
  const auto scenario = system.parse(wrong_case(finding).scenario);
  if (!scenario || (scenario->size() <= 1 && finding.cases.size() == 1)) return std::nullopt;
  return scenario->size() <= 1 ? 0 : std::min(scenario->size(), finding.line.value_or(scenario->size()) + 1);
}

/// The board at that position. `file`: that of the input, if it can be read again.
std::string board_of(const AnySystem& system, const StressFinding& finding, std::size_t position,
                     const std::string& file) {
  const std::string reference{system.implementations().front().name};
  const auto board = show_text(system.parse(wrong_case(finding).scenario).value(), {reference},
                               ShowOptions{.step = position}, Guard{});
  const bool readable = !file.empty() && (finding.cases.size() == 1 || problem_inputs(system).many_cases());
  const std::string command = fmt::format("{0} solve {1} {2} --scenario {3} | {0} show - --step {4}", program_command(),
                                          system.name(), shell_word(file), finding.case_number + 1, position);
  return bounded(board.value_or(""), 24, readable ? command : "");
}

/// The line that repeats the finding. A format for one case has no reader for several.
std::string repeating(const AnySystem& system, const StressVerbOptions& options, const StressFinding& finding) {
  const std::string file = shell_word(finding.file.string());
  if (finding.cases.size() > 1 && !problem_inputs(system).many_cases()) return options.stress.command + " < " + file;
  const StressVerbOptions usual;
  std::string out = fmt::format("{} stress {}", program_command(), system.name());
  for (const auto& command : options.commands) out += " --cmd " + shell_word(command);
  if (options.without_reference) out += " --without-reference";
  if (options.stress.rules.checker) out += " --checker " + shell_word(*options.stress.rules.checker);
  out += " --input " + file;
  if (options.time_limit != usual.time_limit) out += fmt::format(" --time-limit {}", options.time_limit);
  if (options.memory_limit != usual.memory_limit) out += fmt::format(" --memory-limit {}", options.memory_limit);
  return out;
}

void print_finding(const AnySystem& system, const StressVerbOptions& options, const StressFinding& finding) {
  const bool several = finding.cases.size() > 1;
  fmt::print("{}: {}\n", finding.verdict, finding.reason);
  if (several && finding.minimal) fmt::print("it shows only when one process gets {} cases\n", finding.cases.size());
  const std::string size = !options.input.empty() ? ""
                           : finding.minimal      ? " (no single part can be left out)"
                                                  : " (a smaller one may exist)";
  const auto print_errors = [&] {
    if (!finding.errors.empty()) fmt::print("\nstandard error:\n{}", bounded(indented(finding.errors, "  "), 20, ""));
  };
  const std::string whole = finding.file == "-" ? "" : finding.file.string();
  const bool died = finding.verdict == "runtime error";
  if (died) print_errors();  // what an interpreter says explains it better than the input
  fmt::print("\ninput{}:\n{}", size, bounded(indented(finding.input, "  "), 24, whole));
  const std::string expected = options.without_reference ? "other program" : "expected";
  std::vector<Panel> panels{{expected, finding.expected, {}}, {"got", finding.got, {}}};
  if (finding.verdict == "non-deterministic") panels.push_back({"got in another run", finding.other, {}});
  fmt::print("\n{}", bounded(side_by_side(panels, 0, layout_of(STDOUT_FILENO)), 20, ""));
  if (!died) print_errors();
  if (const auto position = position_of(system, options, finding)) {
    if (several) fmt::print("\ncase {} of them:", finding.case_number + 1);
    fmt::print("\n{}", board_of(system, finding, *position, whole));
  }
  if (options.input.empty() && !whole.empty()) fmt::print("\nrepeat it: {}\n", repeating(system, options, finding));
}

/// A run's result, and what ended it early.
struct Report {
  StressResult result;
  std::string fault = {};
  bool stopped = false;  // by Ctrl-C; one that comes while the report is printed does not change it
  bool searched = true;  // false: one input was tested

  bool few() const { return searched && result.few() && exit_code() == exit_agreed; }
  int exit_code() const {
    return !result.findings.empty()                          ? exit_diverged
           : stopped                                         ? exit_interrupted
           : result.cases == 0 || !result.unrepeated.empty() ? exit_internal_error
                                                             : exit_agreed;
  }
};

nlohmann::ordered_json json_of(const AnySystem& system, const StressVerbOptions& options, const Report& report) {
  const StressResult& result = report.result;
  nlohmann::ordered_json out{{"system", system.name()},
                             {"commands", options.commands},
                             {"without_reference", options.without_reference},
                             {"seed", options.stress.seed},
                             {"cases", result.cases},
                             {"processes", result.processes},
                             {"few_cases", report.few()},
                             {"seconds", result.seconds},
                             {"unrepeated", result.unrepeated},
                             {"safety", result.safety},
                             {"corpus", options.stress.corpus.string()},
                             {"exit", report.exit_code()},
                             {"findings", result.findings}};
  if (options.stress.rules.checker) out["checker"] = *options.stress.rules.checker;
  if (!report.fault.empty()) out["error"] = report.fault;
  return out;
}

void print(const AnySystem& system, const StressVerbOptions& options, const Report& report) {
  const StressResult& result = report.result;
  std::cerr << "safety: " << result.safety << "\n";
  if (options.input.empty()) std::cerr << about_corpus(options.stress.corpus, system.name()) << "\n";
  for (const StressFinding& finding : result.findings) {
    if (&finding != &result.findings.front()) fmt::print("\n");
    print_finding(system, options, finding);
  }
  const std::string work =
      fmt::format("{} in {}, {:.1f} s, seed {}", counted(result.cases, "case"),
                  result.processes == 1 ? "1 process" : fmt::format("{} processes", result.processes), result.seconds,
                  options.stress.seed);
  const std::size_t found = result.findings.size();
  const bool minimal = std::ranges::all_of(result.findings, &StressFinding::minimal);
  fmt::print("{}{}{}: {}\n", found > 1 ? counted(found, "failure") + " " : "",
             !options.input.empty() && found > 0 ? "failed"
             : found > 0                         ? (minimal ? "found" : "found, not minimal")
             : report.exit_code() != exit_agreed ? "no verdict"
             : options.without_reference         ? "the programs agree"
                                                 : "right",
             report.few() ? ", few cases" : "", work);
  if (report.few()) fmt::print("{}\n", few_cases_note);
  for (const StressFinding& lost : result.unrepeated) {
    complain(fmt::format("a failure did not appear again when the program ran alone{}: {}, {}; its input: {}",
                         found == 0 ? ", so there is no verdict" : "", lost.verdict, lost.reason, lost.file.string()));
  }
  if (!report.fault.empty()) complain("then the search ended: " + report.fault);
}

/// The first command line is that of the program. A second one takes the place of the reference.
void take_commands(StressVerbOptions& options) {
  const std::size_t count = options.commands.size();
  if (options.without_reference && count != 2) {
    throw BadInput{"--without-reference compares two programs: give --cmd twice"};
  }
  if (!options.without_reference && count != 1) {
    throw BadInput{fmt::format("got {} programs; stress tests one, or compares two with --without-reference", count)};
  }
  options.stress.command = options.commands[0];
  if (count == 2) options.stress.rules.other = options.commands[1];
}

/// Searches, and writes each finding at once. An error that ends the search does not lose the findings before it.
Report search(const AnySystem& system, const ProblemInputs& inputs, const StressVerbOptions& options) {
  Report out;
  ProgressLine progress{!options.json};
  const StressCallbacks callbacks{
      .progress =
          [&](const StressResult& so_far) {
            out.result = so_far;
            progress.update(fmt::format("{} cases, {:.0f} s", so_far.cases, so_far.seconds));
          },
      .interrupted = interrupted,
      .failed = [&] { progress.show("a failure: repeating it, and looking for the smallest input"); },
      .found =
          [&](StressFinding& finding) {
            progress.clear();
            write_stress_finding(options.out, system, finding);
            out.result.findings.push_back(finding);
          }};
  try {
    out.result = stress(inputs, options.stress, callbacks);
  } catch (const std::exception& fault) {
    if (out.result.findings.empty()) throw;
    out.fault = fault.what();
  }
  progress.clear();
  for (StressFinding& lost : out.result.unrepeated) write_stress_finding(options.out, system, lost);
  return out;
}

int run_stress(StressVerbOptions& options) {
  const AnySystem& system = system_named(options.system);
  const SystemInputs inputs = problem_inputs(system);
  take_commands(options);
  options.complete(system, inputs);
  catch_interrupts();
  Report report;
  if (options.input.empty()) {
    report = search(system, inputs, options);
  } else {
    const std::string input = read_input(options.input);
    if (input.starts_with("lockstep ")) {
      throw BadInput{source_name(options.input) + ": this is a scenario; 'show FILE --as-input' prints its input"};
    }
    const auto cases = value_of(inputs.cases_of(input), source_name(options.input));
    report.searched = false;
    report.result = stress_once(inputs, options.stress, cases, interrupted);
    for (auto* const failures : {&report.result.findings, &report.result.unrepeated})
      for (StressFinding& each : *failures) each.file = options.input;
  }
  report.stopped = interrupted();
  if (options.json) print_json(json_of(system, options, report));
  else print(system, options, report);
  return report.exit_code();
}

}  // namespace

void add_stress(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<StressVerbOptions>(
      program, "stress", "Tests a program that reads the original problem's input and prints its answer", exit_code,
      run_stress);
  add_system(*verb, options->system);
  add_names(*verb, "--cmd", options->commands, "The program's command line: './a.out', 'python3 mine.py'", "COMMAND")
      ->required();
  add_program_options(*verb, *options);
  verb->add_flag("--without-reference", options->without_reference,
                 "Compare two programs with each other: the output of the second --cmd is the expected one")
      ->excludes("--checker");
  add_jobs(*verb, options->stress.jobs, "Processes at the same time")->capture_default_str();
  add_path(*verb, "--input", "FILE", options->input, "Test this input only");
  verb->add_flag("--keep-going", options->stress.keep_going,
                 "After a failure, search for failures with other verdicts, until the time is up")
      ->excludes("--input");
  verb->footer(exit_codes("the program was right", "it failed", "nothing was judged, or a failure did not repeat") +
               ", 130 interrupted\nexample: lockstep stress SYSTEM --cmd ./a.out --seconds 20");
}

}  // namespace lockstep
