// The size of a scenario in JSON. Only sources include this header: nlohmann_json is not installed with the library.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/measure.hpp"

namespace lockstep {

/// {"actions": …, "occupied": …, "area": …, "fields": …}; a sum of fields beyond 64 bits is a text.
inline nlohmann::ordered_json json_of(const Size& size) {
  nlohmann::ordered_json out{{"actions", size.actions}, {"occupied", size.occupied}, {"area", size.area}};
  if (size.fields >> 64 == 0) out["fields"] = static_cast<std::uint64_t>(size.fields);
  else out["fields"] = to_text(size.fields);
  return out;
}

/// Inverse of json_of. Throws nlohmann::json::exception if the value has another form.
template <class Json>
Size size_from(const Json& in) {
  Size out{in.at("actions"), in.at("occupied"), in.at("area"), 0};
  const auto& fields = in.at("fields");
  if (fields.is_string()) out.fields = number_in(fields.template get<std::string>()).value_or(0);
  else out.fields = fields.template get<std::uint64_t>();
  return out;
}

}  // namespace lockstep
