// Throws a reason that was returned. Not in error.hpp, which code without exceptions includes (page/module.cpp).
#pragma once

#include <expected>
#include <string>
#include <type_traits>
#include <utility>

#include "lockstep/base/error.hpp"

namespace lockstep {

/// The value; BadInput, or another error, with the reason if there is none.
template <class Error = BadInput, class T>
T or_refuse(std::expected<T, std::string> value) {
  if (!value) throw Error{value.error()};
  if constexpr (!std::is_void_v<T>) return std::move(*value);
}

}  // namespace lockstep
