// replay --gdb: a debugger stops before the wrong step of the blamed implementation.
//
// This process becomes the debugger, after it has forked one that runs that implementation alone on the scenario, and waits
// to be let go. A run writes the number of each action before its step (TraceHead::progress): the debugger watches that
// number.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "lockstep/system/implementations.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

volatile std::uint32_t action = ~std::uint32_t{0};
volatile bool waits = true;

/// A variable as gdb reads it without debug information.
std::string variable(std::string_view type, const volatile void* place) {
  return fmt::format("*({}*){:#x}", type, reinterpret_cast<std::uintptr_t>(place));
}

[[noreturn]] void run_alone(const Runner& runner, const AnyScenario& scenario) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the debugger may end at once
  while (waits) ::usleep(1'000);
  AnyTrace trace = scenario.vocabulary().trace();
  trace.head().progress = &action;
  runner.run(scenario, Cadence{}, trace);
  ::_exit(0);
}

}  // namespace

void debug_step(const LoadedScenario& loaded, const Divergence& divergence) {
  const Vocabulary& system = loaded.system->vocabulary();
  const Runner runner =
      divergence.blamed == "all" ? reference_of(system) : implementation_named(system, divergence.blamed);
  const std::size_t number = divergence.step == 0 ? 0 : divergence.step - 1;
  const pid_t child = ::fork();
  if (child < 0) throw InternalError{fmt::format("no process for --gdb: {}", std::strerror(errno))};
  if (child == 0) run_alone(runner, loaded.scenario);
  const std::string watched = variable("unsigned", &action);
  const std::vector<std::string> words{
      "gdb", "-q", "-p", std::to_string(child), "-ex", fmt::format("awatch {0} if {0} == {1}", watched, number), "-ex",
      // The first action's number is written twice: before the constructor, too.
      fmt::format("ignore $bpnum {}", divergence.step == 1 ? 1 : 0), "-ex",
      "set var " + variable("unsigned char", &waits) + " = 0", "-ex", "continue", "-ex",
      fmt::format("echo \\nNext, {} answers '{}' (action {}): set a breakpoint, and continue.\\n", runner.name,
                  divergence.action, divergence.step)};
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // execvp changes none
  arguments.push_back(nullptr);
  ::execvp("gdb", arguments.data());
  const std::string why = std::strerror(errno);
  ::kill(child, SIGKILL);
  throw BadInput{"--gdb: gdb cannot be started: " + why};
}

}  // namespace lockstep
