// The size of a scenario in JSON. Only sources include this header, as json.hpp says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/measure.hpp"

namespace lockstep {

/// {"actions": …, "occupied": …, "area": …, "spans": …, "fields": …}; a sum beyond 64 bits is a text.
inline nlohmann::ordered_json json_of(const Size& size) {
  const auto sum = [](Number value) -> nlohmann::ordered_json {
    if (value >> 64 == 0) return static_cast<std::uint64_t>(value);
    return to_text(value);
  };
  return {{"actions", size.actions},
          {"occupied", size.occupied},
          {"area", size.area},
          {"spans", sum(size.spans)},
          {"fields", sum(size.fields)}};
}

/// Inverse of json_of. Throws nlohmann::json::exception if the value has another form.
template <class Json>
Size size_from(const Json& in) {
  const auto sum = [](const Json& value) -> Number {
    if (value.is_string()) return number_in(value.template get<std::string>()).value_or(0);
    return value.template get<std::uint64_t>();
  };
  return {in.at("actions"), in.at("occupied"), in.at("area"), sum(in.at("spans")), sum(in.at("fields"))};
}

}  // namespace lockstep
