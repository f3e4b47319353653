#include "campaign/tested_program.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "campaign/answers.hpp"
#include "lockstep/error.hpp"

namespace lockstep {
namespace {

std::string_view verdict_of(ProgramRun::End end) {
  switch (end) {
    case ProgramRun::End::runtime_error: return "runtime error";
    case ProgramRun::End::time_limit: return "time limit";
    case ProgramRun::End::memory_limit: return "memory limit";
    case ProgramRun::End::output_limit: return "output limit";
    case ProgramRun::End::answered:
    case ProgramRun::End::not_started: break;
  }
  return "not started";
}

bool answered(const ProgramRun& run) { return run.end == ProgramRun::End::answered; }

ProgramRun started(ProgramRun run) {
  if (run.end == ProgramRun::End::not_started) throw BadInput{run.reason};
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

bool JudgedRun::exceeds_limit() const {
  const ProgramRun& decisive = answered(run) && other ? *other : run;
  return !answered(decisive) && decisive.end != ProgramRun::End::runtime_error;
}

TestedProgram::TestedProgram(const std::string& command, const ProgramLimits& limits, Safety safety,
                             const OutputRules& rules)
    : program_{program_of(command, limits, safety)} {
  if (rules.other) other_ = program_of(*rules.other, limits, safety);
  if (rules.checker) checker_ = std::make_unique<Checker>(*rules.checker);
}

JudgedRun TestedProgram::run(const std::string& input, const std::vector<std::string>& answers) {
  ++processes_;
  JudgedRun out;
  out.run = started(program_.run(input));
  last_time_ = out.run.processor_time;
  slowest_ = std::max(slowest_, last_time_);
  std::vector<std::string> expected = answers;
  if (other_) {
    out.other = started(other_->run(input));
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
