#include "campaign/resume.hpp"

#include <nlohmann/json.hpp>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/finding_json.hpp"
#include "lockstep/json.hpp"
#include "lockstep/kept_files.hpp"

namespace lockstep {

using nlohmann::json;

namespace {

constexpr int format_version = 11;

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

/// Writes members under their names.
struct Writer {
  json& out;

  void member(const char* name, const auto& value) const { out[name] = value; }
  void path(const char* name, const std::filesystem::path& value) const { out[name] = json_of_path(value.string()); }
  /// Of implementations, which may be paths of plugins.
  void names(const char* name, const std::vector<std::string>& values) const {
    json& list = out[name] = json::array();
    for (const auto& each : values) list.push_back(json_of_path(each));
  }
};

/// Reads what a Writer wrote.
struct Reader {
  const json& in;

  void member(const char* name, auto& value) const { in.at(name).get_to(value); }
  void path(const char* name, std::filesystem::path& value) const { value = path_from(in.at(name)); }
  void names(const char* name, std::vector<std::string>& values) const {
    for (const auto& each : in.at(name)) values.push_back(path_from(each));
  }
};

/// All that is saved of a result but the system and the features.
void visit_result(const auto& members, auto& r) {
  members.names("simulators", r.implementations);
  members.member("finished", r.finished);
  members.member("seconds", r.seconds);
  members.member("next", r.next);
  members.member("timeline", r.timeline);
  members.member("processor", r.processor);
  members.member("engines", r.engines);
  members.member("canary", r.canary);
  members.member("findings", r.findings);
  members.member("faults", r.faults);
  members.member("ignored", r.ignored);
  members.member("ignored_signatures", r.ignored_signatures);
  members.member("mended", r.mended);
  members.member("notes", r.notes);
}

void visit_options(const auto& members, auto& o) {
  members.member("seconds", o.seconds);
  members.member("runs", o.runs);
  members.member("seed", o.seed);
  members.member("jobs", o.jobs);
  members.names("with", o.with);
  members.member("engines", o.engines);
  members.path("corpus", o.corpus);
  members.member("timeout_ms", o.timeout);
  members.member("keep_going", o.keep_going);
  members.member("without", o.without);
  members.path("ignore", o.ignore);
  members.member("hunt_canary", o.hunt_canary);
}

CampaignResult result_from(const json& in, const SystemNamed& system_named) {
  CampaignResult out;
  visit_result(Reader{in}, out);
  out.system = &system_named(in.at("name"));
  out.features = FeatureSet{in.at("features").get<std::string>()};
  return out;
}

FuzzRun run_from(const json& in, const SystemNamed& system_named) {
  if (in.at("lockstep_fuzz_run") != format_version)
    throw BadInput{"this file was written by another version of lockstep"};
  FuzzRun run;
  run.systems = in.at("games");
  for (const auto& name : run.systems) system_named(name);
  visit_options(Reader{in}, run.options);
  for (const auto& each : in.at("results")) run.results.push_back(result_from(each, system_named));
  const unsigned jobs = run.options.jobs;
  if (jobs < 1 || jobs > 1024 || run.results.size() > run.systems.size())
    throw BadInput{"the number of jobs or results is out of range"};
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (run.results[i].system->name() != run.systems[i]) throw BadInput{"the results do not match the list of systems"};
    if (run.results[i].next.size() > jobs) throw BadInput{"a result has more workers than jobs"};
  }
  return run;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngineTally, scenarios, steps, seconds, features, findings, canaries)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CanaryHunt, name, found, engine, seconds, scenarios)

void to_json(json& out, const ProcessorShare& share) { out = {{"got", share.used}, {"there_was", share.available}}; }
void from_json(const json& in, ProcessorShare& share) { share = {in.at("got"), in.at("there_was")}; }

void to_json(json& out, const Timeline& timeline) { out = json::parse(to_json(timeline)); }
void from_json(const json& in, Timeline& timeline) { timeline = timeline_from(in.dump()); }

void to_json(json& out, const Found& found) { out = {{"file", json_of_path(found.file)}, {"finding", found.finding}}; }
void from_json(const json& in, Found& found) {
  found = {in.at("finding").get<FindingText>(), path_from(in.at("file"))};
}

double FuzzRun::used() const {
  double sum = 0;
  for (const auto& r : results) sum += r.seconds;
  return sum;
}

std::filesystem::path resume_file(const std::filesystem::path& out) { return out / "unfinished-fuzz-run.json"; }

std::string resume_text(const FuzzRun& run) {
  json results = json::array();
  for (const CampaignResult& result : run.results) {
    json& each = results.emplace_back(json{{"name", result.system->name()}, {"features", result.features.to_string()}});
    visit_result(Writer{each}, result);
  }
  json out{{"lockstep_fuzz_run", format_version}, {"games", run.systems}, {"results", results}};
  visit_options(Writer{out}, run.options);
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
