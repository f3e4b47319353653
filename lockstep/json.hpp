// JSON as text. Only sources include this header: nlohmann_json is not installed with the library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep {

/// One line of ASCII; with an indent, lines for people. Bytes that are not UTF-8, as a file's name or an implementation's
/// text may contain, are replaced: nlohmann's dump would throw.
template <class Json = nlohmann::ordered_json>
std::string dumped(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', indent < 0, Json::error_handler_t::replace);
}

/// JSON that stands in a page's script element: ASCII, so that no byte of an implementation breaks the file's encoding;
/// without '<', so that no text ends the script element.
inline std::string json_text(const nlohmann::ordered_json& value) {
  std::string out;
  for (const char c : dumped(value)) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

}  // namespace lockstep
