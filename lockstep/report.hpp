// Reports for people: the text of a finding, and the report around it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/finding.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/shrink.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

/// The file of a finding: SYSTEM-HASH.txt. The hash is that of `name`: the signature, or the text where findings share
/// their signature.
std::string finding_file_name(std::string_view system, std::string_view name);

/// A shrunk scenario with its signature.
template <System S>
struct Finding {
  Shrunk<S> shrunk;
  std::vector<std::string> implementations;  // those that were judged, the reference first
  std::string unstable = {};                 // lines that say how the failure depends on more than the scenario

  bool is_unstable() const { return !unstable.empty() || !shrunk.repeats; }
  std::string signature() const { return shrunk.divergence.signature() + (is_unstable() ? " unstable" : ""); }
  std::string file_name() const { return finding_file_name(S::name, signature()); }
};

/// A scenario on which an implementation gives two results. It is not shrunk: each scenario may fail so, sometimes.
template <System S>
Shrunk<S> nondeterministic(const Scenario<S>& scenario, std::string_view implementation) {
  return {.scenario = scenario,
          .divergence = {.kind = DivergenceKind::nondeterministic,
                         .step = scenario.actions.size(),
                         .system = std::string{S::name},
                         .blamed = std::string{implementation},
                         .action = std::string{at_the_end},
                         .field = {},
                         .expected = {},
                         .actual = std::string{not_deterministic}},
          .repeats = false};
}

/// Shrinks a scenario that did not agree. One that failed, and does not fail alike each time, blames no implementation
/// but the one that wavers (`wavers`: finds it), or that died.
template <System S>
Shrunk<S> shrunk_or_kept(
    const Scenario<S>& scenario, const Verdict& verdict, Shrinker<S>& shrinker,
    const std::function<std::string(const Scenario<S>&)>& wavers = [](const auto&) {
      return std::string{some_implementation};
    }) {
  if (!verdict.divergence) {
    return nondeterministic<S>(scenario, verdict.wavers.empty() ? some_implementation : verdict.wavers);
  }
  Shrunk<S> shrunk = shrinker.shrink(scenario);
  if (shrunk.divergence.system.empty()) shrunk = {.scenario = scenario, .divergence = *verdict.divergence};
  shrunk.repeats = shrinker.repeats(shrunk);
  if (shrunk.repeats || shrunk.divergence.kind == DivergenceKind::crash) return shrunk;
  return nondeterministic<S>(shrunk.scenario, wavers(shrunk.scenario));
}

/// The name of the action before position `step`; "setup" for position 0.
template <System S>
std::string action_name_at(const Scenario<S>& scenario, std::size_t step) {
  return step == 0 ? "setup" : std::string{action_name(scenario.actions[step - 1])};
}

/// The divergence of an implementation that died or hung while it did the action `in_flight`.
template <System S>
Divergence death_at(const std::vector<AnyImplementation<S>>& implementations, const Scenario<S>& scenario,
                    std::size_t implementation, std::size_t in_flight) {
  Divergence d;
  d.system = S::name;
  d.blamed = implementations[std::min(implementation, implementations.size() - 1)].name;
  d.step = std::min(in_flight + 1, scenario.actions.size());
  d.action = action_name_at(scenario, d.step);
  return d;
}

/// Notes in the divergence what a sanitizer calls the error by which it stopped the implementation.
void note_sanitizer(Divergence& d, std::string_view sanitizer, std::string_view error);

/// "step 3 of 7 (drop column=4): bit_planes differs in the observation's points: expected 6, got 5"
template <System S>
std::string describe_divergence(const Scenario<S>& scenario, const Divergence& d) {
  const std::string where =
      d.step == 0 ? "at the setup"
                  : "at step " + std::to_string(d.step) + " of " + std::to_string(scenario.actions.size()) + " (" +
                        action_text<S>(past_of<S>(scenario, d.step - 1), scenario.actions[d.step - 1]) + ")";
  switch (d.kind) {
    case DivergenceKind::observation:
    case DivergenceKind::snapshot:
      return where + ", " + d.blamed + " differs in the " + std::string{to_string(d.kind)} + "'s " + d.field +
             ": expected " + d.expected + ", got " + d.actual;
    case DivergenceKind::invariant:
      return where + ", " + (d.blamed == "all" ? "all implementations break" : d.blamed + " breaks") +
             " a law: " + d.field;
    case DivergenceKind::crash:
    case DivergenceKind::hang:
    case DivergenceKind::memory:
    case DivergenceKind::nondeterministic:
      // A leak is noticed at the end.
      return (d.action == at_the_end ? "after " + counted(scenario.actions.size(), "action") : where) + ", " +
             d.blamed + " " + d.actual;
  }
  return where;
}

/// The text with `beginning` in front of every line.
inline std::string indented(std::string_view text, std::string_view beginning) {
  std::string out;
  while (!text.empty()) out.append(beginning).append(take_line(text)).append("\n");
  return out;
}

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
template <System S>
std::string finding_text(const Finding<S>& finding) {
  const Shrunk<S>& shrunk = finding.shrunk;
  std::string comment;
  const auto add = [&comment](std::string_view key, std::string_view text) { comment.append(key).append(text); };
  add(comment_key::signature, finding.signature() + "\n");
  add(comment_key::implementations, joined(finding.implementations, ",") + "\n");
  comment += describe_divergence<S>(shrunk.scenario, shrunk.divergence) + "\n";
  comment += indented(shrunk.divergence.last_words, "  ");
  if (!finding.unstable.empty()) add(comment_key::unstable, finding.unstable);
  else if (!shrunk.repeats) add(comment_key::unstable, "judged again, the scenario does not fail alike each time");
  else if (shrunk.minimal) add(comment_key::minimal, "no smaller step still fails");
  else add(comment_key::budget_spent, "a smaller one may exist");
  if (shrunk.hidden_state) {
    comment += "\n";
    add(comment_key::hidden_state, "the failure vanishes when its position is given as a setup");
  }
  if (shrunk.restated) {
    comment += "; from here all agree:\n" + indented(scenario_text<S>(*shrunk.restated), "  ");
    comment.pop_back();
  }
  return scenario_text<S>(shrunk.scenario, comment);
}

/// The same without the system's types. `actions_before`: the scenario's length before shrinking.
template <System S>
FindingText finding_text_of(const Finding<S>& finding, std::size_t actions_before) {
  const Shrunk<S>& shrunk = finding.shrunk;
  ActionKinds occurring;
  for (const auto& action : shrunk.scenario.actions) occurring.emplace(action_name(action));
  return {.signature = finding.signature(),
          .file_name = finding.file_name(),
          .text = finding_text<S>(finding),
          .explanation = describe_divergence<S>(shrunk.scenario, shrunk.divergence),
          .divergence = shrunk.divergence,
          .minimal = shrunk.minimal,
          .hidden_state = shrunk.hidden_state,
          .unstable = finding.is_unstable(),
          .actions_before = actions_before,
          .actions = shrunk.scenario.actions.size(),
          .judgements = shrunk.judgements,
          .kinds = std::move(occurring)};
}

/// The text of a finding that was not shrunk: the scenario with the comments of a finding, and why it was not.
std::string unshrunk_text(std::string_view scenario, std::string_view signature,
                          const std::vector<std::string>& implementations, std::string_view why);

/// Adds the comment that says how a campaign found it, from its engine, time and scenarios.
void note_how_found(FindingText& finding);
/// Marks a finding as one of another cause than an earlier one with its signature (`other_cause`), in its text too.
void note_other_cause(FindingText& finding);
/// Whether the text of a finding says so.
bool is_of_other_cause(std::string_view finding_text);

/// Why a finding is unstable that nothing repeats.
inline constexpr std::string_view not_again =
    "the scenario did not fail again, neither alone nor after those that the process had judged before";

/// Why nothing is judged any more (JudgeProgress::forked).
std::string forked_text(std::string_view implementation);

/// A finding that was thought to be stable, and did not fail again.
FindingText as_unstable(FindingText finding);

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
template <System S>
std::string report_text(const Finding<S>& finding, std::string_view file, std::string_view program = "lockstep") {
  const Shrunk<S>& shrunk = finding.shrunk;
  std::string out = std::string{verdict_word(shrunk.hidden_state)} + " in " + std::string{S::name} + ": " +
                    describe_divergence<S>(shrunk.scenario, shrunk.divergence) + "\n";
  out += indented(finding_text<S>(finding), "  | ");
  out += "replay it: " + replay_command(file, finding.implementations, program) + "\n";
  return out;
}

}  // namespace lockstep
