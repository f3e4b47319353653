// Optional values and durations in JSON. Only sources include this header, as json.hpp says.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

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
