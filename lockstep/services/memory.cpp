#include "lockstep/services/memory.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "lockstep/base/lines.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/report.hpp"

// Null in a build without LeakSanitizer.
extern "C" [[gnu::weak]] int __lsan_do_recoverable_leak_check();  // NOLINT(bugprone-reserved-identifier)

namespace lockstep {
namespace {

/// How many functions of a stack a finding shows, and how much of their names.
constexpr std::size_t functions_max = 6;
constexpr std::size_t length_max = 160;

/// The function of a stack frame: "  #1 0x55d0 in leaky(int) /x.cpp:1:2". Empty: the line is no frame. Without a name: the
/// file, with the offset in it ("x+0x12").
std::string function_of(std::string_view line) {
  line = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.starts_with('#') || !line.contains(" 0x")) return {};
  constexpr std::string_view before = " in ";
  if (const std::size_t at = line.find(before); at != std::string_view::npos) {
    const std::string_view name = line.substr(at + before.size());
    // The place follows: " /FILE:LINE:COLUMN" or " (/FILE+0xOFFSET)".
    return std::string{name.substr(0, std::min(name.find(" /"), name.find(" (/")))};
  }
  const std::size_t file = line.rfind("(/");
  if (file == std::string_view::npos) return "?";
  const std::string_view name = line.substr(0, line.find(')', file));
  return std::string{name.substr(name.rfind('/') + 1)};
}

/// Functions that allocate, copy or free for others: their callers are named.
bool serves(std::string_view function) {
  constexpr std::array<std::string_view, 14> names = {
      "malloc", "calloc",         "realloc", "reallocarray", "free",     "memalign",     "aligned_alloc",
      "valloc", "posix_memalign", "strdup",  "strndup",      "__strdup", "operator new", "operator delete"};
  const auto begins = [&](std::string_view name) {
    return function.starts_with(name) &&
           (function.size() == name.size() || std::string_view{"([ "}.contains(function[name.size()]));
  };
  return function.starts_with("__interceptor_") || function.contains("__gnu_cxx::") || function.starts_with("std::") ||
         function.starts_with("_ZNSt") || function.substr(0, function.find_first_of("(<")).contains(" std::") ||
         std::ranges::any_of(names, begins);
}

/// LeakSanitizer's words for a lost block, and for one to which another lost block points.
constexpr std::string_view direct_leak = "Direct leak";
constexpr std::string_view indirect_leak = "Indirect leak";

/// The lines of a report from a heading on, up to an empty line.
Leak leak_of(std::span<const std::string_view> lines) {
  Leak out{.where = {}, .lines = steady(lines[0]) + "\n"};
  constexpr std::size_t wanted = 2;
  std::size_t named = 0;
  for (const std::string_view line : lines.subspan(1)) {
    const std::string function = function_of(line);
    if (function.empty() || named == functions_max) break;
    if (named >= wanted && function.contains("lockstep")) break;
    if (serves(function)) continue;
    if (named < wanted) out.where += (named == 0 ? "" : ", called by ") + function;
    out.lines += (named == 0 ? "  in " : "  by ") + function.substr(0, length_max) + "\n";
    ++named;
  }
  if (named == 0) out.where = function_of(lines[1]);
  return out;
}

/// What a child process did: its result, its error output, and where it was.
struct Checked {
  ChildResult result;
  std::string report;
  std::size_t implementation;
  std::size_t step;
};

/// Runs the implementations from number `first` on before `last`.
Checked checked(std::span<const Runner> implementations, std::span<const AnyScenario> scenarios, std::size_t first,
                std::size_t last, int times, std::chrono::milliseconds timeout) {
  const SharedStats stats = share_stats();
  const ErrorOutput errors;
  const auto run = [&](const Runner& implementation) {
    for (const AnyScenario& scenario : scenarios) {
      AnyTrace trace = scenario.vocabulary().trace();
      trace.head().progress = &stats->progress.step;
      implementation.run(scenario, Cadence{}, trace);
    }
  };
  ChildResult result = run_in_child(
      [&] {
        for (std::size_t i = first; i < last; ++i) {
          stats->progress.implementation = static_cast<std::uint32_t>(i);
          for (int time = 0; time < times; ++time) run(implementations[i]);
        }
        return std::string{leaks_memory() ? "leak" : ""};
      },
      timeout, errors.options(), [&] { return heartbeat_of(*stats); });
  return {std::move(result), errors.text(), stats->progress.implementation, stats->progress.step};
}

}  // namespace

bool checks_leaks() { return __lsan_do_recoverable_leak_check != nullptr; }

bool leaks_memory() { return checks_leaks() && __lsan_do_recoverable_leak_check() != 0; }

std::vector<Leak> leaks_in(std::string_view report) {
  std::vector<Leak> out;
  std::optional<Leak> indirect;
  std::vector<std::string_view> lines;  // of one leak
  const auto end_of_leak = [&] {
    if (lines.size() > 1 && lines[0].starts_with(direct_leak)) out.push_back(leak_of(lines));
    if (lines.size() > 1 && lines[0].starts_with(indirect_leak) && !indirect) indirect = leak_of(lines);
    lines.clear();
  };
  while (!report.empty()) {
    const std::string_view line = take_line(report);
    const bool heading = line.starts_with(direct_leak) || line.starts_with(indirect_leak);
    if (line.empty() || heading) end_of_leak();
    if (heading || !lines.empty()) lines.push_back(line);
  }
  end_of_leak();
  // What is lost with another block is no leak of its own. Blocks that point to each other in a circle are all indirect.
  if (out.empty() && indirect) out.push_back(std::move(*indirect));
  return out;
}

Verdict memory_verdict(std::span<const Runner> implementations, std::span<const AnyScenario> scenarios,
                       std::chrono::milliseconds timeout, const std::function<bool(const Divergence&)>& counts) {
  bool leaks = false;
  // First all of them, each twice: this run tells whether there is anything to look for. A number that equals the address of
  // a lost block hides it, such as what an earlier call has left on the stack, but not also the block of a second run. Then
  // one by one, which tells the implementation and the size of the leak. Then each twice.
  const std::size_t count = implementations.size();
  for (std::size_t run = 0; run == 0 || (leaks && run <= 2 * count); ++run) {
    const bool all = run == 0;
    const std::size_t only = all ? 0 : (run - 1) % count;
    const Checked out =
        checked(implementations, scenarios, only, all ? count : only + 1, all || run > count ? 2 : 1, timeout);
    const auto at = [&] { return death_at(implementations, scenarios.back(), out.implementation, out.step); };
    const auto found = leaks_in(out.report);
    leaks = leaks || !found.empty();
    for (const Leak& leak : found) {
      if (all) break;
      Divergence d = at();
      d.kind = DivergenceKind::memory;
      d.action = at_the_end;
      d.field = "leak in " + leak.where;
      d.actual = "leaks memory that was allocated in " + leak.where;
      d.last_words = leak.lines;
      if (!counts || counts(d)) return {Verdict::State::diverged, std::move(d), {}};
    }
    if (found.empty() && out.result.output == "leak") {
      return {Verdict::State::cannot_judge, {}, "LeakSanitizer found a leak, and its report cannot be read"};
    }
    if (!found.empty() || out.result.end == ChildResult::End::returned) continue;
    // LeakSanitizer needs ptrace.
    const bool cannot_check = out.report.contains("LeakSanitizer has encountered a fatal error");
    if (out.result.end != ChildResult::End::died || cannot_check) {
      return {Verdict::State::cannot_judge, {}, "the memory cannot be checked: an implementation " + out.result.reason};
    }
    Divergence d = at();
    note_death(d, false, out.result.kind, out.result.reason, out.report);
    return {Verdict::State::diverged, std::move(d), {}};
  }
  if (leaks && !counts) return {Verdict::State::cannot_judge, {}, "a leak did not show a second time"};
  return {};
}

}  // namespace lockstep
