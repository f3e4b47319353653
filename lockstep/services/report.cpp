#include "lockstep/services/report.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <utility>

#include "lockstep/judge/signature.hpp"
#include "lockstep/system/plugin.hpp"

namespace lockstep {
namespace {

// Keys of a finding's section.
constexpr std::string_view signature_key = "signature";
constexpr std::string_view implementations_key = "implementations";

/// A line of the section.
std::string keyed(std::string_view key, std::string_view value) {
  std::string out = "  " + std::string{key} + ": " + std::string{take_line(value)} + "\n";
  return out + indented(value, "    ");
}

/// The text with these lines below its first one.
std::string with_lines(std::string_view text, std::string_view lines) {
  const std::string_view first = take_line(text);
  return std::string{first}.append("\n").append(lines).append(text);
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
  const auto begin = std::chrono::steady_clock::now();
  Shrunk shrunk = shrinker.shrink(scenario);
  if (shrunk.divergence.system.empty()) shrunk = {.scenario = scenario, .divergence = *verdict.divergence};
  shrunk.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  shrunk.repeats = shrinker.repeats(shrunk);
  if (shrunk.repeats) shrunk.needed = shrinker.needed_by(shrunk);
  if (shrunk.repeats || shrunk.divergence.kind == DivergenceKind::crash) return shrunk;
  return nondeterministic(shrunk.scenario, wavers ? wavers(shrunk.scenario) : std::string{some_implementation});
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
                                      " (" + action_text(scenario, d.step - 1, false) + ")";
  switch (d.kind) {
    case DivergenceKind::observation:
    case DivergenceKind::snapshot:
      return where + ", " + d.blamed + " differs in the " + std::string{to_string(d.kind)} + "'s " + d.field + ": " +
             (d.field == exception_field ? "expected " + d.expected + ", got " + d.actual
                                         : difference_text(d.expected, d.actual));
    case DivergenceKind::invariant:
      return where + ", " + (d.blamed == "all" ? "all implementations break" : d.blamed + " breaks") +
             " a law: " + d.field + (d.actual.empty() ? "" : ": " + d.actual);
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
  const std::string signature = shrunk.divergence.signature() + (unstable.empty() ? shrunk.needed : " unstable");
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
          .wider = shrunk.wider,
          .shrinking_seconds = shrunk.seconds};
}

std::string finding_text(const Finding& f) {
  std::string out = "finding\n";
  const auto add = [&out](std::string_view key, std::string_view value) { out += keyed(key, value); };
  add(signature_key, f.signature);
  add(implementations_key, joined(f.implementations, ","));
  if (!f.engine.empty()) {
    const auto time = [](double seconds) {
      char text[32];
      std::snprintf(text, sizeof text, "%.1f s", seconds);
      return std::string{text};
    };
    add("found", "after " + time(f.seconds) + " and " + counted(f.scenarios, "scenario") + ", by " + f.engine +
                     (f.shrinking_seconds > 0 ? "; shrunk in " + time(f.shrinking_seconds) : ""));
  }
  if (f.unstable || f.why.empty()) add("failure", f.explanation + "\n" + f.divergence.last_words);
  if (f.unstable) add("unstable", f.why);
  else if (!f.why.empty()) add("not shrunk", f.why);
  else if (f.minimal)
    add("minimal", "no smaller step still fails" + (f.wider == 0 ? "" : ", nor " + counted(f.wider, "drawn change")));
  else add("budget spent", "a smaller one may exist");
  if (f.hidden_state) {
    constexpr std::string_view vanishes = "the failure vanishes when its position is given as a setup";
    add("hidden state", std::string{vanishes} + (f.restated.empty() ? "" : "; from here all agree:\n" + f.restated));
  }
  return with_lines(f.scenario, out);
}

Finding as_unstable(Finding finding) {
  finding.signature = finding.divergence.signature() + " unstable";
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

FindingNotes notes_of(std::string_view text) {
  const std::string_view section = text::finding_section(text);
  const std::string_view lines = section.empty() ? text : section;
  const auto value = [&](std::string_view key) -> std::optional<std::string_view> {
    const std::string begin = "\n" + std::string{section.empty() ? "# " : "  "} + std::string{key} + ": ";
    const std::size_t at = lines.find(begin);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view found = lines.substr(at + begin.size());
    return found.substr(0, found.find_first_of("\r\n"));
  };
  const auto signature = value(signature_key);
  const std::string_view implementations = section.empty() ? "simulators" : implementations_key;
  return {.signature = std::string{signature.value_or("")},
          .implementations = split(value(implementations).value_or(""), ',')};
}

bool FindingNotes::memory() const { return parts_of(signature).kind == to_string(DivergenceKind::memory); }

std::string text_for_corpus(std::string_view canonical, std::string_view source) {
  const std::string signature = notes_of(source).signature;
  const bool of_older_program = text::finding_section(source).empty();  // or no finding
  std::string comments;
  for (const std::string_view comment : text::comments_of(source)) {
    const bool noted = comment.starts_with("# signature: ") || comment.starts_with("# simulators: ");
    if (!of_older_program || !noted) comments.append(comment).append("\n");
  }
  if (!signature.empty()) comments += "finding\n" + keyed(signature_key, signature);
  return with_lines(canonical, comments);
}

std::string report_text(const Finding& finding, std::string_view file, std::string_view program) {
  return std::string{verdict_word(finding.hidden_state)} + " in " + finding.divergence.system + ": " +
         finding.explanation + "\n" + indented(finding_text(finding), "  | ") +
         "replay it: " + replay_command(file, finding.implementations, program) + "\n";
}

}  // namespace lockstep
