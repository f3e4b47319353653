#include "page/page.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lockstep/system/drawing.hpp"
#include "page/files.hpp"
#include "page/film.hpp"

namespace lockstep::page {
namespace {

bool too_long(const std::string& text) { return json_text(text).size() > part_bytes_max; }

/// A text of the scenario; one that is too long is null.
Json text_json(const std::string& text) { return too_long(text) ? Json(nullptr) : Json(text); }

/// The object up to its last member, the implementations, whose positions are JSON already.
Json head_of(const Content& content) {
  const Recording& recording = content.recording;
  Json out{{"version", 1},
           {"system", content.system},
           {"file", content.file},
           {"replay", content.replay},
           {"scenario", text_json(content.scenario)},
           {"input", content.input ? text_json(*content.input) : Json(nullptr)},
           {"inputTooLong", content.input && too_long(*content.input)},
           {"total", recording.total},
           {"first", recording.range.first},
           {"last", recording.range.last},
           {"hidden", content.judged.hidden_state},
           {"actions", actions_json(recording.actions)}};
  out["divergence"] = divergence_json(content.judged.verdict.divergence);
  out["why"] = content.explanation ? explanation_json(*content.explanation, recording.range) : Json(nullptr);
  return out;
}

Json implementation_json(const Content& content, const RecordedRun& run) {
  Json out{{"name", run.implementation}, {"kind", ""}, {"about", ""}};
  const auto info = std::ranges::find(content.implementations, run.implementation, &Runner::name);
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

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (unsigned k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
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
    out.append(i > 0 ? "," : "").append(with_positions(implementation_json(content, run), run));
  }
  return out + "]}";
}

std::string html_of(const Content& content) {
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{scripts}}", "'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:"},
      {"{{title}}", escaped(content.system + ": " + content.file)},
      {"{{style}}", files().at("page.css")},
      {"{{data}}", data_of(content)},
      {"{{drawing}}", std::string{drawing_of(content.system)}},
      {"{{script}}", files().at("element.js") + "(() => {\n" + files().at("films.js") + files().at("boards.js") +
                         files().at("panels.js") + files().at("page.js") + "})();\n"},
      {"{{module}}", base64(content.module)},
      {"{{what-if}}", content.module.empty() ? "" : files().at("module.js") + files().at("what_if.js")},
  };
  return filled(files().at("head.html") + files().at("page.html"), parts);
}

}  // namespace lockstep::page
