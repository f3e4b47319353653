// The command line of a user's program.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace lockstep {

/// The path of a program, searched for as a shell would.
std::expected<std::string, std::string> path_of(const std::string& program);

/// The command as words, the first of which is the program's path. It is split as a shell would split it. A shell runs it
/// if it has a shell's operators or expansions (outside of quotes), such as "a.out | sort" and "$HOME/a.out".
/// An error is one sentence, for people: no such program, or no such script of an interpreter.
std::expected<std::vector<std::string>, std::string> words_of_command(const std::string& command);

}  // namespace lockstep
