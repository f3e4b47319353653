#include "lockstep/services/finding.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/base/json.hpp"
#include "lockstep/services/finding_json.hpp"

namespace lockstep {

using nlohmann::json;

namespace {

template <class Value>
Value value_in(std::string_view line) {
  try {
    return json::parse(line).get<Value>();
  } catch (const json::exception& fault) {
    throw InternalError{std::string{"a line between processes is broken: "} + fault.what()};
  }
}

}  // namespace

std::string to_json(const Verdict& verdict) { return dumped(json(verdict)); }
std::string to_json(const Finding& finding) { return dumped(json(finding)); }
std::string to_json(const Explanation& explanation) { return dumped(json(explanation)); }

Verdict verdict_from(std::string_view line) { return value_in<Verdict>(line); }
Finding finding_from(std::string_view line) { return value_in<Finding>(line); }
Explanation explanation_from(std::string_view line) { return value_in<Explanation>(line); }

std::string fault_to_json(std::string_view what) { return dumped<json>({{"fault", what}}); }

Messages take_messages(std::string& stream) {
  const std::string_view begin_of_fault = R"({"fault":)";
  Messages out;
  std::size_t begin = 0;
  for (std::size_t end; (end = stream.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line = std::string_view{stream}.substr(begin, end - begin);
    if (line.starts_with(begin_of_fault))
      out.faults.push_back(value_in<std::map<std::string, std::string>>(line)["fault"]);
    else out.findings.push_back(finding_from(line));
  }
  stream.erase(0, begin);
  return out;
}

}  // namespace lockstep
