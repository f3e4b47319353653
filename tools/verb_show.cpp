// lockstep show: draws a scenario with all implementations side by side, or prints an engine's bytes as text.
#include "programs/problems.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ShowVerbOptions {
  std::vector<std::string> arguments;
  std::vector<std::string> with;
  bool bytes = false;
  bool explain = false;
  bool as_input = false;
  std::string as_test;
  std::optional<std::size_t> step;
  Guard guard;
};

void show_bytes(const ShowVerbOptions& options) {
  if (options.arguments.size() != 2) throw BadInput{"show --bytes takes a system and a file: show --bytes SYSTEM FILE"};
  const AnySystem& system = system_named(options.arguments[0]);
  const std::string bytes = read_input(options.arguments[1]);
  fmt::print("{}", value_of(system.unpack(bytes_in(bytes)), source_name(options.arguments[1])));
}

const std::string& only_file(const ShowVerbOptions& options) {
  if (options.arguments.size() != 1) throw BadInput{"show takes one file (or --bytes SYSTEM FILE)"};
  return options.arguments[0];
}

/// The scenario in the original problem's format.
void show_input(const ShowVerbOptions& options) {
  const LoadedScenario loaded = load_scenario(only_file(options), {});
  fmt::print("{}", value_of(problem_inputs(*loaded.system).case_of(loaded.text), loaded.source()).input);
}

/// The scenario as a test case, for a source that has a function SYSTEM().
void show_test(const ShowVerbOptions& options) {
  constexpr auto google = "TEST({}, {}) {{\n{}  EXPECT_TRUE(result) << result.report();\n}}\n";
  constexpr auto others = "TEST_CASE(\"{} {}\") {{\n{}  INFO(result.report());\n  CHECK(result);\n}}\n";
  const LoadedScenario loaded = load_scenario(only_file(options), {});
  const std::string text = scenario_text(loaded.scenario);
  const std::string system = word_of_type(loaded.system->name());
  std::string mark = "scenario";
  while (text.contains(")" + mark + "\"")) mark += "_";
  const std::string judged = fmt::format("  const auto result = {}().check({{.seconds = 0, .text = R\"{}({}){}\"}});\n",
                                         system, mark, text, mark);
  fmt::print("// {}(): what the program calls .main(argc, argv) of\n", system);
  fmt::print(fmt::runtime(options.as_test == "gtest" ? google : others), system, "scenario_" + hash_text(text), judged);
}

void show_file(const ShowVerbOptions& options) {
  const LoadedScenario loaded = load_scenario(only_file(options), split_names(options.with));
  ShowOptions how{.step = options.step, .layout = layout_of(STDOUT_FILENO)};
  if (loaded.path != "-") how.file = loaded.path;
  const std::string shown =
      value_of(show_text(loaded.scenario, loaded.implementations, how, options.guard), loaded.source());
  if (options.explain) {
    const auto why = explanation_of(loaded.scenario, loaded.implementations, options.guard, std::chrono::seconds{10});
    if (why) fmt::print("{}\n", explained(*why, how.layout.colour));
  }
  fmt::print("{}", shown);
  if (loaded.notes.memory()) std::cerr << loaded.memory_notice() << "\n";
}

void show(const ShowVerbOptions& options) {
  if (options.bytes) show_bytes(options);
  else if (options.as_input) show_input(options);
  else if (!options.as_test.empty()) show_test(options);
  else show_file(options);
}

}  // namespace

void add_show(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<ShowVerbOptions>(program, "show", "Draws a scenario, implementations side by side", exit_code, show);
  verb->add_option("FILE", options->arguments, "A scenario file; with --bytes: SYSTEM FILE")->required();
  verb->add_option("--step", options->step,
                   "Show the position after this many actions; default: the first difference, or the end")
      ->check(whole_number());
  add_with(*verb, options->with, with_default_of_file);
  add_timeout(*verb, options->guard.timeout);
  verb->add_flag("--bytes", options->bytes, "FILE holds an engine's bytes: print the scenario as text");
  verb->add_flag("--explain", options->explain,
                 "First print the scenario and mark what matters to its failure (see explain)");
  CLI::Option* const as_input =
      verb->add_flag("--as-input", options->as_input,
                     "Print the scenario as an input of the original problem; an error if it is none");
  CLI::Option* const as_test =
      verb->add_flag("--as-test", options->as_test,
                     "Print the scenario as a test case of GoogleTest; --as-test=catch2, --as-test=doctest: of those")
          ->transform([](const std::string& given) { return given == "true" ? "gtest" : given; })
          ->check(CLI::IsMember({"gtest", "catch2", "doctest"}));
  for (const char* const other : {"--bytes", "--explain", "--step", "--with"}) {
    as_input->excludes(other);
    as_test->excludes(other);
  }
  as_test->excludes(as_input);
  verb->footer(exit_codes("shown") + "\nexample: lockstep show findings/SYSTEM-0123456789abcdef.txt --step 3");
}

}  // namespace lockstep
