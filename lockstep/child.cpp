#include "lockstep/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lockstep {
namespace {

/// An exception that leaves the function ends the child as it would end a program, by abort(): in a forked
/// child it must never unwind into what belongs to the parent.
[[noreturn]] void child_main(const std::function<std::string()>& function, int out, bool quiet, pid_t parent) noexcept {
  signal(SIGINT, SIG_IGN);  // the parent decides when to end
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it ended before that was set
  if (quiet) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) {
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
    }
  }
  write_all(out, function());
  _exit(0);  // no destructors: they are the parent's
}

/// Reads to the end of the stream; false when nothing moved for as long as the timeout.
bool read_while_moving(int fd, std::chrono::milliseconds timeout, const std::function<std::uint64_t()>& progress,
                       std::string& out) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds look{50};
  char block[65536];
  std::uint64_t seen = 0;
  Clock::time_point moved = Clock::now();
  while (true) {
    if (const std::uint64_t now_at = progress ? progress() : 0; now_at != seen) {
      seen = now_at;
      moved = Clock::now();
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(moved + timeout - Clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{fd, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, look).count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) continue;
    const ssize_t got = read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    out.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string death_text(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return "died of signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

ChildResult run_in_child(const std::function<std::string()>& function, std::chrono::milliseconds timeout, bool quiet,
                         const std::function<std::uint64_t()>& progress) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {ChildResult::End::not_started, {}, std::strerror(errno), {}};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return {ChildResult::End::not_started, {}, std::strerror(errno), {}};
  }
  if (child == 0) child_main(function, ends[1], quiet, parent);
  close(ends[1]);
  ChildResult result;
  const bool ended = read_while_moving(ends[0], timeout, progress, result.output);
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) {
    result.end = ChildResult::End::timed_out;
    result.reason = "did not answer within " + std::to_string(timeout.count()) + " ms";
    result.kind = "timeout";
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    result.end = ChildResult::End::returned;
  } else {
    result.end = ChildResult::End::died;
    result.reason = death_text(status);
    result.kind = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                      : "exit " + std::to_string(WEXITSTATUS(status));
  }
  return result;
}

}  // namespace lockstep
