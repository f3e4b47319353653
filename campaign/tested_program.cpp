#include "campaign/tested_program.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "campaign/answers.hpp"
#include "lockstep/error.hpp"

namespace lockstep {
namespace {

OutsideProgram made(const std::string& command, const ProgramLimits& limits, Safety safety) {
  auto program = OutsideProgram::make(command, limits, safety);
  if (!program) throw BadInput{program.error()};
  return std::move(*program);
}

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

/// The failure of the run, which did not end with an answer.
ProgramFailure without_answer(ProgramFailure failure, const std::string& whose, std::size_t case_number) {
  failure.verdict = whose.empty() ? verdict_of(failure.run.end) : "no answer to compare with";
  failure.what = {failure.verdict, case_number, {}};
  if (failure.run.kind != failure.verdict) failure.what.kind += ", " + failure.run.kind;
  failure.reason = whose + failure.run.reason;
  return failure;
}

}  // namespace

TestedProgram::TestedProgram(const std::string& command, const ProgramLimits& limits, Safety safety,
                             const OutputRules& rules)
    : program_{made(command, limits, safety)} {
  if (!rules.other.empty()) other_ = made(rules.other, limits, safety);
  if (!rules.checker.empty()) checker_ = std::make_unique<Checker>(rules.checker);
}

ProgramRun TestedProgram::run(const std::string& input) {
  ++processes_;
  ProgramRun run = program_.run(input);
  last_time_ = run.processor_time;
  slowest_ = std::max(slowest_, last_time_);
  if (run.end == ProgramRun::End::not_started) throw BadInput{run.reason};
  return run;
}

std::optional<ProgramFailure> TestedProgram::run(const std::string& input, const std::vector<std::string>& answers) {
  const std::size_t last_case = answers.size() - 1;
  ProgramRun other;
  std::vector<std::string> expected = answers;
  if (other_) {
    other = other_->run(input);
    if (other.end == ProgramRun::End::not_started) throw BadInput{other.reason};
    expected = {other.output};
  }
  ProgramFailure out;
  for (const std::string& each : expected) out.expected += each;
  out.run = run(input);
  if (out.run.end != ProgramRun::End::answered) return without_answer(std::move(out), "", last_case);
  if (other_ && other.end != ProgramRun::End::answered) {
    out.run = std::move(other);
    return without_answer(std::move(out), "the other program: ", last_case);
  }
  if (checker_) {
    auto refusal = checker_->refusal(input, out.expected, out.run.output);
    if (!refusal) return std::nullopt;
    out.verdict = refusal->malformed ? "bad output format" : "wrong answer";
    out.what = {out.verdict, last_case, {}};
    out.reason = std::move(refusal->reason);
    return out;
  }
  auto difference = answer_difference(expected, out.run.output);
  if (!difference) return std::nullopt;
  out.verdict = difference->malformed ? "bad output format" : "wrong answer";
  out.what = {out.verdict, difference->case_number, difference->line};
  out.reason = std::move(difference->reason);
  return out;
}

void check_answer(const ProblemInputs& inputs, const InputCase& one) {
  const auto reference = inputs.case_of(one.scenario);
  if (reference && reference->answer == one.answer) return;
  throw InternalError{"an implementation of this build answers otherwise than the reference:\n" + one.scenario};
}

}  // namespace lockstep
