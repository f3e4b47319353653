// SARIF 2.1.0, as code hosts and editors read the results of analyses.
//
// A result is a finding: its rule is the kind of divergence, its place is the source file of the implementation that is
// blamed, and its fingerprint is the signature, so that a host shows a finding of many runs once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/services/finding.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

struct SarifResult {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;  // that were judged, the reference first
  Finding finding;
  std::string file;  // the scenario; "": it is in no file; "-": it was read from standard input
  std::string text;  // of that file

  /// One line, with both values.
  std::string message() const;
  /// The command that judges it again.
  std::string replay() const;
};

struct SarifRun {
  std::string_view verb;
  std::vector<SarifResult> results = {};
  std::vector<std::string> errors = {};  // why something was not judged
  int exit_code = 0;
};

std::string sarif_text(const SarifRun& run);

/// A path as part of an address: all but letters, digits and some marks as %XX.
std::string percent_encoded(std::string_view path);

/// A source file as a host names it: from the root of its repository (the nearest folder above it with a .git), else
/// from the current folder; as a file: URI if it is outside. Relative paths of compilers begin in an unknown folder of
/// the repository: they are looked up in the current one, else taken to begin at the root.
std::string source_uri(const std::string& file);

}  // namespace lockstep
