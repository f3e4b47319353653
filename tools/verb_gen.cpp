// lockstep gen: writes inputs of the original problem, and the reference's answers.
#include <fmt/format.h>

#include <random>

#include "lockstep/services/problem_inputs.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct GenOptions {
  std::string system;
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
  std::filesystem::path out;
};

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
    if (options.out.empty()) {
      fmt::print("{}", one.input);
    } else {
      const auto file = options.out / fmt::format("{:03}", i);
      write_output(file.string() + ".in", one.input);
      write_output(file.string() + ".ans", one.answer);
    }
  }
}

}  // namespace

void add_gen(CLI::App& program, int&) {
  const auto options = std::make_shared<GenOptions>();
  CLI::App* const verb = program.add_subcommand("gen", "Draws inputs of the original problem, and their answers");
  add_system(*verb, options->system);
  verb->add_option("--count", options->count, "How many inputs")
      ->check(whole_number(1, 100'000))
      ->capture_default_str();
  CLI::Option* const seed = verb->add_option("--seed", options->seed, "Seed; default: random")->check(whole_number());
  verb->add_option("--out", options->out, "Folder for 001.in, 001.ans, …; without it, one input is printed");
  verb->footer(exit_codes("written") +
               "\nexample: lockstep gen stacking --seed 7\n"
               "         lockstep gen stacking --count 20 --seed 7 --out tests");
  verb->callback([options, seed] {
    if (seed->count() == 0) options->seed = std::random_device{}();
    generate(*options);
  });
}

}  // namespace lockstep
