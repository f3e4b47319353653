#include "lockstep/text.hpp"

#include <algorithm>

#include "lockstep/lines.hpp"

namespace lockstep {
namespace text {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Hostile texts must not cost more than valid ones: a line or text longer than any valid one is not split further, and
// its parser refuses it.
constexpr std::size_t words_max = 1'000;                      // per line; a row of a board has at most 200
constexpr std::size_t lines_max = text_actions_max + 10'000;  // per text
constexpr std::size_t fields_max = 64;                        // per record

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < line.size() && words.size() < words_max;) {
    if (is_space(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && !is_space(line[end])) ++end;
    words.push_back({line.substr(i, end - i), static_cast<int>(i) + 1});
    i = end;
  }
  return words;
}

std::string quoted(std::string_view word) { return "'" + TokenReader::shown(word) + "'"; }

std::string joined(Names names) {
  std::string out;
  for (const auto name : names) out += (out.empty() ? "" : ", ") + std::string{name};
  return out;
}

}  // namespace

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  int number = 0;
  text = without_mark(text);
  while (!text.empty() && lines.size() < lines_max) {
    std::string_view line = take_line(text);
    ++number;
    line = line.substr(0, line.find('#'));
    if (auto words = words_of(line); !words.empty()) lines.push_back({number, line, std::move(words)});
  }
  return lines;
}

Parsed<std::int64_t> number_from(const Word& word, int line, std::string_view what, std::int64_t lo, std::int64_t hi) {
  std::int64_t value = 0;
  const char* const last = word.text.data() + word.text.size();
  const auto [end, fault] = std::from_chars(word.text.data(), last, value);
  if (fault != std::errc{} || end != last || value < lo || value > hi) {
    return text_error(line, word.column,
                      std::string{what} + " must be a number from " + std::to_string(lo) + " to " + std::to_string(hi) +
                          ", got " + quoted(word.text));
  }
  return value;
}

Parsed<std::int64_t> name_from(const Word& word, int line, std::string_view what, Names names) {
  const auto found = std::ranges::find(names, word.text);
  if (found == names.end()) {
    return text_error(line, word.column,
                      std::string{what} + " must be one of " + joined(names) + ", got " + quoted(word.text));
  }
  return found - names.begin();
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
      const auto value = number_from(word, line.number, "a cell", 0, alphabet.size - 1);
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

// ReadRecord ----------------------------------------------------------------------------------

ReadRecord::ReadRecord(const Line& line)
    : line_{line.number}, end_column_{line.words.back().column + static_cast<int>(line.words.back().text.size())} {
  for (std::size_t i = 1; i < line.words.size(); ++i) {
    const Word& word = line.words[i];
    if (i > fields_max) {
      fail(line_, word.column, "at most " + std::to_string(fields_max) + " fields in a line");
      return;
    }
    const std::size_t equals = word.text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      fail(line_, word.column, "expected name=value, got " + quoted(word.text));
      return;
    }
    const std::string_view name = word.text.substr(0, equals);
    if (std::ranges::find(pairs_, name, &Pair::name) != pairs_.end()) {
      fail(line_, word.column, quoted(name) + " is given twice");
      return;
    }
    pairs_.push_back({name, {word.text.substr(equals + 1), word.column + static_cast<int>(equals) + 1}, word.column});
  }
}

std::optional<Word> ReadRecord::take(std::string_view name) {
  if (error_) return std::nullopt;
  const auto found = std::ranges::find(pairs_, name, &Pair::name);
  if (found == pairs_.end()) {
    fail(line_, end_column_, "expected " + std::string{name} + "=…");
    return std::nullopt;
  }
  found->taken = true;
  return found->value;
}

Parsed<bool> ReadRecord::finish() const {
  if (error_) return std::unexpected(*error_);
  for (const Pair& pair : pairs_) {
    if (!pair.taken) return text_error(line_, pair.column, "there is no field " + quoted(pair.name) + " here");
  }
  return true;
}

// ReadSetup -----------------------------------------------------------------------------------

std::optional<Word> ReadSetup::take(std::string_view name) {
  note(name);
  if (error_ || !at(name)) return std::nullopt;
  const Line& line = lines_[next_];
  if (line.words.size() != 2) {
    const int column = line.words.size() == 1 ? line.words[0].column : line.words[2].column;
    fail(line.number, column, "expected one value after " + quoted(name));
    return std::nullopt;
  }
  ++next_;
  return line.words[1];
}

std::string ReadSetup::left_out(std::int64_t size) const {
  const auto found = std::ranges::find(left_out_, size, &std::pair<std::string, std::int64_t>::second);
  if (found == left_out_.end()) return {};
  return " (" + quoted(found->first) + " is left out, which makes it " + std::to_string(size) + ")";
}

std::string ReadSetup::surplus_row() const {
  if (boards_.empty() || boards_.back().first_row + static_cast<std::size_t>(boards_.back().rows) != next_) return {};
  return left_out(boards_.back().rows);
}

TextError ReadSetup::locate(const Flaw& flaw) const {
  const std::string what = std::string{flaw.field} + ": " + flaw.what;
  for (const Place& place : boards_) {
    if (place.name != flaw.field || flaw.row < 0) continue;
    const Line& line = lines_[place.first_row + static_cast<std::size_t>(flaw.row)];
    const int cell = std::max(flaw.column, 0);
    const int column = place.numeric ? line.words[static_cast<std::size_t>(cell)].column : line.words[0].column + cell;
    return {line.number, column, what};
  }
  for (const Line& line : lines_) {
    // A flaw in a list gives the item as `row`: the n-th line that starts with the field's name.
    if (line.words[0].text != flaw.field) continue;
    if (flaw.row > 0) {
      const auto skipped = std::ranges::count_if(
          lines_, [&](const Line& other) { return other.number < line.number && other.words[0].text == flaw.field; });
      if (skipped < flaw.row) continue;
    }
    return {line.number, line.words[0].column, what};
  }
  return {lines_[0].number, 1, what};
}

Parsed<std::string> system_of(const std::vector<Line>& lines) {
  if (lines.empty()) return text_error(1, 1, "expected 'lockstep 1 SYSTEM', got an empty text");
  const Line& line = lines[0];
  if (line.words[0].text != "lockstep" || line.words.size() != 3) {
    return text_error(line.number, line.words[0].column, "expected 'lockstep 1 SYSTEM' in the first line");
  }
  const auto version = number_from(line.words[1], line.number, "the format version", text_version, text_version);
  if (!version) return std::unexpected(version.error());
  return std::string{line.words[2].text};
}

}  // namespace text

Parsed<std::string> scenario_system(std::string_view source) { return text::system_of(text::lines_of(source)); }

}  // namespace lockstep
