#include "campaign/resume.hpp"

#include <nlohmann/json.hpp>

#include "campaign/result_json.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/json.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/services/finding_json.hpp"

namespace lockstep {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngineTally, scenarios, steps, seconds, features, findings, canaries)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Found, finding, file)

void to_json(json& out, const ProcessorShare& share) { out = {{"got", share.used}, {"there_was", share.available}}; }
void from_json(const json& in, ProcessorShare& share) { share = {in.at("got"), in.at("there_was")}; }

// All that is saved of a result but the system and the features.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CampaignResult, implementations, finished, seconds, next, timeline, processor,
                                   engines, canary, findings, faults, ignored, ignored_signatures, mended, notes,
                                   longest, kinds_drawn)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CampaignOptions, seconds, runs, seed, jobs, with, engines, corpus, timeout,
                                   keep_going, without, actions_max, ignore, hunt_canary)

namespace {

/// A path may have any bytes, but text in JSON is UTF-8: a text that is not becomes an object with the list of its bytes.
void make_utf8(json& value) {
  if (value.is_structured()) {
    for (json& each : value) make_utf8(each);
  } else if (value.is_string()) {
    try {
      static_cast<void>(value.dump());
    } catch (const json::exception&) {
      const auto text = value.get<std::string>();
      value = {{"bytes", std::vector<std::uint8_t>(text.begin(), text.end())}};
    }
  }
}
/// Undoes make_utf8.
void restore_bytes(json& value) {
  if (value.is_object() && value.contains("bytes")) {
    const auto bytes = value.at("bytes").get<std::vector<std::uint8_t>>();
    value = std::string{bytes.begin(), bytes.end()};
  } else if (value.is_structured()) {
    for (json& each : value) restore_bytes(each);
  }
}

FuzzRun run_from(json in, const SystemNamed& system_named) {
  if (!is_read(in.at("lockstep_fuzz_run"))) throw BadInput{"this file was written by another version of lockstep"};
  restore_bytes(in);
  rename_words(in);
  FuzzRun run{.systems = in.at("systems"), .options = in, .results = in.at("results")};
  for (const auto& name : run.systems) system_named(name);
  const unsigned jobs = run.options.jobs;
  if (jobs < 1 || jobs > 1024 || run.results.size() > run.systems.size())
    throw BadInput{"the number of jobs or results is out of range"};
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const json& from = in.at("results").at(i);
    if (from.at("name") != run.systems[i]) throw BadInput{"the results do not match the list of systems"};
    run.results[i].system = &system_named(run.systems[i]);
    run.results[i].features = FeatureSet{from.at("features").get<std::string>()};
    const Timeline& timeline = run.results[i].timeline;
    for (const auto& [name, curve] : timeline.engines) {
      for (const auto* const counts : {&curve.scenarios, &curve.steps, &curve.features_first, &curve.findings})
        if (counts->size() != timeline.seconds.size()) throw InternalError{"a curve of another length"};
    }
    if (run.results[i].next.size() > jobs) throw BadInput{"a result has more workers than jobs"};
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
  json out = run.options;
  out["lockstep_fuzz_run"] = state_version;
  out["systems"] = run.systems;
  out["results"] = run.results;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    out["results"][i]["name"] = run.results[i].system->name();
    out["results"][i]["features"] = run.results[i].features.to_string();
  }
  make_utf8(out);
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
  return unless_damaged(file, [&] {
    try {
      return run_from(json::parse(*text), system_named);
    } catch (const BadInput& fault) {
      throw BadInput{file.string() + ": " + fault.what()};
    }
  });
}

}  // namespace lockstep
