// Known mistakes of implementations, which a campaign counts and does not report: the file of `fuzz --ignore`.
//
//   # One a line: a signature, or the word "scenario" and a file beside this one; then " # ", a reason and a link.
//   roaring library crash remove_many signal 6 # frees what a copy uses: https://example.org/issues/1
//   scenario known/remove_many.txt # the same: signatures may change as shrinking gets better
//
// A scenario is judged before the search. What it fails with is ignored; one that no longer fails is reported as mended.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

struct KnownMistake {
  std::string signature;           // or empty:
  std::filesystem::path scenario;  // a file
  std::string reason;
};

/// BadInput if the file cannot be read, or a line has no reason.
std::vector<KnownMistake> read_known_mistakes(const std::filesystem::path& file);

}  // namespace lockstep
