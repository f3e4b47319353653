// The signature of a finding: what Divergence::signature() says, and the conditions that the failure needs.
//
//   roaring library crash remove_many signal 6
//   fix fast observation call returned if type=g|h text=some
//   SYSTEM IMPLEMENTATION KIND ACTION DETAIL, conditions, and "unstable" at the end if the failure does not repeat
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lockstep {

struct Divergence;

/// Views of the signature; all empty if the text does not have this form.
struct SignatureParts {
  std::string_view system = {};
  std::string_view implementation = {};  // a plugin's name may have blanks
  std::string_view kind = {};            // of a difference (judge.hpp), or stopped_by_engine
  std::string_view action = {};
  std::string_view detail = {};      // what differs, or how a process ended ("signal 6")
  std::string_view conditions = {};  // "type=g|h text=some" (conditions.hpp)
  bool unstable = false;
};
SignatureParts parts_of(std::string_view signature);

/// "type=g|h text=some": the values of each name.
using ConditionValues = std::map<std::string, std::set<std::string>>;
ConditionValues parse_conditions(std::string_view conditions);

/// What stands before the conditions of a signature.
inline constexpr std::string_view before_conditions = " if ";

/// Whether a signature, without its conditions, says what a failure looks like.
bool look_alike(std::string_view signature, const Divergence& divergence);

/// Whether a failure falls under a signature: it looks alike, and its action has the conditions.
bool covers(std::string_view signature, const Divergence& divergence);

/// Of findings and known mistakes.
using Signatures = std::set<std::string>;

/// The first signature that covers a failure; empty: none.
std::string known_as(const Signatures& known, const Divergence& divergence);

/// The kind in the signature of a fuzz target that its engine stopped, for example for a sanitizer's report.
inline constexpr std::string_view stopped_by_engine = "engine";

}  // namespace lockstep
