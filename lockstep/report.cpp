#include "lockstep/report.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "lockstep/plugin.hpp"
#include "lockstep/signature.hpp"
#include "lockstep/words.hpp"

namespace lockstep {
namespace {

constexpr std::string_view other_cause =
    "another cause: it fails without actions that an earlier finding with this signature needs";

/// What a line with this comment begins with.
std::string commented(std::string_view key) { return "# " + std::string{key}; }

/// The rest of the first line with this comment; empty if there is none.
std::string_view comment(std::string_view text, std::string_view key) {
  const std::string begin = commented(key);
  std::size_t at = text.starts_with(begin) ? 0 : text.find("\n" + begin);
  if (at == std::string_view::npos) return {};
  at += begin.size() + (text[at] == '\n' ? 1 : 0);
  return text.substr(at, text.find_first_of("\r\n", at) - at);
}

}  // namespace

std::string finding_file_name(std::string_view system, std::string_view name) {
  return std::string{system} + "-" + hash_text(name) + ".txt";
}

Shrunk nondeterministic(const AnyScenario& scenario, std::string_view implementation) {
  return {.scenario = scenario,
          .divergence = {.kind = DivergenceKind::nondeterministic,
                         .step = scenario.size(),
                         .system = std::string{scenario.vocabulary().name()},
                         .blamed = std::string{implementation},
                         .action = std::string{at_the_end},
                         .field = {},
                         .expected = {},
                         .actual = std::string{not_deterministic}},
          .repeats = false};
}

Shrunk shrunk_or_kept(const AnyScenario& scenario, const Verdict& verdict, const Shrinker& shrinker,
                      const std::function<std::string(const AnyScenario&)>& wavers) {
  if (!verdict.divergence) {
    return nondeterministic(scenario, verdict.wavers.empty() ? some_implementation : verdict.wavers);
  }
  Shrunk shrunk = shrinker.shrink(scenario);
  if (shrunk.divergence.system.empty()) shrunk = {.scenario = scenario, .divergence = *verdict.divergence};
  shrunk.repeats = shrinker.repeats(shrunk);
  if (shrunk.repeats || shrunk.divergence.kind == DivergenceKind::crash) return shrunk;
  return nondeterministic(shrunk.scenario, wavers(shrunk.scenario));
}

Divergence death_at(std::span<const Runner> implementations, const AnyScenario& scenario, std::size_t implementation,
                    std::size_t in_flight) {
  Divergence d = at_step(scenario, std::min(in_flight + 1, scenario.size()));
  d.blamed = implementations[std::min(implementation, implementations.size() - 1)].name;
  return d;
}

std::string describe_divergence(const AnyScenario& scenario, const Divergence& d) {
  const std::string where = d.step == 0
                                ? "at the setup"
                                : "at step " + std::to_string(d.step) + " of " + std::to_string(scenario.size()) +
                                      " (" + action_text(scenario, d.step - 1) + ")";
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
      return (d.action == at_the_end ? "after " + counted(scenario.size(), "action") : where) + ", " + d.blamed + " " +
             d.actual;
  }
  return where;
}

std::string indented(std::string_view text, std::string_view beginning) {
  std::string out;
  while (!text.empty()) out.append(beginning).append(take_line(text)).append("\n");
  return out;
}

Finding finding_of(const Shrunk& shrunk, const std::vector<std::string>& implementations, std::size_t actions_before,
                   std::string unstable) {
  if (unstable.empty() && !shrunk.repeats) unstable = "judged again, the scenario does not fail alike each time";
  const std::string signature = shrunk.divergence.signature() + (unstable.empty() ? "" : " unstable");
  return {.signature = signature,
          .file_name = finding_file_name(shrunk.scenario.vocabulary().name(), signature),
          .implementations = implementations,
          .scenario = scenario_text(shrunk.scenario),
          .explanation = describe_divergence(shrunk.scenario, shrunk.divergence),
          .divergence = shrunk.divergence,
          .minimal = shrunk.minimal,
          .hidden_state = shrunk.hidden_state,
          .restated = shrunk.restated ? scenario_text(*shrunk.restated) : "",
          .unstable = !unstable.empty(),
          .why = std::move(unstable),
          .actions_before = actions_before,
          .actions = shrunk.scenario.size(),
          .judgements = shrunk.judgements,
          .kinds = kinds_in(shrunk.scenario)};
}

std::string with_comments(std::string_view text, std::string_view lines) {
  const std::string_view first = take_line(text);
  return std::string{first}.append("\n").append(lines).append(text);
}

std::string finding_text(const Finding& f) {
  std::string comment;
  const auto add = [&comment](std::string_view key, std::string_view text) {
    comment.append(key).append(text).append("\n");
  };
  add(comment_key::signature, f.signature);
  add(comment_key::implementations, joined(f.implementations, ","));
  if (!f.engine.empty()) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f s", f.seconds);
    add("found: ", "after " + std::string{seconds} + " and " + counted(f.scenarios, "scenario") + ", by " + f.engine);
  }
  if (f.other_cause) add(other_cause, {});
  if (f.unstable || f.why.empty()) comment += f.explanation + "\n" + indented(f.divergence.last_words, "  ");
  if (f.unstable) add(comment_key::unstable, f.why);
  else if (!f.why.empty()) add(comment_key::not_shrunk, f.why);
  else if (f.minimal) add(comment_key::minimal, "no smaller step still fails");
  else add(comment_key::budget_spent, "a smaller one may exist");
  if (f.hidden_state) {
    constexpr std::string_view vanishes = "the failure vanishes when its position is given as a setup";
    add(comment_key::hidden_state, std::string{vanishes} + (f.restated.empty() ? "" : "; from here all agree:"));
  }
  return with_comments(f.scenario, indented(comment + indented(f.restated, "  "), "# "));
}

ActionKinds kinds_in(const AnyScenario& scenario) {
  ActionKinds out;
  for (std::size_t i = 0; i < scenario.size(); ++i) out.emplace(scenario.action_name(i));
  return out;
}

bool is_of_other_cause(std::string_view finding_text) {
  return finding_text.find("\n" + commented(other_cause)) != std::string_view::npos;
}

Finding as_unstable(Finding finding) {
  finding.signature += " unstable";
  finding.file_name = finding_file_name(finding.divergence.system, finding.signature);
  finding.minimal = false;
  finding.unstable = true;
  finding.why = not_again;
  return finding;
}

std::string forked_text(std::string_view implementation) {
  return std::string{implementation} +
         " calls fork(), and both processes return: nothing can be judged so. The process " +
         "that it starts must end in exec or _exit()";
}

void note_sanitizer(Divergence& d, std::string_view sanitizer, std::string_view error) {
  d.field = error;
  d.actual = "was stopped by " + std::string{sanitizer} + " (" + d.field + ")";
}

std::string shell_word(std::string_view path) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!path.empty() && path.find_first_not_of(plain) == std::string_view::npos) return std::string{path};
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

std::string replay_command(std::string_view file, const std::vector<std::string>& implementations,
                           std::string_view program) {
  std::string out = std::string{program} + " replay " + (file.empty() ? "FILE" : shell_word(file));
  if (file.empty()) out = "its scenario has no file; when you have written it to one, " + out;
  if (std::ranges::any_of(implementations, names_plugin)) out += " --with " + joined(implementations, ",");
  return out;
}

std::vector<std::string> named_implementations(std::string_view finding_text) {
  return split(comment(finding_text, comment_key::implementations), ',');
}

std::string_view named_signature(std::string_view finding_text) {
  return comment(finding_text, comment_key::signature);
}

std::string lasting_comments(std::string_view text) {
  std::vector<std::string_view> comments;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = take_line(rest);
    line.remove_prefix(std::min(line.find('#'), line.size()));
    if (!line.empty()) comments.push_back(line);
  }
  // As finding_text() writes them: the signature first, the shrinker's result last, and what follows from hidden state.
  const auto has = [](std::string_view line, std::string_view key) { return line.starts_with(commented(key)); };
  const auto begin =
      std::ranges::find_if(comments, [&](std::string_view line) { return has(line, comment_key::signature); });
  auto end = std::find_if(begin, comments.end(), [&](std::string_view line) {
    return has(line, comment_key::minimal) || has(line, comment_key::budget_spent) ||
           has(line, comment_key::unstable) || has(line, comment_key::not_shrunk);
  });
  if (end != comments.end()) {
    const auto over_lines = [](std::string_view line) { return line.starts_with("#   "); };
    const bool unstable = has(*end, comment_key::unstable);
    ++end;
    if (unstable) end = std::find_if_not(end, comments.end(), over_lines);
    if (end != comments.end() && has(*end, comment_key::hidden_state))
      end = std::find_if_not(std::next(end), comments.end(), over_lines);
    comments.erase(std::next(begin), end);
  }
  std::string out;
  for (const std::string_view line : comments) out.append(line).append("\n");
  return out;
}

bool is_memory_finding(std::string_view finding_text) {
  return parts_of(named_signature(finding_text)).kind == to_string(DivergenceKind::memory);
}

std::string report_text(const Finding& finding, std::string_view file, std::string_view program) {
  return std::string{verdict_word(finding.hidden_state)} + " in " + finding.divergence.system + ": " +
         finding.explanation + "\n" + indented(finding_text(finding), "  | ") +
         "replay it: " + replay_command(file, finding.implementations, program) + "\n";
}

}  // namespace lockstep
