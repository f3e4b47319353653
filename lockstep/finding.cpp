#include "lockstep/finding.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/error.hpp"
#include "lockstep/json.hpp"

namespace lockstep {

using nlohmann::json;

template <NamedEnum E>
void to_json(json& out, E value) {
  out = to_string(value);
}
template <NamedEnum E>
void from_json(const json& in, E& value) {
  const auto& names = Enumerators<E>::names;
  const auto found = std::ranges::find(names, in.get<std::string>());
  if (found == names.end()) throw InternalError{"no such word between processes: " + in.dump()};
  value = Enumerators<E>::values[static_cast<std::size_t>(found - names.begin())];
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Divergence, kind, step, system, blamed, action, field, expected, actual, last_words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedWord, name, text, matter)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedLine, kind, name, matter, words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Explanation, signature, system, lines, complete, judgements, redrawn,
                                   redrawn_that_fail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FindingText, signature, file_name, text, explanation, divergence, minimal,
                                   hidden_state, unstable, actions_before, actions, judgements, kinds, other_cause,
                                   engine, seconds, scenarios)

namespace {

/// Parses a line of JSON and converts it with `read`.
template <class Read>
auto read_line(std::string_view line, Read&& read) {
  try {
    return read(json::parse(line));
  } catch (const json::exception& fault) {
    throw InternalError{std::string{"a line between processes is broken: "} + fault.what()};
  }
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
  json out{{"state", verdict.state}, {"reason", verdict.reason}};
  if (verdict.divergence) out["divergence"] = *verdict.divergence;
  if (!verdict.wavers.empty()) out["wavers"] = verdict.wavers;
  return dumped(out);
}

Verdict verdict_from(std::string_view line) {
  return read_line(line, [](const json& in) {
    Verdict out{in.at("state"), {}, in.at("reason"), in.value("wavers", "")};
    if (in.contains("divergence")) out.divergence = in.at("divergence").get<Divergence>();
    return out;
  });
}

std::string to_json(const FindingText& finding) { return dumped(json(finding)); }

FindingText finding_from(std::string_view line) {
  return read_line(line, [](const json& in) { return in.get<FindingText>(); });
}

std::string to_json(const Explanation& explanation) { return dumped(json(explanation)); }

Explanation explanation_from(std::string_view line) {
  return read_line(line, [](const json& in) { return in.get<Explanation>(); });
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
      else out.findings.push_back(in.get<FindingText>());
    });
  });
  return out;
}

std::string fault_to_json(std::string_view what) { return dumped<json>({{"fault", what}}); }

}  // namespace lockstep
