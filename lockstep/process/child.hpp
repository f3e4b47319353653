// Child processes, for code that may crash or hang. The library, campaigns and the program fork nowhere else.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/process/outbox.hpp"
#include "lockstep/process/shared_memory.hpp"

namespace lockstep {

/// How a process ended.
class ExitStatus {
 public:
  /// `returned`: the function of ChildProcess::call has returned; true of a program whose status is known.
  explicit ExitStatus(int wait_status, bool returned = true) : status_{wait_status}, returned_{returned} {}
  static constexpr int unknown = -1;  // as a wait status, it is neither an exit nor a signal

  /// A function has returned, or a program has exited with 0. Code that calls exit(0) in a function is not clean.
  bool clean() const { return returned_ && (exit_code() == 0 || lost()); }
  bool lost() const { return status_ == unknown; }  // something else in this process has waited for the child
  std::optional<int> exit_code() const;             // empty if a signal ended it
  std::optional<int> signal() const;                // empty if it exited
  std::string text() const;                         // for people: "died of signal 11 (Segmentation fault)"
  std::string kind() const;                         // for signatures: "signal 11", "exit 1"

 private:
  int status_;
  bool returned_;
};

/// Whether a process that ended so (ExitStatus::kind) was killed from outside. Nothing that an implementation does by
/// itself sends this signal: a person does, or the operating system when memory runs out.
bool killed_from_outside(std::string_view kind);
inline constexpr std::string_view killed_from_outside_text =
    "killed from outside (signal 9), by hand or because memory ran out";

struct ChildOptions {
  /// Files for the child's output, created or emptied; an error if one cannot be opened. Empty: the parent's output.
  std::string stdout_to = {};
  std::string stderr_to = {};
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to the parent's
  std::filesystem::path folder = {};                                  // working folder; empty: the parent's
  /// Called first in the child: limits, personality. Before a program it must only make system calls, because the
  /// child shares the parent's memory until the program is in place.
  std::function<void()> prepare = {};
};

/// A child process: a function of this program, or another program. It leads a process group of its own, so that Ctrl-C
/// and Ctrl-Z at a terminal reach the parent only. It is killed when the thread that started it ends. When the child
/// has ended, the rest of its group is killed. The destructor kills the whole group and waits for the child.
///
///   auto child = ChildProcess::call([](Outbox& out) { out.send(answer()); });
///   if (!child) return child.error();
///   std::string text;
///   while (child->read(text, 50ms)) { … }
///   const ExitStatus status = child->wait();
class ChildProcess {
 public:
  using Options = ChildOptions;
  /// For a child that may print anything when it dies: discards its output.
  static Options quiet();

  /// Forks and calls the function. When the function returns, the child exits with 0 without running destructors: they
  /// belong to the parent. An exception that leaves the function ends the child by abort(). read() returns what the
  /// function sends. Only the calling thread exists in the child, so the function must not need a lock that another
  /// thread may hold (glibc keeps malloc usable).
  /// An error is one sentence, for people.
  static std::expected<ChildProcess, std::string> call(const std::function<void(Outbox& out)>& function,
                                                       const Options& options = {});
  /// Starts the program at the path command[0]. A program that cannot be started is an error. read() returns nothing:
  /// the program's output goes where the options say.
  static std::expected<ChildProcess, std::string> run(std::vector<std::string> command, const Options& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  pid_t id() const { return id_; }  // 0 once it has ended and was waited for

  /// Appends what the function has sent; waits at most `patience` for the first byte. False when the function has
  /// returned or the child has ended, and all is read.
  bool read(std::string& out, std::chrono::milliseconds patience = {});

  /// Waits for the child to end.
  ExitStatus wait();
  /// Waits at most `patience` for the child to end. Empty if it still runs.
  std::optional<ExitStatus> wait(std::chrono::milliseconds patience);

  /// Sends the signal to the child alone, not to its group. No effect once the child has ended.
  void send(int signal) const;
  /// Kills the whole group and waits for the child.
  ExitStatus kill();

  /// The most memory in bytes that the ended child, or one of its descendants, held at once. Not below what its parent
  /// has held itself: Linux counts the moment before the program was in place.
  std::uint64_t peak_memory() const { return peak_memory_; }

 private:
  ChildProcess(pid_t id, SharedMemory<Outbox> outbox) : id_{id}, outbox_{std::move(outbox)} {}
  bool ended() const;

  pid_t id_ = 0;
  SharedMemory<Outbox> outbox_;  // null: it runs a program
  std::uint64_t peak_memory_ = 0;
  std::optional<ExitStatus> status_;
};

/// The error output of a child process, in memory: what an implementation or a sanitizer says when it dies.
///
///   const ErrorOutput errors;
///   auto child = ChildProcess::call(function, errors.options());
class ErrorOutput {
 public:
  ErrorOutput();
  ~ErrorOutput();
  ErrorOutput(const ErrorOutput&) = delete;
  ErrorOutput& operator=(const ErrorOutput&) = delete;

  /// As quiet(), but keeps the error output.
  ChildProcess::Options options() const;
  /// Forgets the output so far if it is long. Call it now and then while a child runs that may print for hours.
  void bound() const;
  /// The end of the output.
  std::string text() const;

 private:
  int file_;  // -1: there is no memory, so nothing is kept
};

/// A line without what differs from run to run: the ==PROCESS== in front, addresses.
std::string steady(std::string_view line);

/// The lines of an error output that say why a process died: from the message of a sanitizer, an exception or an assertion
/// on, with the frames nearest to it; else the last lines. Numbers that differ from run to run are left out.
std::string telling_lines(std::string_view error_output);

/// What AddressSanitizer calls the error that it reports in these words ("heap-buffer-overflow"); empty: it reports none.
std::string memory_error(std::string_view lines);

struct ChildResult {
  enum class End { returned, died, timed_out, not_started };
  End end = End::not_started;
  std::string output;  // the function's return value
  std::string reason;  // for people: "died of signal 11 (Segmentation fault)"
  std::string kind;    // for signatures: "signal 11", "exit 1", "timeout"
};

/// Calls the function in a child and returns its result. The timeout restarts whenever `progress` returns another
/// number, so that slow work is not reported as a hang.
ChildResult run_in_child(const std::function<std::string()>& function, std::chrono::milliseconds timeout,
                         const ChildProcess::Options& options = ChildProcess::quiet(),
                         const std::function<std::uint64_t()>& progress = {});

/// What becomes of the children: further ones are started, those that run are waited for, or they are killed.
enum class ChildrenMay { start, finish, not_run };

/// Calls `work` with 0 … count − 1, each in a child process of its own, at most `jobs` (1 or more) at the same time. `done` is called
/// as the children end, with what `work` returned; of a child that did not end cleanly, that may be missing. `may` is
/// asked every few milliseconds. Returns when no child runs and none may start. An error: a child could not be started;
/// those that run are killed.
std::expected<void, std::string> in_children(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<void(std::size_t, const std::string& returned, const ExitStatus&)>& done,
    const std::function<ChildrenMay()>& may, const ChildProcess::Options& options = {});

/// For people: "did not answer within 5 s".
std::string no_answer_within(std::chrono::milliseconds timeout);

/// Writes all bytes, and continues after interruptions. False if they cannot be written.
[[nodiscard]] bool write_all(int fd, std::string_view bytes);
/// The same for a socket: if the other end is closed, false and not SIGPIPE.
[[nodiscard]] bool send_all(int socket, std::string_view bytes);

}  // namespace lockstep
