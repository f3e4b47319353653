// What one process tells another: a verdict, a finding, an explanation, each as one line of JSON with named fields.
//
// Guarded judgements, built-in workers, libFuzzer targets and the file for --resume all use these functions; the text
// that people read and git keeps is written in report.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/explain.hpp"
#include "lockstep/judge.hpp"

namespace lockstep {

/// A finding without its system's types: the name and text of its file, and what a report says about it.
struct FindingText {
  std::string signature;
  std::string file_name;
  std::string text;
  std::string explanation;
  bool minimal = false;
  bool hidden_state = false;
  std::size_t actions_before = 0;  // before shrinking
  std::size_t actions = 0;
  std::uint64_t judgements = 0;
  std::string engine = {};  // the engine that found it; empty when none was running
};

/// One line, without its end. Bytes that are not UTF-8 are replaced, because implementations may answer anything.
std::string to_json(const Verdict& verdict);
std::string to_json(const FindingText& finding);
std::string to_json(const Explanation& explanation);

/// What to_json wrote; InternalError for anything else.
Verdict verdict_from(std::string_view json);
FindingText finding_from(std::string_view json);
Explanation explanation_from(std::string_view json);

/// Takes the findings out of a stream of lines. A last line without an end stays: its writer died, or is not done.
std::vector<FindingText> take_findings(std::string& stream);

}  // namespace lockstep
