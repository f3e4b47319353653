// Faults of what an engine calls (a fuzz target, AFL++'s mutator): exceptions of the system's own parts (suggestions,
// features) or of the library. What an implementation throws is an answer (trace.hpp), so such a fault blames no
// implementation.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lockstep/describe/trace.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/services/finding.hpp"

namespace lockstep {

/// Prints the fault. For a campaign, also writes it to the file of LOCKSTEP_FINDINGS_JSON, in place of what is there.
inline void note_fault(std::string_view system, const std::string& exception) {
  const char* const json = std::getenv("LOCKSTEP_FINDINGS_JSON");
  if (json != nullptr && *json != '\0') static_cast<void>(write_file(json, fault_to_json(exception) + "\n"));
  std::fprintf(stderr, "FAULT in %s: an exception that no implementation threw: %s\n", std::string{system}.c_str(),
               exception.c_str());
}

/// Runs a part of what an engine calls: no exception may reach the engine. After one, calls `end` with its text, and
/// aborts if that returns.
auto run_guarded(const auto& run, const auto& end) {
  try {
    return run();
  } catch (...) {
    end(exception_text(current_exception_thrown()));
    std::abort();
  }
}

}  // namespace lockstep
