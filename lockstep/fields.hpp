// Fields as text: the printed form of observations and snapshots, and the first field in which two of them differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
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
  const std::uint8_t largest = grid.cells.empty() ? std::uint8_t{0} : std::ranges::max(grid.cells);
  const std::size_t wide = std::to_string(largest).size();
  for (int column = 0; column < grid.columns; ++column) {
    const std::string cell = grid.at(row, column) == 0 ? "." : std::to_string(grid.at(row, column));
    if (column > 0) out += ' ';
    out.append(wide - cell.size(), ' ').append(cell);
  }
  return out;
}

struct Field {
  std::string name;
  std::string text;
  bool operator==(const Field&) const = default;
};

inline std::string line_of(const std::vector<Field>& fields);

/// The text of a compound value: its one nameless field's text, or {a=1 b=2}.
inline std::string compound_text(const std::vector<Field>& fields) {
  if (fields.size() == 1 && fields.front().name.empty()) return fields.front().text;
  return "{" + line_of(fields) + "}";
}

/// The name of an alternative of a variant in text: its own, or its index.
template <class T>
std::string alternative_text([[maybe_unused]] std::size_t index) {
  // The address, because a member of each object may be called `name` too.
  if constexpr (requires { std::string{*&T::name}; }) return std::string{T::name};
  else return std::to_string(index);
}

/// "place.3": the result of the third `place`.
inline std::string reference_text(std::string_view kind, Number index) {
  return std::string{kind} + "." + to_text(index + 1);
}

class CollectFields;

/// A visitor that prints: it defines word(name, text), board and list. Everything else reaches `word` in the library's
/// text form; compound values (sequences, records, …) reach `compound`, which calls `word` unless the visitor defines it.
template <class Self>
class Wording : public Visitor<Self> {
 public:
  template <class T>
  void number(std::string_view name, const T& value, Number, Number) {
    self().word(name, std::to_string(value));
  }
  template <class T>
  void choice(std::string_view name, const T& value, std::int64_t first, Names names) {
    self().word(name, choice_text(static_cast<std::int64_t>(value), first, names));
  }
  void flag(std::string_view name, bool value) { self().word(name, value ? "yes" : "no"); }
  template <class E>
  void enumeration(std::string_view name, const E& value) {
    const std::size_t index = Enumerators<E>::index_of(value);
    self().word(name, index < Enumerators<E>::size ? std::string{Enumerators<E>::names[index]}
                                                   : std::to_string(static_cast<std::underlying_type_t<E>>(value)));
  }
  template <class T>
  void reference(std::string_view name, std::string_view kind, const T& index, Number) {
    self().word(name, reference_text(kind, index));
  }
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    self().compound(name, floating::text_of(value), [&](auto& io) { io.any_real(name, value, bounds); });
  }
  void any_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) {
    self().compound(name, quoted_text(value), [&](auto& io) { io.any_text(name, value, lo, hi, of); });
  }
  template <class C, class Item>
  void items(std::string_view name, C& items, int lo, int hi, Item&& item);
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item);
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value);
  template <class Fields>
  void record(std::string_view name, Fields&& fields);
  template <class T>
  void value(std::string_view name, const T& value);
  template <class Range>
  void values(std::string_view name, const Range& values);

  /// `visit(io)` applies the value's description to another visitor.
  template <class Visit>
  void compound(std::string_view name, std::string text, Visit&&) {
    self().word(name, std::move(text));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// Collects the visited fields in a flat list, in order. A board becomes one field per row ("board[3]"), an item of a
/// list one field for each of its own ("pieces[2].row").
class CollectFields : public Wording<CollectFields> {
 public:
  std::vector<Field> fields;

  void word(std::string_view name, std::string text) {
    fields.push_back({prefix_ + std::string{name}, std::move(text)});
  }
  void board(std::string_view name, const Grid& grid, int, int, const Alphabet& alphabet) {
    for (int row = 0; row < grid.rows; ++row) {
      word(std::string{name} + "[" + std::to_string(row) + "]", row_text(grid, row, alphabet));
    }
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int, int, Item&& describe_item) {
    std::size_t i = 0;
    for (auto& item : items) {
      const std::string outer = prefix_;
      prefix_ += std::string{name} + "[" + std::to_string(i++) + "].";
      describe_item(*this, item);
      prefix_ = outer;
    }
  }

 private:
  std::string prefix_;
};

/// As CollectFields, but a list is one field, as it is written in a line: for actions and items of lists.
class CollectWords : public Wording<CollectWords> {
 public:
  std::vector<Field> fields;

  void word(std::string_view name, std::string text) { fields.push_back({std::string{name}, std::move(text)}); }
  void board(std::string_view name, const Grid& grid, int, int, const Alphabet& alphabet) {
    std::string text;
    for (int row = 0; row < grid.rows; ++row) text += (text.empty() ? "" : "/") + row_text(grid, row, alphabet);
    word(name, quoted_text(text));
  }
  template <class C, class Item>
  void list(std::string_view name, C& list_items, int lo, int hi, Item&& describe_item) {
    items(name, list_items, lo, hi, describe_item);
  }
};

template <class Self>
template <class C, class Item>
void Wording<Self>::items(std::string_view name, C& items, int lo, int hi, Item&& item) {
  std::string text;
  for (auto& each : items) {
    CollectWords words;
    item(words, each);
    text += (text.empty() ? "" : ",") + compound_text(words.fields);
  }
  self().compound(name, "[" + text + "]", [&](auto& io) { io.items(name, items, lo, hi, item); });
}

template <class Self>
template <class T, class Item>
void Wording<Self>::optional(std::string_view name, std::optional<T>& value, Item&& item) {
  std::string text = "none";
  if (value) {
    CollectWords words;
    item(words, *value);
    text = compound_text(words.fields);
  }
  self().compound(name, std::move(text), [&](auto& io) { io.optional(name, value, item); });
}

template <class Self>
template <class... T>
void Wording<Self>::variant(std::string_view name, std::variant<T...>& value) {
  std::string text = std::visit(
      [&]<class A>(A& each) {
        CollectWords words;
        words.contents(each);
        const std::string tag = alternative_text<std::remove_cvref_t<A>>(value.index());
        return words.fields.empty() ? tag : tag + ":" + compound_text(words.fields);
      },
      value);
  self().compound(name, std::move(text), [&](auto& io) { io.variant(name, value); });
}

template <class Self>
template <class Fields>
void Wording<Self>::record(std::string_view name, Fields&& fields) {
  CollectWords words;
  fields(words);
  self().compound(name, compound_text(words.fields), [&](auto& io) { io.record(name, fields); });
}

template <class Self>
template <class T>
void Wording<Self>::value(std::string_view name, const T& value) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    self().word(name, std::to_string(value));
  } else {
    CollectWords words;
    words.field("", const_cast<T&>(value));  // sound: printing never writes
    self().word(name, compound_text(words.fields));
  }
}

template <class Self>
template <class Range>
void Wording<Self>::values(std::string_view name, const Range& values) {
  std::string text;
  for (const std::ranges::range_value_t<const Range>& value : values) {
    CollectWords one;
    one.value("", value);
    text += (text.empty() ? "" : ",") + compound_text(one.fields);
  }
  self().word(name, text);
}

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
  void number(std::string_view, const T&, Number, Number) {}
  void board(std::string_view, const Grid&, int, int, const Alphabet&) {}
  template <class C, class Item>
  void list(std::string_view, C&, int, int, Item&&) {}
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
std::vector<Field> snapshot_fields(const SnapshotOf<S>& snapshot) {
  CollectFields collect;
  read_snapshot<S>(collect, snapshot);
  return std::move(collect.fields);
}

/// The first field in which two descriptions differ, with both texts. If the other side has a field that only it has in
/// that place, its text is name=text. All empty if there is no difference.
struct FieldDifference {
  std::string name;
  std::string expected;
  std::string actual;
};

inline FieldDifference first_difference(const std::vector<Field>& expected, const std::vector<Field>& actual) {
  const std::size_t common = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (expected[i].name != actual[i].name) {
      const bool replaced = std::ranges::find(expected, actual[i].name, &Field::name) == expected.end() &&
                            std::ranges::find(actual, expected[i].name, &Field::name) == actual.end();
      return {expected[i].name, expected[i].text,
              replaced ? actual[i].name + "=" + actual[i].text : std::string{"(no such field)"}};
    }
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
