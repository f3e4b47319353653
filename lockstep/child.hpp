// Child processes: the one place that forks. What may crash or hang runs in one.
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

namespace lockstep {

/// How a process ended.
class ExitStatus {
 public:
  explicit ExitStatus(int wait_status) : status_{wait_status} {}

  bool clean() const { return exit_code() == 0; }
  std::optional<int> exit_code() const;  // nothing when a signal ended it
  std::optional<int> signal() const;     // nothing when it exited
  std::string text() const;              // for people: "died of signal 11 (Segmentation fault)"
  std::string kind() const;              // for signatures: "signal 11", "exit 1"

 private:
  int status_;
};

/// A child process: a function of this program, or another program. It leads a process group of its own, so that
/// Ctrl-C and Ctrl-Z at a terminal reach the parent only, and it is killed when the thread that started it ends.
/// What is left of the group is killed when the child has ended. The destructor kills all, and waits for the child.
///
///   auto child = ChildProcess::call([](int out) { write_all(out, answer()); });
///   if (!child) return child.error();
///   std::string text;
///   while (child->read(text, 50ms)) { … }
///   const ExitStatus status = child->wait();
class ChildProcess {
 public:
  struct Options {
    /// Files for what the child prints, created or emptied; empty: where the parent prints.
    std::string stdout_to = {};
    std::string stderr_to = {};
    std::vector<std::pair<std::string, std::string>> environment = {};  // set besides the parent's
    std::filesystem::path folder = {};                                  // to work in; empty: the parent's
    std::function<void()> prepare = {};  // called in the child before all else: limits, personality
  };
  /// For a child that may print anything when it dies.
  static Options quiet();

  /// Forks and calls the function; the child exits with 0 when it returns, without running destructors: those are the
  /// parent's. An exception that leaves the function ends the child by abort(). What the function writes to its
  /// argument is what read() reads. Only the calling thread exists in the child, so the locks of other threads must not
  /// be needed there (glibc sees to malloc's).
  /// An error is one sentence for people.
  static std::expected<ChildProcess, std::string> call(const std::function<void(int out)>& function,
                                                       const Options& options);
  static std::expected<ChildProcess, std::string> call(const std::function<void(int out)>& function);
  /// Starts the program command[0], which is a path. A program that cannot be started is an error. There is nothing to
  /// read() from it: what it prints goes where the options say.
  static std::expected<ChildProcess, std::string> run(std::vector<std::string> command, const Options& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  pid_t id() const { return id_; }  // 0 once it has ended and was waited for

  /// Appends what the function has written, and waits at most `patience` for the first of it. False at the end of the
  /// stream, which comes when the child has closed it, or has ended.
  bool read(std::string& out, std::chrono::milliseconds patience = {});

  /// Waits for the end.
  ExitStatus wait();
  /// Waits for the end, at most `patience`: nothing when it still runs.
  std::optional<ExitStatus> wait(std::chrono::milliseconds patience);

  /// Sends the signal to the child alone; to one that has ended, nothing.
  void send(int signal) const;
  /// Kills the whole group, and waits for the child.
  ExitStatus kill();

 private:
  ChildProcess(pid_t id, int pipe) : id_{id}, pipe_{pipe} {}
  void close_pipe();

  pid_t id_ = 0;
  int pipe_ = -1;
  std::optional<ExitStatus> status_;
};

struct ChildResult {
  enum class End { returned, died, timed_out, not_started };
  End end = End::not_started;
  std::string output;  // what the function returned
  std::string reason;  // for people: "died of signal 11 (Segmentation fault)"
  std::string kind;    // for signatures: "signal 11", "exit 1", "timeout"
};

/// Calls the function in a child and brings its answer back. The clock of the timeout starts anew whenever `progress`
/// answers another number: what is slow has not hung.
ChildResult run_in_child(const std::function<std::string()>& function, std::chrono::milliseconds timeout,
                         const ChildProcess::Options& options = ChildProcess::quiet(),
                         const std::function<std::uint64_t()>& progress = {});

/// Writes all of it, however often that is interrupted; false when it can't be written.
bool write_all(int fd, std::string_view bytes);

}  // namespace lockstep
