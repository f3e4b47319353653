// Errors: an error in a text with its place, wrong input, and internal errors.
#pragma once

#include <expected>
#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep {

/// The input or the command line is wrong: what, where, what was expected.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An internal error, or one of the machine: no text that is read should be able to cause it.
struct InternalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An error in a text. Lines and columns count from 1; 0 means the text as a whole.
struct TextError {
  int line = 0;
  int column = 0;
  std::string what;

  /// "NAME:LINE:COLUMN: what", the form that editors jump to.
  std::string message(const std::string& source) const {
    std::string where = source;
    if (line > 0) where += ":" + std::to_string(line) + ":" + std::to_string(column > 0 ? column : 1);
    return where + ": " + what;
  }
};

template <class T>
using Parsed = std::expected<T, TextError>;

inline std::unexpected<TextError> text_error(int line, int column, std::string what) {
  return std::unexpected(TextError{line, column, std::move(what)});
}

}  // namespace lockstep
