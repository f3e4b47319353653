// lockstep gen: writes inputs of the original problem, and the reference's answers.
#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "campaign/test_set.hpp"
#include "lockstep/report.hpp"
#include "lockstep/words.hpp"
#include "tools/interrupt.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct GenOptions {
  std::string system;
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
  std::filesystem::path out;
  bool strong = false;
  std::string corpus = "corpus";
  std::string planted;
  TestSetOptions set;
};

void write_case(const std::filesystem::path& file, const InputCase& one) {
  write_output(file.string() + ".in", one.input);
  write_output(file.string() + ".ans", one.answer);
}

void generate(const GenOptions& options) {
  if (options.out.empty() && options.count > 1) {
    throw BadInput{"gen prints one input; for several, name a folder: --out DIR"};
  }
  const ProblemInputs& inputs = problem_inputs(system_named(options.system));
  const auto stream = inputs.draw(options.seed, 0, 1, {});
  constexpr std::uint64_t patience = 256;  // draws before a case that reaches nothing new is taken
  for (std::uint64_t i = 1; i <= options.count; ++i) {
    // Drawing runs the fastest implementation; the answer is the reference's.
    const InputCase one = value_of(inputs.case_of(stream->next(patience).scenario), "a drawn case");
    if (options.out.empty()) fmt::print("{}", one.input);
    else write_case(options.out / fmt::format("{:03}", i), one);
  }
}

/// Letters and digits, the rest as single '-': "chains = 7" becomes "chains-7".
std::string file_word(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') out += c;
    else if (!out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out.substr(0, 60);
}

/// What plant.py has written into a folder.
PlantedProgram planted_in(const std::filesystem::path& folder) {
  const auto file = folder / "mutants.json";
  PlantedProgram out;
  out.command = shell_word((folder / "planted").string());
  try {
    for (const auto& change : nlohmann::json::parse(read_input(file.string())).at("changes")) {
      out.changes.push_back({change.at("number"), fmt::format("line {}: {}", change.at("line").get<int>(),
                                                              change.at("change").get<std::string>())});
    }
  } catch (const nlohmann::json::exception& fault) {
    throw BadInput{fmt::format("{}: {}", file.string(), fault.what())};
  }
  return out;
}

/// Programs that tests fail are named by their command lines, canaries and features as everywhere.
int generate_strong(GenOptions& options, bool count_given) {
  if (options.out.empty()) throw BadInput{"gen --strong writes a set of inputs: name a folder for it, --out DIR"};
  const AnySystem& system = system_named(options.system);
  std::vector<std::string> canaries;
  for (const auto& implementation : system.implementations()) {
    if (implementation.kind == Kind::canary) canaries.push_back(implementation.name);
  }
  options.set.seed = options.seed;
  if (count_given) options.set.inputs_max = options.count;
  if (options.corpus != "none") options.set.corpus = options.corpus;
  if (!options.planted.empty()) options.set.planted = planted_in(options.planted);
  catch_interrupts();
  const ProblemInputs& inputs = problem_inputs(system);
  const TestSet set = choose_tests(inputs, canaries, options.set, [] { return interrupted(); });
  std::string contents;
  std::set<std::string> failed;
  std::set<std::string> shown;
  for (std::size_t i = 0; i < set.inputs.size(); ++i) {
    const TestInput& input = set.inputs[i];
    failed.insert(input.fails.begin(), input.fails.end());
    shown.insert(input.shows.begin(), input.shows.end());
    const std::string& first = input.fails.empty() ? input.shows.front() : input.fails.front();
    const std::string name = fmt::format("{:02}-{}", i + 1, file_word(first));
    write_case(options.out / name, input.one);
    contents += name + ".in\n";
    if (!input.fails.empty()) contents += "  fails " + joined(input.fails, ", ") + "\n";
    if (!input.shows.empty()) contents += "  shows " + joined(input.shows, ", ") + "\n";
  }
  const std::size_t wrong = canaries.size() + options.set.wrong.size() + options.set.planted.changes.size();
  std::string summary = fmt::format("{} fail {} of {} and show {}; chosen from {}, seed {}\n",
                                    counted(set.inputs.size(), "input"), failed.size(), counted(wrong, "wrong program"),
                                    counted(shown.size(), "feature value"), counted(set.cases, "case"), options.seed);
  for (const auto& name : set.passed) summary += "no input found that fails " + name + "\n";
  if (!set.left_out.empty()) summary += "no room (--count) for " + joined(set.left_out, ", ") + "\n";
  if (inputs.many_cases() && set.inputs.size() > 1) {
    std::vector<InputCase> all;
    std::string answers;
    for (const TestInput& input : set.inputs) {
      all.push_back(input.one);
      answers += input.one.answer;
    }
    const std::string name = fmt::format("{:02}-all-of-these", set.inputs.size() + 1);
    write_case(options.out / name, {.scenario = {}, .input = inputs.input_of(all), .answer = answers});
    contents += name + ".in\n  all cases above in one input: nothing may survive from one to the next\n";
  }
  write_output(options.out / "contents.txt", contents + "\n" + summary);
  fmt::print("{}", summary);
  if (interrupted()) return exit_interrupted;
  return std::ranges::find_first_of(set.passed, options.set.wrong) == set.passed.end() ? exit_agreed : exit_diverged;
}

}  // namespace

void add_gen(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<GenOptions>();
  CLI::App* const verb = program.add_subcommand("gen", "Draws inputs of the original problem, and their answers");
  add_system(*verb, options->system);
  CLI::Option* const count =
      verb->add_option("--count", options->count, "How many inputs; with --strong at most, default 60")
          ->check(whole_number(1, 100'000))
          ->capture_default_str();
  CLI::Option* const seed = verb->add_option("--seed", options->seed, "Seed; default: random")->check(whole_number());
  verb->add_option("--out", options->out, "Folder for 001.in, 001.ans, …; without it, one input is printed");
  CLI::Option* const strong = verb->add_flag(
      "--strong", options->strong,
      "Choose a small set that fails all canaries and shows all values of features, named by what each input is for");
  verb->add_option("--seconds", options->set.seconds, "Time for choosing")
      ->check(seconds_between(0.1, 1e6))
      ->capture_default_str()
      ->needs(strong);
  verb->add_option("--wrong", options->set.wrong, "The command line of a wrong program, which the set should fail too")
      ->allow_extra_args(false)
      ->needs(strong);
  verb->add_option("--planted", options->planted,
                   "Folder with a right program and the changes planted into it ('plant.py --program'), which the set "
                   "should fail too")
      ->needs(strong);
  verb->add_option("--corpus", options->corpus, "Folder that contains SYSTEM/*.txt, whose cases come first; none")
      ->capture_default_str()
      ->needs(strong);
  verb->footer(exit_codes("written", "a program of --wrong passes every input") +
               ", 130 interrupted\n"
               "example: lockstep gen stacking --seed 7\n"
               "         lockstep gen stacking --count 20 --seed 7 --out tests\n"
               "         lockstep gen stacking --strong --wrong ./slow_end --out tests");
  verb->callback([options, seed, count, &exit_code] {
    if (seed->count() == 0) options->seed = std::random_device{}();
    if (options->strong) exit_code = generate_strong(*options, count->count() > 0);
    else generate(*options);
  });
}

}  // namespace lockstep
