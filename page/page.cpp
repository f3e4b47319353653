#include "page/page.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "lockstep/drawing.hpp"
#include "lockstep/words.hpp"
#include "page/files.hpp"

namespace lockstep::page {
namespace {

using Json = nlohmann::ordered_json;

/// ASCII, so that no byte of an implementation breaks the file's encoding; without '<', so that no text ends the
/// script element.
std::string json_text(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

/// A text of the scenario; one that is too long is null.
Json text_json(const std::string& text) { return text.size() <= text_bytes_max ? Json(text) : Json(nullptr); }

Json divergence_json(const Divergence& d) {
  return {{"kind", to_string(d.kind)}, {"step", d.step},        {"blamed", d.blamed},
          {"action", d.action},        {"field", d.field},      {"expected", d.expected},
          {"actual", d.actual},        {"words", d.last_words}, {"signature", d.signature()}};
}

Json actions_json(const Recording& recording) {
  Json out = Json::array();
  for (const auto& action : recording.actions) {
    Json words = Json::array();
    for (const auto& [name, text] : action.words) words.push_back(Json::array({name, text}));
    out.push_back(Json::array({action.name, words}));
  }
  return out;
}

/// One line of the explained scenario: [kind, name, mark, marks of its words, their text]. A row's cells are one text
/// each, other words have a name.
Json line_json(const ExplainedLine& line) {
  constexpr std::string_view kinds[] = {"field", "board", "row", "item", "action"};
  std::string marks;
  Json words = Json::array();
  for (const auto& word : line.words) {
    marks += mark_of(word.matter);
    if (line.kind == ExplainedLine::Kind::row) words.push_back(word.text);
    else words.push_back(Json::array({word.name, word.text}));
  }
  return Json::array(
      {kinds[static_cast<std::size_t>(line.kind)], line.name, std::string(1, mark_of(line.matter)), marks, words});
}

/// The explanation; the lines of actions beyond the recorded ones are left out, and all lines if they are too many.
Json explanation_json(const Explanation& explanation, const Recording& recording) {
  Json lines = Json::array();
  std::size_t action = 0;
  std::size_t words = 0;
  for (const auto& line : explanation.lines) {
    if (line.kind == ExplainedLine::Kind::action) {
      const std::size_t number = action++;
      if (number < recording.range.first || number >= recording.range.last) continue;
    }
    words += 4 + line.words.size();
    lines.push_back(line_json(line));
  }
  constexpr std::size_t words_max = 60'000;
  return {{"complete", explanation.complete},
          {"redrawn", explanation.redrawn},
          {"fail", explanation.redrawn_that_fail},
          {"lines", words <= words_max ? lines : Json(nullptr)}};
}

/// The object up to its last member, the implementations, whose positions are JSON already.
Json head_of(const Content& content) {
  const Recording& recording = content.recording;
  Json out{{"version", 1},
           {"system", content.system},
           {"file", content.file},
           {"replay", content.replay},
           {"scenario", text_json(content.scenario)},
           {"input", content.input ? text_json(*content.input) : Json(nullptr)},
           {"inputTooLong", content.input && content.input->size() > text_bytes_max},
           {"total", recording.total},
           {"first", recording.range.first},
           {"last", recording.range.last},
           {"sentence", content.judged.explanation},
           {"hidden", content.judged.hidden_state},
           {"actions", actions_json(recording)}};
  const auto& divergence = content.judged.verdict.divergence;
  out["divergence"] = divergence ? divergence_json(*divergence) : Json(nullptr);
  out["why"] = content.explanation ? explanation_json(*content.explanation, recording) : Json(nullptr);
  return out;
}

Json implementation_json(const Content& content, const RecordedRun& run) {
  Json out{{"name", run.implementation}, {"kind", ""}, {"about", ""}};
  const auto info = std::ranges::find(content.implementations, run.implementation, &ImplementationInfo::name);
  if (info != content.implementations.end()) {
    out["kind"] = to_string(info->kind);
    out["about"] = info->about;
  }
  if (run.end) {
    const auto& divergence = content.judged.verdict.divergence;
    const bool told = divergence && divergence->blamed == run.implementation &&
                      (divergence->kind == DivergenceKind::crash || divergence->kind == DivergenceKind::hang);
    out["end"] = {{"step", run.end->step}, {"reason", told ? divergence->actual : run.end->reason}};
  }
  return out;
}

std::string_view drawing_of(const std::string& system) {
  const auto found = std::ranges::find(drawings(), system, &Drawing::system);
  return found != drawings().end() ? found->code : std::string_view{};
}

/// The text without '<', for the title.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

}  // namespace

std::string data_of(const Content& content) {
  std::string out = json_text(head_of(content));
  out.back() = ',';  // instead of '}'
  out += "\"implementations\":[";
  for (std::size_t i = 0; i < content.recording.runs.size(); ++i) {
    const RecordedRun& run = content.recording.runs[i];
    std::string one = json_text(implementation_json(content, run));
    one.back() = ',';
    out.append(i > 0 ? "," : "").append(one).append("\"positions\":");
    for (const char c : run.positions) {
      if (c == '<') out += "\\u003c";
      else out += c;
    }
    out += "}";
  }
  return out + "]}";
}

std::string html_of(const Content& content) {
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{title}}", escaped(content.system + ": " + content.file)},
      {"{{style}}", std::string{page_css}},
      {"{{data}}", data_of(content)},
      {"{{drawing}}", std::string{drawing_of(content.system)}},
      {"{{script}}", std::string{page_js}},
  };
  // In one pass, so that no part is searched for the name of another.
  std::string out;
  std::string_view rest = page_html;
  for (const auto& [name, text] : parts) {
    const std::size_t at = std::min(rest.find(name), rest.size());
    out.append(rest.substr(0, at)).append(text);
    rest.remove_prefix(std::min(at + name.size(), rest.size()));
  }
  return out.append(rest);
}

}  // namespace lockstep::page
