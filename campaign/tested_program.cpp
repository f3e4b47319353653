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

}  // namespace

TestedProgram::TestedProgram(const std::string& command, const ProgramLimits& limits, Safety safety)
    : program_{made(command, limits, safety)} {}

std::optional<ProgramFailure> TestedProgram::run(const std::string& input, const std::vector<std::string>& answers) {
  ++processes_;
  ProgramRun run = program_.run(input);
  last_time_ = run.processor_time;
  slowest_ = std::max(slowest_, last_time_);
  if (run.end == ProgramRun::End::not_started) throw BadInput{run.reason};
  ProgramFailure out;
  if (run.end != ProgramRun::End::answered) {
    out.verdict = verdict_of(run.end);
    out.what = {out.verdict + (run.kind == out.verdict ? "" : ", " + run.kind), answers.size() - 1, {}};
    out.reason = run.reason;
  } else {
    const auto difference = answer_difference(answers, run.output);
    if (!difference) return std::nullopt;
    out.verdict = difference->malformed ? "bad output format" : "wrong answer";
    out.what = {out.verdict, difference->case_number, difference->line};
    out.reason = difference->reason;
  }
  out.run = std::move(run);
  return out;
}

void check_answer(const ProblemInputs& inputs, const InputCase& one) {
  const auto reference = inputs.case_of(one.scenario);
  if (reference && reference->answer == one.answer) return;
  throw InternalError{"an implementation of this build answers otherwise than the reference:\n" + one.scenario};
}

}  // namespace lockstep
