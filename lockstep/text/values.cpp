#include "lockstep/text/values.hpp"

#include <algorithm>

#include "lockstep/base/words.hpp"

namespace lockstep::text {
namespace {

/// Whether the text is written as text_of writes it, or as a plain decimal, "-12.50".
bool is_real(std::string_view text, double value) {
  if (text == floating::text_of(value)) return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::size_t point = std::min(text.find('.'), text.size());
  return digits(text.substr(0, point)) && (point == text.size() || digits(text.substr(point + 1)));
}

}  // namespace

Parsed<Number> number_from(const Given& given, Number lo, Number hi) {
  const auto value = number_in(given.word.text);
  if (value && *value >= lo && *value <= hi) return *value;
  return given.refused(" must be a number from " + to_text(lo) + " to " + to_text(hi));
}

Parsed<double> real_from(const Given& given, Bounds bounds) {
  const auto value = floating::in_text(given.word.text);
  if (!value || (bounds && !(*value >= bounds->first && *value <= bounds->second))) {
    const std::string range =
        bounds ? " from " + floating::text_of(bounds->first) + " to " + floating::text_of(bounds->second) : "";
    return given.refused(" must be a number" + range);
  }
  if (!is_real(given.word.text, *value)) return given.refused(": expected '" + floating::text_of(*value) + "'");
  return *value;
}

Parsed<std::string> text_from(const Given& given, int lo, int hi, const Text& of) {
  auto [text, fault_at, fault] = unquoted_text(given.word.text);
  if (!fault.empty()) return given.fault(": " + fault, fault_at);
  const std::size_t size = of.symbols_of(text).size();
  if (!of.accepts(text)) return given.fault(" must be of " + of.about());
  if (size < static_cast<std::size_t>(lo) || size > static_cast<std::size_t>(hi)) {
    return given.fault(" must have " + std::to_string(lo) + " to " + std::to_string(hi) + " characters, got " +
                       std::to_string(size));
  }
  return text;
}

Parsed<Number> reference_from(const Given& given, std::string_view kind, Number count) {
  const std::string begin = std::string{kind} + ".";
  const std::string_view text = given.word.text;
  const auto number = text.starts_with(begin) ? number_in(text.substr(begin.size())) : std::nullopt;
  if (number && *number >= 1 && *number <= count) return *number - 1;
  return given.refused(": " + (count == 0 ? "there is no earlier '" + std::string{kind} + "'"
                                          : "expected " + begin + "1 to " + begin + to_text(count)));
}

Parsed<std::vector<Word>> items_from(const Given& given, int lo, int hi) {
  const auto& [text, column] = given.word;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return given.refused(" must be a list, [a,b,…]");
  auto items = parts_of(text.substr(1, text.size() - 2), ',', column + 1);
  if (items.size() < static_cast<std::size_t>(lo) || items.size() > static_cast<std::size_t>(hi)) {
    return given.fault(" must have " + std::to_string(lo) + " to " + std::to_string(hi) + " items, got " +
                       std::to_string(items.size()));
  }
  if (const auto empty = std::ranges::find(items, "", &Word::text); empty != items.end())
    return text_error(given.line, empty->column, given.called + ": an item is empty");
  return items;
}

Parsed<Grid> board_from(const Given& given, int rows, int columns, const Alphabet& alphabet) {
  const Unquoted unquoted = unquoted_text(given.word.text);
  if (!unquoted.fault.empty()) return given.fault(": " + unquoted.fault);
  std::vector<Word> lines = parts_of(unquoted.text, '/', given.word.column + 1);
  if (lines.size() != static_cast<std::size_t>(rows)) {
    return given.fault(" needs " + counted(static_cast<std::uint64_t>(rows), "row") + ", got " +
                       std::to_string(lines.size()));
  }
  Grid grid{rows, columns};
  for (int row = 0; row < rows; ++row) {
    const auto& [text, column] = lines[static_cast<std::size_t>(row)];
    if (text.empty())
      return text_error(given.line, column, "row " + std::to_string(row) + " of " + given.called + " is empty");
    const Line cells{given.line, text,
                     alphabet.numeric() ? parts_of(text, ' ', column) : std::vector{Word{text, column}}};
    if (const auto read = row_from(cells, given.called, grid, row, alphabet); !read)
      return std::unexpected(read.error());
  }
  return grid;
}

Parsed<Number> name_from(const Given& given, Names names, Number first) {
  const auto found = std::ranges::find(names, given.word.text);
  if (found != names.end()) return first + (found - names.begin());
  return given.refused(" must be one of " + joined({names.begin(), names.end()}, ", "));
}

Parsed<bool> row_from(const Line& line, std::string_view what, Grid& grid, int row, const Alphabet& alphabet,
                      std::string_view hint) {
  const std::string need = "row " + std::to_string(row) + " of " + std::string{what} + " needs " +
                           counted(static_cast<std::uint64_t>(grid.columns), "cell") + ", got ";
  if (alphabet.numeric()) {
    if (line.words.size() != static_cast<std::size_t>(grid.columns)) {
      return text_error(line.number, line.words[0].column,
                        need + std::to_string(line.words.size()) + std::string{hint});
    }
    for (int column = 0; column < grid.columns; ++column) {
      const Word& word = line.words[static_cast<std::size_t>(column)];
      if (word.text == ".") continue;
      const auto value = number_from({word, line.number, "a cell"}, 0, alphabet.size - 1);
      if (!value) return std::unexpected(value.error());
      grid.at(row, column) = static_cast<std::uint8_t>(*value);
    }
    return true;
  }
  const Word& word = line.words[0];
  if (line.words.size() != 1 || word.text.size() != static_cast<std::size_t>(grid.columns)) {
    const std::size_t got = line.words.size() == 1 ? word.text.size() : line.words.size();
    return text_error(line.number, word.column,
                      need + std::to_string(got) + (line.words.size() == 1 ? "" : " words") + std::string{hint});
  }
  for (int column = 0; column < grid.columns; ++column) {
    const char symbol = word.text[static_cast<std::size_t>(column)];
    const std::size_t value = alphabet.symbols.find(symbol);
    if (value == std::string_view::npos) {
      return text_error(line.number, word.column + column,
                        "a cell is one of " + quoted(alphabet.symbols) + ", got " + quoted({&symbol, 1}));
    }
    grid.at(row, column) = static_cast<std::uint8_t>(value);
  }
  return true;
}

}  // namespace lockstep::text
