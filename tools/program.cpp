#include "tools/program.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>

#include "lockstep/report.hpp"
#include "lockstep/words.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

constexpr AddVerb verbs[] = {add_list,  add_fuzz,   add_canaries, add_replay, add_show,   add_shrink,
                             add_judge, add_corpus, add_explore,  add_labels, add_explain};

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

/// The verb that the command line begins with, and what comes after it.
struct Reached {
  CLI::App* verb;
  std::string path;  // "lockstep corpus add"
  std::span<char* const> rest;
};

Reached reached(CLI::App& program, std::span<char* const> arguments) {
  Reached out{&program, program.get_name(), arguments};
  while (!out.rest.empty()) {
    const auto known = names_of_verbs(*out.verb);
    if (std::ranges::find(known, out.rest[0]) == known.end()) break;
    out.verb = out.verb->get_subcommand(out.rest[0]);
    out.path += " " + out.verb->get_name();
    out.rest = out.rest.subspan(1);
  }
  return out;
}

/// What is wrong with the command line, in our own words where we have some. A word that is no verb where one
/// belongs, or no option of the verb, comes with the nearest that is one, and before anything that CLI11 finds.
std::string fault_of(const Reached& at, const CLI::ParseError& error) {
  if (const auto known = names_of_verbs(*at.verb); !known.empty()) {
    if (at.rest.empty()) return "'" + at.path + "' takes one of: " + joined(known, ", ");
    if (at.rest[0][0] != '-') {
      const std::string near = nearest(at.rest[0], known);
      return "there is no verb '" + TokenReader::shown(at.rest[0]) + "'" +
             (near.empty() ? "; there are: " + joined(known, ", ") : "; did you mean '" + at.path + " " + near + "'?");
    }
  }
  const auto options = names_of_options(*at.verb);
  for (const std::string_view argument : at.rest) {
    const std::string_view name = argument.substr(0, argument.find('='));
    if (name == "--") break;
    if (!name.starts_with("--") || std::ranges::find(options, name) != options.end()) continue;
    return unknown_name("option", name, options, " of '" + at.path + "'");
  }
  const std::string said = error.what();
  if (said.ends_with(" missing"))
    return said.substr(0, said.find(':')) + " needs a value";  // "--seed: 1 required UINT missing"
  return said;
}

int refuse(CLI::App& program, const CLI::ParseError& error, std::span<char* const> arguments) {
  const Reached at = reached(program, arguments);
  std::fprintf(stderr, "lockstep: %s\n", fault_of(at, error).c_str());
  std::fprintf(stderr, "'%s --help' shows %s\n", at.path.c_str(),
               at.verb == &program ? "the verbs" : "what it takes, with an example");
  return exit_bad_input;
}

/// What hints call the program: a path that was typed stays one, and a word that was found in PATH is a word.
std::string called_as = "lockstep";

int run(int argc, char** argv) {
  CLI::App program{
      "Proves fast implementations equal to slow ones, or finds the smallest scenario on which they differ."};
  program.name("lockstep");
  program.require_subcommand(1);
  program.footer(
      "Your own solution against the reference: docs/plugins.md makes a shared library of it, then\n"
      "  lockstep fuzz puyo --with ./mine.so     searches for a difference, and shrinks what it finds\n"
      "exit codes: 0 all agree, 1 a divergence was found, 2 wrong input or command line, 3 internal error");
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
  } catch (const std::filesystem::filesystem_error& fault) {  // a folder that is not there, or that nobody may write to
    std::fprintf(stderr, "lockstep: %s\n", fault.what());
    return exit_bad_input;
  }
  if (std::fflush(stdout) != 0) {
    std::fprintf(stderr, "lockstep: standard output cannot be written\n");
    return exit_internal_error;
  }
  return exit_code;
}

}  // namespace

const std::string& program_command() { return called_as; }

int program_main(int argc, char** argv) {
  const char* const given = std::getenv("LOCKSTEP_COMMAND");
  if (given != nullptr && *given != '\0') called_as = given;
  else if (argc > 0) called_as = shell_word(argv[0]);
  try {
    return run(argc, argv);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lockstep: internal error: %s\n", fault.what());
    return exit_internal_error;
  }
}

}  // namespace lockstep
