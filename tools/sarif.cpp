#include "tools/sarif.hpp"

#include <fmt/ranges.h>

#include <array>
#include <cctype>

#include "lockstep/base/hash.hpp"
#include "tools/verbs.hpp"
#include "tools/version.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view root_name = "SRCROOT";

struct Rule {
  DivergenceKind kind;
  std::string_view brief;
  std::string_view help;
};
constexpr std::array<Rule, 7> rules{{
    {DivergenceKind::observation, "An implementation answers an action differently",
     "Implementations that must agree return different observations for the same actions."},
    {DivergenceKind::snapshot, "An implementation is in a different state",
     "After the same actions and equal answers, the states of implementations that must agree differ."},
    {DivergenceKind::invariant, "A law of the system is broken",
     "All implementations agree, and their answer breaks a law that the system states."},
    {DivergenceKind::crash, "An implementation crashes", "The process died while the implementation ran an action."},
    {DivergenceKind::hang, "An implementation hangs", "An action took longer than --timeout."},
    {DivergenceKind::memory, "An implementation misuses memory",
     "It leaks, or uses memory that is not its own or not set."},
    {DivergenceKind::nondeterministic, "An implementation is not deterministic",
     "It gives two results for one scenario, so its answers cannot be judged."},
}};

ordered_json text_of(std::string_view text) { return {{"text", text}}; }

ordered_json rules_json() {
  ordered_json out = ordered_json::array();
  for (const Rule& rule : rules) {
    out.push_back(
        {{"id", to_string(rule.kind)},
         {"name", to_string(rule.kind)},
         {"shortDescription", text_of(rule.brief)},
         {"fullDescription", text_of(rule.help)},
         {"help", text_of(std::string{rule.help} + " '" + program_name() + " show FILE' shows the position, '" +
                          program_name() + " explain FILE' which parts of the scenario matter.")},
         {"defaultConfiguration", {{"level", "error"}}},
         {"properties", {{"tags", ordered_json::array({"correctness"})}, {"precision", "very-high"}}}});
  }
  return out;
}

/// The nearest folder above the file that has a .git; else the current folder.
fs::path root_of(const fs::path& file) {
  std::error_code none;
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", none)) return folder;
  }
  return fs::current_path(none);
}

ordered_json physical(const std::string& file, unsigned line) {
  const std::string uri = source_uri(file);
  ordered_json out{{"artifactLocation", {{"uri", uri}}}};
  if (!uri.starts_with("file:")) out["artifactLocation"]["uriBaseId"] = root_name;
  if (line > 0) out["region"] = {{"startLine", line}};
  return out;
}

/// Where an implementation is registered. If all break a law, that is the reference's place: the others equal it.
ordered_json location_of(const SarifResult& result, bool has_file) {
  const Divergence& d = result.finding.divergence;
  const std::string& blamed =
      d.blamed == "all" && !result.implementations.empty() ? result.implementations.front() : d.blamed;
  ordered_json out;
  for (const Runner& each : result.system->implementations()) {
    const std::string file = source_file(each);
    if (each.name == blamed && !file.empty()) out["physicalLocation"] = physical(file, each.where.line());
  }
  // Code hosts refuse a file in which a result has no place.
  if (!out.contains("physicalLocation") && has_file) out["physicalLocation"] = physical(result.file, 0);
  const ordered_json logical{
      {"name", blamed}, {"fullyQualifiedName", std::string{result.system->name()} + "." + blamed}, {"kind", "type"}};
  out["logicalLocations"] = ordered_json::array({logical});
  return out;
}

ordered_json result_json(const SarifResult& result) {
  const Divergence& d = result.finding.divergence;
  const bool has_file = !result.file.empty() && result.file != "-";
  const auto rule = std::ranges::find(rules, d.kind, &Rule::kind) - rules.begin();
  const std::string hash = hash_text(result.finding.signature);
  ordered_json out{{"ruleId", to_string(d.kind)},
                   {"ruleIndex", rule},
                   {"level", "error"},
                   {"message", text_of(fmt::format("{} {}. Replay it: {}", result.system->name(), result.message(),
                                                   result.replay()))},
                   {"locations", ordered_json::array({location_of(result, has_file)})},
                   // The second is the only fingerprint that GitHub's code scanning compares.
                   {"partialFingerprints", {{"lockstepSignature/v1", hash}, {"primaryLocationLineHash", hash + ":1"}}},
                   {"properties",
                    {{"signature", result.finding.signature},
                     {"action", d.action},
                     {"step", d.step},
                     {"field", d.field},
                     {"expected", d.expected},
                     {"actual", d.actual},
                     {"implementations", result.implementations},
                     {"replay", result.replay()}}}};
  if (!result.text.empty()) out["properties"]["scenario"] = result.text;
  if (has_file) {
    const ordered_json scenario{
        {"id", 1}, {"physicalLocation", physical(result.file, 0)}, {"message", text_of("the scenario")}};
    out["relatedLocations"] = ordered_json::array({scenario});
  }
  return out;
}

}  // namespace

std::string SarifResult::message() const {
  std::string out = finding.explanation;
  if (finding.hidden_state) out.append(" (").append(hidden_state_text).append(")");
  return out;
}

std::string SarifResult::replay() const { return replay_command(file, implementations, program_command()); }

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view{"-._~/+,="}.contains(c);
    out += plain ? std::string{c} : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string source_uri(const std::string& file) {
  std::error_code none;
  fs::path path{file};
  if (path.is_relative() && !fs::exists(path, none)) {
    fs::path inside;
    for (const fs::path& part : path.lexically_normal()) {
      if (part != "..") inside /= part;
    }
    return percent_encoded(inside.generic_string());
  }
  path = fs::absolute(path, none).lexically_normal();
  const fs::path relative = path.lexically_relative(root_of(path));
  if (relative.empty() || *relative.begin() == "..") return "file://" + percent_encoded(path.generic_string());
  return percent_encoded(relative.generic_string());
}

std::string sarif_text(const SarifRun& run) {
  ordered_json results = ordered_json::array();
  for (const SarifResult& each : run.results) results.push_back(result_json(each));
  ordered_json notifications = ordered_json::array();
  for (const std::string& error : run.errors)
    notifications.push_back({{"level", "error"}, {"message", text_of(error)}});
  const ordered_json root{{"description", text_of("the root of the repository")}};
  const ordered_json invocation{{"executionSuccessful", run.exit_code <= 1},
                                {"exitCode", run.exit_code},
                                {"toolExecutionNotifications", notifications}};
  const ordered_json one{
      {"tool", {{"driver", {{"name", "lockstep"}, {"fullName", version_text()}, {"rules", rules_json()}}}}},
      // A host replaces the results of an earlier run with the same identity: those of other verbs stay.
      {"automationDetails", {{"id", "lockstep-" + std::string{run.verb} + "/"}}},
      {"invocations", ordered_json::array({invocation})},
      {"originalUriBaseIds", {{root_name, root}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", results}};
  const ordered_json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", ordered_json::array({one})}};
  return dumped(log, 2) + "\n";
}

}  // namespace lockstep
