#include "tools/stress_options.hpp"

#include <chrono>
#include <random>

#include "lockstep/base/hash.hpp"
#include "lockstep/process/kept_files.hpp"
#include "tools/out_folder.hpp"

namespace lockstep {

void ProgramOptions::complete(const AnySystem& system, const ProblemInputs& inputs) {
  refuse_unwritable(out);
  stress.seed = seed.value_or(std::random_device{}());
  stress.batch = batch == "one" ? Batch::one : batch == "loop" ? Batch::loop : Batch::published;
  stress.limits.processor_time = std::chrono::milliseconds{static_cast<std::int64_t>(time_limit * 1000)};
  stress.limits.memory = memory_limit << 20;
  stress.corpus = corpus_of(corpus, {std::string{system.name()}});
  if (!stress.rules.checker) return;
  if (stress.batch == Batch::loop && !inputs.many_cases()) {
    throw BadInput{"--checker judges an input of the problem, which holds one case: leave out --batch loop"};
  }
  const Checker exists{*stress.rules.checker};  // else each program of grade would say that it does not
}

void add_program_options(CLI::App& verb, ProgramOptions& options) {
  add_number(verb, "--seconds", options.stress.seconds, seconds_between(0.1, 1e7),
             "Time for searching, for each program");
  verb.add_option("--seed", options.seed, "Seed of the cases; default: random")->check(whole_number());
  verb.add_option("--batch", options.batch,
                  "Cases for each process. published: several if the problem's input holds several, else one; one; "
                  "loop: the program reads cases until the end of its input")
      ->type_name("HOW")
      ->check(CLI::IsMember{{"published", "one", "loop"}})
      ->capture_default_str();
  verb.add_option(
          "--checker", options.stress.rules.checker,
          "Command line of a checker that decides whether an output is right, within ten seconds: one for testlib or "
          "for Kattis")
      ->type_name("COMMAND");
  add_number(verb, "--time-limit", options.time_limit, seconds_between(0.01, 1e5),
             "Seconds of processor time for each process");
  add_number(verb, "--memory-limit", options.memory_limit, whole_number(1, 1 << 20), "MiB for each process");
  add_corpus_option(verb, options.corpus, "Its cases come first");
  add_path(verb, "--out", "FOLDER", options.out, "Folder for a finding's files")->capture_default_str();
  verb.add_flag("--json", options.json, "Print JSON");
}

void write_stress_finding(const std::filesystem::path& folder, const AnySystem& system, StressFinding& finding,
                          const std::string& of) {
  const std::string file = folder / (std::string{system.name()} + "-" + hash_text(finding.input));
  if (!keep_or_print(file + ".in", "input" + of, finding.input)) return;
  finding.file = file + ".in";
  const auto keep = [&](const std::string& ending, const std::string& text) {
    if (const auto written = keep_file(file + ending, text); !written) complain(written.error());
  };
  std::string answers;  // the reference's, also if another program gave the expected output
  for (const InputCase& one : finding.cases) answers += one.answer;
  keep(".ans", answers);
  if (finding.cases.size() == 1)
    keep(".txt", "# " + finding.verdict + ": " + finding.reason + "\n" + finding.cases.front().scenario);
}

void to_json(nlohmann::ordered_json& out, const StressFinding& finding) {
  out = {{"verdict", finding.verdict}, {"reason", finding.reason}, {"cases_in_input", finding.cases.size()},
         {"minimal", finding.minimal}, {"input", finding.input},   {"expected", finding.expected},
         {"got", finding.got}};
  if (finding.verdict == "non-deterministic") out["got_in_another_run"] = finding.other;
  out["file"] = finding.file.string();
}

}  // namespace lockstep
