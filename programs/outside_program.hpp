// A user's program, in any language, run once per input: text on stdin, text on stdout. Knows nothing of systems.
//
// One process per input costs what a process costs, so nothing else may cost as much. A keeper, a fork of this process or
// this program again under bubblewrap, is set up once; it starts each program cheaply, watches its limits, and ends
// everything that the program started.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep {

/// What one run may use. Memory and processor time are those of the program and all of its descendants.
struct ProgramLimits {
  std::chrono::milliseconds processor_time{2000};
  std::chrono::milliseconds wall_time{0};  // for programs that sleep; 0: three times the processor time and a second
  std::uint64_t memory = 512ULL << 20;     // resident bytes, so that what a Java machine only reserves is free
  std::uint64_t output = 16ULL << 20;      // bytes
};

struct ProgramRun {
  enum class End { answered, runtime_error, time_limit, memory_limit, output_limit, stopped, not_started };
  End end = End::not_started;
  std::string output;                           // up to the limit
  std::string errors;                           // the last 4 KiB of standard error
  std::string reason;                           // for people: "died of signal 11 (Segmentation fault)"
  std::string kind;                             // for signatures: "signal 11", "exit 1", "time limit"
  std::chrono::milliseconds processor_time{0};  // of the program and all of its descendants
  std::uint64_t peak_memory = 0;                // bytes; 0 for a short run that used less than the keeper itself
};

/// How far a program is shut in. Either way limits hold, and nothing that it started outlives its run. Root's programs run
/// as another user, with the right to use all files, because root's processes cannot be limited in number.
enum class Safety {
  /// Under bubblewrap, if it is installed and works here: the program sees no other process and no network, and can change
  /// files in /tmp and /dev only. Else limits.
  automatic,
  /// Rlimits, a process group and a subreaper. The program can use the network, change every file that its user may, and
  /// signal processes of that user.
  limits,
};

/// A program and its keeper. Not for two threads at once. The keeper ends with the thread that called make, and all
/// that the program started ends with the keeper, also when this process is killed.
///
///   auto program = OutsideProgram::make("python3 solution.py", {.processor_time = 1s});
///   if (!program) return program.error();
///   const ProgramRun run = program->run("3\n1 2 3\n");
///   if (run.end == ProgramRun::End::answered) use(run.output);
class OutsideProgram {
 public:
  /// The command is split as a shell would split it, or run by a shell (command.hpp). An error is one sentence, for people.
  static std::expected<OutsideProgram, std::string> make(const std::string& command, const ProgramLimits& limits = {},
                                                         Safety safety = Safety::automatic);

  /// Runs the program once; its standard input is a file. A program need not read it. `answered` means that it exited with
  /// status 0 within its limits, `stopped` that it was killed because `stop`, called now and then, returned true.
  /// Throws InternalError if the keeper ends.
  ProgramRun run(std::string_view input, const std::function<bool()>& stop = {});

  /// What shuts the program in, for people; "limits (bubblewrap is not installed)" says why it is not more.
  const std::string& safety() const;

  OutsideProgram(OutsideProgram&& other) noexcept;
  OutsideProgram& operator=(OutsideProgram&& other) noexcept;
  ~OutsideProgram();

 private:
  struct Kept;
  explicit OutsideProgram(std::unique_ptr<Kept> started);
  std::unique_ptr<Kept> kept_;
};

}  // namespace lockstep
