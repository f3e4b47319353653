// The names of an enumeration's values, read from what the compiler calls them.
//
// Works for enumerations with a fixed underlying type other than bool (every `enum class` has one) and values from 0 to 63.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lockstep {

namespace enumerators {

inline constexpr int values_max = 64;

}  // namespace enumerators

/// An enumeration whose values can be named. The underlying type must be fixed: otherwise a cast from an integer that no
/// enumerator has is undefined, and compilers refuse it. It is not bool, which has two values.
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires { E{enumerators::values_max - 1}; };

namespace enumerators {

/// "buy" for Side::buy; "" for a value without a name. clang writes "[Values = <Side::buy, (Side)1>]" and g++ "[with auto
/// ...Values = {Side::buy, (Side)1}]". One function that names all values compiles faster than one for each.
template <auto... Values>
constexpr auto names_of() {
  constexpr std::string_view mark = "Values = ";
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find(mark) + mark.size() + 1);
  std::array<std::string_view, sizeof...(Values)> out;
  for (std::string_view& name : out) {
    std::size_t end = 0;
    // Arguments of a template or a function around the type have commas, too.
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (depth == 0 && (c == ',' || c == '>' || c == '}')) break;
      depth += (c == '<' || c == '(' || c == '[' || c == '{') - (c == '>' || c == ')' || c == ']' || c == '}');
    }
    name = text.substr(0, end);
    name.remove_prefix(name.rfind(':') + 1);  // npos + 1 is 0
    if (name.contains(')')) name = {};
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  if (!text.empty()) out = {};  // it was misread: an enumeration without names is refused
  return out;
}

template <class E>
inline constexpr auto names_of_all = []<int... I>(std::integer_sequence<int, I...>) {
  return names_of<static_cast<E>(I)...>();
}(std::make_integer_sequence<int, values_max>{});

}  // namespace enumerators

/// The named values of an enumeration, in ascending order, and their names.
template <NamedEnum E>
struct Enumerators {
  static constexpr std::size_t size =
      enumerators::values_max - std::ranges::count(enumerators::names_of_all<E>, std::string_view{});
  static constexpr std::array<E, size> values = [] {
    std::array<E, size> out{};
    for (std::size_t i = 0, next = 0; i < enumerators::names_of_all<E>.size(); ++i) {
      if (!enumerators::names_of_all<E>[i].empty()) out[next++] = static_cast<E>(i);
    }
    return out;
  }();
  static constexpr std::array<std::string_view, size> names = [] {
    std::array<std::string_view, size> out{};
    std::ranges::transform(values, out.begin(),
                           [](E value) { return enumerators::names_of_all<E>[static_cast<std::size_t>(value)]; });
    return out;
  }();

  /// The index of a value; `size` if it has no name.
  static constexpr std::size_t index_of(E value) {
    return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
  }
};

/// The name of a value; "?" if it has none.
template <NamedEnum E>
constexpr std::string_view to_string(E value) {
  const std::size_t index = Enumerators<E>::index_of(value);
  return index < Enumerators<E>::size ? Enumerators<E>::names[index] : "?";
}

}  // namespace lockstep
