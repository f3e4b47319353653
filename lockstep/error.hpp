// Errors in what people hand us: what is wrong, and where.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace lockstep {

/// A fault in a text. Lines and columns count from 1; 0 means the text as a whole.
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
