// Prints texts next to each other, or below each other where they do not fit, and marks their first difference.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

struct Panel {
  std::string title;
  std::string body;    // lines
  std::string answer;  // one line below the body; may be empty
};

/// How a text for people is laid out.
struct Layout {
  bool colour = false;      // added to the marks, never replaces them
  std::size_t columns = 0;  // of the terminal; 0: a line may have any length
};

/// Compares the panels after `first` with panel `first`: lines that differ are marked with '*' on their left, and a
/// caret line marks the first cell that differs. Panels that do not fit into the columns follow below the others.
std::string side_by_side(const std::vector<Panel>& panels, std::size_t first, const Layout&);

}  // namespace lockstep
