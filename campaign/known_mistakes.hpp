// Known mistakes of implementations, which a campaign counts and does not report: the file of `fuzz --ignore`.
//
//   # One a line: a signature, or the word "scenario" and a file beside this one; then " # ", a reason and a link.
//   roaring library crash remove_many signal 6 # frees what a copy uses: https://example.org/issues/1
//   scenario known/remove_many.txt # the same: signatures may change as shrinking gets better
//
// A scenario is judged before the search. What it fails with is ignored; one that no longer fails is reported as mended.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lockstep/base/guard.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// One line of the file.
struct KnownMistake {
  std::string signature;           // empty: the line names a scenario
  std::filesystem::path scenario;  // its file; empty: the line names a signature
  std::string text;                // of that file
  std::string reason;
};

/// BadInput, with the file's line, if the file cannot be read, if a line has no reason or is no signature, or if a scenario
/// cannot be read or is damaged (one of a system that is not registered is not judged, so only its head is read).
std::vector<KnownMistake> read_known_mistakes(const std::filesystem::path& file);

/// What a file of known mistakes says of a system and the implementations that are judged.
struct IgnoredMistakes {
  Signatures signatures;  // those in the file, and what its scenarios fail with
  /// Of the signatures that can show for these implementations: whether a scenario of the file fails with it.
  std::map<std::string, bool> showed;
  std::set<std::string> mended;  // scenarios that no longer fail, with their reasons
};

/// Judges the scenarios. Those of other systems and of implementations that are not judged are left out; findings of
/// memory and unstable ones are known by the signature in their file.
IgnoredMistakes ignored_mistakes(const std::filesystem::path& file, const AnySystem& system,
                                 const std::vector<std::string>& implementations, Guard guard);

}  // namespace lockstep
