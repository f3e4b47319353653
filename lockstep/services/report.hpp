// Reports for people: the text of a finding, and the report around it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/hash.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/finding.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/text/text.hpp"

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
/// but the one that wavers (`wavers`: finds it; null: some implementation), or that died.
Shrunk shrunk_or_kept(const AnyScenario& scenario, const Verdict& verdict, const Shrinker& shrinker,
                      const std::function<std::string(const AnyScenario&)>& wavers = {});

/// The divergence of an implementation that died or hung while it did the action `in_flight`.
Divergence death_at(std::span<const Runner> implementations, const AnyScenario& scenario, std::size_t implementation,
                    std::size_t in_flight);

/// Notes in the divergence what a sanitizer calls the error by which it stopped the implementation.
void note_sanitizer(Divergence& d, std::string_view sanitizer, std::string_view error);

/// "at step 3 of 7 (drop column=4), bit_planes differs in the observation's points: expected 6, got 5"; long values are
/// shortened (fields.hpp)
std::string describe_divergence(const AnyScenario& scenario, const Divergence& d);

/// The text with `beginning` in front of every line.
std::string indented(std::string_view text, std::string_view beginning);

/// The heading of a finding. A failure with hidden state has a heading of its own.
constexpr std::string_view verdict_word(bool hidden_state) { return hidden_state ? "HIDDEN STATE" : "DIVERGENCE"; }

/// The file that `replay` reads: the scenario, with a section `finding` that says what is known, a line "key: value" each.
/// The other lines of a value are further in.
std::string finding_text(const Finding& finding);

/// Why a finding is unstable that nothing repeats.
inline constexpr std::string_view not_again =
    "the scenario did not fail again, neither alone nor after those that the process had judged before";

/// Why nothing is judged any more (JudgeProgress::forked).
std::string forked_text(std::string_view implementation);

/// A finding that was thought to be stable, and did not fail again.
Finding as_unstable(Finding finding);

/// The path as a shell word, quoted if necessary.
std::string shell_word(std::string_view path);

/// The command that judges a finding again. `program`: how the user calls the program. A finding names implementations but
/// never loads a plugin, so the command names plugins. A finding that could not be written has no file (""): then these are
/// words that say so.
std::string replay_command(std::string_view file, const std::vector<std::string>& implementations,
                           std::string_view program = "lockstep");

/// What a program reads of a finding's section, or of the comments in a finding of an older program.
struct FindingNotes {
  std::string signature = {};  // empty if the text is no finding
  std::vector<std::string> implementations = {};

  /// Whether it is a finding of memory: answers and states may all agree on it.
  bool memory() const;
};
FindingNotes notes_of(std::string_view text);

/// The canonical text of a scenario for a corpus, with the comments of the text that it was read from, and of a finding's
/// section the signature: all else is out of date once the mistake is mended.
std::string text_for_corpus(std::string_view canonical, std::string_view source);

/// The report printed for people: verdict, scenario, and one line that replays it.
std::string report_text(const Finding& finding, std::string_view file, std::string_view program = "lockstep");

}  // namespace lockstep
