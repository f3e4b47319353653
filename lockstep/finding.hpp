// Messages between processes: a verdict, a finding, an explanation, each as one line of JSON with named fields.
//
// Guarded judgements, built-in workers, libFuzzer targets and the file for --resume all use these functions. report.hpp
// writes the text for people and git.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/explain.hpp"
#include "lockstep/judge.hpp"

namespace lockstep {

/// Of findings: equal for failures that look alike (judge.hpp).
using Signatures = std::set<std::string>;

/// A finding without its system's types: the name and text of its file, and its description for reports.
struct FindingText {
  std::string signature;
  std::string file_name;
  std::string text;
  std::string explanation;
  Divergence divergence = {};
  bool minimal = false;
  bool hidden_state = false;
  /// The scenario did not fail alone: the failure depends on what the process did before, or on chance.
  bool unstable = false;
  std::size_t actions_before = 0;  // before shrinking
  std::size_t actions = 0;
  std::uint64_t judgements = 0;
  std::string engine = {};  // the engine that found it; empty outside a campaign
  /// In a campaign: how long it had run, and how many scenarios all engines had judged.
  double seconds = 0;
  std::uint64_t scenarios = 0;
};

/// One line, without a newline. Bytes that are not UTF-8 are replaced, because an implementation may return any bytes.
std::string to_json(const Verdict& verdict);
std::string to_json(const FindingText& finding);
std::string to_json(const Explanation& explanation);

/// Reads the output of to_json. Throws InternalError for any other text.
Verdict verdict_from(std::string_view json);
FindingText finding_from(std::string_view json);
Explanation explanation_from(std::string_view json);

/// Removes and returns the findings of a stream of lines. An incomplete last line stays in the stream.
std::vector<FindingText> take_findings(std::string& stream);

}  // namespace lockstep
