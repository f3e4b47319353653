// JSON as text, and optional values and durations in it. Only sources include this header: nlohmann_json is not installed with
// the library.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

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

/// An optional without a value is null.
template <class Value>
struct nlohmann::adl_serializer<std::optional<Value>> {
  static void to_json(auto& out, const std::optional<Value>& value) {
    out = nullptr;
    if (value) out = *value;
  }
  static void from_json(const auto& in, std::optional<Value>& value) {
    value.reset();
    if (!in.is_null()) value = in.template get<Value>();
  }
};

/// A duration is its number of milliseconds.
template <>
struct nlohmann::adl_serializer<std::chrono::milliseconds> {
  static void to_json(auto& out, std::chrono::milliseconds value) { out = value.count(); }
  static void from_json(const auto& in, std::chrono::milliseconds& value) {
    value = std::chrono::milliseconds{in.template get<std::int64_t>()};
  }
};

namespace lockstep {

/// One line of ASCII; with an indent, lines for people. Bytes that are not UTF-8, as a file's name or an implementation's
/// text may contain, are replaced: nlohmann's dump would throw.
template <class Json = nlohmann::ordered_json>
std::string dumped(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', indent < 0, Json::error_handler_t::replace);
}

/// Renames, for one release, what had other names before: members of an object and, from a file, of the objects in its lists.
void rename_words(auto& in, bool is_file = true) {
  for (auto& list : in) {
    for (auto& each : list)
      if (is_file && list.is_array()) rename_words(each, false);
  }
  for (const auto& [before, now] :
       {std::pair{"game", "system"}, std::pair{"games", "systems"}, std::pair{"simulators", "implementations"}}) {
    if (!in.is_object() || !in.contains(before)) continue;
    in[now] = auto(in[before]);  // for g++, auto{…} would be a list of one
    in.erase(before);
  }
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
