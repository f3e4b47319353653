// lockstep gen: writes inputs of the original problem, and the reference's answers.
#include <random>
#include <regex>
#include <set>

#include "campaign/hunt.hpp"
#include "lockstep/process/scratch.hpp"
#include "programs/invalid_inputs.hpp"
#include "programs/test_set.hpp"
#include "tools/out_folder.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct GenOptions {
  std::string system;
  std::optional<std::uint64_t> count;
  std::optional<std::uint64_t> seed;
  std::filesystem::path out;
  bool strong = false;
  bool invalid = false;
  CorpusOption corpus;
  std::vector<std::string> solutions;
  TestSetOptions set;
};

/// A folder of inputs, and contents.txt, which lists them and is written last: a run that is killed leaves a part of the
/// set, without contents.txt. The folder belongs to one run at a time.
class SetFolder {
 public:
  /// BadInput for a folder that cannot have a set: before the inputs are chosen.
  explicit SetFolder(std::filesystem::path folder) : folder_{std::move(folder)} {
    refuse_unwritable(folder_);
    lock_.emplace(folder_, "--out " + folder_.string(), "another gen uses this folder; choose another folder");
    refuse_used(folder_);
  }

  void add(const std::string& name, const std::string& input) {
    write_output(folder_ / (name + ".in"), input);
    contents_ += name + ".in\n";
  }
  void add(const std::string& name, const std::string& input, const std::string& answer) {
    add(name, input);
    write_output(folder_ / (name + ".ans"), answer);
  }
  /// A line about the last input.
  void note(const std::string& text) { contents_ += "  " + text + "\n"; }

  /// `complete`: the run was not interrupted. An interrupted one without an input leaves the folder as it was.
  void finish(const std::string& summary, bool complete) {
    if (complete || !contents_.empty())
      write_output(folder_ / "contents.txt", contents_ + "\nwritten by gen: " + summary);
    fmt::print("{}", summary);
  }

 private:
  std::filesystem::path folder_;
  std::optional<LockedFolder> lock_;
  std::string contents_;
};

int generate(const GenOptions& options, const ProblemInputs& inputs) {
  const std::uint64_t count = options.count.value_or(1);
  const auto stream = inputs.draw(*options.seed, 0, 1, {});
  constexpr std::uint64_t patience = 256;  // draws before a case that reaches nothing new is taken
  // Drawing runs the fastest implementation; the answer is the reference's.
  const auto next = [&] { return value_of(inputs.case_of(stream->next(patience).scenario), "a drawn case"); };
  if (options.out.empty()) {
    fmt::print("{}", next().input);
    return exit_agreed;
  }
  catch_interrupts();
  SetFolder folder{options.out};
  std::uint64_t written = 0;
  while (written < count && !interrupted()) {
    const InputCase one = next();
    folder.add(fmt::format("{:03}", ++written), one.input, one.answer);
  }
  folder.finish(fmt::format("{}, seed {}\n", counted(written, "input"), *options.seed), written == count);
  return written < count ? exit_interrupted : exit_agreed;
}

/// Letters and digits, the rest as single '-': "chains = 7" becomes "chains-7".
std::string file_word(const std::string& text) {
  static const std::regex first{R"(^\W+)"};
  static const std::regex others{R"(\W+)"};
  std::string out = std::regex_replace(std::regex_replace(text, first, ""), others, "-").substr(0, 60);
  if (out.ends_with('-')) out.pop_back();
  return out;
}

/// The solutions with changes planted into them, compiled in this folder.
std::vector<PlantedProgram> planted_into(const std::vector<std::string>& solutions, const ScratchFolder& scratch) {
  std::vector<PlantedProgram> out;
  if (std::set<std::string>{solutions.begin(), solutions.end()}.size() < solutions.size()) {
    throw BadInput{"--solution names a program twice"};
  }
  for (const auto& solution : solutions) {
    if (interrupted()) break;
    out.push_back(plant_changes(solution, scratch / std::to_string(out.size())));
    if (solutions.size() == 1) continue;
    for (auto& change : out.back().changes) change.name.insert(0, solution + " ");
  }
  return out;
}

int generate_strong(GenOptions& options, const AnySystem& system, const ProblemInputs& inputs) {
  const auto canaries = canary_names(system);
  options.set.seed = *options.seed;
  options.set.inputs_max = options.count.value_or(options.set.inputs_max);
  options.set.corpus = corpus_of(options.corpus, {std::string{system.name()}});
  const bool together = inputs.many_cases() && options.set.inputs_max > 1;
  if (together) --options.set.inputs_max;  // one more holds all cases
  std::cerr << about_corpus(options.set.corpus, system.name()) << "\n";
  catch_interrupts();
  SetFolder folder{options.out};
  const ScratchFolder scratch;
  options.set.planted = planted_into(options.solutions, scratch);
  const TestSet set = choose_tests(inputs, canaries, options.set, interrupted);
  std::set<std::string> failed;
  std::set<std::string> shown;
  for (std::size_t i = 0; i < set.inputs.size(); ++i) {
    const TestInput& input = set.inputs[i];
    failed.insert(input.failing.begin(), input.failing.end());
    shown.insert(input.shows.begin(), input.shows.end());
    const std::string& first = input.failing.empty() ? input.shows.front() : input.failing.front();
    folder.add(fmt::format("{:02}-{}", i + 1, file_word(first)), input.one.input, input.one.answer);
    if (!input.failing.empty()) folder.note("on which fail: " + joined(input.failing, ", "));
    if (!input.shows.empty()) folder.note("shows: " + joined(input.shows, ", "));
  }
  const bool all_in_one = together && set.inputs.size() > 1;
  std::size_t wrong = canaries.size() + options.set.wrong.size();
  for (const auto& planted : options.set.planted) wrong += planted.changes.size();
  std::string summary = fmt::format("{}: {} of {} fail, {} shown; chosen from {}, seed {}\n",
                                    counted(set.inputs.size() + (all_in_one ? 1 : 0), "input"), failed.size(),
                                    counted(wrong, "wrong program"), counted(shown.size(), "feature value"),
                                    counted(set.cases, "case"), *options.seed);
  if (!set.finished) summary += "interrupted: which programs pass is not known\n";
  else
    for (const auto& name : set.passed) summary += "passes all inputs: " + name + "\n";
  if (!set.left_out.empty()) summary += "no room (--count) for " + joined(set.left_out, ", ") + "\n";
  if (all_in_one) {
    std::vector<InputCase> all;
    std::string answers;
    for (const TestInput& input : set.inputs) {
      all.push_back(input.one);
      answers += input.one.answer;
    }
    folder.add(fmt::format("{:02}-all-of-these", set.inputs.size() + 1), inputs.input_of(all), answers);
    folder.note("all cases above in one input: nothing may survive from one to the next");
  }
  folder.finish(summary, set.finished);
  if (!set.finished) return exit_interrupted;
  return std::ranges::find_first_of(set.passed, options.set.wrong) == set.passed.end() ? exit_agreed : exit_diverged;
}

int generate_invalid(const GenOptions& options, const ProblemInputs& inputs) {
  SetFolder folder{options.out};
  const auto invalid = invalid_inputs(inputs, *options.seed);
  if (invalid.empty()) throw InternalError{"the reader of " + options.system + " accepts every text"};
  for (std::size_t i = 0; i < invalid.size(); ++i) {
    folder.add(fmt::format("{:02}-{}", i + 1, file_word(invalid[i].what)), invalid[i].input);
    folder.note(invalid[i].error);
  }
  folder.finish(
      fmt::format("{} that a validator should refuse, seed {}\n", counted(invalid.size(), "input"), *options.seed),
      true);
  return exit_agreed;
}

int gen(GenOptions& options) {
  if (!options.seed) options.seed = std::random_device{}();
  const bool several = options.strong || options.invalid || options.count.value_or(1) > 1;
  if (options.out.empty() && several) {
    throw BadInput{"gen prints one input; for several, also of --strong and --invalid, name a folder: --out FOLDER"};
  }
  const AnySystem& system = system_named(options.system);
  const SystemInputs inputs = problem_inputs(system);
  if (options.invalid) return generate_invalid(options, inputs);
  return options.strong ? generate_strong(options, system, inputs) : generate(options, inputs);
}

}  // namespace

void add_gen(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<GenOptions>(program, "gen", "Draws inputs of the original problem, and their answers", exit_code, gen);
  add_system(*verb, options->system);
  verb->add_option("--count", options->count, "How many inputs; with --strong at most, default 60")
      ->check(whole_number(1, 100'000))
      ->default_str("1");
  verb->add_option("--seed", options->seed, "Seed; default: random")->check(whole_number());
  add_path(*verb, "--out", "FOLDER", options->out,
           "Folder for 001.in, 001.ans, … and contents.txt: new or empty. Without it, one input is printed");
  verb->add_flag("--strong", options->strong,
                 "Choose a small set on which canaries fail and that shows all values of features, each input named by "
                 "what it is for");
  verb->add_flag("--invalid", options->invalid,
                 "Write inputs that break the problem's format, limits or guarantees, each named by what is wrong: a "
                 "validator should refuse all")
      ->excludes("--strong")
      ->excludes("--count");
  add_number(*verb, "--seconds", options->set.seconds, seconds_between(0.1, 1e6), "Time for choosing")
      ->needs("--strong");
  add_names(*verb, "--wrong", options->set.wrong,
            "The command line of a wrong program, which should fail on the set, too", "COMMAND")
      ->needs("--strong");
  add_names(*verb, "--solution", options->solutions,
            "A right program of one C++ file: it is changed in one place at a time, and the changes should fail on "
            "the set, too (needs python3 and clang++ 17 or later)",
            "COMMAND")
      ->needs("--strong");
  add_corpus_option(*verb, options->corpus, "With --strong: its cases come first")->needs("--strong");
  verb->footer(exit_codes("written", "a program of --wrong passes every input") +
               ", 130 interrupted\n"
               "example: lockstep gen SYSTEM --seed 7\n"
               "         lockstep gen SYSTEM --count 20 --seed 7 --out tests\n"
               "         lockstep gen SYSTEM --strong --wrong ./slow_end --solution right.cpp --out tests");
}

}  // namespace lockstep
