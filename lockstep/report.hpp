// Reports for people: the text of a finding, and the report around it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/finding.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/scenario.hpp"
#include "lockstep/shrink.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

/// The file of a finding: SYSTEM-HASH.txt. The hash is that of `name`: the signature, or the text where findings share
/// their signature.
std::string finding_file_name(std::string_view system, std::string_view name);

/// The finding of a scenario that was shrunk, or kept as it is. `actions_before`: its length before. `unstable`: lines that
/// say how the failure depends on more than the scenario; empty if it does not.
Finding finding_of(const Shrunk& shrunk, const std::vector<std::string>& implementations, std::size_t actions_before,
                   std::string unstable = {});

/// A scenario on which an implementation gives two results. It is not shrunk: each scenario may fail so, sometimes.
Shrunk nondeterministic(const AnyScenario& scenario, std::string_view implementation);

/// Shrinks a scenario that did not agree. One that failed, and does not fail alike each time, blames no implementation
/// but the one that wavers (`wavers`: finds it), or that died.
Shrunk shrunk_or_kept(
    const AnyScenario& scenario, const Verdict& verdict, const Shrinker& shrinker,
    const std::function<std::string(const AnyScenario&)>& wavers = [](const AnyScenario&) {
      return std::string{some_implementation};
    });

/// The divergence of an implementation that died or hung while it did the action `in_flight`.
Divergence death_at(std::span<const Runner> implementations, const AnyScenario& scenario, std::size_t implementation,
                    std::size_t in_flight);

/// Notes in the divergence what a sanitizer calls the error by which it stopped the implementation.
void note_sanitizer(Divergence& d, std::string_view sanitizer, std::string_view error);

/// "step 3 of 7 (drop column=4): bit_planes differs in the observation's points: expected 6, got 5"
std::string describe_divergence(const AnyScenario& scenario, const Divergence& d);

/// The text with `beginning` in front of every line.
std::string indented(std::string_view text, std::string_view beginning);

/// The heading of a finding. A failure with hidden state has a heading of its own.
constexpr std::string_view verdict_word(bool hidden_state) { return hidden_state ? "HIDDEN STATE" : "DIVERGENCE"; }

/// What the comments of a finding's text begin with, each on a line of its own behind "# ".
namespace comment_key {
inline constexpr std::string_view signature = "signature: ";
inline constexpr std::string_view implementations = "simulators: ";
inline constexpr std::string_view minimal = "minimal: ";  // this and the next three: how its shrinking ended
inline constexpr std::string_view budget_spent = "budget spent: ";
inline constexpr std::string_view unstable = "unstable: ";
inline constexpr std::string_view not_shrunk = "not shrunk: ";
inline constexpr std::string_view hidden_state = "hidden state: ";
}  // namespace comment_key

/// The file that `replay` reads: comments describe the finding, the scenario is data.
std::string finding_text(const Finding& finding);

/// The text with these lines below its first one.
std::string with_comments(std::string_view text, std::string_view lines);

/// The kinds of actions that the scenario has.
ActionKinds kinds_in(const AnyScenario& scenario);

/// Whether the text of a finding says that it has another cause than an earlier one with its signature.
bool is_of_other_cause(std::string_view finding_text);

/// Why a finding is unstable that nothing repeats.
inline constexpr std::string_view not_again =
    "the scenario did not fail again, neither alone nor after those that the process had judged before";

/// Why nothing is judged any more (JudgeProgress::forked).
std::string forked_text(std::string_view implementation);

/// A finding that was thought to be stable, and did not fail again.
Finding as_unstable(Finding finding);

/// The path as a shell word, quoted if necessary.
std::string shell_word(std::string_view path);

/// The command that judges a finding again. `program`: how the user calls the program. A file's comments select
/// implementations but never load a plugin, so the command names plugins. A finding that could not be written has no file
/// (""): then these are words that say so.
std::string replay_command(std::string_view file, const std::vector<std::string>& implementations,
                           std::string_view program = "lockstep");

/// The implementations that a finding's comments name; empty if it has no such comment.
std::vector<std::string> named_implementations(std::string_view finding_text);

/// The signature that a finding's comments name; empty if the text is no finding.
std::string_view named_signature(std::string_view finding_text);

/// The comment lines of a text, for a corpus. Of those that a finding writes about itself only the signature is kept: the
/// others are out of date once the mistake is mended.
std::string lasting_comments(std::string_view text);

/// Whether it is a finding of memory: answers and states may all agree on it.
bool is_memory_finding(std::string_view finding_text);

/// The report printed for people: verdict, scenario, and one line that replays it.
std::string report_text(const Finding& finding, std::string_view file, std::string_view program = "lockstep");

}  // namespace lockstep
