// Values of fields, read from the words of a scenario's text (text.hpp). An error has the line and column of its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/base/grid.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/text/split.hpp"

namespace lockstep::text {

/// A field's word, and what errors call the field.
struct Given {
  Word word;
  int line;
  std::string called;

  std::unexpected<TextError> fault(const std::string& what, std::size_t behind = 0) const {
    return text_error(line, word.column + static_cast<int>(behind), called + what);
  }
  std::unexpected<TextError> refused(const std::string& expected) const {
    return fault(expected + ", got " + quoted(word.text));
  }
};

/// An integer from lo to hi.
Parsed<Number> number_from(const Given& given, Number lo, Number hi);

/// A floating-point number, inside the bounds if there are any.
Parsed<double> real_from(const Given& given, Bounds bounds);

/// A text in quotes, of lo to hi characters of an alphabet.
Parsed<std::string> text_from(const Given& given, int lo, int hi, const Text& of);

/// "place.3" with kind "place": 2, the index of the third result.
Parsed<Number> reference_from(const Given& given, std::string_view kind, Number count);

/// The items of "[1,2,3]".
Parsed<std::vector<Word>> items_from(const Given& given, int lo, int hi);

/// The rows of a board in quotes, "..1/.12".
Parsed<Grid> board_from(const Given& given, int rows, int columns, const Alphabet& alphabet);

/// The number of one of the names, the first of which has the number `first`.
Parsed<Number> name_from(const Given& given, Names names, Number first);

/// Parses one row of a board into the grid. With a numeric alphabet the line's words are the cells. The error for a row
/// of the wrong width ends with `hint`.
Parsed<bool> row_from(const Line& line, std::string_view what, Grid& grid, int row, const Alphabet& alphabet,
                      std::string_view hint = {});

}  // namespace lockstep::text
