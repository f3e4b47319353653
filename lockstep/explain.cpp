#include "lockstep/explain.hpp"

namespace lockstep {
namespace {

constexpr std::string_view grey = "\x1b[90m";
constexpr std::string_view plain = "\x1b[0m";

std::string tinted(const std::string& text, Matter matter, bool colour) {
  if (!colour || matter == Matter::matters || matter == Matter::untested) return text;
  return std::string{grey} + text + std::string{plain};
}

/// "drop (colour=red) column=3"
std::string record_text(const ExplainedLine& line, bool colour) {
  std::string out = tinted(line.name, line.matter, colour);
  for (const auto& word : line.words) {
    std::string text = word.name + "=" + word.text;
    const bool free_alone = line.matter == Matter::matters && word.matter == Matter::free;
    if (!colour && free_alone) text = "(" + text + ")";
    out += " " + tinted(text, word.matter, colour);
  }
  return out;
}

std::string row_of_cells(const ExplainedLine& line, bool colour) {
  std::string out;
  std::string marks;
  for (const auto& word : line.words) {
    out += tinted(word.text, word.matter, colour);
    marks += mark_of(word.matter);
  }
  if (colour) return out;
  marks.erase(marks.find_last_not_of(' ') + 1);
  return out + (marks.empty() ? "" : "   " + marks);
}

std::string line_text(const ExplainedLine& line, bool colour) {
  switch (line.kind) {
    case ExplainedLine::Kind::field:
      return tinted(line.name + " " + (line.words.empty() ? "" : line.words.front().text), line.matter, colour);
    case ExplainedLine::Kind::board: return tinted(line.name, line.matter, colour);
    case ExplainedLine::Kind::row: return row_of_cells(line, colour);
    case ExplainedLine::Kind::item:
    case ExplainedLine::Kind::action: return record_text(line, colour);
  }
  return {};
}

}  // namespace

std::string explanation_text(const Explanation& explanation, bool colour) {
  std::string out;
  bool in_actions = false;
  for (const auto& line : explanation.lines) {
    if (line.kind == ExplainedLine::Kind::action && !in_actions) {
      out += "  actions\n";
      in_actions = true;
    }
    const char mark = line.matter == Matter::matters ? '*' : line.matter == Matter::untested ? '?' : ' ';
    out += std::string{mark} + " " + line_text(line, colour) + "\n";
  }
  return out;
}

}  // namespace lockstep
