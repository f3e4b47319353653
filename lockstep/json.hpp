// JSON as text. Only sources include this header: nlohmann_json is not installed with the library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// to_json and from_json of a struct, in its namespace: an object with these members, in this order. What
/// NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE defines is for nlohmann::json only, which sorts them.
#define LOCKSTEP_JSON(Type, ...)                                               \
  template <class Json>                                                        \
  void to_json(Json& nlohmann_json_j, const Type& nlohmann_json_t) {           \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
  }                                                                            \
  template <class Json>                                                        \
  void from_json(const Json& nlohmann_json_j, Type& nlohmann_json_t) {         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }

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
