// How a page (the verb html) draws the states of a system: a few lines of JavaScript, games/NAME/drawing.js for the games
// of this tree. A system without a drawing has its fields, lists and boards shown as text.
//
// A program adds the drawing of a system of its own before main:
//
//   const bool drawn = (lockstep::drawings().push_back({"garden", R"(lockstepDrawing({ … }))"}), true);
//
// The code calls lockstepDrawing once, with an object whose members are all optional (page/boards.js describes them):
//
//   board: "beds"                        the field that is drawn; the first board unless named
//   cell(at, draw)                       draws one cell: at.value, at.row, at.column, at.board, at.state
//   below(board, draw)                   draws what is below all cells, for example lines
//   lists: ["piece"]                     lists whose items are drawn on the board, by their row and column
#pragma once

#include <string_view>
#include <vector>

namespace lockstep {

struct Drawing {
  std::string_view system;
  std::string_view code;
};

inline std::vector<Drawing>& drawings() {
  static std::vector<Drawing> all;
  return all;
}

}  // namespace lockstep
