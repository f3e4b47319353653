#include "lockstep/memcheck.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "lockstep/any_system.hpp"
#include "lockstep/child.hpp"
#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/json.hpp"
#include "lockstep/outside_program.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/scratch.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {
namespace {

constexpr int slowdown = 30;

/// Reads up to a newline, which is removed. Empty at the end of the stream.
std::optional<std::string> read_line(int socket, std::string& inbox) {
  for (std::size_t looked = 0;;) {
    if (const std::size_t end = inbox.find('\n', looked); end != std::string::npos) {
      std::string line = inbox.substr(0, end);
      inbox.erase(0, end + 1);
      return line;
    }
    looked = inbox.size();
    char block[65536];
    const ssize_t got = read(socket, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    inbox.append(block, static_cast<std::size_t>(got));
  }
}

std::vector<std::string> command_of(const std::string& valgrind, const ScratchFolder& folder) {
  return {valgrind,
          "--tool=memcheck",
          "--quiet",
          "--leak-check=full",
          "--show-leak-kinds=definite",
          "--errors-for-leak-kinds=definite",
          "--error-exitcode=99",
          "--exit-on-first-error=yes",  // so that the action in flight is the one at fault
          "--run-libc-freeres=no",
          "--run-cxx-freeres=no",
          "--vgdb=no",
          "--log-file=" + folder / "report.%p",
          std::filesystem::read_symlink("/proc/self/exe"),
          memcheck_verb};
}

}  // namespace

/// The process under valgrind.
struct Memcheck::Server {
  ScratchFolder folder;
  std::optional<ChildProcess> child;
  int socket = -1;
  std::string inbox;
  std::string report;  // file: of the process itself

  explicit Server(const std::string& valgrind) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw InternalError{"no socket"};
    socket = ends[0];
    auto started = ChildProcess::run(command_of(valgrind, folder),
                                     {.stdout_to = "/dev/null",
                                      .stderr_to = "/dev/null",
                                      .environment = {{memcheck_variable, folder.path().string()},
                                                      // Memcheck 3.19 knows no instruction of AVX-512.
                                                      {"LOCKSTEP_LEVEL", "baseline"}},
                                      .prepare = [end = ends[1]] { dup2(end, STDIN_FILENO); }});
    close(ends[1]);
    if (!started) throw InternalError{started.error()};
    child.emplace(std::move(*started));
    report = folder / ("report." + std::to_string(child->id()));
  }
  ~Server() { close(socket); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
};

namespace {

std::string valgrind_path() {
  if (memory_checker() == MemoryChecker::leak_sanitizer) {
    throw BadInput{
        "this program is built with AddressSanitizer, which valgrind cannot run: leave --memcheck out, leaks "
        "are looked for without it"};
  }
  const auto valgrind = path_of("valgrind");
  if (!valgrind) throw BadInput{"--memcheck needs valgrind, which is not installed (Debian: apt-get install valgrind)"};
  return *valgrind;
}

}  // namespace

void refuse_memcheck_without_valgrind() { valgrind_path(); }

Memcheck::Memcheck(std::chrono::milliseconds timeout)
    : timeout_{timeout}, server_{std::make_unique<Server>(valgrind_path())} {}

Memcheck::~Memcheck() = default;

Verdict Memcheck::judge(std::string_view system, std::string_view text, const std::vector<std::string>& names) {
  const nlohmann::json request{{"system", system}, {"text", text}, {"names", names}, {"timeout_ms", timeout_.count()}};
  const std::string line = dumped(request) + "\n";
  if (send_all(server_->socket, line)) {
    if (const auto answer = read_line(server_->socket, server_->inbox)) return verdict_from(*answer);
  }
  const std::string report = read_file(server_->report).value_or("");
  if (report.contains("debuginfo reader")) {
    return {
        Verdict::State::cannot_judge,
        {},
        "valgrind cannot read this program's debug information (version 3.19 cannot read that of clang 19): compile "
        "it without -g, or with -gdwarf-4"};
  }
  return {Verdict::State::cannot_judge, {}, "valgrind has ended\n" + last_words(report)};
}

MemoryJudge Memcheck::judge_of(std::string_view system) {
  return [this, system](std::string_view text, const std::vector<std::string>& names) {
    return judge(system, text, names);
  };
}

namespace {

Verdict answer_to(const nlohmann::json& request) {
  const AnySystem& system = *find_system(request.at("system").get<std::string>());
  std::vector<std::string> names = request.at("names");
  for (const auto& name : names) {
    if (!names_plugin(name)) continue;
    if (const auto loaded = system.load(name); !loaded) return {Verdict::State::cannot_judge, {}, loaded.error()};
  }
  // Here, LOCKSTEP_LEVEL hides implementations that need AVX-512.
  const auto known = system.implementations();
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(known, name, &ImplementationInfo::name) == known.end();
  });
  if (names.empty()) return {Verdict::State::cannot_judge, {}, "valgrind cannot run AVX-512"};
  const Guard guard{slowdown * std::chrono::milliseconds{request.at("timeout_ms").get<std::int64_t>()}};
  auto verdict = system.judging().memory(request.at("text").get<std::string>(), names, guard);
  return verdict ? std::move(*verdict) : Verdict{Verdict::State::cannot_judge, {}, verdict.error().message("scenario")};
}

}  // namespace

int serve_memcheck() {
  if (memory_checker() != MemoryChecker::valgrind) {
    throw BadInput{std::string{memcheck_verb} + " is started by --memcheck alone"};
  }
  std::string inbox;
  while (const auto line = read_line(STDIN_FILENO, inbox)) {
    if (!send_all(STDIN_FILENO, to_json(answer_to(nlohmann::json::parse(*line))) + "\n")) break;
  }
  return 0;
}

}  // namespace lockstep
