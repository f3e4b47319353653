// Fields as text: the printed form of observations and snapshots, and the first field in which two of them differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe.hpp"

namespace lockstep {

/// A number, or its name if it has one, in the library's text form.
inline std::string choice_text(std::int64_t value, std::int64_t first, Names names) {
  const std::int64_t index = value - first;
  if (index >= 0 && index < static_cast<std::int64_t>(names.size())) {
    return std::string{names[static_cast<std::size_t>(index)]};
  }
  return std::to_string(value);
}

/// One row of a board.
inline std::string row_text(const Grid& grid, int row, const Alphabet& alphabet) {
  std::string out;
  if (!alphabet.numeric()) {
    for (int column = 0; column < grid.columns; ++column) out += alphabet.symbols[grid.at(row, column)];
    return out;
  }
  std::size_t wide = 1;
  for (const auto cell : grid.cells) wide = std::max(wide, std::to_string(cell).size());
  for (int column = 0; column < grid.columns; ++column) {
    const std::string cell = grid.at(row, column) == 0 ? "." : std::to_string(grid.at(row, column));
    if (column > 0) out += ' ';
    out.append(wide - cell.size(), ' ').append(cell);
  }
  return out;
}

/// A visitor that prints: it defines word(name, text), board and list. Numbers, names and flags reach `word` in the
/// library's text form.
template <class Self>
class Wording : public Visitor<Self> {
 public:
  template <class T>
  void number(std::string_view name, const T& value, std::int64_t, std::int64_t) {
    word(name, std::to_string(value));
  }
  template <class T>
  void choice(std::string_view name, const T& value, std::int64_t first, Names names) {
    word(name, choice_text(static_cast<std::int64_t>(value), first, names));
  }
  void flag(std::string_view name, bool value) { word(name, value ? "yes" : "no"); }

 private:
  void word(std::string_view name, std::string text) { static_cast<Self&>(*this).word(name, std::move(text)); }
};

struct Field {
  std::string name;
  std::string text;
};

/// Collects the visited fields in a flat list, in order. A board becomes one field per row ("board[3]").
class CollectFields : public Wording<CollectFields> {
 public:
  std::vector<Field> fields;

  void word(std::string_view name, std::string text) {
    fields.push_back({prefix_ + std::string{name}, std::move(text)});
  }
  template <class T>
  void value(std::string_view name, const T& value) {
    word(name, std::to_string(value));
  }
  template <class Range>
  void values(std::string_view name, const Range& values) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    word(name, text);
  }
  void board(std::string_view name, const Grid& grid, int, int, const Alphabet& alphabet) {
    for (int row = 0; row < grid.rows; ++row) {
      word(std::string{name} + "[" + std::to_string(row) + "]", row_text(grid, row, alphabet));
    }
  }
  template <class T, class Item>
  void list(std::string_view name, std::vector<T>& items, int, int, Item&& describe_item) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string outer = prefix_;
      prefix_ += std::string{name} + "[" + std::to_string(i) + "].";
      describe_item(*this, items[i]);
      prefix_ = outer;
    }
  }

 private:
  std::string prefix_;
};

/// "points=6 vanished=6,0"
inline std::string line_of(const std::vector<Field>& fields) {
  std::string out;
  for (const auto& [name, text] : fields) out += (out.empty() ? "" : " ") + name + "=" + text;
  return out;
}

/// The same, one field per line.
inline std::string lines_of(const std::vector<Field>& fields) {
  std::string out;
  for (const auto& [name, text] : fields) out.append(name).append("=").append(text).append("\n");
  return out;
}

/// Reads the flag `legal` of an observation.
class ReadLegality : public Visitor<ReadLegality> {
 public:
  bool legal = true;

  void flag(std::string_view name, bool value) {
    if (name == "legal") legal = value;
  }
  template <class T>
  void value(std::string_view, const T&) {}
  template <class Range>
  void values(std::string_view, const Range&) {}
};

/// The observation's `legal` flag; true if it has none.
template <System S>
bool is_legal(const typename S::Observation& observation) {
  ReadLegality read;
  read_observation<S>(read, observation);
  return read.legal;
}

template <System S>
std::vector<Field> observation_fields(const typename S::Observation& observation) {
  CollectFields collect;
  read_observation<S>(collect, observation);
  return std::move(collect.fields);
}

template <System S>
std::string observation_text(const typename S::Observation& observation) {
  return line_of(observation_fields<S>(observation));
}

template <System S>
std::vector<Field> snapshot_fields(const typename S::Snapshot& snapshot) {
  CollectFields collect;
  read_snapshot<S>(collect, snapshot);
  return std::move(collect.fields);
}

/// The first field in which two descriptions differ, with both texts. All empty if there is none.
struct FieldDifference {
  std::string name;
  std::string expected;
  std::string actual;
};

inline FieldDifference first_difference(const std::vector<Field>& expected, const std::vector<Field>& actual) {
  const std::size_t common = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (expected[i].name != actual[i].name) return {expected[i].name, expected[i].text, "(no such field)"};
    if (expected[i].text != actual[i].text) return {expected[i].name, expected[i].text, actual[i].text};
  }
  if (expected.size() > common) return {expected[common].name, expected[common].text, "(no such field)"};
  if (actual.size() > common) return {actual[common].name, "(no such field)", actual[common].text};
  return {};
}

/// A field's name without its indices, as used in signatures ("board[3]" → "board").
inline std::string without_indices(std::string_view name) {
  std::string out;
  bool inside = false;
  for (const char c : name) {
    if (c == '[') inside = true;
    if (!inside) out += c;
    if (c == ']') inside = false;
  }
  return out;
}

}  // namespace lockstep
