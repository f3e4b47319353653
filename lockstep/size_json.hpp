// The size of a scenario in JSON. Only sources include this header, as json.hpp says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/measure.hpp"

namespace lockstep {

/// {"actions": …, "occupied": …, "area": …, "spans": …, "fields": …}; a sum beyond 64 bits is a text.
template <class Json>
void to_json(Json& out, const Size& size) {
  const auto sum = [](Number value) -> Json {
    if (value >> 64 == 0) return static_cast<std::uint64_t>(value);
    return to_text(value);
  };
  out = {{"actions", size.actions},
         {"occupied", size.occupied},
         {"area", size.area},
         {"spans", sum(size.spans)},
         {"fields", sum(size.fields)}};
}
template <class Json>
void from_json(const Json& in, Size& size) {
  const auto sum = [](const Json& value) -> Number {
    if (value.is_string()) return number_in(value.template get<std::string>()).value_or(0);
    return value.template get<std::uint64_t>();
  };
  size = {in.at("actions"), in.at("occupied"), in.at("area"), sum(in.at("spans")), sum(in.at("fields"))};
}

}  // namespace lockstep
