#include "lockstep/finding.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/error.hpp"
#include "lockstep/json.hpp"

namespace lockstep {
namespace {

using nlohmann::json;

/// The names of an enumeration's values, in order.
template <std::size_t count>
using Words = std::array<std::string_view, count>;
template <auto... values>
constexpr Words<sizeof...(values)> names_of = {to_string(values)...};

constexpr Words<3> states = {"agreed", "diverged", "cannot_judge"};
constexpr auto kinds = [] {
  Words<divergence_kinds.size()> out;
  std::ranges::transform(divergence_kinds, out.begin(), [](DivergenceKind kind) { return to_string(kind); });
  return out;
}();
constexpr auto matters = names_of<Matter::matters, Matter::untested, Matter::free, Matter::fixed>;
constexpr auto line_kinds = names_of<ExplainedLine::Kind::field, ExplainedLine::Kind::board, ExplainedLine::Kind::row,
                                     ExplainedLine::Kind::item, ExplainedLine::Kind::action>;

template <std::size_t count, class Enum>
std::string_view word_of(const Words<count>& words, Enum value) {
  return words.at(static_cast<std::size_t>(value));
}

template <class Enum, std::size_t count>
Enum value_of(const Words<count>& words, const json& in) {
  const auto found = std::ranges::find(words, in.get<std::string>());
  if (found == words.end()) throw InternalError{"no such word between processes: " + in.dump()};
  return static_cast<Enum>(found - words.begin());
}

/// Parses a line of JSON and converts it with `read`.
template <class Read>
auto read_line(std::string_view line, Read&& read) {
  try {
    return read(json::parse(line));
  } catch (const json::exception& fault) {
    throw InternalError{std::string{"a line between processes is broken: "} + fault.what()};
  }
}

json json_of(const Divergence& d) {
  return {{"kind", word_of(kinds, d.kind)},
          {"step", d.step},
          {"system", d.system},
          {"blamed", d.blamed},
          {"action", d.action},
          {"field", d.field},
          {"expected", d.expected},
          {"actual", d.actual},
          {"last_words", d.last_words}};
}

Divergence divergence_from(const json& in) {
  return {.kind = value_of<DivergenceKind>(kinds, in.at("kind")),
          .step = in.at("step"),
          .system = in.at("system"),
          .blamed = in.at("blamed"),
          .action = in.at("action"),
          .field = in.at("field"),
          .expected = in.at("expected"),
          .actual = in.at("actual"),
          .last_words = in.at("last_words")};
}

json json_of(const ExplainedLine& line) {
  json words = json::array();
  for (const auto& word : line.words) {
    words.push_back({{"name", word.name}, {"text", word.text}, {"matter", word_of(matters, word.matter)}});
  }
  return {{"kind", word_of(line_kinds, line.kind)},
          {"name", line.name},
          {"matter", word_of(matters, line.matter)},
          {"words", words}};
}

ExplainedLine explained_line_from(const json& in) {
  ExplainedLine out{.kind = value_of<ExplainedLine::Kind>(line_kinds, in.at("kind")),
                    .name = in.at("name"),
                    .matter = value_of<Matter>(matters, in.at("matter")),
                    .words = {}};
  for (const auto& word : in.at("words")) {
    out.words.push_back({word.at("name"), word.at("text"), value_of<Matter>(matters, word.at("matter"))});
  }
  return out;
}

FindingText finding_of(const json& in) {
  return {.signature = in.at("signature"),
          .file_name = in.at("file_name"),
          .text = in.at("text"),
          .explanation = in.at("explanation"),
          .divergence = divergence_from(in.at("divergence")),
          .minimal = in.at("minimal"),
          .hidden_state = in.at("hidden_state"),
          .unstable = in.at("unstable"),
          .actions_before = in.at("actions_before"),
          .actions = in.at("actions"),
          .judgements = in.at("judgements"),
          .kinds = in.at("kinds"),
          .other_cause = in.at("other_cause"),
          .engine = in.at("engine"),
          .seconds = in.at("seconds"),
          .scenarios = in.at("scenarios")};
}

/// Removes the complete lines of a stream, and reads each.
template <class Read>
void take_lines(std::string& stream, Read&& read) {
  std::size_t begin = 0;
  for (std::size_t end; (end = stream.find('\n', begin)) != std::string::npos; begin = end + 1) {
    read(std::string_view{stream}.substr(begin, end - begin));
  }
  stream.erase(0, begin);
}

}  // namespace

void note_cause(Causes& causes, const FindingText& finding) {
  if (finding.minimal) causes[finding.signature].insert(finding.kinds);
  else causes.erase(finding.signature);
}

std::string to_json(const Verdict& verdict) {
  json out{{"state", word_of(states, verdict.state)}, {"reason", verdict.reason}};
  if (verdict.divergence) out["divergence"] = json_of(*verdict.divergence);
  if (!verdict.wavers.empty()) out["wavers"] = verdict.wavers;
  return dumped(out);
}

Verdict verdict_from(std::string_view line) {
  return read_line(line, [](const json& in) {
    Verdict out{value_of<Verdict::State>(states, in.at("state")), {}, in.at("reason"), in.value("wavers", "")};
    if (in.contains("divergence")) out.divergence = divergence_from(in.at("divergence"));
    return out;
  });
}

std::string to_json(const FindingText& f) {
  return dumped<json>({{"signature", f.signature},
                       {"file_name", f.file_name},
                       {"text", f.text},
                       {"explanation", f.explanation},
                       {"divergence", json_of(f.divergence)},
                       {"minimal", f.minimal},
                       {"hidden_state", f.hidden_state},
                       {"unstable", f.unstable},
                       {"actions_before", f.actions_before},
                       {"actions", f.actions},
                       {"judgements", f.judgements},
                       {"kinds", f.kinds},
                       {"other_cause", f.other_cause},
                       {"engine", f.engine},
                       {"seconds", f.seconds},
                       {"scenarios", f.scenarios}});
}

FindingText finding_from(std::string_view line) { return read_line(line, finding_of); }

std::string to_json(const Explanation& e) {
  json explained = json::array();
  for (const auto& line : e.lines) explained.push_back(json_of(line));
  return dumped<json>({{"signature", e.signature},
                       {"system", e.system},
                       {"lines", explained},
                       {"complete", e.complete},
                       {"judgements", e.judgements},
                       {"redrawn", e.redrawn},
                       {"redrawn_that_fail", e.redrawn_that_fail}});
}

Explanation explanation_from(std::string_view line) {
  return read_line(line, [](const json& in) {
    Explanation out{.signature = in.at("signature"),
                    .system = in.at("system"),
                    .lines = {},
                    .complete = in.at("complete"),
                    .judgements = in.at("judgements"),
                    .redrawn = in.at("redrawn"),
                    .redrawn_that_fail = in.at("redrawn_that_fail")};
    for (const auto& each : in.at("lines")) out.lines.push_back(explained_line_from(each));
    return out;
  });
}

std::vector<FindingText> take_findings(std::string& stream) {
  std::vector<FindingText> out;
  take_lines(stream, [&](std::string_view line) { out.push_back(finding_from(line)); });
  return out;
}

Messages take_messages(std::string& stream) {
  Messages out;
  take_lines(stream, [&](std::string_view line) {
    read_line(line, [&](const json& in) {
      if (in.contains("fault")) out.faults.push_back(in.at("fault").get<std::string>());
      else out.findings.push_back(finding_of(in));
    });
  });
  return out;
}

std::string fault_to_json(std::string_view what) { return dumped<json>({{"fault", what}}); }

}  // namespace lockstep
