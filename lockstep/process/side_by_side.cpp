#include "lockstep/process/side_by_side.hpp"

#include <algorithm>
#include <span>

#include "lockstep/base/words.hpp"

namespace lockstep {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

struct Column {
  const Panel* panel;
  std::vector<std::string> lines;
  std::size_t width;
  bool compared;  // false: what differs in it is not marked
};

/// The columns next to each other, compared with the lines of `expected`.
std::string beside(std::span<const Column> columns, const std::vector<std::string>& expected, bool colour) {
  std::string out = " ";
  std::size_t rows = 0;
  for (const Column& column : columns) {
    out += " " + padded(column.panel->title, column.width + 2);
    rows = std::max({rows, column.lines.size(), column.compared ? expected.size() : 0});
  }
  out += "\n";
  bool caret_drawn = false;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string wanted = row < expected.size() ? expected[row] : std::string{};
    bool differs = false;
    std::string line;
    std::string carets;
    for (const Column& column : columns) {
      const std::string own = row < column.lines.size() ? column.lines[row] : std::string{};
      std::string text = padded(own, column.width);
      std::string caret(column.width, ' ');
      if (column.compared && own != wanted) {
        differs = true;
        const auto at = static_cast<std::size_t>(std::ranges::mismatch(wanted, own).in2 - own.begin());
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
  return out;
}

}  // namespace

std::string side_by_side(const std::vector<Panel>& panels, std::size_t first, const Layout& layout) {
  std::vector<Column> columns;
  for (const Panel& panel : panels) {
    Column& column = columns.emplace_back(&panel, split(panel.body, '\n'), panel.title.size(), columns.size() > first);
    for (const auto& line : column.lines) column.width = std::max(column.width, line.size());
  }
  std::string out;
  const std::span all{columns};
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    for (std::size_t width = 2 + all[begin].width; end < all.size(); ++end) {
      width += 3 + all[end].width;
      if (layout.columns > 0 && width > layout.columns) break;
    }
    if (begin > 0) out += "\n";
    out += beside(all.subspan(begin, end - begin), columns[first].lines, layout.colour);
    begin = end;
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
  for (auto line : split(out, '\n')) {
    line.erase(line.find_last_not_of(' ') + 1);
    trimmed += line + "\n";
  }
  return trimmed;
}

}  // namespace lockstep
