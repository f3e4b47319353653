// Messages between processes: a verdict, a finding, an explanation, a fault, each as one line of JSON with named fields.
//
// Guarded judgements, built-in workers, libFuzzer targets and the file for --resume all use these functions. report.hpp
// writes the text for people and git.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/judge/judge.hpp"
#include "lockstep/shrink/explain.hpp"

namespace lockstep {

/// A failure, with its scenario as text: what is told between processes and kept in state files. finding_text() (report.hpp)
/// writes the file for people and git.
struct Finding {
  std::string signature;
  std::string file_name;
  std::vector<std::string> implementations = {};  // those that were judged, the reference first
  std::string scenario = {};                      // its text, without comments
  std::string explanation = {};                   // what differs, and where
  Divergence divergence = {};
  bool minimal = false;
  bool hidden_state = false;
  std::string restated = {};  // with hidden state: the text of the position before the failing step, and of that step
  /// The scenario did not fail alone: the failure depends on what the process did before, or on chance.
  bool unstable = false;
  std::string why = {};            // of an unstable one: what it depends on. Else, if not empty: why it was not shrunk
  std::size_t actions_before = 0;  // before shrinking
  std::size_t actions = 0;
  std::uint64_t judgements = 0;
  std::uint64_t wider = 0;  // of these, in the last wider search (shrink.hpp), which found nothing smaller
  double shrinking_seconds = 0;
  std::string engine = {};  // the engine that found it; empty outside a campaign
  /// In a campaign: how long it had run, and how many scenarios all engines had judged.
  double seconds = 0;
  std::uint64_t scenarios = 0;

  /// This one is what shrinking an earlier one further has led to.
  void shrunk_from(const Finding& earlier) {
    actions_before = earlier.actions_before;
    judgements += earlier.judgements;
    shrinking_seconds += earlier.shrinking_seconds;
    engine = earlier.engine;
    seconds = earlier.seconds;
    scenarios = earlier.scenarios;
  }
};

/// One line, without a newline. Bytes that are not UTF-8 are replaced, because an implementation may return any bytes.
std::string to_json(const Verdict& verdict);
std::string to_json(const Finding& finding);
std::string to_json(const Explanation& explanation);

/// Reads the output of to_json. Throws InternalError for any other text.
Verdict verdict_from(std::string_view json);
Finding finding_from(std::string_view json);
Explanation explanation_from(std::string_view json);

/// What a process that looks for findings tells the one that started it.
struct Messages {
  std::vector<Finding> findings = {};
  std::vector<std::string> faults = {};  // what went wrong in it, for people
};

/// Removes and returns the messages of a stream of lines. An incomplete last line stays in the stream.
Messages take_messages(std::string& stream);

/// A line that says what went wrong in this process.
std::string fault_to_json(std::string_view what);

}  // namespace lockstep
