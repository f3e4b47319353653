#include "lockstep/memory.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <span>

#include "lockstep/child.hpp"
#include "lockstep/files.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/stats.hpp"

// Null in a build without LeakSanitizer.
extern "C" [[gnu::weak]] int __lsan_do_recoverable_leak_check();  // NOLINT(bugprone-reserved-identifier)

namespace lockstep {
namespace {

/// How many functions of a stack a finding shows, and how much of their names.
constexpr std::size_t functions_max = 6;
constexpr std::size_t length_max = 160;

/// A line of a report, without the process number in front.
std::string_view bare(std::string_view line) {
  if (line.starts_with("==")) line.remove_prefix(std::min(line.find_first_not_of("=0123456789"), line.size()));
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

/// The function of a stack frame: "   by 0x1091E8: leaky(int) (in /usr/bin/x)" or "  #1 0x55d0 in leaky(int) /x.cpp:1:2".
/// Empty: the line is no frame. Without a name: the file, for LeakSanitizer with the offset in it ("x+0x12").
std::string function_of(std::string_view line) {
  line = bare(line);
  const bool valgrind = line.starts_with("at 0x") || line.starts_with("by 0x");
  if (!valgrind && !(line.starts_with('#') && line.contains(" 0x"))) return {};
  const std::string_view before = valgrind ? ": " : " in ";
  const std::size_t at = line.find(before);
  const std::size_t file = line.rfind(valgrind ? " (" : "(/");
  if (at != std::string_view::npos && !line.substr(at + before.size()).starts_with("???")) {
    const std::string_view name = line.substr(at + before.size());
    // The place follows: " (FILE:LINE)", " (in FILE)", " /FILE:LINE:COLUMN" or " (/FILE+0xOFFSET)".
    const std::size_t place = valgrind ? name.rfind(" (") : std::min(name.find(" /"), name.find(" (/"));
    return std::string{name.substr(0, place)};
  }
  if (file == std::string_view::npos) return "?";
  const std::string_view name = line.substr(0, line.find(')', file));
  return std::string{name.substr(name.rfind('/') + 1)};
}

/// Functions that allocate, copy or free for others: their callers are named.
bool serves(std::string_view line, std::string_view function) {
  constexpr std::array<std::string_view, 14> names = {
      "malloc", "calloc",         "realloc", "reallocarray", "free",     "memalign",     "aligned_alloc",
      "valloc", "posix_memalign", "strdup",  "strndup",      "__strdup", "operator new", "operator delete"};
  const auto begins = [&](std::string_view name) {
    return function.starts_with(name) &&
           (function.size() == name.size() || std::string_view{"([ "}.contains(function[name.size()]));
  };
  return line.contains("/vgpreload_") || function.starts_with("__interceptor_") || function.contains("__gnu_cxx::") ||
         function.starts_with("std::") || function.starts_with("_ZNSt") ||
         function.substr(0, function.find_first_of("(<")).contains(" std::") || std::ranges::any_of(names, begins);
}

/// LeakSanitizer's word for a block to which another lost block points.
bool is_indirect(std::string_view heading) { return heading.starts_with("Indirect leak"); }

/// What an error is called: "invalid read" for "Invalid read of size 4".
std::string kind_of(std::string_view heading) {
  if (heading.contains("definitely lost") || heading.starts_with("Direct leak") || is_indirect(heading)) return "leak";
  if (heading.contains("uninitialised")) return "use of uninitialised value";
  heading = heading.substr(0, heading.find(" of size "));
  heading = heading.substr(0, heading.find_first_of("(:0123456789"));
  while (heading.ends_with(' ')) heading.remove_suffix(1);
  std::string out{heading};
  if (!out.empty()) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

/// Whether this line before a stack is the heading of an error.
bool is_error(std::string_view heading) {
  return !heading.starts_with("Process terminating") && !heading.starts_with("valgrind: ");
}

/// The lines of a report from an error's heading on, up to an empty line.
MemoryError error_of(std::span<const std::string_view> lines) {
  MemoryError out{.what = kind_of(bare(lines[0])), .where = {}, .lines = {}};
  const std::string heading = steady(lines[0].substr(0, lines[0].find(" in loss record")));
  out.lines = heading.substr(heading.find_first_not_of(' ')) + "\n";
  const std::size_t wanted = out.leak() ? 2 : 1;
  std::size_t named = 0;
  for (const std::string_view line : lines.subspan(1)) {
    const std::string function = function_of(line);
    if (function.empty() || named == functions_max) break;  // another stack follows, of the memory's allocation
    if (named >= wanted && function.contains("lockstep")) break;
    if (serves(line, function)) continue;
    if (named < wanted) out.where += (named == 0 ? "" : ", called by ") + function;
    out.lines += (named == 0 ? "  in " : "  by ") + function.substr(0, length_max) + "\n";
    ++named;
  }
  if (named == 0) out.where = function_of(lines[1]);
  // The answers are read by this library, as text.
  if (out.what.starts_with("use of uninit") && out.where.contains("lockstep::")) out.where = "an answer";
  return out;
}

std::filesystem::path memcheck_folder() {
  const char* const folder = std::getenv(memcheck_variable);
  return folder == nullptr ? "" : folder;
}

/// What a child process did: its result, its process, and what a checker reports of it.
struct Checked {
  ChildResult result;
  std::string report;
  std::size_t implementation = 0;
  std::size_t step = 0;
};

Checked checked(const MemoryCheck& check, std::size_t first, std::size_t last, std::chrono::milliseconds timeout) {
  const SharedStats stats = share_stats();
  const ErrorOutput errors;
  Checked out;
  out.result = run_in_child(
      [&] {
        stats->current.store(static_cast<std::uint64_t>(getpid()));
        for (std::size_t i = first; i < last; ++i) {
          stats->progress.implementation = static_cast<std::uint32_t>(i);
          check.run(i, stats->progress.step);
        }
        return std::string{leaks_memory() ? "leak" : ""};
      },
      timeout, errors.options(), [&] { return heartbeat_of(*stats); });
  out.report = errors.text();
  out.implementation = stats->progress.implementation;
  out.step = stats->progress.step;
  if (memory_checker() == MemoryChecker::valgrind) {
    const auto file = memcheck_folder() / ("report." + std::to_string(stats->current.load()));
    out.report = read_file(file).value_or("");
    std::error_code none;
    std::filesystem::remove(file, none);
  }
  return out;
}

/// Whether the checker itself failed: memcheck 3.19 knows no instruction of AVX-512, and LeakSanitizer needs ptrace.
bool cannot_check(const Checked& run) {
  return (memory_checker() == MemoryChecker::valgrind && run.result.kind == "signal " + std::to_string(SIGILL)) ||
         run.report.contains("LeakSanitizer has encountered a fatal error");
}

Divergence divergence_of(const MemoryCheck& check, const Checked& run, const MemoryError& error) {
  Divergence out = check.at(run.implementation, run.step);
  out.kind = DivergenceKind::memory;
  out.field = error.what + " in " + error.where;
  out.actual = error.leak() ? "leaks memory that was allocated in " + error.where : "has a memory error: " + out.field;
  out.last_words = error.lines;
  if (error.leak()) out.action = at_the_end;
  return out;
}

}  // namespace

MemoryChecker memory_checker() {
  if (std::getenv(memcheck_variable) != nullptr) return MemoryChecker::valgrind;
  return __lsan_do_recoverable_leak_check != nullptr ? MemoryChecker::leak_sanitizer : MemoryChecker::none;
}

bool leaks_memory() { return __lsan_do_recoverable_leak_check != nullptr && __lsan_do_recoverable_leak_check() != 0; }

std::vector<MemoryError> memory_errors_in(std::string_view report) {
  std::vector<MemoryError> out;
  std::vector<MemoryError> indirect;
  std::vector<std::string_view> lines;
  const auto end_of_paragraph = [&] {
    // The heading of an error is the line before its first frame. Warnings of valgrind have no frames.
    const auto frame = std::ranges::find_if(lines, [](std::string_view line) { return !function_of(line).empty(); });
    if (frame != lines.end() && frame != lines.begin() && is_error(bare(*(frame - 1)))) {
      (is_indirect(bare(*(frame - 1))) ? indirect : out).push_back(error_of({frame - 1, lines.end()}));
    }
    lines.clear();
  };
  while (!report.empty()) {
    const std::string_view line = take_line(report);
    if (bare(line).empty()) end_of_paragraph();
    else lines.push_back(line);
  }
  end_of_paragraph();
  // What is lost with another block is no leak of its own. Blocks that point to each other in a circle are all indirect.
  if (out.empty() && !indirect.empty()) out.push_back(std::move(indirect.front()));
  return out;
}

Verdict memory_verdict(const MemoryCheck& check, std::chrono::milliseconds timeout) {
  const bool valgrind = memory_checker() == MemoryChecker::valgrind;
  bool leaks = false;
  // First all of them: this run tells whether there is anything to look for. Then one by one.
  for (std::size_t run = 0; run == 0 || (leaks && run <= check.implementations); ++run) {
    const bool all = run == 0;
    const Checked out = checked(check, all ? 0 : run - 1, all ? check.implementations : run, timeout);
    bool reported = false;
    for (const MemoryError& error : memory_errors_in(out.report)) {
      if (!valgrind && !error.leak()) continue;  // AddressSanitizer has ended the process
      reported = true;
      leaks = leaks || error.leak();
      if (all && error.leak() && check.implementations > 1) continue;  // the implementation that leaks is not known yet
      Divergence d = divergence_of(check, out, error);
      if (!check.counts || check.counts(d)) return {Verdict::State::diverged, std::move(d), {}};
    }
    if (!reported && out.result.output == "leak") {
      return {Verdict::State::cannot_judge, {}, "LeakSanitizer found a leak, and its report cannot be read"};
    }
    if (reported || out.result.end == ChildResult::End::returned) continue;
    const std::string reason = out.result.reason + (valgrind ? " under valgrind" : "");
    if (out.result.end != ChildResult::End::died || cannot_check(out)) {
      return {Verdict::State::cannot_judge, {}, "the memory cannot be checked: an implementation " + reason};
    }
    Divergence d = check.at(out.implementation, out.step);
    note_death(d, false, out.result.kind, reason, out.report);
    return {Verdict::State::diverged, std::move(d), {}};
  }
  if (leaks && !check.counts) return {Verdict::State::cannot_judge, {}, "a leak did not show a second time"};
  return {};
}

}  // namespace lockstep
