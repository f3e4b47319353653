#include "campaign/resume.hpp"

#include <nlohmann/json.hpp>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/json.hpp"
#include "lockstep/kept_files.hpp"

namespace lockstep {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngineTally, scenarios, steps, seconds, features, findings, canaries)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CanaryHunt, name, found, engine, seconds, scenarios)

namespace {

using nlohmann::json;

constexpr int format_version = 10;

/// A path may have any bytes, but text in JSON is UTF-8: a path that is not is written as the list of its bytes.
json json_of_path(const std::string& path) {
  try {
    static_cast<void>(json(path).dump());
    return path;
  } catch (const json::exception&) {
    return std::vector<std::uint8_t>(path.begin(), path.end());
  }
}
std::string path_from(const json& j) {
  if (j.is_string()) return j;
  const auto bytes = j.get<std::vector<std::uint8_t>>();
  return {bytes.begin(), bytes.end()};
}

/// Names of implementations, which may be paths of plugins.
json json_of_names(const std::vector<std::string>& names) {
  json out = json::array();
  for (const auto& name : names) out.push_back(json_of_path(name));
  return out;
}
std::vector<std::string> names_from(const json& j) {
  std::vector<std::string> out;
  for (const auto& each : j) out.push_back(path_from(each));
  return out;
}

json json_of(const CampaignResult& r) {
  json findings = json::array();
  for (const auto& [finding, file] : r.findings) {
    findings.push_back({{"file", json_of_path(file)}, {"finding", json::parse(to_json(finding))}});
  }
  return {{"name", r.system->name()},
          {"simulators", json_of_names(r.implementations)},
          {"finished", r.finished},
          {"seconds", r.seconds},
          {"next", r.next},
          {"features", r.features.to_string()},
          {"timeline", json::parse(to_json(r.timeline))},
          {"processor", {{"got", r.processor.used}, {"there_was", r.processor.available}}},
          {"engines", r.engines},
          {"canary", r.canary},
          {"findings", findings},
          {"faults", r.faults},
          {"ignored", r.ignored},
          {"ignored_signatures", r.ignored_signatures},
          {"mended", r.mended},
          {"notes", r.notes}};
}

CampaignResult result_from(const json& j, const SystemNamed& system_named) {
  CampaignResult r;
  r.system = &system_named(j.at("name"));
  r.implementations = names_from(j.at("simulators"));
  r.finished = j.at("finished");
  r.seconds = j.at("seconds");
  r.next = j.at("next").get<std::vector<std::uint64_t>>();
  r.features = FeatureSet{j.at("features").get<std::string>()};
  r.timeline = timeline_from(j.at("timeline").dump());
  r.processor = {.used = j.at("processor").at("got"), .available = j.at("processor").at("there_was")};
  r.engines = j.at("engines");
  r.canary = j.at("canary");
  for (const auto& each : j.at("findings"))
    r.findings.push_back({finding_from(each.at("finding").dump()), path_from(each.at("file"))});
  r.faults = j.at("faults");
  r.ignored = j.at("ignored");
  r.ignored_signatures = j.at("ignored_signatures");
  r.mended = j.at("mended");
  r.notes = j.at("notes");
  return r;
}

FuzzRun run_from(const json& j, const SystemNamed& system_named) {
  if (j.at("lockstep_fuzz_run") != format_version)
    throw BadInput{"this file was written by another version of lockstep"};
  FuzzRun run;
  run.systems = j.at("games");
  for (const auto& name : run.systems) system_named(name);
  CampaignOptions& o = run.options;
  o.seconds = j.at("seconds");
  o.runs = j.at("runs");
  o.seed = j.at("seed");
  o.jobs = j.at("jobs");
  o.with = names_from(j.at("with"));
  o.engines = j.at("engines");
  o.corpus = path_from(j.at("corpus"));
  o.timeout = std::chrono::milliseconds{j.at("timeout_ms").get<std::int64_t>()};
  o.keep_going = j.at("keep_going");
  o.without = j.at("without");
  o.ignore = path_from(j.at("ignore"));
  o.hunt_canary = j.at("hunt_canary");
  for (const auto& each : j.at("results")) run.results.push_back(result_from(each, system_named));
  if (o.jobs < 1 || o.jobs > 1024 || run.results.size() > run.systems.size())
    throw BadInput{"the number of jobs or results is out of range"};
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (run.results[i].system->name() != run.systems[i]) throw BadInput{"the results do not match the list of systems"};
    if (run.results[i].next.size() > o.jobs) throw BadInput{"a result has more workers than jobs"};
  }
  return run;
}

}  // namespace

double FuzzRun::used() const {
  double sum = 0;
  for (const auto& r : results) sum += r.seconds;
  return sum;
}

std::filesystem::path resume_file(const std::filesystem::path& out) { return out / "unfinished-fuzz-run.json"; }

std::string resume_text(const FuzzRun& run) {
  const CampaignOptions& o = run.options;
  json results = json::array();
  for (const auto& r : run.results) results.push_back(json_of(r));
  json out{{"lockstep_fuzz_run", format_version},
           {"games", run.systems},
           {"seconds", o.seconds},
           {"runs", o.runs},
           {"seed", o.seed},
           {"jobs", o.jobs},
           {"with", json_of_names(o.with)},
           {"engines", o.engines},
           {"corpus", json_of_path(o.corpus.string())},
           {"timeout_ms", o.timeout.count()},
           {"keep_going", o.keep_going},
           {"without", o.without},
           {"ignore", json_of_path(o.ignore.string())},
           {"hunt_canary", o.hunt_canary},
           {"results", results}};
  return dumped(out) + "\n";
}

FuzzRun read_resume(const std::filesystem::path& out, const SystemNamed& system_named) {
  FuzzRun run = read_fuzz_run(resume_file(out), system_named);
  run.options.out = out;
  for (CampaignResult& result : run.results) {
    std::erase_if(result.findings, [](const Found& found) {
      return !found.file.empty() && !std::filesystem::exists(found.file);  // the others could not be written
    });
  }
  return run;
}

std::string unreadable_text(const std::filesystem::path& file, const std::string& reason) {
  return file.string() + ": cannot be read: " + reason +
         "; it may be whole: make it readable, and run the command again";
}

FuzzRun read_fuzz_run(const std::filesystem::path& file, const SystemNamed& system_named) {
  const auto text = read_file(file);
  if (!text && std::filesystem::exists(file)) throw BadInput{unreadable_text(file, text.error())};
  if (!text) throw BadInput{file.string() + ": " + text.error() + "; there is no unfinished run to resume"};
  try {
    return run_from(json::parse(*text), system_named);
  } catch (const json::exception&) {
    throw DamagedFile{file};
  } catch (const std::invalid_argument&) {  // features that are not zeros and ones
    throw DamagedFile{file};
  } catch (const InternalError&) {  // a broken finding
    throw DamagedFile{file};
  } catch (const BadInput& fault) {
    throw BadInput{file.string() + ": " + fault.what()};
  }
}

}  // namespace lockstep
