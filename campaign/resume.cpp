#include "campaign/resume.hpp"

#include <nlohmann/json.hpp>

#include "lockstep/files.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr int format_version = 1;

json to_json(const EngineTally& t) { return {t.scenarios, t.steps, t.seconds, t.features, t.findings, t.canaries}; }

EngineTally tally_from(const json& j) { return {j.at(0), j.at(1), j.at(2), j.at(3), j.at(4), j.at(5)}; }

json to_json(const SystemResult& r) {
  json findings = json::array();
  for (const auto& [finding, file] : r.findings) {
    findings.push_back({{"file", file},
                        {"signature", finding.signature},
                        {"explanation", finding.explanation},
                        {"engine", finding.engine},
                        {"minimal", finding.minimal},
                        {"hidden_state", finding.hidden_state},
                        {"actions", finding.actions}});
  }
  json engines = json::object();
  for (const auto& [name, tally] : r.engines) engines[name] = to_json(tally);
  return {{"name", r.system->name()},
          {"simulators", r.implementations},
          {"finished", r.finished},
          {"seconds", r.seconds},
          {"next", r.next},
          {"features", r.features.to_string()},
          {"engines", engines},
          {"canary", {r.canary.name, r.canary.found, r.canary.engine, r.canary.seconds, r.canary.scenarios}},
          {"findings", findings},
          {"faults", r.faults}};
}

SystemResult result_from(const json& j) {
  SystemResult r;
  r.system = &system_named(j.at("name"));
  r.implementations = j.at("simulators");
  r.finished = j.at("finished");
  r.seconds = j.at("seconds");
  r.next = j.at("next").get<std::vector<std::uint64_t>>();
  r.features = FeatureSet{j.at("features").get<std::string>()};
  for (const auto& [name, tally] : j.at("engines").items()) r.engines[name] = tally_from(tally);
  const json& canary = j.at("canary");
  r.canary = {canary.at(0), canary.at(1), canary.at(2), canary.at(3), canary.at(4)};
  for (const auto& each : j.at("findings")) {
    const std::string file = each.at("file");
    const auto text = read_file(file);
    if (!text) continue;
    r.findings.push_back({FindingText{.signature = each.at("signature"),
                                      .file_name = std::filesystem::path{file}.filename().string(),
                                      .text = *text,
                                      .explanation = each.at("explanation"),
                                      .minimal = each.at("minimal"),
                                      .hidden_state = each.at("hidden_state"),
                                      .actions = each.at("actions"),
                                      .engine = each.at("engine")},
                          file});
  }
  r.faults = j.at("faults");
  return r;
}

FuzzRun run_from(const json& j) {
  if (j.at("lockstep_fuzz_run") != format_version) throw BadInput{"it is of another version of lockstep"};
  FuzzRun run;
  run.systems = j.at("games");
  for (const auto& name : run.systems) system_named(name);
  SearchOptions& o = run.options;
  o.seconds = j.at("seconds");
  o.runs = j.at("runs");
  o.seed = j.at("seed");
  o.jobs = j.at("jobs");
  o.with = j.at("with");
  o.engines = j.at("engines");
  o.corpus = j.at("corpus").get<std::string>();
  o.timeout = std::chrono::milliseconds{j.at("timeout_ms").get<std::int64_t>()};
  o.keep_going = j.at("keep_going");
  o.hunt_canary = j.at("hunt_canary");
  for (const auto& each : j.at("results")) run.results.push_back(result_from(each));
  if (o.jobs < 1 || o.jobs > 1024 || run.results.size() > run.systems.size()) throw BadInput{"its numbers do not fit"};
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (run.results[i].system->name() != run.systems[i]) throw BadInput{"its systems do not fit"};
    if (run.results[i].next.size() > o.jobs) throw BadInput{"its numbers do not fit"};
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
  const SearchOptions& o = run.options;
  json results = json::array();
  for (const auto& r : run.results) results.push_back(to_json(r));
  return json{{"lockstep_fuzz_run", format_version},
              {"games", run.systems},
              {"seconds", o.seconds},
              {"runs", o.runs},
              {"seed", o.seed},
              {"jobs", o.jobs},
              {"with", o.with},
              {"engines", o.engines},
              {"corpus", o.corpus.string()},
              {"timeout_ms", o.timeout.count()},
              {"keep_going", o.keep_going},
              {"hunt_canary", o.hunt_canary},
              {"results", results}}
             .dump(1, ' ', true, json::error_handler_t::replace) +
         "\n";
}

FuzzRun read_resume(const std::filesystem::path& out) {
  const std::filesystem::path file = resume_file(out);
  const auto text = read_file(file);
  if (!text) throw BadInput{file.string() + ": " + text.error() + "; there is no unfinished run to go on with"};
  try {
    FuzzRun run = run_from(json::parse(*text));
    run.options.out = out;
    return run;
  } catch (const json::exception& fault) {
    throw BadInput{file.string() + ": this is not what 'lockstep fuzz' writes: " + fault.what()};
  } catch (const std::invalid_argument&) {
    throw BadInput{file.string() + ": this is not what 'lockstep fuzz' writes: features are zeros and ones"};
  } catch (const BadInput& fault) {
    throw BadInput{file.string() + ": " + fault.what()};
  }
}

}  // namespace lockstep
