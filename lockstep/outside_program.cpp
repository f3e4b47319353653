#include "lockstep/outside_program.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/refuse.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t errors_kept = 4096;
constexpr std::size_t processes_max = 64;

std::string fault_of(std::string_view what) { return std::string{what} + ": " + std::strerror(errno); }

// ---- the command ----

/// A command as words, or one for a shell. Error: a quote that is not closed.
std::expected<std::vector<std::string>, std::string> split_command(const std::string& command) {
  constexpr std::string_view for_a_shell = "|&;<>()$`*?[#~\n";
  const std::vector<std::string> shell{"/bin/sh", "-c", command};
  std::vector<std::string> words;
  bool inside = false;  // of a word
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool last = i + 1 == command.size();
    if (quote == 0 && (c == ' ' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == '\'') {
      words.back() += c;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && !last && (quote == 0 || std::string_view{"$`\"\\"}.contains(command[i + 1]))) {
      words.back() += command[++i];
    } else if (quote == '"' ? c == '$' || c == '`' : for_a_shell.contains(c) || (c == '=' && words.size() == 1)) {
      return shell;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return std::unexpected("the command has a quote that is not closed: " + command);
  if (words.empty()) return std::unexpected("the command is empty");
  return words;
}

}  // namespace

std::expected<std::string, std::string> path_of(const std::string& program) {
  if (program.contains('/')) {
    if (access(program.c_str(), X_OK) != 0) return std::unexpected(fault_of(program));
    return program;
  }
  const char* const path = std::getenv("PATH");
  std::string_view left = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (true) {
    const std::size_t end = left.find(':');
    const std::string found = std::filesystem::path{left.substr(0, end)} / program;
    if (access(found.c_str(), X_OK) == 0 && !std::filesystem::is_directory(found)) return found;
    if (end == std::string_view::npos) return std::unexpected("there is no program '" + program + "' in PATH");
    left.remove_prefix(end + 1);
  }
}

namespace {

/// The script that an interpreter is to run and that does not exist. The interpreter would start, and fail on each input.
std::optional<std::string> missing_script(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 6> interpreters{"python", "node", "ruby", "perl", "php", "lua"};
  std::string name = std::filesystem::path{words[0]}.filename();
  name.resize(name.find_last_not_of("0123456789.") + 1);  // python3.11
  const bool interprets = std::ranges::find(interpreters, name) != interpreters.end();
  if (!interprets || words.size() < 2 || words[1].starts_with('-')) return std::nullopt;
  return access(words[1].c_str(), F_OK) == 0 ? std::nullopt : std::optional{words[1]};
}

/// All that can name a file in the command.
std::vector<std::string> names_in(const std::vector<std::string>& words) {
  std::vector<std::string> names = words;
  if (words[0] == "/bin/sh") {
    constexpr std::string_view between = " \t\n|&;<>()'\"`$=";
    const std::string_view all = words.back();
    for (std::size_t at = 0, end = 0; at < all.size(); at = end + 1) {
      end = std::min(all.find_first_of(between, at), all.size());
      names.emplace_back(all.substr(at, end - at));
    }
  }
  return names;
}

// ---- processes ----

struct Process {
  pid_t id = 0;
  pid_t parent = 0;
  std::uint64_t threads = 0;
  std::uint64_t memory = 0;        // resident bytes
  milliseconds processor_time{0};  // its own, and that of children that it waited for
};

/// The process in /proc, empty if it has ended.
std::optional<Process> process(const std::string& id) {
  static const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  static const std::uint64_t tick_ms = 1000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  char text[1024];
  const int file = open(("/proc/" + id + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const ssize_t got = read(file, text, sizeof text);
  close(file);
  std::string_view left{text, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  // "12 (a name) S 1 …": the name can contain anything, so the fields are counted from its last bracket.
  const std::size_t name_end = left.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  left.remove_prefix(name_end + 4);
  std::uint64_t fields[25] = {};
  for (std::size_t i = 4; i < std::size(fields); ++i) {
    std::from_chars(left.data(), left.data() + left.size(), fields[i]);
    left.remove_prefix(std::min(left.find(' '), left.size() - 1) + 1);
    if (left.empty()) return std::nullopt;
  }
  return Process{.id = std::stoi(id),
                 .parent = static_cast<pid_t>(fields[4]),
                 .threads = fields[20],
                 .memory = fields[24] * page,
                 .processor_time = milliseconds{(fields[14] + fields[15] + fields[16] + fields[17]) * tick_ms}};
}

/// Its resident bytes, of a page that n processes share one n-th. Takes much longer than process().
std::optional<std::uint64_t> proportional_memory(const Process& of) {
  std::ifstream file{"/proc/" + std::to_string(of.id) + "/smaps_rollup"};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Pss:")) return std::stoull(line.substr(4)) * 1024;
  }
  return std::nullopt;
}

void for_each_process(const std::function<void(const Process&)>& visit) {
  visit_entries("/proc", [&](const std::filesystem::directory_entry& entry) {
    const std::string name = entry.path().filename();
    if (name[0] < '0' || name[0] > '9') return;
    if (const auto found = process(name)) visit(*found);
  });
}

/// The descendants of this process, which adopts those that lose their parent, so that none can leave. A process is
/// visited as soon as it is seen, before the next one is looked at.
void for_each_descendant(const std::function<void(const Process&)>& visit) {
  std::set<pid_t> family{getpid()};
  std::vector<Process> others;
  const auto join = [&](const Process& each) {
    if (!family.contains(each.parent)) return false;
    family.insert(each.id);
    visit(each);
    return true;
  };
  for_each_process([&](const Process& each) {
    if (!join(each)) others.push_back(each);
  });
  // Children have larger numbers than their parents, until the system begins again with small ones.
  while (std::erase_if(others, join) > 0) {
  }
}

/// Tasks of a user, which is what RLIMIT_NPROC counts.
std::uint64_t tasks_of(uid_t user) {
  std::uint64_t tasks = 0;
  for_each_process([&](const Process& each) {
    struct stat about{};
    if (stat(("/proc/" + std::to_string(each.id)).c_str(), &about) == 0 && about.st_uid == user) tasks += each.threads;
  });
  return tasks;
}

/// Processor time of all descendants that have ended.
milliseconds time_of_ended() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return milliseconds{(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
                      (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000};
}

/// Memory that this process has held at most.
std::uint64_t own_peak() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

// ---- privileges and namespaces ----

/// Makes a root process a user that has no other processes. So RLIMIT_NPROC binds it, counts its processes only, and
/// kill(-1) reaches these only. It may still use the files that root may use, as in a run by hand. Not glibc's
/// functions, because they change all threads, and this is called between vfork and execve.
bool become(uid_t user) {
  prctl(PR_SET_KEEPCAPS, 1);
  if (syscall(SYS_setgroups, 0, nullptr) != 0 || syscall(SYS_setresgid, user, user, user) != 0 ||
      syscall(SYS_setresuid, user, user, user) != 0) {
    return false;
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  constexpr unsigned files = 1U << CAP_DAC_OVERRIDE;
  const __user_cap_data_struct rights[2] = {{files, files, files}, {0, 0, 0}};
  syscall(SYS_capset, &header, rights);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0);
  return true;
}

/// A user for the programs of the keeper with this number; 0: this user.
uid_t user_for(pid_t keeper) {
  if (geteuid() != 0) return 0;
  const uid_t user = 0x70000000 + static_cast<uid_t>(keeper);  // systemd lists what is above as unused
  auto child = ChildProcess::call([&](Outbox&) { _exit(become(user) ? 0 : 1); });
  return child && child->wait().clean() ? user : 0;
}

bool write_to(const char* file, const std::string& text) {
  const int opened = open(file, O_WRONLY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool written = write_all(opened, text);
  close(opened);
  return written;
}

/// Puts the children of this process into namespaces: processes, mounts, network, System V IPC. A user namespace makes
/// that possible without privileges. An error is a sentence, "" is success.
std::string leave_namespaces() {
  constexpr int apart = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
  if (unshare(apart) == 0) return {};
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  if (unshare(apart | CLONE_NEWUSER) != 0) return fault_of("unshare");
  const bool mapped = write_to("/proc/self/setgroups", "deny") &&
                      write_to("/proc/self/uid_map", user + " " + user + " 1") &&
                      write_to("/proc/self/gid_map", group + " " + group + " 1");
  return mapped ? std::string{} : fault_of("user namespace");
}

/// Whether /tmp contains the program, one of its files or the working folder.
bool uses_tmp(const std::vector<std::string>& words) {
  std::vector<std::string> names = names_in(words);
  names.push_back(std::filesystem::current_path());
  return std::ranges::any_of(names, [](const std::string& name) {
    std::error_code ignored;
    return (std::filesystem::weakly_canonical(name, ignored) / "").string().starts_with("/tmp/");
  });
}

/// In the first process of the namespaces: makes all files read-only, except for /tmp and /dev/shm, which are new and
/// small. A /tmp that is used is kept.
std::string shut_files(bool tmp_is_used) {
  const std::string folder = std::filesystem::current_path();
  constexpr unsigned long harmless = MS_NOSUID | MS_NODEV;
  constexpr const char* small = "mode=1777,size=64m";
  mount_attr read_only{};
  read_only.attr_set = MOUNT_ATTR_RDONLY;
  mount_attr writable{};
  writable.attr_clr = MOUNT_ATTR_RDONLY;
  const bool done = mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                    mount("/tmp", "/tmp", nullptr, MS_BIND | MS_REC, nullptr) == 0 &&
                    mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof read_only) == 0 &&
                    (tmp_is_used ? mount_setattr(AT_FDCWD, "/tmp", 0, &writable, sizeof writable) == 0
                                 : mount("tmpfs", "/tmp", "tmpfs", harmless, small) == 0) &&
                    mount("tmpfs", "/dev/shm", "tmpfs", harmless, small) == 0 &&
                    mount("proc", "/proc", "proc", harmless | MS_NOEXEC, nullptr) == 0 && chdir(folder.c_str()) == 0;
  return done ? std::string{} : fault_of("mount");
}

// ---- the keeper ----

/// The result of a run, as the keeper sends it. The output and the errors follow.
struct Answer {
  ProgramRun::End end = ProgramRun::End::not_started;
  bool too_many_processes = false;
  ExitStatus status{0};
  milliseconds processor_time{0};
  std::uint64_t peak_memory = 0;
  std::uint64_t output = 0;  // sizes
  std::uint64_t errors = 0;
};

/// Both ends of a pipe; closed with it.
struct Pipe {
  int out = -1;  // is read
  int in = -1;   // is written to

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) std::tie(out, in) = std::pair{ends[0], ends[1]};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    shut(out);
    shut(in);
  }
  static void shut(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

void do_not_block(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

/// Writes what the pipe takes. Closes it when all is written, or the other end is closed.
void feed(int& pipe, std::string_view& input) {
  while (pipe >= 0 && !input.empty()) {
    const ssize_t written = write(pipe, input.data(), input.size());
    if (written < 0 && errno == EAGAIN) return;
    if (written < 0) input = {};
    else input.remove_prefix(static_cast<std::size_t>(written));
  }
  Pipe::shut(pipe);
}

/// Appends what the pipe holds, at most as long as the text is shorter than `most`. Closes it at the end of the stream.
void drain(int& pipe, std::string& text, std::size_t most) {
  char block[65536];
  while (pipe >= 0 && text.size() <= most) {
    const ssize_t got = read(pipe, block, sizeof block);
    if (got < 0) return;
    if (got == 0) Pipe::shut(pipe);
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

/// The program's standard streams.
struct Streams {
  std::string_view input;  // what is not written yet
  std::string& output;     // what was read
  std::string& errors;     // likewise
  Pipe in{};
  Pipe out{};
  Pipe err{};

  bool made() const { return err.in >= 0; }

  /// Closes the ends that the program has now.
  void keep_own_ends() {
    Pipe::shut(in.out);
    Pipe::shut(out.in);
    Pipe::shut(err.in);
    do_not_block(in.in);
    do_not_block(out.out);
    do_not_block(err.out);
  }

  /// Reads what the program has printed, and little more than the limit of its output.
  void collect(std::size_t output_max) {
    drain(out.out, output, output_max);
    drain_last(err.out, errors);
  }
};

/// Runs the program again and again, in a process of its own, which must have no other children. It watches the whole
/// family by looking into /proc. A control group would be exact, but few users may make one; RLIMIT_AS is of no use,
/// since a Java machine reserves more than it touches. Between two looks a program can exceed its memory by what it
/// touches in that time; the kernel's count of the largest process is checked at the end.
class Keeper {
 public:
  struct Setting {
    std::vector<std::string> words;
    ProgramLimits limits;
    int requests;
    Outbox& out;
    pid_t parent;  // 0: this process ends with it anyway
    uid_t user;    // 0: the keeper's
    std::uint64_t tasks_max;
    bool first_of_namespace;
  };
  explicit Keeper(Setting setting) : set_{std::move(setting)} {
    signal(SIGPIPE, SIG_IGN);
    setpriority(PRIO_PROCESS, 0, -20);  // root only: more than a hundred processes that fork leave it little time
  }

  void serve() {
    std::uint64_t size = 0;
    std::string input;
    while (receive({reinterpret_cast<char*>(&size), sizeof size})) {
      input.resize(size);
      if (!receive(input)) return;
      std::string output;
      std::string errors;
      Answer answer = run(input, output, errors);
      output.resize(std::min<std::size_t>(output.size(), set_.limits.output));
      answer.output = output.size();
      answer.errors = errors.size();
      set_.out.send({reinterpret_cast<const char*>(&answer), sizeof answer});
      set_.out.send(output);
      set_.out.send(errors);
    }
  }

 private:
  bool receive(std::span<char> bytes) {
    while (!bytes.empty()) {
      pollfd request{set_.requests, POLLIN, 0};
      if (poll(&request, 1, 1000) == 0) {
        if (parent_ended()) return false;
        continue;
      }
      const ssize_t got = read(set_.requests, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return true;
  }

  bool parent_ended() const { return set_.parent != 0 && getppid() != set_.parent; }

  /// In the child, before the program is in place: system calls only.
  void prepare(const Streams& streams) const {
    dup2(streams.in.out, STDIN_FILENO);
    dup2(streams.out.in, STDOUT_FILENO);
    dup2(streams.err.in, STDERR_FILENO);
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
    // A net only: whole seconds, for each process alone, and far enough not to be the first to end it: the signal would
    // be reported instead of the time limit.
    limit(RLIMIT_CPU,
          2 * static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(set_.limits.processor_time).count()) +
              1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NPROC, set_.tasks_max);
    setpriority(PRIO_PROCESS, 0, niceness_);
    if (set_.user != 0) {
      become(set_.user);
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user has cleared it
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  }

  Answer run(std::string_view input, std::string& output, std::string& errors) {
    Answer answer;
    Streams streams{input, output, errors};
    if (!streams.made()) {
      errors = fault_of("no pipe");
      return answer;
    }
    const milliseconds time_before = time_of_ended();
    const auto start = Clock::now();
    auto child = ChildProcess::run(set_.words, {.prepare = [&] { prepare(streams); }});
    if (!child) {
      errors = child.error();
      return answer;
    }
    streams.keep_own_ends();
    answer.end = ProgramRun::End::answered;
    const std::optional<ExitStatus> status = watch(*child, streams, start, time_before, answer);
    end_all(*child);
    streams.collect(set_.limits.output);
    answer.processor_time = time_of_ended() - time_before;
    // The kernel counts the keeper's memory for the moment before the program was in place.
    if (child->peak_memory() > own_peak()) answer.peak_memory = std::max(answer.peak_memory, child->peak_memory());
    if (status) answer.status = *status;
    if (answer.end == ProgramRun::End::answered) answer.end = end_of(answer, output.size());
    return answer;
  }

  /// Feeds the program and reads what it prints, until it ends or exceeds a limit. The answer names a limit of time, memory
  /// or processes. Returns the status, if the program has ended.
  std::optional<ExitStatus> watch(ChildProcess& child, Streams& streams, Clock::time_point start,
                                  milliseconds time_before, Answer& answer) const {
    int ended = static_cast<int>(syscall(SYS_pidfd_open, child.id(), 0));
    const auto deadline = start + set_.limits.wall_time;
    auto next_look = start + 20ms;  // most programs have ended by then
    std::optional<ExitStatus> status;
    while (true) {
      feed(streams.in.in, streams.input);
      pollfd waiting[] = {{streams.in.in, POLLOUT, 0},
                          {streams.out.out, POLLIN, 0},
                          {streams.err.out, POLLIN, 0},
                          {ended, POLLIN, 0},
                          {set_.requests, POLLIN, 0}};
      const auto patience = std::chrono::ceil<milliseconds>(std::min(next_look, deadline) - Clock::now());
      poll(waiting, std::size(waiting), std::max(0, static_cast<int>(patience.count())));
      streams.collect(set_.limits.output);
      status = child.wait(0ms);
      if (status || streams.output.size() > set_.limits.output) break;
      if (waiting[4].revents != 0 || parent_ended()) {  // a request cannot come now
        end_all(child);
        _exit(0);
      }
      const auto now = Clock::now();
      if (now >= deadline) answer.end = ProgramRun::End::time_limit;
      else if (now >= next_look) look(answer, time_before);
      if (answer.end != ProgramRun::End::answered) break;
      // Looking costs at most a twentieth, unless that is too seldom.
      if (now >= next_look)
        next_look = Clock::now() + std::clamp<Clock::duration>(20 * (Clock::now() - now), 5ms, 50ms);
    }
    Pipe::shut(ended);
    return status;
  }

  /// How a program ended for which `watch` named no limit: by itself, or after too much output.
  ProgramRun::End end_of(const Answer& answer, std::size_t output) const {
    if (answer.processor_time > set_.limits.processor_time) return ProgramRun::End::time_limit;
    if (answer.peak_memory > set_.limits.memory) return ProgramRun::End::memory_limit;
    if (output > set_.limits.output) return ProgramRun::End::output_limit;
    return answer.status.clean() ? ProgramRun::End::answered : ProgramRun::End::runtime_error;
  }

  /// The family's resident memory. A page that several processes share counts once: a part of it for each.
  static std::uint64_t memory_counted_once() {
    std::uint64_t memory = 0;
    for_each_descendant([&](const Process& each) { memory += proportional_memory(each).value_or(each.memory); });
    return memory;
  }

  /// Compares what the family uses with the limits.
  void look(Answer& answer, milliseconds time_before) const {
    milliseconds used = time_of_ended() - time_before;
    std::uint64_t memory = 0;
    std::size_t processes = 0;
    for_each_descendant([&](const Process& each) {
      used += each.processor_time;
      memory += each.memory;
      ++processes;
    });
    if (memory > set_.limits.memory) memory = memory_counted_once();
    answer.peak_memory = std::max(answer.peak_memory, memory);
    answer.too_many_processes = processes > processes_max;
    if (answer.too_many_processes) answer.end = ProgramRun::End::runtime_error;
    else if (memory > set_.limits.memory) answer.end = ProgramRun::End::memory_limit;
    else if (used > set_.limits.processor_time) answer.end = ProgramRun::End::time_limit;
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
    if (set_.first_of_namespace) {
      ::kill(-1, SIGKILL);  // all but this process, at once
    } else if (set_.user != 0) {
      auto killer = ChildProcess::call([&](Outbox&) {
        if (become(set_.user)) ::kill(-1, SIGKILL);  // all processes of that user but this one, at once
      });
      if (killer) killer->wait();
    } else {
      // Stops all first: stopped processes do not fork, and still count for RLIMIT_NPROC, so that a fork bomb cannot
      // refill what is killed.
      std::set<pid_t> stopped;
      for (std::size_t before = 1; stopped.size() != before;) {
        before = stopped.size();
        for_each_descendant([&](const Process& each) {
          if (stopped.insert(each.id).second) ::kill(each.id, SIGSTOP);
        });
      }
      for (const pid_t each : stopped) ::kill(each, SIGKILL);
    }
  }

  Setting set_;
  int niceness_ = getpriority(PRIO_PROCESS, 0);
};

/// What people read about a run, and its kind for signatures.
std::pair<std::string, std::string> words_for(const Answer& answer, const ProgramLimits& limits,
                                              const std::string& errors) {
  switch (answer.end) {
    case ProgramRun::End::answered: return {"answered", "answered"};
    case ProgramRun::End::runtime_error:
      if (answer.too_many_processes) {
        return {"started more than " + std::to_string(processes_max) + " processes", "too many processes"};
      }
      return {answer.status.text(), answer.status.kind()};
    case ProgramRun::End::time_limit:
      if (answer.processor_time > limits.processor_time) {
        return {"used more than " + std::to_string(limits.processor_time.count()) + " ms of processor time",
                "time limit"};
      }
      return {"did not end within " + std::to_string(limits.wall_time.count()) + " ms", "time limit"};
    case ProgramRun::End::memory_limit:
      return {"used more than " + std::to_string(limits.memory >> 20) + " MiB of memory", "memory limit"};
    case ProgramRun::End::output_limit:
      return {"printed more than " + std::to_string(limits.output) + " bytes", "output limit"};
    case ProgramRun::End::not_started: break;
  }
  return {errors, "not started"};
}

/// The keeper's process. It sends a line first: '+' and its tier for people, or '-' and why that tier does not work.
void keep(const std::vector<std::string>& words, const ProgramLimits& limits, Safety tier, int requests, Outbox& out,
          pid_t parent) {
  const uid_t user = user_for(getpid());
  // A net for fork bombs: more than processes_max, because threads count. Without a user of its own, so do the user's
  // other processes, of which there may be more later.
  const std::uint64_t tasks = 2 * processes_max + std::uint64_t{4} * std::thread::hardware_concurrency();
  const std::uint64_t tasks_max = user != 0 ? tasks : tasks + tasks_of(geteuid()) + 128;
  const auto serve = [&](const std::string& text, bool first_of_namespace) {
    out.send("+" + text + (user != 0 ? ", a user of its own\n" : "\n"));
    Keeper{{words, limits, requests, out, first_of_namespace ? 0 : parent, user, tasks_max, first_of_namespace}}
        .serve();
  };
  if (tier == Safety::limits) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, 0);  // it has to end its descendants first, so it looks itself
    return serve("limits", false);
  }
  std::string fault = leave_namespaces();
  if (fault.empty()) {
    auto first = ChildProcess::call([&](Outbox&) {
      const bool tmp_is_used = uses_tmp(words);
      const std::string unmounted = shut_files(tmp_is_used);
      const std::string outside = tmp_is_used ? " outside /tmp" : "";
      if (unmounted.empty()) serve("namespaces (no network, files" + outside + " read-only)", true);
      else out.send("-" + unmounted + "\n");
    });
    if (first) {
      first->wait();
      return;
    }
    fault = first.error();
  }
  out.send("-" + fault + "\n");
}

}  // namespace

OutsideProgram::OutsideProgram(ChildProcess keeper, int requests, const ProgramLimits& limits, std::string safety)
    : keeper_{std::move(keeper)}, requests_{requests}, limits_{limits}, safety_{std::move(safety)} {}

OutsideProgram::OutsideProgram(OutsideProgram&& other) noexcept
    : keeper_{std::move(other.keeper_)},
      requests_{std::exchange(other.requests_, -1)},
      limits_{other.limits_},
      safety_{std::move(other.safety_)} {}

OutsideProgram& OutsideProgram::operator=(OutsideProgram&& other) noexcept {
  std::swap(keeper_, other.keeper_);
  std::swap(requests_, other.requests_);
  std::swap(limits_, other.limits_);
  std::swap(safety_, other.safety_);
  return *this;
}

OutsideProgram::~OutsideProgram() {
  if (requests_ < 0) return;
  shutdown(requests_, SHUT_RDWR);  // closing is not enough: a keeper that was forked later has a copy
  close(requests_);
  keeper_.wait();
}

std::expected<OutsideProgram, std::string> OutsideProgram::make(const std::string& command, const ProgramLimits& limits,
                                                                Safety safety) {
  auto words = split_command(command);
  if (!words) return std::unexpected(words.error());
  const auto path = path_of(words->front());
  if (!path) return std::unexpected(path.error());
  words->front() = *path;
  if (const auto script = missing_script(*words)) return std::unexpected("there is no file '" + *script + "'");
  if (safety == Safety::automatic) {
    auto program = make(command, limits, Safety::namespaces);
    if (program) return program;
    const std::string why = program.error();
    program = make(command, limits, Safety::limits);
    if (program) program->safety_ += " (" + why + ")";
    return program;
  }
  ProgramLimits used = limits;
  if (used.wall_time == 0ms) used.wall_time = 3 * used.processor_time + 1s;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::unexpected(fault_of("no socket"));
  const pid_t parent = getpid();
  auto keeper = ChildProcess::call([&](Outbox& out) {
    close(ends[0]);
    keep(*words, used, safety, ends[1], out, parent);
  });
  close(ends[1]);
  if (!keeper) {
    close(ends[0]);
    return std::unexpected(keeper.error());
  }
  OutsideProgram program{std::move(*keeper), ends[0], used, {}};
  std::string line;
  while (!line.ends_with('\n') && program.keeper_.read(line, 1s)) {
  }
  if (!line.ends_with('\n')) return std::unexpected("the process that keeps the program ended");
  program.safety_ = line.substr(1, line.size() - 2);
  if (line[0] == '-') return std::unexpected("namespaces do not work here: " + program.safety_);
  return program;
}

ProgramRun OutsideProgram::run(std::string_view input) {
  ProgramRun run;
  const InternalError ended{"the process that keeps the program ended"};
  const std::uint64_t size = input.size();
  if (!send_all(requests_, {reinterpret_cast<const char*>(&size), sizeof size}) || !send_all(requests_, input))
    throw ended;
  std::string bytes;
  Answer answer;
  while (bytes.size() < sizeof answer + answer.output + answer.errors) {
    if (!keeper_.read(bytes, 1s)) throw ended;
    if (bytes.size() >= sizeof answer) std::memcpy(&answer, bytes.data(), sizeof answer);
  }
  run.end = answer.end;
  run.output = bytes.substr(sizeof answer, answer.output);
  run.errors = bytes.substr(sizeof answer + answer.output);
  run.processor_time = answer.processor_time;
  run.peak_memory = answer.peak_memory;
  std::tie(run.reason, run.kind) = words_for(answer, limits_, run.errors);
  return run;
}

OutsideProgram program_of(const std::string& command, const ProgramLimits& limits, Safety safety) {
  return or_refuse(OutsideProgram::make(command, limits, safety));
}

}  // namespace lockstep
