// lockstep serve-memcheck: what --memcheck runs under valgrind (lockstep/memcheck.hpp); not for users.
#include "lockstep/memcheck.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

void add_serve_memcheck(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand(memcheck_verb, "Judges scenarios for --memcheck");
  verb->group("");
  verb->callback([&exit_code] { exit_code = serve_memcheck(); });
}

}  // namespace lockstep
