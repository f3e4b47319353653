#include "campaign/known_mistakes.hpp"

#include <algorithm>

#include "lockstep/base/error.hpp"
#include "lockstep/base/lines.hpp"
#include "lockstep/judge/conditions.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

/// BadInput if the text does not have the form of a signature.
std::string signature_in(std::string_view text, const std::string& place) {
  if (!parts_of(text).kind.empty()) return std::string{text};
  throw BadInput{place + ": expected a signature, as findings have it: SYSTEM IMPLEMENTATION KIND ACTION …, got '" +
                 std::string{text} + "'"};
}

/// The text of the file; BadInput if it is no scenario.
std::string scenario_in(const std::filesystem::path& scenario, const std::string& place) {
  auto text = read_file(scenario);
  if (!text) throw BadInput{place + ": " + scenario.string() + ": " + text.error()};
  const auto name = scenario_system(*text);
  if (!name) throw BadInput{place + ": " + name.error().message(scenario.string())};
  const AnySystem* const system = find_system(*name);
  if (system == nullptr) return std::move(*text);
  if (const auto read = system->parse(*text); !read)
    throw BadInput{place + ": " + read.error().message(scenario.string())};
  return std::move(*text);
}

}  // namespace

std::vector<KnownMistake> read_known_mistakes(const std::filesystem::path& file) {
  constexpr std::string_view separator = " # ";
  constexpr std::string_view scenario = "scenario ";
  const auto text = read_file(file);
  if (!text) throw BadInput{file.string() + ": " + text.error()};
  std::vector<KnownMistake> out;
  std::string_view rest = *text;
  for (int number = 1; !rest.empty(); ++number) {
    std::string_view line = take_line(rest);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::string place = file.string() + ":" + std::to_string(number);
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos || at + separator.size() == line.size()) {
      throw BadInput{place + ": expected a signature or 'scenario FILE', then '" + std::string{separator} +
                     "' and a reason"};
    }
    KnownMistake mistake{
        .signature = {}, .scenario = {}, .text = {}, .reason = std::string{line.substr(at + separator.size())}};
    const std::string_view what = line.substr(0, at);
    if (what.starts_with(scenario)) {
      mistake.scenario = file.parent_path() / what.substr(scenario.size());
      mistake.text = scenario_in(mistake.scenario, place);
    } else {
      mistake.signature = signature_in(what, place);
    }
    out.push_back(std::move(mistake));
  }
  return out;
}

IgnoredMistakes ignored_mistakes(const std::filesystem::path& file, const AnySystem& system,
                                 const std::vector<std::string>& implementations, Guard guard) {
  IgnoredMistakes out;
  const auto judged = [&](std::string_view name) {
    return std::ranges::find(implementations, name) != implementations.end();
  };
  const auto ignore = [&](const std::string& signature) {
    out.signatures.insert(signature);
    const SignatureParts parts = parts_of(signature);
    if (parts.system == system.name() && (parts.implementation == "all" || judged(parts.implementation)))
      out.showed.try_emplace(signature, false);
  };
  for (const KnownMistake& mistake : read_known_mistakes(file)) {
    if (mistake.scenario.empty()) {
      ignore(mistake.signature);
      continue;
    }
    if (const auto name = scenario_system(mistake.text); name && *name != system.name()) continue;
    const FindingNotes notes = notes_of(mistake.text);
    if (!std::ranges::all_of(notes.implementations, judged)) continue;
    // Judged again, these may agree although the mistake is still there.
    const SignatureParts named = parts_of(notes.signature);
    if (notes.memory() || named.unstable || named.kind == stopped_by_engine) {
      ignore(notes.signature);
      continue;
    }
    const auto parsed = system.parse(mistake.text);
    if (!parsed) throw BadInput{parsed.error().message(mistake.scenario.string())};
    const Verdict verdict = replay_of(*parsed, implementations, guard).verdict;
    if (verdict.agreed()) out.mended.insert(mistake.scenario.string() + ": " + mistake.reason);
    if (!verdict.divergence) continue;
    const auto suspects = implementations_named(system.vocabulary(), implementations);
    const std::string signature =
        verdict.divergence->signature() +
        needed_conditions([&](const AnyScenario& changed) { return guarded_judge(suspects, changed, guard); }, *parsed,
                          *verdict.divergence);
    out.signatures.insert(signature);
    out.showed.insert_or_assign(signature, true);
  }
  return out;
}

}  // namespace lockstep
