#include "campaign/checker.hpp"

#include <charconv>
#include <filesystem>
#include <utility>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/lines.hpp"

namespace lockstep {
namespace {

constexpr const char* message_file = "feedback/judgemessage.txt";

OutsideProgram made(const std::string& command) {
  // It has to write into its folder.
  auto program = OutsideProgram::make(command, {.processor_time = std::chrono::seconds{10}}, Safety::limits);
  if (!program) throw BadInput{"the checker: " + program.error()};
  return std::move(*program);
}

void write(const std::string& file, const std::string& text) {
  if (const auto written = write_file(file, text); !written) throw BadInput{written.error()};
}

}  // namespace

Checker::Checker(const std::string& command)
    : command_{command},
      kattis_{made(command + " " + folder_ / "input" + " " + folder_ / "answer" + " " + folder_ / "feedback" + "/")},
      testlib_{made(command + " " + folder_ / "input" + " " + folder_ / "output" + " " + folder_ / "answer")} {
  // It may run as another user.
  namespace fs = std::filesystem;
  fs::permissions(folder_.path(), fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  fs::create_directory(folder_ / "feedback");
  fs::permissions(folder_ / "feedback", fs::perms::all);
}

std::optional<Checker::Refusal> Checker::refusal(const std::string& input, const std::string& answer,
                                                 const std::string& output) {
  write(folder_ / "input", input);
  write(folder_ / "answer", answer);
  if (!protocol_) protocol_ = protocol_for(answer);
  const int code = run(*protocol_, output);
  if (code == (*protocol_ == Protocol::kattis ? 42 : 0)) return std::nullopt;
  const bool malformed = *protocol_ == Protocol::testlib && code == 2;
  if (!malformed && code != (*protocol_ == Protocol::kattis ? 43 : 1)) {
    throw BadInput{"the checker '" + command_ + "' failed: it exited with " + std::to_string(code) + message()};
  }
  return Refusal{malformed, "the checker refuses the output" + message()};
}

int Checker::run(Protocol protocol, const std::string& output) {
  const bool kattis = protocol == Protocol::kattis;
  if (kattis) std::filesystem::remove(folder_ / message_file);
  else write(folder_ / "output", output);
  last_ = kattis ? kattis_.run(output) : testlib_.run("");
  if (last_.end == ProgramRun::End::answered) return 0;
  constexpr std::string_view exited = "exit ";
  int code = -1;
  if (last_.end != ProgramRun::End::runtime_error || !last_.kind.starts_with(exited) ||
      std::from_chars(last_.kind.data() + exited.size(), last_.kind.data() + last_.kind.size(), code).ec !=
          std::errc{}) {
    throw BadInput{"the checker '" + command_ + "' " + last_.reason};
  }
  return code;
}

Checker::Protocol Checker::protocol_for(const std::string& answer) {
  const int of_kattis = run(Protocol::kattis, answer);
  if (of_kattis == 42) return Protocol::kattis;
  const int of_testlib = run(Protocol::testlib, answer);
  if (of_testlib == 0) return Protocol::testlib;
  throw BadInput{"the checker '" + command_ + "' refuses the expected answer: it exited with " +
                 std::to_string(of_testlib) + " for INPUT OUTPUT ANSWER (testlib: 0 accepts), and with " +
                 std::to_string(of_kattis) + " for INPUT ANSWER FEEDBACK/ < OUTPUT (Kattis: 42 accepts)" + message()};
}

/// The first line that it wrote in its last run, after a colon; empty if there is none.
std::string Checker::message() const {
  const std::string written = read_file(folder_ / message_file).value_or("");
  for (std::string_view text : {std::string_view{written}, std::string_view{last_.errors}}) {
    if (const std::string_view line = take_line(text); !line.empty()) return ": " + std::string{line};
  }
  return "";
}

}  // namespace lockstep
