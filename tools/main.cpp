// lockstep: fuzz, replay, show and shrink without opening the library.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>

#include "harness/report.hpp"
#include "harness/words.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

constexpr AddVerb verbs[] = {add_list,   add_fuzz,  add_canaries, add_replay, add_show,
                             add_shrink, add_judge, add_corpus,   add_explore,
                             add_labels, add_explain};

std::vector<std::string> names_of_verbs(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The first word that is no verb where one belongs, or no option of the verb, with the nearest that is one; "" when
/// all of them are known, and something else is wrong.
std::string unknown_word(CLI::App& program, std::span<char* const> arguments) {
  CLI::App* verb = &program;
  std::string path = program.get_name();
  for (; !verb->get_subcommands({}).empty(); arguments = arguments.subspan(1)) {
    if (arguments.empty() || arguments[0][0] == '-') break;
    const auto known = names_of_verbs(*verb);
    if (std::ranges::find(known, arguments[0]) == known.end()) {
      const std::string near = nearest(arguments[0], known);
      return "there is no verb '" + TokenReader::shown(arguments[0]) + "'" +
             (near.empty() ? "; there are: " + joined(known, ", ") : "; did you mean '" + path + " " + near + "'?");
    }
    verb = verb->get_subcommand(arguments[0]);
    path += " " + verb->get_name();
  }
  const auto known = names_of_options(*verb);
  for (const std::string_view argument : arguments) {
    const std::string_view name = argument.substr(0, argument.find('='));
    if (name == "--") break;
    if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
    return unknown_name("option", name, known, " of '" + path + "'");
  }
  return "";
}

/// What is wrong with the command line.
int refuse(CLI::App& program, const CLI::ParseError& error, std::span<char* const> arguments) {
  const std::string unknown = unknown_word(program, arguments);
  std::fprintf(stderr, "lockstep: %s\n", unknown.empty() ? error.what() : unknown.c_str());
  std::fprintf(stderr, "'lockstep --help' lists the verbs, 'lockstep VERB --help' shows one with an example\n");
  return exit_bad_input;
}

int run(int argc, char** argv) {
  CLI::App program{"Proves fast simulators equal to slow ones, or finds the smallest scenario on which they differ."};
  program.name("lockstep");
  program.require_subcommand(1);
  program.footer("Your own solution against the reference: docs/plugins.md makes a shared library of it, then\n"
                 "  lockstep fuzz puyo --with ./mine.so     searches for a difference, and shrinks what it finds\n"
                 "exit codes: 0 all agree, 1 a divergence was found, 2 wrong input or command line, 3 our own fault");
  int exit_code = exit_agreed;
  for (const AddVerb add : verbs) add(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error, {argv + 1, argv + argc});
  } catch (const BadInput& error) {
    std::fprintf(stderr, "lockstep: %s\n", error.what());
    return exit_bad_input;
  }
  if (std::fflush(stdout) != 0) {
    std::fprintf(stderr, "lockstep: standard output cannot be written\n");
    return exit_own_fault;
  }
  return exit_code;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  try {
    return lockstep::run(argc, argv);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lockstep: our own fault: %s\n", fault.what());
    return lockstep::exit_own_fault;
  }
}
