#include "lockstep/side_by_side.hpp"

#include <algorithm>
#include <sstream>

namespace lockstep {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

/// The index at which two lines first differ.
std::size_t first_mismatch(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in2 - b.begin());
}

}  // namespace

std::string side_by_side(const std::vector<Panel>& panels, std::size_t first, bool colour) {
  std::vector<std::vector<std::string>> bodies;
  std::vector<std::size_t> widths;
  std::size_t rows = 0;
  for (const Panel& panel : panels) {
    bodies.push_back(lines_of(panel.body));
    std::size_t width = panel.title.size();
    for (const auto& line : bodies.back()) width = std::max(width, line.size());
    widths.push_back(width);
    rows = std::max(rows, bodies.back().size());
  }
  std::string out = " ";
  for (std::size_t p = 0; p < panels.size(); ++p) out += " " + padded(panels[p].title, widths[p] + 2);
  out += "\n";
  bool caret_drawn = false;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto cell = [&](std::size_t p) { return row < bodies[p].size() ? bodies[p][row] : std::string{}; };
    bool differs = false;
    std::string line;
    std::string carets;
    for (std::size_t p = 0; p < panels.size(); ++p) {
      std::string text = padded(cell(p), widths[p]);
      std::string caret(widths[p], ' ');
      if (p > first && cell(p) != cell(first)) {
        differs = true;
        const std::size_t at = first_mismatch(cell(first), cell(p));
        if (at < caret.size()) caret[at] = '^';
        if (colour) text = "\x1b[31m" + text + "\x1b[0m";
      }
      line += " " + text + "  ";
      carets += " " + caret + "  ";
    }
    out += (differs ? "*" : " ") + line + "\n";
    if (differs && !caret_drawn) {
      out += " " + carets + "\n";
      caret_drawn = true;
    }
  }
  if (std::ranges::any_of(panels, [](const Panel& panel) { return !panel.answer.empty(); })) {
    out += "\nanswers:\n";
    for (const Panel& panel : panels) {
      if (panel.answer.empty()) continue;
      const bool differs = panel.answer != panels[first].answer;
      out += std::string{differs ? "* " : "  "} + panel.title + ": " + panel.answer + "\n";
    }
  }
  // Removes trailing blanks, because reports end up in files and in tests.
  std::string trimmed;
  for (auto line : lines_of(out)) {
    line.erase(line.find_last_not_of(' ') + 1);
    trimmed += line + "\n";
  }
  return trimmed;
}

}  // namespace lockstep
