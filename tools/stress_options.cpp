#include "tools/stress_options.hpp"

#include <chrono>
#include <iostream>

#include "lockstep/hash.hpp"
#include "lockstep/kept_files.hpp"
#include "tools/out_folder.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

void ProgramOptions::complete(const AnySystem& system, const ProblemInputs& inputs) {
  refuse_unwritable(out);
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

CLI::Option* add_program_options(CLI::App& verb, ProgramOptions& options) {
  verb.add_option("--seconds", options.stress.seconds, "Time for searching, for each program")
      ->transform(seconds_between(0.1, 1e7))
      ->capture_default_str();
  CLI::Option* const seed =
      verb.add_option("--seed", options.stress.seed, "Seed of the cases; default: random")->check(whole_number());
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
  verb.add_option("--time-limit", options.time_limit, "Seconds of processor time for each process")
      ->transform(seconds_between(0.01, 1e5))
      ->capture_default_str();
  verb.add_option("--memory-limit", options.memory_limit, "MiB for each process")
      ->check(whole_number(1, 1 << 20))
      ->capture_default_str();
  add_seed_corpus(verb, options.corpus, "Its cases come first");
  verb.add_option("--out", options.out, "Folder for a finding's files")->type_name("FOLDER")->capture_default_str();
  verb.add_flag("--json", options.json, "Print JSON");
  return seed;
}

std::filesystem::path write_stress_finding(const std::filesystem::path& folder, const AnySystem& system,
                                           const StressFinding& finding, const std::string& of) {
  const std::string file = folder / (std::string{system.name()} + "-" + hash_text(finding.input));
  const std::string input = file + ".in";
  if (const auto written = keep_file(input, finding.input); !written) {
    print_unwritten("input" + of, written.error(), finding.input);
    return {};
  }
  const auto keep = [&](const std::string& ending, const std::string& text) {
    if (const auto written = keep_file(file + ending, text); !written)
      std::cerr << program_name() << ": " << written.error() << "\n";
  };
  std::string answers;  // the reference's, also if another program gave the expected output
  for (const InputCase& one : finding.cases) answers += one.answer;
  keep(".ans", answers);
  if (finding.cases.size() == 1)
    keep(".txt", "# " + finding.verdict + ": " + finding.reason + "\n" + finding.cases.front().scenario);
  return input;
}

nlohmann::ordered_json json_of(const StressFinding& finding, const std::filesystem::path& file) {
  nlohmann::ordered_json out{
      {"verdict", finding.verdict}, {"reason", finding.reason}, {"cases_in_input", finding.cases.size()},
      {"minimal", finding.minimal}, {"input", finding.input},   {"expected", finding.expected},
      {"got", finding.got}};
  if (finding.verdict == "non-deterministic") out["got_in_another_run"] = finding.other;
  out["file"] = file.string();
  return out;
}

}  // namespace lockstep
