// Prints texts next to each other and marks their first difference.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

struct Panel {
  std::string title;
  std::string body;    // lines
  std::string answer;  // one line below the body; may be empty
};

/// Compares the panels after `first` with panel `first`: lines that differ are marked with '*' on their left, and a
/// caret line marks the first cell that differs. Colour is added to the marks, never replaces them.
std::string side_by_side(const std::vector<Panel>& panels, std::size_t first, bool colour);

}  // namespace lockstep
