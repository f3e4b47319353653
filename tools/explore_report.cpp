#include "tools/explore_report.hpp"

#include "lockstep/explore/explored_json.hpp"
#include "tools/numbers.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

using nlohmann::ordered_json;

namespace {

void print_table(const std::vector<LevelCount>& levels, bool walk) {
  std::vector<std::vector<std::string>> rows = {{walk ? "depth" : "part", "positions", "steps", "illegal"}};
  const auto add = [&](const LevelCount& level) {
    rows.push_back({level.name, grouped(level.positions), grouped(level.steps), grouped(level.illegal)});
  };
  for (const auto& level : levels) add(level);
  if (levels.size() > 1) add(total_of(levels));
  fmt::print("{}", table_text(rows, 1, 0));
}

/// What was proven, or how much was covered, in one sentence.
std::string conclusion(const ExploreReport& report, const Explored& explored) {
  const LevelCount total = total_of(explored.levels);
  const std::string names = joined(report.implementations, ", ");
  const std::string so_far = explored.levels.empty()
                                 ? ""
                                 : fmt::format("{:.0f}% of {} {}", 100 * explored.share, report.walk ? "depth" : "part",
                                               explored.levels.back().name);
  switch (explored.end) {
    case ExploreEnd::covered:
    case ExploreEnd::exhausted:
      if (report.walk && explored.end == ExploreEnd::exhausted) {
        return fmt::format("ALL AGREE: {} and there are no other positions; {}, {}", names,
                           grouped(total.positions, "position"), grouped(total.steps, "step"));
      }
      if (!report.fast.empty()) {
        return fmt::format("ALL AGREE: {} on {}; {} on {} of them", joined(report.fast, ", "),
                           grouped(total.positions, "random position"), names, grouped(total.steps));
      }
      return fmt::format("ALL AGREE: {} on {} and {}", names, grouped(total.positions, "position"),
                         grouped(total.steps, "step"));
    case ExploreEnd::diverged: return "DIVERGED in another shard; lockstep merge shows where";
    case ExploreEnd::out_of_memory:
      return fmt::format("NOT COVERED: {} MiB are not enough; done: {}; no difference so far", report.memory, so_far);
    case ExploreEnd::cannot_judge: return "NOT COVERED: " + explored.reason;
    case ExploreEnd::running:
      if (!explored.reason.empty()) return "NOT COVERED: " + explored.reason;
      return fmt::format("INTERRUPTED at {}; no difference so far", so_far);
  }
  return "";
}

/// Nullopt if not everything was covered.
std::optional<bool> agreed(const Explored& explored) {
  if (explored.failed || explored.end == ExploreEnd::diverged) return false;
  if (explored.end == ExploreEnd::covered || explored.end == ExploreEnd::exhausted) return true;
  return std::nullopt;
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3) {
    out.insert(static_cast<std::size_t>(at), ",");
  }
  return out;
}

std::string grouped(std::uint64_t value, std::string_view noun) { return grouped(value) + " " + plural(value, noun); }

std::string finding_file(const Explored& explored, const std::filesystem::path& out) {
  if (!explored.finding) return "";
  const std::string file = (out / explored.finding->file_name).string();
  return keep_or_print(file, "finding", finding_text(*explored.finding)) ? file : "";
}

void print_certificate(const ExploreReport& report, const Explored& explored, std::string_view workers,
                       const std::string& file) {
  const auto line = [](const char* name, const std::string& text) {
    if (!text.empty()) fmt::print("{}", described(name, text, 17));
  };
  line("system", report.system);
  line("explored", (report.exploration.empty() ? "" : report.exploration + ": ") + report.about);
  line("implementations", joined(report.implementations, ", "));
  line("all positions", joined(report.fast, ", "));
  line("actions", joined(report.actions, ", "));
  line("bounds", joined(report.bounds, ", "));
  line("folded by", joined(explored.folded_by, ", "));
  fmt::print("\n");
  if (!explored.levels.empty()) print_table(explored.levels, report.walk);
  fmt::print("\n{:.1f} s on {}, {} MiB for positions\n", explored.seconds, workers, explored.memory >> 20);
  if (!explored.finding) {
    fmt::print("{}\n", conclusion(report, explored));
    return;
  }
  fmt::print("DIVERGED {}\n", explored.failed->explanation);
  const std::string& text = explored.failed->text;
  // After a crash, or while shards are missing or have not ended, there may be a smaller one.
  const bool smallest = explored.end == ExploreEnd::diverged && !explored.levels.empty();
  const std::string place = explored.levels.empty()
                                ? ""
                                : fmt::format(" at {} {}", report.walk ? "depth" : "part", explored.levels.back().name);
  fmt::print("{} scenario that differs{}:\n{}", smallest ? "the smallest" : "a", place,
             indented(text.substr(text.find('\n') + 1), "  | "));
  fmt::print("shrunk: {}, {}\n", explored.finding->explanation, explored.finding->minimal ? "minimal" : "budget spent");
  if (!file.empty()) fmt::print("replay it: {}\n", replay_command(file, report.implementations, program_command()));
}

void print_json(const ExploreReport& report, const Explored& explored, const std::string& file,
                const std::vector<unsigned>& missing) {
  const LevelCount total = total_of(explored.levels);
  ordered_json out{{"schema", 2},
                   {"system", report.system},
                   {"exploration", report.exploration},
                   {"about", report.about},
                   {"implementations", report.implementations},
                   {"fast", report.fast},
                   {"bounds", report.bounds},
                   {"folded_by", explored.folded_by},
                   {"end", explored.end},
                   {"agreed", agreed(explored)},
                   {"positions", total.positions},
                   {"steps", total.steps},
                   {"illegal", total.illegal},
                   {"levels", explored.levels},
                   {"seconds", explored.seconds},
                   {"memory", explored.memory}};
  if (!explored.reason.empty()) out["reason"] = explored.reason;
  if (!missing.empty()) {
    out["missing"] = ordered_json::array();
    for (const unsigned index : missing) out["missing"].push_back(index + 1);
  }
  if (explored.finding) {
    out["finding"] = json_of(*explored.finding, file);
    out["finding"]["smallest_explored"] = {{"text", explored.failed->text}, {"size", explored.failed->size}};
  }
  print_json(out);
}

int write_reports(const ReportFiles& files, const ExploreReport& report, const Explored& explored,
                  const std::string& file, int exit_code, const std::vector<std::string>& not_merged) {
  SarifRun run{.verb = "explore", .errors = not_merged, .exit_code = exit_code};
  const std::string name = report.exploration.empty() ? report.about : report.exploration;
  JunitCase one{report.system, name, explored.seconds};
  if (explored.finding) {
    const SarifResult& result = run.results.emplace_back(&system_named(report.system), report.implementations,
                                                         *explored.finding, file, finding_text(*explored.finding));
    one = junit_case(result, name, explored.seconds);
  } else if (exit_code != exit_agreed) {
    if (not_merged.empty() || explored.end == ExploreEnd::cannot_judge)
      run.errors.push_back(conclusion(report, explored));
    one = junit_error(report.system, name, "not covered", conclusion(report, explored), explored.seconds);
  }
  std::vector<JunitCase> cases{one};
  if (explored.finding && !not_merged.empty()) {  // beside the failure: a case has one or the other
    cases.push_back(junit_error(report.system, name + ": all shards", "not covered", joined(not_merged, "; ")));
  }
  return files.write(run, cases);
}

int exit_code_of(const Explored& explored) {
  if (const auto all_agree = agreed(explored)) return *all_agree ? exit_agreed : exit_diverged;
  const bool interrupted = explored.end == ExploreEnd::running && explored.reason.empty();
  return interrupted ? exit_interrupted : exit_internal_error;
}

}  // namespace lockstep
