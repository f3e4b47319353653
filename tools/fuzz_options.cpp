#include "tools/fuzz_options.hpp"

#include <random>
#include <set>

#include "campaign/known_mistakes.hpp"
#include "tools/fuzz_targets.hpp"

namespace lockstep {
namespace {

/// The systems that have all these implementations; with no names, all systems.
std::vector<std::string> systems_with(const std::vector<std::string>& implementations) {
  std::vector<std::string> out;
  std::vector<std::string> known;
  for (const AnySystem* system : all_systems()) {
    for (const auto& each : system->implementations()) known.emplace_back(each.name);
    try {
      if (!implementations.empty()) implementations_to_judge(*system, implementations);
      out.emplace_back(system->name());
    } catch (const BadInput&) {
      if (all_systems().size() == 1) throw;
      // This system lacks one of them.
    }
  }
  if (!out.empty()) return out;
  for (const auto& name : implementations) {
    if (std::ranges::find(known, name) == known.end() && !nearest(name, known).empty())
      throw BadInput{"--with " + unknown_name("implementation", name, known)};
  }
  throw BadInput{"--with " + joined(implementations, ",") +
                 ": no system has all of these; name a SYSTEM to see its implementations"};
}

}  // namespace

FuzzRun FuzzOptions::new_run(const CLI::App& verb) const {
  FuzzRun run{.systems = {}, .options = campaign, .results = {}};
  for (const auto& name : split_names(systems)) {
    const std::string known{system_named(name).name()};
    if (std::ranges::find(run.systems, known) == run.systems.end()) run.systems.push_back(known);
  }
  CampaignOptions& asked = run.options;
  asked.with = split_names(asked.with);
  asked.without = split_names(asked.without);
  if (!asked.ignore.empty()) read_known_mistakes(asked.ignore);  // refuses what it cannot read
  if (run.systems.empty()) run.systems = systems_with(asked.with);
  asked.engines = split_names(asked.engines);
  for (const auto& engine : asked.engines) place_of("engine", engine, engine_names());
  // Every system is checked before the first campaign starts: a later error would waste that campaign.
  for (const auto& name : run.systems) {
    implementations_to_judge(system_named(name), asked.with);
    check_built(name, asked.engines, fuzz_targets(name));
  }
  if (verb.count("--seed") == 0) asked.seed = std::random_device{}();
  asked.jobs = jobs_of(asked.jobs);
  if (asked.runs > 0 && verb.count("--seconds") == 0) asked.seconds = no_time_limit;
  asked.corpus = corpus_of(corpus, run.systems);
  return run;
}

void refuse_options_beside_resume(const CLI::App& verb) {
  const std::set<std::string> allowed{"--resume", "--out", "--json", "--verbose", "--sarif", "--junit", "--html"};
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && !allowed.contains(name))
      throw BadInput{"--resume takes its options from the interrupted run: leave " + name + " out"};
  }
}

void FuzzOptions::add_to(CLI::App& verb) {
  campaign.jobs = 0;
  verb.add_option("SYSTEM", systems, "The systems; default: all that have the implementations of --with");
  add_number(verb, "--seconds", campaign.seconds, seconds_between(0.1, 1e7), "Total time, shared by the systems")
      ->take_last();
  verb.add_option(
          "--runs", campaign.runs,
          "Scenarios for each system, and executions of each libFuzzer process, instead of a time; with --seconds: "
          "whichever limit is reached first")
      ->check(whole_number(1, std::uint64_t{1} << 50));
  verb.add_option("--seed", campaign.seed, "Seed of the scenarios; default: random")->check(whole_number());
  add_jobs(verb, campaign.jobs,
           "Worker processes, and half as many processes of each libFuzzer target; default: one for each core");
  add_with(verb, campaign.with, with_default);
  add_names(verb, "--engine", campaign.engines,
            "Engines: uniform, swarm, suggested, mutated, libfuzzer, libfuzzer-fast (without sanitizers); "
            "default: all that are built, but libfuzzer-fast",
            "ENGINES");
  add_names(verb, "--without", campaign.without, "Kinds of actions that are left out");
  verb.add_option("--actions-max", campaign.actions_max,
                  "The most actions that built-in engines draw for a scenario; one in 256 has any number up to it; "
                  "default: 2000, and up to 64 times as many while nothing new is reached")
      ->check(whole_number(1, std::uint64_t{1} << 24));
  add_path(verb, "--ignore", "FILE", campaign.ignore,
           "Known mistakes, which are counted and not reported: a file with a line 'SIGNATURE # REASON' or "
           "'scenario FILE # REASON' for each");
  add_path(verb, "--out", "FOLDER", campaign.out, "Folder for findings; one run at a time")->capture_default_str();
  shards.add_to(verb);
  add_corpus_option(verb, corpus, "Seed corpus");
  add_timeout(verb, campaign.timeout);
  verb.add_flag("--keep-going", campaign.keep_going, "Continue after the first finding of a system");
  verb.add_flag_callback(
      "--no-canary", [this] { campaign.hunt_canary = false; }, "Skip the canary hunt before each campaign");
  verb.add_flag(
      "--resume", resume,
      "Resume the run in --out that was killed or interrupted, with its options; ask for its reports (--json, "
      "--verbose, --sarif, --junit, --html) again");
  verb.add_flag("--verbose", output.verbose, "Also print the implementations, the canaries and what each engine found");
  verb.add_flag("--json", output.json, "Print JSON (docs/fuzz-json.md)");
  output.reports.add_to(verb);
  add_path(verb, "--html", "FILE", output.html,
           "Also write the page of the run to this file, anew every few seconds while it runs (docs/watching.md)");
}

}  // namespace lockstep
