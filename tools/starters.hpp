// Starters: programs that read a game's published input and print the answer, and lack only the solution. They are the
// files games/NAME/starters/starter.*, which the build puts into the program. Systems of other projects have none. The first
// line ends with the problem's number where it has one ("# BOJ 2615"): a command line takes it as the system's name.
#pragma once

#include <string_view>
#include <vector>

namespace lockstep {

struct Starter {
  std::string_view system;
  std::string_view extension;  // of its file: "cpp"
  std::string_view text;
};

/// The program's starters. A source that the build writes sets them before main.
inline std::vector<Starter>& starters() {
  static std::vector<Starter> all;
  return all;
}

}  // namespace lockstep
