#include "campaign/known_mistakes.hpp"

#include <algorithm>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/report.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

std::vector<KnownMistake> read_known_mistakes(const std::filesystem::path& file) {
  constexpr std::string_view separator = " # ";
  constexpr std::string_view scenario = "scenario ";
  const auto text = read_file(file);
  if (!text) throw BadInput{file.string() + ": " + text.error()};
  std::vector<KnownMistake> out;
  std::string_view rest = *text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos || at + separator.size() == line.size()) {
      throw BadInput{file.string() + ":" + std::to_string(number) +
                     ": expected a signature or 'scenario FILE', then '" + std::string{separator} + "' and a reason"};
    }
    KnownMistake mistake{.signature = {}, .scenario = {}, .reason = std::string{line.substr(at + separator.size())}};
    const std::string_view what = line.substr(0, at);
    if (what.starts_with(scenario)) mistake.scenario = file.parent_path() / what.substr(scenario.size());
    else mistake.signature = what;
    out.push_back(std::move(mistake));
  }
  return out;
}

Signatures known_signatures(const std::filesystem::path& file, const AnySystem& system,
                            const std::vector<std::string>& implementations, Guard guard,
                            std::set<std::string>& mended) {
  Signatures out;
  const auto judged = [&](const std::string& name) {
    return std::ranges::find(implementations, name) != implementations.end();
  };
  for (const KnownMistake& mistake : read_known_mistakes(file)) {
    if (mistake.scenario.empty()) {
      out.insert(mistake.signature);
      continue;
    }
    const std::string scenario = mistake.scenario.string();
    const auto text = read_file(mistake.scenario);
    if (!text) throw BadInput{file.string() + ": " + scenario + ": " + text.error()};
    const auto lines = text::lines_of(*text);
    if (const auto name = text::system_of(lines); name && *name != system.name()) continue;
    if (!std::ranges::all_of(named_implementations(*text), judged)) continue;
    const auto replay = system.judging().replay(*text, implementations, guard);
    if (!replay) throw BadInput{replay.error().message(scenario)};
    if (replay->verdict.agreed()) mended.insert(scenario + ": " + mistake.reason);
    if (replay->verdict.divergence) out.insert(replay->verdict.divergence->signature());
  }
  return out;
}

}  // namespace lockstep
