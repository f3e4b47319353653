#include "programs/outside_program.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/securebits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/process/child.hpp"
#include "programs/command.hpp"
#include "programs/process_family.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t errors_kept = 4096;
constexpr std::size_t processes_max = 64;
/// The user that programs started by root run as: above the numbers that systems give to people and containers. All run as
/// the same one, because a program may write files that an earlier one has made (/proc/sys/fs/protected_regular).
constexpr uid_t user_of_root = 0x7000'0000;

std::string with_errno(std::string_view what) { return std::string{what} + ": " + std::strerror(errno); }

/// Memory that this process has held at most.
std::uint64_t own_peak() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

/// Gives root's program another user, because RLIMIT_NPROC does not bind root: a fork bomb would fill the table of
/// processes faster than a keeper can stop it. The program keeps the capability to use all files, which SECBIT_NO_SETUID_FIXUP
/// lets access(2) see, too. Where the system refuses this, the program runs as root. System calls only.
void leave_root(uid_t user) {
  constexpr __u32 files = 1U << CAP_DAC_OVERRIDE;
  __user_cap_header_struct version{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct held[2] = {};
  if (syscall(SYS_capget, &version, held) != 0 || (held[0].effective & files) == 0) return;
  if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) != 0 || setresuid(user, user, user) != 0) return;
  const __user_cap_data_struct kept[2] = {{.effective = files, .permitted = files, .inheritable = files}, {}};
  syscall(SYS_capset, &version, kept);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user clears it
}

/// What a keeper receives first, and how a message to it begins.
struct Setting {
  ProgramLimits limits;
  uid_t user;  // the program's
  std::uint64_t tasks_max;
};
constexpr char run_word = 'R';   // then the size of the input, and the input
constexpr char stop_word = 'S';  // ends the run

/// The result of a run, as the keeper sends it. Output, errors, reason and kind follow, of these sizes.
struct Reply {
  ProgramRun::End end;
  milliseconds processor_time;
  std::uint64_t peak_memory;
  std::array<std::uint64_t, 4> sizes;
};

template <class T>
std::span<char> bytes_of(T& value) {
  return {reinterpret_cast<char*>(&value), sizeof value};
}

template <class T>
std::string_view raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// False at the end of the stream.
bool receive(int socket, std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = read(socket, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

/// A file in memory with this text, to be read from its beginning; -1 if there is no memory.
int file_with(std::string_view text) {
  const int file = memfd_create("input", MFD_CLOEXEC);
  if (file >= 0 && write_all(file, text) && lseek(file, 0, SEEK_SET) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

void shut(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

/// Appends what the pipe holds, at most as long as the text is shorter than `most`. Closes it at the end of the stream.
void drain(int& pipe, std::string& text, std::size_t most) {
  char block[65536];
  while (pipe >= 0 && text.size() <= most) {
    const ssize_t got = read(pipe, block, sizeof block);
    if (got < 0) return;
    if (got == 0) shut(pipe);
    text.append(block, static_cast<std::size_t>(got));
  }
}

/// The same for text of which only the end is kept. At most what a pipe can hold, since a program may write faster.
void drain_last(int& pipe, std::string& text) {
  for (int blocks = 0; blocks < 16; ++blocks) {
    drain(pipe, text, errors_kept);
    if (text.size() <= errors_kept) return;
    text.erase(0, text.size() - errors_kept);
  }
}

/// Runs the program again and again, in a process of its own, which must have no other children. It watches the whole
/// family by looking into /proc. A control group would be exact, but few users may make one; RLIMIT_AS is of no use,
/// since a Java machine reserves more than it touches. Between two looks a program can exceed its memory by what it
/// touches in that time; the kernel's count of the largest process is checked at the end.
class Keeper {
 public:
  /// `alone`: this is the first process of a namespace.
  Keeper(std::vector<std::string> words, const Setting& setting, int socket, bool alone)
      : words_{std::move(words)}, set_{setting}, limits_{set_.limits}, socket_{socket}, alone_{alone} {
    signal(SIGPIPE, SIG_IGN);
    if (alone_) return;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, 0);  // it has to end its descendants first; the end of the stream tells it to
  }

  void serve() {
    for (char word = 0; receive(socket_, bytes_of(word));) {
      if (word == stop_word) continue;  // the run had ended already
      std::uint64_t size = 0;
      if (!receive(socket_, bytes_of(size))) return;
      std::string input(size, '\0');
      if (!receive(socket_, input) || !send(run(input))) return;
    }
  }

 private:
  bool send(const ProgramRun& run) const {
    const Reply answer{run.end,
                       run.processor_time,
                       run.peak_memory,
                       {run.output.size(), run.errors.size(), run.reason.size(), run.kind.size()}};
    return send_all(socket_, raw(answer)) && send_all(socket_, run.output) && send_all(socket_, run.errors) &&
           send_all(socket_, run.reason) && send_all(socket_, run.kind);
  }

  /// In the child, before the program is in place: system calls only.
  void prepare(int input, int output, int errors) const {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const auto limit = [](__rlimit_resource_t what, std::uint64_t most) {
      rlimit old{};
      getrlimit(what, &old);
      const rlim_t value = std::min<rlim_t>(most, old.rlim_max);
      const rlimit set{value, value};
      setrlimit(what, &set);
    };
    // Backstop: whole seconds, for each process alone, and twice the limit that the keeper measures, so that it never
    // fires first: the signal would be reported instead of the time limit.
    limit(RLIMIT_CPU, 2 * static_cast<std::uint64_t>(ceil<std::chrono::seconds>(limits_.processor_time).count()) + 1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NPROC, set_.tasks_max);
    if (set_.user != geteuid()) leave_root(set_.user);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  }

  ProgramRun run(std::string_view input) const {
    ProgramRun out;
    int file = file_with(input);  // as if the user had written '< FILE'
    int printed[2] = {-1, -1};
    int errors[2] = {-1, -1};
    const bool open = file >= 0 && pipe2(printed, O_CLOEXEC) == 0 && pipe2(errors, O_CLOEXEC) == 0;
    const milliseconds time_before = time_of_ended();
    const auto start = Clock::now();
    const auto begin = [&] {
      return ChildProcess::run(words_, {.prepare = [&] { prepare(file, printed[1], errors[1]); }});
    };
    auto child = open ? begin() : std::unexpected(with_errno("no file or pipe"));
    // For a second or two, a program that forks without end may hold all processes of the user that programs run as.
    for (int left = 100; open && !child && left > 0 && child.error().ends_with(std::strerror(EAGAIN)); --left) {
      std::this_thread::sleep_for(milliseconds{50});
      child = begin();
    }
    for (int* const each : {&file, &printed[1], &errors[1]}) shut(*each);
    if (child) {
      for (const int each : {printed[0], errors[0]}) fcntl(each, F_SETFL, O_NONBLOCK);
      out.end = ProgramRun::End::answered;
      const auto collect = [&] {
        drain(printed[0], out.output, limits_.output);
        drain_last(errors[0], out.errors);
        return std::pair{printed[0], errors[0]};
      };
      const auto status = watch(*child, collect, start, time_before, out);
      end_all(*child);
      collect();
      out.processor_time = time_of_ended() - time_before;
      // The kernel counts the keeper's memory for the moment before the program was in place.
      if (child->peak_memory() > own_peak()) out.peak_memory = std::max(out.peak_memory, child->peak_memory());
      conclude(out, status.value_or(ExitStatus{0}));
    } else {
      std::tie(out.reason, out.kind) = std::pair{child.error(), "not started"};
    }
    for (int* const each : {&printed[0], &errors[0]}) shut(*each);
    return out;
  }

  /// Watches the program until it ends, exceeds a limit or is stopped. `collect` reads what it prints, and returns the pipes.
  /// `out` then names a limit of time, memory or processes. Returns the status, if the program has ended.
  std::optional<ExitStatus> watch(ChildProcess& child, const std::function<std::pair<int, int>()>& collect,
                                  Clock::time_point start, milliseconds time_before, ProgramRun& out) const {
    int ended = static_cast<int>(syscall(SYS_pidfd_open, child.id(), 0));
    const auto deadline = start + limits_.wall_time;
    auto next_look = start + 20ms;  // most programs have ended by then
    std::optional<ExitStatus> status;
    auto [printed, errors] = collect();
    while (out.end == ProgramRun::End::answered) {
      pollfd waiting[] = {{socket_, POLLIN, 0}, {ended, POLLIN, 0}, {printed, POLLIN, 0}, {errors, POLLIN, 0}};
      const auto patience = ceil<milliseconds>(std::min(next_look, deadline) - Clock::now());
      poll(waiting, std::size(waiting), std::max(0, static_cast<int>(patience.count())));
      std::tie(printed, errors) = collect();
      status = child.wait(0ms);
      if (status || out.output.size() > limits_.output) break;
      const auto now = Clock::now();
      if (waiting[0].revents != 0) {
        if (char word = 0; !receive(socket_, bytes_of(word))) {  // the user has ended
          end_all(child);
          _exit(0);
        }
        out.end = ProgramRun::End::stopped;
      } else if (now >= deadline) {
        out.end = ProgramRun::End::time_limit;
      } else if (now >= next_look) {
        look(out, time_before);
        // Looking costs at most a twentieth, unless that is too seldom.
        next_look = Clock::now() + std::clamp<Clock::duration>(20 * (Clock::now() - now), 5ms, 50ms);
      }
    }
    shut(ended);
    return status;
  }

  /// Says how the program ended, if `watch` named no limit, and what people read about it.
  void conclude(ProgramRun& out, const ExitStatus& status) const {
    using End = ProgramRun::End;
    const auto say = [&](End end, const std::string& reason, const std::string& kind) {
      std::tie(out.end, out.reason, out.kind) = std::tie(end, reason, kind);
    };
    const auto number = [](auto of) { return std::to_string(of); };
    const bool answered = out.end == End::answered;
    const bool much_time = out.processor_time > limits_.processor_time;
    if (out.end == End::stopped) {
      say(End::stopped, "was stopped", "stopped");
    } else if (out.end == End::time_limit || (answered && much_time)) {
      say(End::time_limit,
          much_time ? "used more than " + number(limits_.processor_time.count()) + " ms of processor time"
                    : "did not end within " + number(limits_.wall_time.count()) + " ms",
          "time limit");
    } else if (out.end == End::memory_limit || (answered && out.peak_memory > limits_.memory)) {
      say(End::memory_limit, "used more than " + number(limits_.memory >> 20) + " MiB of memory", "memory limit");
    } else if (answered && out.output.size() > limits_.output) {
      say(End::output_limit, "printed more than " + number(limits_.output) + " bytes", "output limit");
      out.output.resize(limits_.output);
    } else if (!answered) {
      say(End::runtime_error, "started more than " + number(processes_max) + " processes", "too many processes");
    } else if (status.clean()) {
      say(End::answered, "answered", "answered");
    } else {
      say(End::runtime_error, status.text(), status.kind());
    }
  }

  /// The family's resident memory. A page that several processes share counts once: a part of it for each. Of processes
  /// whose parts cannot be read, as those of another user without CAP_SYS_PTRACE, the largest counts.
  static std::uint64_t memory_counted_once() {
    std::uint64_t memory = 0, largest = 0;
    for_each_descendant([&](const Process& each) {
      if (const auto part = proportional_memory(each)) memory += *part;
      else largest = std::max(largest, each.memory);
    });
    return memory + largest;
  }

  /// Compares what the family uses with the limits.
  void look(ProgramRun& out, milliseconds time_before) const {
    milliseconds used = time_of_ended() - time_before;
    std::uint64_t memory = 0;
    std::size_t processes = 0;
    for_each_descendant([&](const Process& each) {
      used += each.processor_time;
      memory += each.memory;
      ++processes;
    });
    if (memory > limits_.memory) memory = memory_counted_once();
    out.peak_memory = std::max(out.peak_memory, memory);
    if (processes > processes_max) out.end = ProgramRun::End::runtime_error;
    else if (memory > limits_.memory) out.end = ProgramRun::End::memory_limit;
    else if (used > limits_.processor_time) out.end = ProgramRun::End::time_limit;
  }

  /// Kills and waits for all descendants. When none is left, waitpid says so.
  void end_all(ChildProcess& child) const {
    if (child.id() != 0) {
      kill_descendants();
      child.kill();
    }
    while (true) {
      const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
      if (reaped < 0 && errno == ECHILD) return;
      if (reaped > 0) continue;
      kill_descendants();
      std::this_thread::sleep_for(1ms);
    }
  }

  void kill_descendants() const {
    if (alone_) {
      ::kill(-1, SIGKILL);  // all processes of the namespace but this one, at once
      return;
    }
    // Stops all first: stopped processes do not fork, and still count for RLIMIT_NPROC, so that a fork bomb cannot refill
    // what is killed.
    std::set<pid_t> stopped;
    for (std::size_t before = 1; stopped.size() != before;) {
      before = stopped.size();
      for_each_descendant([&](const Process& each) {
        if (stopped.insert(each.id).second) ::kill(each.id, SIGSTOP);
      });
    }
    for (const pid_t each : stopped) ::kill(each, SIGKILL);
  }

  std::vector<std::string> words_;
  Setting set_;
  const ProgramLimits& limits_;
  int socket_;
  bool alone_;
};

/// The keeper's process, whose standard input is the socket.
[[noreturn]] void keep(const std::vector<std::string>& words, bool alone) {
  Setting setting{};
  if (receive(STDIN_FILENO, bytes_of(setting)) && send_all(STDIN_FILENO, "+"))
    Keeper{words, setting, STDIN_FILENO, alone}.serve();
  _exit(0);
}

constexpr std::string_view keeper_word = "keep-a-program-for-lockstep";

/// Takes over a process that was started as a keeper: bubblewrap starts the executable that contains this file once more,
/// and its main may do anything. glibc passes the arguments of main to a constructor.
[[gnu::constructor]] void become_keeper(int count, char** arguments) {
  if (count > 2 && arguments[1] == keeper_word) keep({arguments + 2, arguments + count}, true);
}

}  // namespace

struct OutsideProgram::Kept {
  ChildProcess keeper;
  int socket;
  std::string safety;

  Kept(ChildProcess child, int end) : keeper{std::move(child)}, socket{end} {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    shutdown(socket, SHUT_RDWR);  // closing is not enough: a keeper that was forked later has a copy
    close(socket);
    keeper.wait();
  }

  /// Starts a keeper under bubblewrap, which takes 10 ms and more, so not once for each run; or a fork.
  static std::expected<std::unique_ptr<Kept>, std::string> start(const std::vector<std::string>& words,
                                                                 const ProgramLimits& limits, bool shut_in) {
    auto command = words_of_command(
        "bwrap --ro-bind / / --dev-bind /dev /dev --bind /tmp /tmp --proc /proc --unshare-pid --as-pid-1 --unshare-net "
        "--unshare-ipc --die-with-parent --");
    if (shut_in && !command) return std::unexpected("bubblewrap is not installed");
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::unexpected(with_errno("no socket"));
    const ErrorOutput errors;
    auto options = shut_in ? errors.options() : ChildProcess::Options{};
    options.prepare = [end = ends[1], errors_to = options.prepare] {
      if (errors_to) errors_to();
      dup2(end, STDIN_FILENO);
    };
    auto keeper = [&] {
      if (!shut_in) {
        return ChildProcess::call(
            [&](Outbox&) {
              for (const int end : ends) {
                if (end != STDIN_FILENO) close(end);
              }
              keep(words, false);
            },
            options);
      }
      command->insert(command->end(), {std::filesystem::read_symlink("/proc/self/exe"), std::string{keeper_word}});
      command->insert(command->end(), words.begin(), words.end());
      return ChildProcess::run(*command, options);
    }();
    close(ends[1]);
    if (!keeper) {
      close(ends[0]);
      return std::unexpected(keeper.error());
    }
    auto out = std::make_unique<Kept>(std::move(*keeper), ends[0]);
    // Backstop for fork bombs: more than processes_max, because threads count, and so do the user's other processes and
    // programs, of which there may be more later. Few, because the keeper has to kill them.
    const std::uint64_t threads = 16 * std::uint64_t{std::thread::hardware_concurrency()};
    const uid_t user = geteuid() != 0 ? geteuid() : user_of_root;
    const Setting setting{limits, user, 2 * processes_max + threads + tasks_of(user) + 128};
    if (char ready = 0; send_all(out->socket, raw(setting)) && receive(out->socket, bytes_of(ready))) return out;
    const std::string text = errors.text();
    std::string_view why = text;
    return std::unexpected(why.empty() ? "the process that keeps the program ended" : std::string{take_line(why)});
  }
};

OutsideProgram::OutsideProgram(std::unique_ptr<Kept> started) : kept_{std::move(started)} {}
OutsideProgram::OutsideProgram(OutsideProgram&&) noexcept = default;
OutsideProgram& OutsideProgram::operator=(OutsideProgram&&) noexcept = default;
OutsideProgram::~OutsideProgram() = default;

const std::string& OutsideProgram::safety() const { return kept_->safety; }

std::expected<OutsideProgram, std::string> OutsideProgram::make(const std::string& command, const ProgramLimits& limits,
                                                                Safety safety) {
  const auto words = words_of_command(command);
  if (!words) return std::unexpected(words.error());
  ProgramLimits used = limits;
  if (used.wall_time == 0ms) used.wall_time = 3 * used.processor_time + 1s;
  std::string why;  // bubblewrap is not used; tried once
  if (safety == Safety::automatic) {
    std::expected<std::unique_ptr<Kept>, std::string> started;
    static const std::string fault = [&] {
      started = Kept::start(*words, used, true);
      return started ? std::string{} : started.error();
    }();
    if (!fault.empty()) started = std::unexpected(fault);
    else if (!*started) started = Kept::start(*words, used, true);
    if (started) {
      (*started)->safety = "bubblewrap (no network; files outside /tmp and /dev read-only)";
      return OutsideProgram{std::move(*started)};
    }
    why = " (" + started.error() + ")";
  }
  auto started = Kept::start(*words, used, false);
  if (!started) return std::unexpected(started.error());
  (*started)->safety = "limits" + why;
  return OutsideProgram{std::move(*started)};
}

ProgramRun OutsideProgram::run(std::string_view input, const std::function<bool()>& stop) {
  const InternalError ended{"the process that keeps the program ended"};
  const std::uint64_t size = input.size();
  const int socket = kept_->socket;
  bool open = send_all(socket, raw(run_word)) && send_all(socket, raw(size)) && send_all(socket, input);
  pollfd answers{socket, POLLIN, 0};
  for (bool asked = false; open && poll(&answers, 1, 20) <= 0;) {
    if (asked || !stop || !stop()) continue;
    asked = true;
    open = send_all(socket, raw(stop_word));
  }
  Reply answer{};
  if (!open || !receive(socket, bytes_of(answer))) throw ended;
  ProgramRun run;
  std::tie(run.end, run.processor_time, run.peak_memory) =
      std::tie(answer.end, answer.processor_time, answer.peak_memory);
  std::size_t part = 0;
  for (std::string* const text : {&run.output, &run.errors, &run.reason, &run.kind}) {
    text->resize(answer.sizes[part++]);
    if (!receive(socket, *text)) throw ended;
  }
  return run;
}

}  // namespace lockstep
