#include "tools/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lockstep/base/json.hpp"
#include "lockstep/base/words.hpp"

namespace lockstep {
namespace {

std::string xml(std::string_view text) {
  const std::string valid = dumped(nlohmann::json(text));  // what is not UTF-8 is replaced
  std::string out = nlohmann::json::parse(valid).get<std::string>();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t'; };
  std::ranges::replace_if(out, is_control, '?');
  // The last two are valid UTF-8, but no characters of XML: the noncharacters at the end of the first plane.
  return replaced(
      out,
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"\xef\xbf\xbe", "?"}, {"\xef\xbf\xbf", "?"}});
}

}  // namespace

std::string junit_text(std::string_view name, const std::vector<JunitCase>& cases) {
  const auto count = [&](JunitCase::Outcome outcome) {
    return std::ranges::count(cases, outcome, &JunitCase::outcome);
  };
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", xml(name), cases.size(),
                     count(JunitCase::Outcome::failure), count(JunitCase::Outcome::error));
  for (const JunitCase& each : cases) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml(each.suite), xml(each.name),
                       each.seconds);
    if (each.outcome == JunitCase::Outcome::passed) {
      out += "/>\n";
      continue;
    }
    out += fmt::format("><{0} type=\"{1}\" message=\"{2}\">{3}</{0}></testcase>\n",
                       each.outcome == JunitCase::Outcome::failure ? "failure" : "error", xml(each.type),
                       xml(each.message), xml(each.details));
  }
  return out + "</testsuite>\n";
}

}  // namespace lockstep
