// The readers of people's text, system by system, behind one type: what fuzz_text throws its bytes at.
//
// text_game.cpp is compiled once per system and adds itself to text_games().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct TextSystem {
  std::string_view name;

  /// Hands the text to every reader of the system. Answers the law that was broken, or "": an error points
  /// into the text and can be printed; what was read is lawful, and comes back from its canonical text
  /// and from its bytes as it was.
  std::string (*broken_law)(std::string_view text);

  /// Every word that the system's scenario text may hold: the system, its fields, names and actions.
  std::vector<std::string> (*words)();
};

/// The systems that are linked in.
std::vector<TextSystem>& text_systems();

}  // namespace lockstep
