// All readers of user-written text, per system, behind one type: fuzz_text passes its bytes to them.
//
// text_game.cpp is compiled once per system and adds itself to text_games().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct TextSystem {
  std::string_view name;

  /// Passes the text to every reader of the system. Returns the law that was broken, or "". The laws: an error names a
  /// place in the text and is printable; a scenario that was read is lawful, and equals what its canonical text and its
  /// bytes decode to.
  std::string (*broken_law)(std::string_view text);

  /// All words that the system's scenario text may contain: the system, its fields, names and actions.
  std::vector<std::string> (*words)();
};

/// The systems that are linked in.
std::vector<TextSystem>& text_systems();

}  // namespace lockstep
