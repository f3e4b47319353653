#include "page/film.hpp"

#include <utility>

namespace lockstep::page {
namespace {

/// One line of the explained scenario: [kind, name, mark, marks of its words, their text]. A row's cells are one text
/// each, other words have a name.
Json line_json(const ExplainedLine& line) {
  std::string marks;
  Json words = Json::array();
  for (const auto& word : line.words) {
    marks += mark_of(word.matter);
    if (line.kind == ExplainedLine::Kind::row) words.push_back(word.text);
    else words.push_back(Json::array({word.name, word.text}));
  }
  return Json::array({to_string(line.kind), line.name, std::string(1, mark_of(line.matter)), marks, words});
}

/// A page shows no more of a long text.
std::string beginning(const std::string& text) { return cut(text, 4'000); }

}  // namespace

std::string cut(std::string text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

Json divergence_json(const std::optional<Divergence>& divergence) {
  if (!divergence) return nullptr;
  const Divergence& d = *divergence;
  return {{"kind", to_string(d.kind)},
          {"step", d.step},
          {"blamed", d.blamed},
          {"action", d.action},
          {"field", beginning(d.field)},
          {"expected", beginning(d.expected)},
          {"actual", beginning(d.actual)},
          {"words", beginning(d.last_words)},
          {"signature", beginning(d.signature())}};
}

Json actions_json(const std::vector<RecordedAction>& actions) {
  Json out = Json::array();
  std::size_t bytes = 0;
  for (const auto& action : actions) {
    Json words = Json::array();
    for (const auto& [name, text] : action.words) words.push_back(Json::array({name, text}));
    const std::size_t size = json_text(words).size();
    if (bytes + size > part_bytes_max) words = Json::array({Json::array({"…", "too long for a page"})});
    else bytes += size;
    out.push_back(Json::array({action.name, words}));
  }
  return out;
}

Json explanation_json(const Explanation& explanation, PositionRange range) {
  Json lines = Json::array();
  std::size_t action = 0;
  std::size_t bytes = 0;
  for (const auto& line : explanation.lines) {
    if (line.kind == ExplainedLine::Kind::action) {
      const std::size_t number = action++;
      if (number < range.first || number >= range.last) continue;
    }
    Json one = line_json(line);
    bytes += json_text(one).size();
    if (bytes <= part_bytes_max) lines.push_back(std::move(one));
  }
  return {{"complete", explanation.complete},
          {"redrawn", explanation.redrawn},
          {"fail", explanation.redrawn_that_fail},
          {"lines", bytes <= part_bytes_max ? lines : Json(nullptr)}};
}

std::string with_positions(const Json& object, const RecordedRun& run) {
  std::string out = json_text(object);
  out.back() = ',';  // instead of '}'
  return out.append("\"positions\":").append(run.positions).append("}");
}

}  // namespace lockstep::page
