// Texts next to each other, the first difference marked.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

struct Panel {
  std::string title;
  std::string body;    // lines
  std::string answer;  // one line below the body; may be empty
};

/// Panels from `first` on are compared with panel `first`: lines that differ are marked with '*' at
/// their left, and a caret line shows the first cell that differs. Colour adds to the marks, never replaces them.
std::string side_by_side(const std::vector<Panel>& panels, std::size_t first, bool colour);

}  // namespace lockstep
