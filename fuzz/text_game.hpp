// The readers of people's text, game by game, behind one type: what fuzz_text throws its bytes at.
//
// text_game.cpp is compiled once per game and adds itself to text_games().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct TextGame {
  std::string_view name;

  /// Hands the text to every reader of the game. Answers the law that was broken, or "": an error points
  /// into the text and can be printed; what was read is lawful, and comes back from its canonical text
  /// and from its bytes as it was.
  std::string (*broken_law)(std::string_view text);

  /// Every word that the game's scenario text may hold: the game, its fields, names and actions.
  std::vector<std::string> (*words)();
};

/// The games that are linked in.
std::vector<TextGame>& text_games();

}  // namespace lockstep
