#include "programs/tested_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/services/report.hpp"
#include "programs/answers.hpp"

namespace lockstep {
namespace {

std::string_view verdict_of(ProgramRun::End end) {
  switch (end) {
    case ProgramRun::End::runtime_error: return "runtime error";
    case ProgramRun::End::time_limit: return "time limit";
    case ProgramRun::End::memory_limit: return "memory limit";
    case ProgramRun::End::output_limit: return "output limit";
    case ProgramRun::End::stopped: return "stopped";
    case ProgramRun::End::answered:
    case ProgramRun::End::not_started: break;
  }
  return "not started";
}

bool answered(const ProgramRun& run) { return run.end == ProgramRun::End::answered; }

/// The files named in a command whose names have a blank, in quotes; the command itself if there are none.
std::string with_quotes(const std::string& command) {
  for (std::size_t begin = 0; begin < command.size(); begin = command.find(' ', begin + 1) + 1) {
    for (std::size_t end = command.size(); end != std::string::npos && end > begin; end = command.rfind(' ', end - 1)) {
      const std::string name = command.substr(begin, end - begin);
      if (!name.contains(' ')) break;
      std::error_code none;
      if (std::filesystem::exists(name, none)) return command.substr(0, begin) + shell_word(name) + command.substr(end);
    }
    if (!command.substr(begin + 1).contains(' ')) break;
  }
  return command;
}

/// What the user may have meant by a command that cannot be run, to be added to the reason; "" if nothing suggests itself.
std::string likely_meaning(const std::string& command) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> interpreters{
      {{".py", "python3"}, {".js", "node"}, {".sh", "sh"}}};
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> compilers{{{".cpp", "g++ -O2 -o mine"},
                                                                                           {".cc", "g++ -O2 -o mine"},
                                                                                           {".c", "cc -O2 -o mine"},
                                                                                           {".rs", "rustc -O -o mine"},
                                                                                           {".java", "javac"}}};
  if (const std::string quoted = with_quotes(command); quoted != command)
    return "; did you mean " + quoted + ", with quotes round the name that has a blank?";
  const std::string name = command.substr(0, command.find(' '));
  const std::filesystem::path file = name;
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return "";
  if (std::filesystem::is_directory(file, none))
    return "; " + name + " is a folder: name a program in it, or test all of them with 'grade'";
  const auto by = [&](const auto& tools) {
    const auto found = std::ranges::find(tools, file.extension().string(), [](const auto& each) { return each.first; });
    return found == tools.end() ? std::string_view{} : found->second;
  };
  if (const auto interpreter = by(interpreters); !interpreter.empty())
    return "; did you mean '" + std::string{interpreter} + " " + command + "'?";
  if (const auto compiler = by(compilers); !compiler.empty()) {
    return "; " + name + " is a source: compile it (" + std::string{compiler} + " " + name +
           "), and name the program (" + (compiler == "javac" ? "java " + file.stem().string() : "./mine") + ")";
  }
  if (access(name.c_str(), X_OK) != 0) return "; " + name + " is not executable: chmod +x " + name;
  return name.contains('/') ? "" : "; did you mean './" + command + "'?";
}

OutsideProgram program_or_meaning(const std::string& command, const ProgramLimits& limits, Safety safety) {
  auto program = OutsideProgram::make(command, limits, safety);
  if (!program) throw BadInput{program.error() + likely_meaning(command)};
  return std::move(*program);
}

ProgramRun started(ProgramRun run, const std::string& command) {
  if (run.end == ProgramRun::End::not_started) throw BadInput{run.reason + likely_meaning(command)};
  return run;
}

/// How an output differs; nullopt if it is right.
std::optional<AnswerDifference> difference(Checker* checker, const std::string& input,
                                           const std::vector<std::string>& expected, const std::string& output) {
  if (checker == nullptr) return answer_difference(expected, output);
  std::string answer;
  for (const std::string& each : expected) answer += each;
  auto refusal = checker->refusal(input, answer, output);
  if (!refusal) return std::nullopt;
  return AnswerDifference{refusal->malformed, std::move(refusal->reason), expected.size() - 1, 0};
}

}  // namespace

bool JudgedRun::stopped() const {
  return run.end == ProgramRun::End::stopped || (other && other->end == ProgramRun::End::stopped);
}

bool JudgedRun::exceeds_limit() const {
  const ProgramRun& decisive = answered(run) && other ? *other : run;
  return !answered(decisive) && decisive.end != ProgramRun::End::runtime_error;
}

TestedProgram::TestedProgram(const std::string& command, const ProgramLimits& limits, Safety safety,
                             const OutputRules& rules)
    : command_{command}, program_{program_or_meaning(command, limits, safety)} {
  if (rules.other) other_ = program_or_meaning(*rules.other, limits, safety);
  if (rules.checker) checker_ = std::make_unique<Checker>(*rules.checker);
}

JudgedRun TestedProgram::run(const std::string& input, const std::vector<std::string>& answers,
                             const std::function<bool()>& stop) {
  ++processes_;
  JudgedRun out;
  out.run = started(program_.run(input, stop), command_);
  slowest_ = std::max(slowest_, out.run.processor_time);
  std::vector<std::string> expected = answers;
  if (other_) {
    out.other = started(other_->run(input, stop), {});
    expected = {out.other->output};
  }
  for (const std::string& each : expected) out.expected += each;

  if (!answered(out.run) || (out.other && !answered(*out.other))) {
    const bool of_other = answered(out.run);
    const ProgramRun& decisive = of_other ? *out.other : out.run;
    out.verdict = of_other ? "no answer to compare with" : verdict_of(decisive.end);
    out.reason = (of_other ? "the other program " : "") + decisive.reason;
    out.what = {out.verdict, answers.size() - 1, {}};
    if (decisive.kind != out.verdict) out.what.kind += ", " + decisive.kind;
  } else if (auto differs = difference(checker_.get(), input, expected, out.run.output)) {
    out.verdict = differs->malformed ? "bad output format" : "wrong answer";
    out.reason = std::move(differs->reason);
    out.what = {out.verdict, differs->case_number, {}};
    if (!checker_) out.what.line = differs->line;  // a checker does not say where
  }
  return out;
}

bool TestedProgram::same_result(const JudgedRun& one, const JudgedRun& two) const {
  if (one.what.kind != two.what.kind) return false;
  return checker_ ||
         (!answer_difference({one.run.output}, two.run.output) && !answer_difference({one.expected}, two.expected));
}

void check_answer(const ProblemInputs& inputs, const InputCase& one) {
  const auto reference = inputs.case_of(one.scenario);
  if (reference && reference->answer == one.answer) return;
  throw InternalError{"an implementation of this build answers otherwise than the reference:\n" + one.scenario};
}

}  // namespace lockstep
