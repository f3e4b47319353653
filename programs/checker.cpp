#include "programs/checker.hpp"

#include <filesystem>

#include "lockstep/base/error.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/services/report.hpp"
#include "programs/problem_format.hpp"

namespace lockstep {
namespace {

constexpr const char* message_file = "feedback/judgemessage.txt";

OutsideProgram checker_of(const std::string& command, const std::vector<std::string>& files) {
  if (command.empty()) throw BadInput{"the checker: the command is empty"};
  std::string line = command;
  for (const std::string& file : files) line += " " + shell_word(file);
  const ProgramLimits limits{.processor_time = std::chrono::seconds{10}, .wall_time = std::chrono::seconds{10}};
  return or_refuse(OutsideProgram::make(line, limits, Safety::limits));  // it has to write its message
}

std::string text_of(const std::optional<int>& code, const ProgramRun& run) {
  return code ? "exited with status " + std::to_string(*code) : run.reason;
}

}  // namespace

Checker::Checker(const std::string& command)
    : command_{command},
      kattis_{checker_of(command, {folder_ / "input", folder_ / "answer", folder_ / "feedback/"})},
      testlib_{checker_of(command, {folder_ / "input", folder_ / "output", folder_ / "answer"})} {
  std::filesystem::create_directory(folder_ / "feedback");
}

std::optional<Checker::Refusal> Checker::refusal(const std::string& input, const std::string& answer,
                                                 const std::string& output) {
  or_refuse(write_file(folder_ / "input", input));
  or_refuse(write_file(folder_ / "answer", answer));
  if (!protocol_) protocol_ = protocol_for(answer);
  const auto code = run(*protocol_, output);
  if (code == (*protocol_ == Protocol::kattis ? 42 : 0)) return std::nullopt;
  const bool malformed = *protocol_ == Protocol::testlib && code == 2;
  if (!malformed && code != (*protocol_ == Protocol::kattis ? 43 : 1)) {
    throw BadInput{"the checker '" + command_ + "' failed: it " + text_of(code, last_) + message() +
                   "; the output was\n" + output.substr(0, 1000) + "\nand the input\n" + input};
  }
  return Refusal{malformed, "the checker refuses the output" + message()};
}

std::optional<int> Checker::run(Protocol protocol, const std::string& output) {
  const bool kattis = protocol == Protocol::kattis;
  std::error_code none;
  if (kattis) std::filesystem::remove(folder_ / message_file, none);
  else or_refuse(write_file(folder_ / "output", output));
  last_ = kattis ? kattis_.run(output) : testlib_.run("");
  if (last_.end == ProgramRun::End::answered) return 0;
  constexpr std::string_view exited = "exit ";
  if (last_.end != ProgramRun::End::runtime_error || !last_.kind.starts_with(exited)) return std::nullopt;
  return static_cast<int>(number_in(std::string_view{last_.kind}.substr(exited.size())).value_or(0));
}

Checker::Protocol Checker::protocol_for(const std::string& answer) {
  // One that accepts an empty output, too, is called in the wrong way, or decides nothing.
  const auto of_kattis = run(Protocol::kattis, answer);
  const std::string as_kattis = text_of(of_kattis, last_) + message();
  if (of_kattis == 42 && run(Protocol::kattis, "") != 42) return Protocol::kattis;
  const auto of_testlib = run(Protocol::testlib, answer);
  const std::string as_testlib = text_of(of_testlib, last_) + message();
  if (of_testlib == 0 && run(Protocol::testlib, "") != 0) return Protocol::testlib;
  if (of_kattis == 42 || of_testlib == 0) throw BadInput{"the checker '" + command_ + "' accepts an empty output, too"};
  throw BadInput{"the checker '" + command_ +
                 "' refuses the expected answer. Called as for testlib (INPUT OUTPUT ANSWER, 0 " + "accepts), it " +
                 as_testlib + ". Called as for Kattis (INPUT ANSWER FEEDBACK/ < OUTPUT, 42 accepts), it " + as_kattis};
}

/// The first line that it wrote in its last run, after a colon; empty if there is none.
std::string Checker::message() const {
  constexpr std::size_t length_max = 200;
  const std::string written = read_file(folder_ / message_file).value_or("");
  for (std::string_view text : {std::string_view{written}, std::string_view{last_.errors}}) {
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (!line.empty()) return ": " + shown(line.substr(0, length_max));
    }
  }
  return "";
}

}  // namespace lockstep
