// Decides one claim.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "proof/claim.hpp"
#include "proof/program.hpp"

namespace lockstep::proof {

enum class Answer {
  proved,       // for every input that meets the invariant, the kernel is defined and equals the specification
  refuted,      // there is an input for which it does not
  not_covered,  // nothing is known: the reason says why
};
constexpr std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::proved: return "proved";
    case Answer::refuted: return "refuted";
    case Answer::not_covered: return "not covered";
  }
  return "?";
}

struct Result {
  Answer answer = Answer::not_covered;
  std::string reason = {};            // unless proved: what is wrong, or not known
  Place place = {};                   // of the reason, if it has one
  std::vector<std::byte> input = {};  // refuted: the counterexample
  bool lawful = false;                // a scenario can have this input
  bool differs = false;               // the results differ, also of the compiled code; else the kernel is undefined
  bool reduced = false;               // there is no smaller counterexample

  std::size_t nodes = 0;
  int variables = 0;
  std::size_t clauses = 0;
  std::string hash = {};  // of the clauses and questions
  double seconds = 0;
  /// Of the simulators' files: lines whose code the kernel executed, and all lines with code.
  std::map<std::string, std::set<unsigned>> covered = {};
  std::map<std::string, std::set<unsigned>> with_code = {};
  std::vector<std::string> unreached = {};  // branches of the kernel that no input takes
};

/// Never throws because of the claim or its bitcode. `confirm`: by the second solver.
Result prove(const Claim& claim, double seconds_max, bool confirm = false);

/// The same with the kernel of another program, which has no compiled code: a changed one. Says whether it equals the
/// claim's specification; all its branches need not be taken.
Result prove_changed(const Claim& claim, std::shared_ptr<Program> changed, double seconds_max);

}  // namespace lockstep::proof
