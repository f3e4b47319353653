// lockstep: fuzz, replay, show and shrink without opening the library.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "tools/verbs.hpp"

namespace lockstep {
namespace {

constexpr AddVerb verbs[] = {add_list,   add_fuzz,  add_canaries, add_replay, add_show,
                             add_shrink, add_judge, add_corpus,   add_explore,
                             add_labels, add_explain};

/// What CLI11 says of a wrong command line, with the nearest verb when the verb is what is wrong.
int refuse(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> known;
  for (const CLI::App* verb : program.get_subcommands({})) known.push_back(verb->get_name());
  const bool verb_is_wrong = argc > 1 && argv[1][0] != '-' && std::ranges::find(known, argv[1]) == known.end();
  if (verb_is_wrong) {
    const std::string near = nearest(argv[1], known);
    std::fprintf(stderr, "lockstep: there is no verb '%s'\n", TokenReader::shown(argv[1]).c_str());
    if (!near.empty()) std::fprintf(stderr, "did you mean 'lockstep %s'?\n", near.c_str());
  } else {
    std::fprintf(stderr, "lockstep: %s\n", error.what());
  }
  std::fprintf(stderr, "'lockstep --help' lists the verbs, 'lockstep VERB --help' shows one with an example\n");
  return exit_bad_input;
}

int run(int argc, char** argv) {
  CLI::App program{"Proves fast simulators equal to slow ones, or finds the smallest scenario on which they differ."};
  program.name("lockstep");
  program.require_subcommand(1);
  program.footer("exit codes: 0 all agree, 1 a divergence was found, 2 wrong input or command line, 3 our own fault");
  int exit_code = exit_agreed;
  for (const AddVerb add : verbs) add(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error, argc, argv);
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
