// What tests expect of many functions: one result, or an exception with a message.
#pragma once

#include <gtest/gtest.h>

#include <concepts>
#include <cstdlib>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/base/error.hpp"

namespace lockstep {

/// The only item; if there is another number of them, a default one, and the test fails.
template <class T>
T only(const std::vector<T>& items) {
  EXPECT_EQ(items.size(), 1u);
  return items.size() == 1 ? items.front() : T{};
}

inline const std::string nothing_thrown = "nothing was thrown";

/// The message of the exception that the function throws, or `nothing_thrown`.
template <class Exception = BadInput>
std::string message_of(std::invocable auto&& function) {
  try {
    function();
  } catch (const Exception& thrown) {
    return thrown.what();
  }
  return nothing_thrown;
}

/// The error of a result, "no error" without one; that of a text is one of the file "x".
template <class T>
std::string error_of(const std::expected<T, std::string>& result) {
  return result ? "no error" : result.error();
}
template <class T>
std::string error_of(const Parsed<T>& result) {
  return result ? "no error" : result.error().message("x");
}

/// The environment variable has this value while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_{name} { setenv(name, value.c_str(), 1); }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  static std::optional<std::string> current(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
  }
  const char* name_;
  std::optional<std::string> before_ = current(name_);
};

}  // namespace lockstep
