#include "lockstep/process/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "lockstep/base/error.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/process/process_copy.hpp"
#include "lockstep/process/watched_time.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

std::string fault_text(std::string_view what) { return std::string{what} + ": " + std::strerror(errno); }

/// The files that a child prints to. The parent opens them, so that an error names the file.
class OutputFiles {
 public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles() {
    for (const auto& [descriptor, file] : files_) close(file);
  }

  std::expected<void, std::string> open(const ChildProcess::Options& options) {
    for (const auto& [descriptor, name] :
         {std::pair{STDOUT_FILENO, options.stdout_to}, {STDERR_FILENO, options.stderr_to}}) {
      if (name.empty()) continue;
      const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
      if (file < 0) return std::unexpected(fault_text(name));
      files_.emplace_back(descriptor, file);
    }
    return {};
  }

  /// Called in the child.
  void use() const {
    for (const auto& [descriptor, file] : files_) {
      if (file == descriptor) fcntl(descriptor, F_SETFD, 0);  // the parent had closed this descriptor
      else dup2(file, descriptor);
    }
  }

 private:
  std::vector<std::pair<int, int>> files_;  // the descriptor of the child, and what it is to be
};

/// Sets a child up: group, death with the parent, output, working folder. False if the folder cannot be entered.
bool begin(const ChildProcess::Options& options, const OutputFiles& output, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // the parent ended before prctl took effect
  if (options.prepare) options.prepare();
  output.use();
  return options.folder.empty() || chdir(options.folder.c_str()) == 0;
}

bool has_copies = false;
/// Each copy holds the write end open until it ends or runs another program.
int copies[2] = {-1, -1};

/// Waits until the copies of this process have come back to the judge, and told so, or are no copies any more. A second at
/// most, because one may be meant to stay.
void await_copies() {
  if (!has_copies || copies[0] < 0) return;
  close(copies[1]);
  pollfd all_closed{copies[0], 0, 0};
  poll(&all_closed, 1, 1'000);
}

[[noreturn]] void call_and_exit(const std::function<void(Outbox&)>& function, Outbox& out,
                                const ChildProcess::Options& options, const OutputFiles& output,
                                pid_t parent) noexcept {
  watch_for_copies();
  for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!begin(options, output, parent)) _exit(127);
  function(out);
  if (!is_process_copy) {
    await_copies();
    out.note_return();
  }
  _exit(0);
}

/// Starts the program, or writes errno and exits.
[[noreturn, gnu::noinline]] void execute(const std::vector<char*>& arguments, const std::vector<char*>& variables,
                                         int out, const ChildProcess::Options& options, const OutputFiles& output,
                                         pid_t parent) {
  if (begin(options, output, parent)) execve(arguments[0], arguments.data(), variables.data());
  const int fault = errno;
  _exit(write_all(out, {reinterpret_cast<const char*>(&fault), sizeof fault}) ? 127 : 126);
}

/// The parent's environment plus the options' variables, in execve's form.
std::vector<std::string> environment_of(const ChildProcess::Options& options) {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (std::ranges::none_of(options.environment, [&](const auto& set) { return set.first == name; })) {
      out.emplace_back(variable);
    }
  }
  for (const auto& [name, value] : options.environment) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (auto& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// A process inherits from its parent that SIGCHLD is ignored, and then the status of a child is lost.
void keep_statuses() {
  struct sigaction now{};
  if (sigaction(SIGCHLD, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

std::optional<ExitStatus> waited(pid_t child, int flags, const Outbox* outbox, std::uint64_t& peak_memory) {
  siginfo_t ended{};
  const auto asked = TEMP_FAILURE_RETRY(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT | flags));
  if (asked < 0) return ExitStatus{ExitStatus::unknown, outbox != nullptr && outbox->returned()};
  if (ended.si_pid == 0) return std::nullopt;
  // Kills the rest of its group. Until the child is waited for, no other group can have its number.
  ::kill(-child, SIGKILL);
  int status = 0;
  rusage used{};
  static_cast<void>(TEMP_FAILURE_RETRY(wait4(child, &status, 0, &used)));
  peak_memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  return ExitStatus{status, outbox == nullptr || outbox->returned()};
}

}  // namespace

void watch_for_copies() {
  [[maybe_unused]] static const int watched =
      pthread_atfork(nullptr, [] { has_copies = true; }, [] { is_process_copy = true; });
  is_process_copy = has_copies = false;
  if (pipe2(copies, O_CLOEXEC) != 0) copies[0] = -1;  // then none is waited for
}

std::optional<int> ExitStatus::exit_code() const {
  if (!WIFEXITED(status_)) return std::nullopt;
  return WEXITSTATUS(status_);
}

std::optional<int> ExitStatus::signal() const {
  if (!WIFSIGNALED(status_)) return std::nullopt;
  return WTERMSIG(status_);
}

std::string ExitStatus::text() const {
  if (const auto number = signal()) {
    return "died of signal " + std::to_string(*number) + " (" + strsignal(*number) + ")";
  }
  if (const auto code = exit_code()) return "exited with status " + std::to_string(*code);
  return "ended, but another part of this process has read how";
}

std::string ExitStatus::kind() const {
  if (const auto number = signal()) return "signal " + std::to_string(*number);
  if (const auto code = exit_code()) return "exit " + std::to_string(*code);
  return "end";
}

bool killed_from_outside(std::string_view kind) { return kind == ExitStatus{SIGKILL}.kind(); }

ChildProcess::Options ChildProcess::quiet() { return {.stdout_to = "/dev/null", .stderr_to = "/dev/null"}; }

std::expected<ChildProcess, std::string> ChildProcess::call(const std::function<void(Outbox&)>& function,
                                                            const Options& options) try {
  keep_statuses();
  OutputFiles output;
  if (const auto opened = output.open(options); !opened) return std::unexpected(opened.error());
  SharedMemory<Outbox> outbox = share<Outbox>();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) call_and_exit(function, *outbox, options, output, parent);
  if (child < 0) return std::unexpected(fault_text("no child process"));
  setpgid(child, child);  // in the parent too: it may send signals before the child has run
  return ChildProcess{child, std::move(outbox)};
} catch (const InternalError& no_memory) {
  return std::unexpected(no_memory.what());
}

std::expected<ChildProcess, std::string> ChildProcess::run(std::vector<std::string> command, const Options& options) {
  // vfork copies no page tables, so that starting costs the same whatever this process holds. The child runs in the
  // parent's memory until execve, while the parent waits: all memory is allocated before.
  keep_statuses();
  OutputFiles output;
  if (const auto opened = output.open(options); !opened) return std::unexpected(opened.error());
  std::vector<std::string> environment = environment_of(options);
  const std::vector<char*> arguments = pointers_to(command);
  const std::vector<char*> variables = pointers_to(environment);
  int ends[2];  // a successful exec closes it; otherwise the child writes errno
  if (pipe2(ends, O_CLOEXEC) != 0) return std::unexpected(fault_text("no pipe"));
  const pid_t parent = getpid();
  const pid_t child = vfork();  // NOLINT(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  if (child == 0) execute(arguments, variables, ends[1], options, output, parent);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return std::unexpected(fault_text("no child process"));
  }
  setpgid(child, child);
  ChildProcess started{child, nullptr};
  int fault = 0;
  const auto got = TEMP_FAILURE_RETRY(::read(ends[0], &fault, sizeof fault));
  close(ends[0]);
  if (got <= 0) return started;
  errno = fault;
  return std::unexpected(fault_text(command[0]));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(outbox_, other.outbox_);
  std::swap(peak_memory_, other.peak_memory_);
  std::swap(status_, other.status_);
  return *this;
}

ChildProcess::~ChildProcess() { kill(); }

/// Whether nothing more is sent. It is not waited for here: its processor time can be read until then.
bool ChildProcess::ended() const {
  if (id_ == 0 || (outbox_ && outbox_->returned())) return true;
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

bool ChildProcess::read(std::string& out, std::chrono::milliseconds patience) {
  if (!outbox_) return false;
  const auto until = Clock::now() + patience;
  const std::size_t before = out.size();
  while (true) {
    const bool end = ended();
    outbox_->take(out);
    if (end) return false;
    if (out.size() > before || Clock::now() >= until) return true;
    outbox_->wait(std::chrono::milliseconds{1});  // so long because a death sends nothing
  }
}

ExitStatus ChildProcess::wait() {
  if (!status_) status_ = waited(id_, 0, outbox_.get(), peak_memory_);
  id_ = 0;
  return *status_;
}

std::optional<ExitStatus> ChildProcess::wait(std::chrono::milliseconds patience) {
  const auto until = Clock::now() + patience;
  while (!status_ && !(status_ = waited(id_, WNOHANG, outbox_.get(), peak_memory_))) {
    if (Clock::now() >= until) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  id_ = 0;
  return status_;
}

void ChildProcess::send(int signal) const {
  if (id_ > 0) ::kill(id_, signal);
}

ExitStatus ChildProcess::kill() {
  if (id_ > 0) ::kill(-id_, SIGKILL);
  if (id_ == 0 && !status_) return ExitStatus{0};  // moved from
  return wait();
}

namespace {

bool put_all(int fd, std::string_view bytes, bool to_socket) {
  while (!bytes.empty()) {
    const ssize_t taken =
        to_socket ? send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) : write(fd, bytes.data(), bytes.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
  return true;
}

}  // namespace

bool write_all(int fd, std::string_view bytes) { return put_all(fd, bytes, false); }
bool send_all(int socket, std::string_view bytes) { return put_all(socket, bytes, true); }

ErrorOutput::ErrorOutput() : file_{memfd_create("error output", MFD_CLOEXEC)} {
  if (file_ >= 0) fcntl(file_, F_SETFL, O_APPEND);
}

ErrorOutput::~ErrorOutput() {
  if (file_ >= 0) close(file_);
}

ChildProcess::Options ErrorOutput::options() const {
  if (file_ < 0) return ChildProcess::quiet();
  return {.stdout_to = "/dev/null", .prepare = [file = file_] { dup2(file, STDERR_FILENO); }};
}

namespace {

constexpr off_t output_max = 1 << 16;

off_t size_of_file(int file) {
  struct stat status{};
  return file >= 0 && fstat(file, &status) == 0 ? status.st_size : 0;
}

}  // namespace

void ErrorOutput::bound() const {
  if (size_of_file(file_) > output_max && ftruncate(file_, 0) != 0) return;  // then it grows
}

std::string ErrorOutput::text() const {
  const off_t size = size_of_file(file_);
  std::string out(static_cast<std::size_t>(std::min(size, output_max)), '\0');
  const ssize_t got = pread(file_, out.data(), out.size(), size - static_cast<off_t>(out.size()));
  out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return out;
}

std::string steady(std::string_view line) {
  if (line.starts_with("==")) line.remove_prefix(std::min(line.find_first_not_of("=0123456789"), line.size()));
  std::string out;
  while (!line.empty()) {
    const bool address = line.starts_with("0x");
    out += address ? "0x.." : std::string(1, static_cast<unsigned char>(line[0]) < ' ' ? ' ' : line[0]);
    line.remove_prefix(std::min(address ? line.find_first_not_of("0123456789abcdefABCDEF", 2) : 1, line.size()));
  }
  return out;
}

std::string telling_lines(std::string_view error_output) {
  constexpr std::size_t from_message = 8;
  constexpr std::size_t without_message = 4;
  constexpr std::size_t length_max = 160;
  constexpr std::array<std::string_view, 4> messages = {"ERROR: ", "runtime error: ", "terminate called", "ssertion"};
  std::vector<std::string> lines;
  bool message = false;
  while (!error_output.empty() && !(message && lines.size() == from_message)) {
    const std::string_view line = take_line(error_output);
    if (!message && std::ranges::any_of(messages, [&](std::string_view each) { return line.contains(each); })) {
      message = true;
      lines.clear();
    }
    std::string words = steady(line.substr(0, length_max));
    if (words.find_first_not_of(' ') != std::string::npos) lines.push_back(std::move(words));
    if (!message && lines.size() > without_message) lines.erase(lines.begin());
  }
  std::string out;
  for (const auto& line : lines) out += line + "\n";
  return out;
}

std::string memory_error(std::string_view lines) {
  constexpr std::string_view before = "ERROR: AddressSanitizer: ";
  const std::size_t at = lines.find(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = lines.substr(at + before.size());
  return std::string{rest.substr(0, rest.find_first_of(" \n"))};
}

std::string no_answer_within(std::chrono::milliseconds timeout) {
  const auto count = timeout.count();
  const std::string time = count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
  return "did not answer within " + time;
}

ChildResult run_in_child(const std::function<std::string()>& function, std::chrono::milliseconds timeout,
                         const ChildProcess::Options& options, const std::function<std::uint64_t()>& progress) {
  auto child = ChildProcess::call([&](Outbox& out) { out.send(function()); }, options);
  if (!child) return {ChildResult::End::not_started, {}, child.error(), {}};
  // Looking costs little, and the timeout begins anew at the first look.
  const auto look = std::clamp(timeout / 10, std::chrono::milliseconds{1}, std::chrono::milliseconds{50});
  std::string output;
  std::uint64_t seen = 0;
  WatchedTime time;
  Clock::time_point moved = time.now();
  for (auto left = timeout; left.count() > 0;) {
    if (!child->read(output, std::min(left, look))) {
      const ExitStatus status = child->wait();
      if (status.clean()) return {ChildResult::End::returned, std::move(output), {}, {}};
      return {ChildResult::End::died, std::move(output), status.text(), status.kind()};
    }
    time.look();
    if (const std::uint64_t now_at = progress ? progress() : 0; now_at != seen) {
      seen = now_at;
      moved = time.now();
    }
    left = std::chrono::ceil<std::chrono::milliseconds>(moved + timeout - time.now());
  }
  child->kill();
  return {ChildResult::End::timed_out, std::move(output), no_answer_within(timeout), "timeout"};
}

std::expected<void, std::string> in_children(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<void(std::size_t, const std::string& returned, const ExitStatus&)>& done,
    const std::function<ChildrenMay()>& may, const ChildProcess::Options& options) {
  struct Running {
    std::size_t index;
    ChildProcess process;
    std::string inbox = {};
  };
  std::vector<Running> running;
  std::size_t next = 0;
  while (true) {
    const ChildrenMay now = may();
    for (; now == ChildrenMay::start && next < count && running.size() < jobs; ++next) {
      auto child = ChildProcess::call([&](Outbox& out) { out.send(work(next)); }, options);
      if (!child) return std::unexpected(child.error());
      running.push_back({next, std::move(*child)});
    }
    if (running.empty() && (now != ChildrenMay::start || next == count)) return {};
    std::erase_if(running, [&](Running& one) {
      if (now == ChildrenMay::not_run) one.process.kill();
      if (one.process.read(one.inbox)) return false;
      done(one.index, one.inbox, one.process.wait());
      return true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
}

}  // namespace lockstep
