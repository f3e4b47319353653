// lockstep init: writes a starter, a program that lacks only the solution.
#include <map>

#include "tools/starters.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct InitOptions {
  std::string system;
  std::string language;
  std::filesystem::path out;
};

/// By language.
const std::map<std::string, std::string> extensions{{"cpp", "cpp"},   {"c", "c"},     {"python", "py"},
                                                    {"java", "java"}, {"rust", "rs"}, {"js", "js"}};

void init(const InitOptions& options) {
  const std::string_view system = system_named(options.system).name();
  const std::string& extension = extensions.at(options.language);
  const auto starter = std::ranges::find_if(
      starters(), [&](const Starter& each) { return each.system == system && each.extension == extension; });
  if (starter == starters().end()) throw BadInput{fmt::format("{} has no starter in {}", system, options.language)};
  if (options.out.empty()) {
    fmt::print("{}", starter->text);
    return;
  }
  if (std::filesystem::exists(options.out)) throw BadInput{options.out.string() + " exists; it is not overwritten"};
  write_output(options.out, starter->text);
}

}  // namespace

void add_init(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<InitOptions>(
      program, "init", "Writes a program that solves the original problem, except for the solution", exit_code, init);
  add_system(*verb, options->system);
  verb->add_option("--lang", options->language, "Language")
      ->type_name("LANGUAGE")
      ->required()
      ->check(CLI::IsMember{&extensions});
  verb->add_option("--out", options->out, "A new file; without it, the program is printed")->type_name("FILE");
  verb->footer(exit_codes("written") + "\nexample: lockstep init SYSTEM --lang python --out mine.py");
}

}  // namespace lockstep
