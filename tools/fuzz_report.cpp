#include "tools/fuzz_report.hpp"

#include <fmt/ranges.h>

#include <span>

#include "campaign/result_json.hpp"
#include "tools/numbers.hpp"
#include "tools/verbs.hpp"
#include "tools/version.hpp"

namespace lockstep {

namespace {

std::string canary_text(const CanaryHunt& canary) {
  if (canary.name.empty()) return "none";
  if (!canary.found) return "NOT FOUND";
  return fmt::format("{:.2f} s", canary.seconds);
}

std::string systems_table(const std::vector<CampaignResult>& results) {
  std::vector<std::vector<std::string>> rows = {
      {"system", "scenarios", "steps", "steps/s", "features", "canary after", "findings"}};
  for (const auto& r : results) {
    const EngineTally sum = r.total();
    rows.push_back({std::string{r.system->name()}, short_number(static_cast<double>(sum.scenarios)),
                    short_number(static_cast<double>(sum.steps)),
                    short_number(static_cast<double>(sum.steps) / std::max(r.seconds, 1e-3)),
                    std::to_string(r.features.count()), canary_text(r.canary), std::to_string(r.findings.size())});
  }
  return table_text(rows, 1, 0);
}

std::string implementations_table(const std::vector<CampaignResult>& results) {
  std::size_t width = std::string_view{"system"}.size();
  for (const auto& r : results) width = std::max(width, r.system->name().size());
  std::string out = described("system", "implementations", width + 2);
  for (const auto& r : results)
    out += described(std::string{r.system->name()}, joined(r.implementations, " "), width + 2);
  return out;
}

std::string canaries_table(const std::vector<CampaignResult>& results) {
  std::vector<std::vector<std::string>> rows = {{"system", "canary", "found by"}};
  for (const auto& r : results) {
    const CanaryHunt& canary = r.canary;
    rows.push_back(
        {std::string{r.system->name()}, canary.name.empty() ? "none" : canary.name, canary.found ? canary.engine : ""});
  }
  return table_text(rows, 3, 0);
}

/// One line per engine, summed over all systems, in the order of engine_names().
std::string engines_table(const std::vector<CampaignResult>& results) {
  std::map<std::string, EngineTally> engines;
  double seconds = 0;
  for (const auto& r : results) {
    for (const auto& [name, tally] : r.engines) {
      engines[name] += tally;
      seconds += tally.seconds;
    }
  }
  std::vector<std::vector<std::string>> rows = {
      {"engine", "time", "scenarios", "steps", "features first", "canaries", "findings"}};
  for (const auto& name : engine_names()) {
    const auto found = engines.find(name);
    if (found == engines.end()) continue;
    const EngineTally& tally = found->second;
    rows.push_back({name, fmt::format("{:.0f}%", 100 * tally.seconds / std::max(seconds, 1e-9)),
                    short_number(static_cast<double>(tally.scenarios)), short_number(static_cast<double>(tally.steps)),
                    std::to_string(tally.features), std::to_string(tally.canaries), std::to_string(tally.findings)});
  }
  return table_text(rows, 1, 0);
}

std::string results_table(const std::vector<CampaignResult>& results, bool verbose) {
  std::string out = systems_table(results);
  if (verbose) {
    for (const auto table : {implementations_table, canaries_table, engines_table}) out += "\n" + table(results);
  }
  return out;
}

/// The known mistakes, named by their signature, which no scenario failed with.
std::vector<std::string> not_shown(const CampaignResult& r) {
  std::vector<std::string> out;
  for (const auto& [signature, showed] : r.ignored_signatures) {
    if (!showed) out.push_back(signature);
  }
  return out;
}

nlohmann::ordered_json features_json(const CampaignResult& r) {
  nlohmann::ordered_json out = nlohmann::json::object();
  const auto features = r.system->features();
  for (std::size_t f = 0; f < features.size(); ++f) {
    nlohmann::ordered_json buckets = nlohmann::json::array();
    for (std::size_t b = 0; b < feature_buckets; ++b) {
      if (r.features[f * feature_buckets + b]) buckets.push_back(feature_bucket_text(b, features[f].around));
    }
    out[std::string{features[f].name}] = std::move(buckets);
  }
  return out;
}

/// The kinds of actions that no scenario had although none was left out. A few scenarios may lack a kind by chance, and without a
/// built-in worker none is counted.
std::vector<std::string> kinds_never_drawn(const FuzzRun& run, const CampaignResult& r) {
  std::vector<std::string> out;
  if (!r.finished || r.kinds_drawn.empty() || r.total().scenarios < 1'000) return out;
  for (auto& kind : r.system->action_names()) {
    if (!r.kinds_drawn.contains(kind) && std::ranges::find(run.options.without, kind) == run.options.without.end())
      out.push_back(std::move(kind));
  }
  return out;
}

/// Why other mistakes may be missed; so a campaign that found nothing proves nothing.
std::vector<std::string> gaps(const CampaignResult& r, bool interrupted) {
  std::vector<std::string> out;
  if (interrupted) return out;
  const bool found = !r.findings.empty();
  if (r.total().scenarios == 0 && !found)
    out.emplace_back("no scenario was judged to the end, so this campaign proves nothing");
  if (!r.canary.name.empty() && !r.canary.found) {
    out.push_back("the canary " + r.canary.name + " was not found in " + counted(r.canary.scenarios, "scenario") +
                  (found ? ", so this campaign may miss other mistakes" : ", so this campaign proves nothing"));
  }
  return out;
}

std::string findings_text(const std::vector<CampaignResult>& results) {
  std::string out;
  for (const auto& r : results) {
    for (const auto& [finding, file] : r.findings) {
      out += fmt::format("\n{}: {}\n{}  signature: {}\n  found by:  {}, after {:.1f} s and {}\n  replay it: {}\n",
                         r.system->name(), finding.explanation,
                         finding.hidden_state ? hidden_state_note : std::string_view{}, finding.signature,
                         finding.engine, finding.seconds, counted(finding.scenarios, "scenario"),
                         replay_command(file, r.implementations, program_command()));
    }
  }
  return out;
}

/// What makes "all agree" weaker: "; without a canary".
std::string reservations(const std::vector<CampaignResult>& results) {
  std::vector<std::string> without_canary;
  for (const auto& r : results) {
    if (r.canary.name.empty()) without_canary.emplace_back(r.system->name());
  }
  if (without_canary.size() == results.size()) return "; without a canary";
  return without_canary.empty() ? "" : fmt::format("; without a canary: {}", fmt::join(without_canary, ", "));
}

std::string outcome_text(const std::vector<CampaignResult>& results, int exit_code) {
  std::uint64_t steps = 0;
  std::size_t findings = 0;
  std::uint64_t ignored = 0;
  std::vector<std::string> differing;
  std::string command;
  for (const auto& r : results) {
    steps += r.total().steps;
    findings += r.findings.size();
    ignored += r.ignored;
    if (r.findings.empty()) continue;
    differing.emplace_back(r.system->name());
    if (command.empty()) command = replay_command(r.findings.front().file, r.implementations, program_command());
  }
  const std::string judged = fmt::format("{}, {}", counted(results.size(), "system"), short_count(steps, "step"));
  const std::string known = ignored == 0 ? "" : "; known mistakes: " + counted(ignored, "failure") + " ignored";
  if (!differing.empty()) {
    return fmt::format("implementations of {} differ: {} in {}{}; to see the first: {}", fmt::join(differing, ", "),
                       counted(findings, "finding"), judged, known, command);
  }
  if (exit_code == exit_agreed && ignored > 0) return "no new difference: " + judged + known + reservations(results);
  if (exit_code == exit_agreed) return "all agree: " + judged + ", no difference" + reservations(results);
  if (exit_code == exit_interrupted) return "interrupted: " + judged + ", no difference so far";
  return "nothing is proven: " + judged + ", no difference, but there were errors (see standard error)";
}

std::vector<std::string> remarks(const FuzzRun& run) {
  std::vector<std::string> out;
  for (const auto& r : run.results) {
    const auto say = [&](const std::string& what) { out.push_back(std::string{r.system->name()} + ": " + what); };
    for (const auto& fault : r.faults) say(fault);
    for (const auto& mistake : r.mended) say("mended: " + mistake);
    for (const auto& signature : not_shown(r)) say("no scenario failed with this known mistake: " + signature);
    for (const auto& note : r.notes) say(note);
    if (const auto never = kinds_never_drawn(run, r); !never.empty())
      say("no scenario had an action of kind " + joined(never, ", ") +
          ": look at its bounds, and whether the model allows it");
    const auto missing = gaps(r, run.interrupted);
    for (const auto& gap : missing) say(gap);
    // Where only --runs limits it, a busy machine takes longer and reaches the same.
    const bool timed = run.options.runs == 0 || !missing.empty();
    if (timed && r.findings.empty() && r.ignored == 0 && r.processor.starved()) say(r.processor.starved_text());
  }
  return out;
}

nlohmann::ordered_json json_of(const FuzzRun& run, const CampaignResult& r) {
  nlohmann::ordered_json engines = nlohmann::json::array();
  for (const auto& [name, tally] : r.engines) {
    engines.push_back({{"name", name},
                       {"scenarios", tally.scenarios},
                       {"steps", tally.steps},
                       {"seconds", tally.seconds},
                       {"features_first", tally.features},
                       {"findings", tally.findings},
                       {"canaries", tally.canaries}});
  }
  nlohmann::ordered_json findings = nlohmann::json::array();
  for (const auto& [finding, file] : r.findings) findings.push_back(json_of(finding, file));
  nlohmann::ordered_json canary;  // null: there was no hunt
  if (!r.canary.name.empty()) canary = r.canary;
  nlohmann::ordered_json timeline;  // null: merged from shards
  if (!r.timeline.seconds.empty()) timeline = r.timeline;
  const EngineTally sum = r.total();
  return {
      {"name", r.system->name()},     {"implementations", r.implementations},
      {"seconds", r.seconds},         {"scenarios", sum.scenarios},
      {"steps", sum.steps},           {"steps_per_second", static_cast<double>(sum.steps) / std::max(r.seconds, 1e-3)},
      {"engines", engines},           {"features_reached", r.features.count()},
      {"features", features_json(r)}, {"canary", canary},
      {"longest", r.longest},         {"kinds_never_drawn", kinds_never_drawn(run, r)},
      {"findings", findings},         {"faults", r.faults},
      {"ignored", r.ignored},         {"mended", r.mended},
      {"not_shown", not_shown(r)},    {"finished", r.finished},
      {"timeline", timeline}};
}

nlohmann::ordered_json json_of(const FuzzRun& run, int exit_code) {
  nlohmann::ordered_json systems = nlohmann::json::array();
  for (const auto& r : run.results) systems.push_back(json_of(run, r));
  return {{"schema", 4},        {"program", version_text()}, {"seed", run.options.seed}, {"jobs", run.options.jobs},
          {"systems", systems}, {"exit", exit_code}};
}

}  // namespace

std::string progress_text(const CampaignProgress& p, const std::string& place, std::optional<double> left) {
  const std::string system = std::string{p.system->name()} + (place.empty() ? "" : " (" + place + ")");
  if (!p.canary.empty()) {
    return fmt::format("{}: hunting the canary {}: {}", system, p.canary, counted(p.total.scenarios, "scenario"));
  }
  std::vector<std::string> engines;
  for (const auto& [engine, count] : p.running) engines.push_back(fmt::format("{} {}", count, engine));
  if (engines.empty()) engines.emplace_back("shrinking");
  const std::string time =
      left ? fmt::format("{:.0f} s left", std::max(0.0, *left)) : fmt::format("{:.0f} s so far", p.seconds);
  return fmt::format("{}: {}, {}, {}, {} ({})", system, short_count(p.total.scenarios, "scenario"),
                     short_count(p.total.steps, "step"), counted(p.findings, "finding"), time,
                     fmt::join(engines, " + "));
}

int exit_code_of(const std::vector<CampaignResult>& results, bool interrupted) {
  const auto any = [&](auto&& test) { return std::ranges::any_of(results, test); };
  if (any([](const CampaignResult& r) { return !r.findings.empty(); })) return exit_diverged;
  if (interrupted) return exit_interrupted;
  const bool proven = !any([](const CampaignResult& r) { return !r.faults.empty() || !gaps(r, false).empty(); });
  return proven ? exit_agreed : exit_internal_error;
}

void print_results(const FuzzRun& run, const FuzzOutput& output, int exit_code) {
  if (output.json) {
    fmt::print("{}\n", dumped(json_of(run, exit_code), 2));
  } else {
    fmt::print("{}{}\n{}\n", results_table(run.results, output.verbose), findings_text(run.results),
               outcome_text(run.results, exit_code));
  }
  for (const auto& remark : remarks(run)) complain(remark);
}

void write_run_page(const std::string& path, page::RunFile run, std::vector<page::RunFile> more,
                    const std::string& doing) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const auto page_of = [&](const std::string& finding) -> std::string {
    const std::filesystem::path beside = std::filesystem::path{finding}.replace_extension(".html");
    std::error_code fault;
    if (finding.empty() || !std::filesystem::is_regular_file(beside, fault)) return "";
    const std::filesystem::path near = std::filesystem::proximate(beside, folder, fault);
    // "./", so that no name is taken for a protocol.
    return fault ? "" : (near.is_absolute() ? "file://" : "./") + percent_encoded(near.string());
  };
  const std::string text = page::html_of({std::move(run), std::move(more), program_command(), doing, page_of});
  if (doing.empty()) write_output(path, text);
  else begin_file(path, text);
}

void write_page(const std::string& path, const FuzzRun& run, int exit_code, const std::string& doing) {
  if (path.empty()) return;
  write_run_page(path, {std::filesystem::path{path}.filename(), dumped(json_of(run, exit_code))}, {}, doing);
}

int write_reports(const FuzzOutput& output, const FuzzRun& run, int exit_code,
                  const std::vector<std::string>& not_merged) {
  SarifRun sarif{.verb = "fuzz", .errors = not_merged, .exit_code = exit_code};
  std::vector<JunitCase> cases;
  for (const auto& r : run.results) {
    const std::string system{r.system->name()};
    std::vector<std::string> errors = r.faults;
    std::ranges::copy(gaps(r, run.interrupted), std::back_inserter(errors));
    if (!r.finished && run.interrupted) errors.emplace_back("interrupted");
    JunitCase& search = cases.emplace_back(JunitCase{system, "search", r.seconds});
    const std::string weaker = r.findings.empty() ? "nothing is proven" : "other mistakes may be missed";
    for (const auto& error : errors) sarif.errors.push_back(system + ": " + error);
    std::ranges::copy(not_merged, std::back_inserter(errors));
    if (!errors.empty()) search = junit_error(system, "search", weaker, joined(errors, "; "), r.seconds);
    for (const auto& [finding, file] : r.findings) {
      const SarifResult& result =
          sarif.results.emplace_back(r.system, r.implementations, finding, file, finding_text(finding));
      cases.push_back(junit_case(result, result.finding.signature, finding.seconds));
    }
  }
  for (const auto& name : std::span{run.systems}.subspan(run.results.size())) {
    if (not_merged.empty()) {
      sarif.errors.push_back(name + ": not started");
      cases.push_back(junit_error(name, "search", "not started", "not started"));
    } else {
      cases.push_back(junit_error(name, "search", "nothing is proven", joined(not_merged, "; ")));
    }
  }
  return after_writing(output.reports.write(sarif, cases), [&] { write_page(output.html, run, exit_code); });
}

}  // namespace lockstep
