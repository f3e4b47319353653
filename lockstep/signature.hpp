// The signature of a finding, taken apart. Divergence::signature() writes it:
//
//   roaring library crash remove_many signal 6
//   SYSTEM IMPLEMENTATION KIND ACTION DETAIL, and "unstable" at the end if the failure does not repeat
#pragma once

#include <string_view>

namespace lockstep {

/// Views of the signature; all empty if the text does not have this form.
struct SignatureParts {
  std::string_view system = {};
  std::string_view implementation = {};  // a plugin's name may have blanks
  std::string_view kind = {};            // of a difference (judge.hpp), stopped_by_engine or not_shrunk
  std::string_view action = {};
  std::string_view detail = {};  // what differs, or how a process ended ("signal 6")
  bool unstable = false;
};
SignatureParts parts_of(std::string_view signature);

/// The kind in the signature of a fuzz target that its engine stopped, for example for a sanitizer's report.
inline constexpr std::string_view stopped_by_engine = "engine";

/// The kind of an exploration's difference that was not shrunk: SYSTEM all unshrunk HASH.
inline constexpr std::string_view not_shrunk = "unshrunk";

}  // namespace lockstep
