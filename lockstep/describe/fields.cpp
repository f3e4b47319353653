#include "lockstep/describe/fields.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/base/words.hpp"

namespace lockstep {
namespace {

/// A number, or its name if it has one, in the library's text form.
std::string number_text(Number value, Number lo, const NumberAs& as) {
  if (as.role == Role::reference) return reference_text(as.of, value);
  if (as.role != Role::choice) return to_text(value);
  if (as.unnamed) return to_text(*as.unnamed);
  const Number index = value - lo;
  if (index < 0 || index >= static_cast<Number>(as.names.size())) return to_text(value);
  return std::string{as.names[static_cast<std::size_t>(index)]};
}

}  // namespace

std::string row_text(const Grid& grid, int row, const Alphabet& alphabet) {
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

std::string line_of(const std::vector<Field>& fields) {
  std::string out;
  for (const auto& [name, text] : fields) out += (out.empty() ? "" : " ") + name + "=" + text;
  return out;
}

std::string lines_of(const std::vector<Field>& fields) {
  std::string out;
  for (const auto& [name, text] : fields) out.append(name).append("=").append(text).append("\n");
  return out;
}

std::string compound_text(const std::vector<Field>& fields) {
  if (fields.size() == 1 && fields.front().name.empty()) return fields.front().text;
  return "{" + line_of(fields) + "}";
}

std::string reference_text(std::string_view kind, Number index) { return std::string{kind} + "." + to_text(index + 1); }

std::string describing::text_of(FunctionRef<void(Fields&)> value) {
  CollectWords words;
  value(words);
  return compound_text(words.fields);
}

void Wording::compound(std::string_view name, std::string text, FunctionRef<void(Fields&)>) {
  word(name, std::move(text));
}

void Wording::visit_number(std::string_view name, Number& value, Number lo, Number, const NumberAs& as) {
  word(name, number_text(value, lo, as));
}

void Wording::visit_real(std::string_view name, double& value, Bounds bounds, bool single) {
  compound(name, single ? floating::text_of(static_cast<float>(value)) : floating::text_of(value),
           [&](Fields& io) { io.visit_real(name, value, bounds, single); });
}

void Wording::visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) {
  compound(name, quoted_text(value), [&](Fields& io) { io.visit_text(name, value, lo, hi, of); });
}

void Wording::visit_items(std::string_view name, Items& items, int lo, int hi) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (text.empty() ? "" : ",") + describing::text_of([&](Fields& io) { items.visit(i, io); });
  }
  compound(name, "[" + text + "]", [&](Fields& io) { io.visit_items(name, items, lo, hi); });
}

void Wording::visit_optional(std::string_view name, Items& value) {
  compound(name, value.size() == 0 ? "none" : describing::text_of([&](Fields& io) { value.visit(0, io); }),
           [&](Fields& io) { io.visit_optional(name, value); });
}

void Wording::visit_variant(std::string_view name, Alternatives& value) {
  CollectWords words;
  value.visit(words);
  const std::string tag = value.tag(value.index());
  compound(name, words.fields.empty() ? tag : tag + ":" + compound_text(words.fields),
           [&](Fields& io) { io.visit_variant(name, value); });
}

void Wording::visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) {
  compound(name, describing::text_of(fields), [&](Fields& io) { io.visit_record(name, fields); });
}

void Wording::visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)> value) {
  word(name, describing::text_of([&](Fields& io) { value(io, ""); }));
}

void Wording::visit_words(std::string_view name, FunctionRef<std::string()> text) { word(name, text()); }

void CollectWords::word(std::string_view name, std::string text) {
  fields.push_back({prefix_ + std::string{name}, std::move(text)});
}

void CollectWords::board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) {
  std::string text;
  for (int row = 0; row < grid.rows; ++row) text += (text.empty() ? "" : "/") + row_text(grid, row, alphabet);
  word(name, quoted_text(text));
}

void CollectFields::board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) {
  for (int row = 0; row < grid.rows; ++row) {
    word(std::string{name} + "[" + std::to_string(row) + "]", row_text(grid, row, alphabet));
  }
}

void CollectFields::visit_list(std::string_view name, Items& items, int, int) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string outer = prefix_;
    prefix_ += std::string{name} + "[" + std::to_string(i) + "].";
    items.visit(i, *this);
    prefix_ = outer;
  }
}

std::vector<Field> collected(FunctionRef<void(Fields&)> read) {
  CollectFields collect;
  read(collect);
  return std::move(collect.fields);
}

FieldDifference first_difference(const std::vector<Field>& expected, const std::vector<Field>& actual) {
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

namespace {

/// A value in parts: the items of a list, the characters of anything else.
struct ValueParts {
  bool items = false;
  std::string_view open = {}, close = {}, quote = {};  // around all; around characters
  std::vector<std::string_view> all = {};
};

/// The length of the first item: up to a comma outside of quotes and brackets.
std::size_t item_length(std::string_view list) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (quoted && c == '\\') ++i;
    else if (c == '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c == '[' || c == '{') ++depth;
    else if (c == ']' || c == '}') --depth;
    else if (c == ',' && depth == 0) return i;
  }
  return list.size();
}

/// The length of the first character, in UTF-8 or as an escape.
std::size_t character_length(std::string_view text) {
  std::size_t length = text.starts_with("\\x") ? 4 : text.starts_with('\\') ? 2 : 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
  return length;
}

ValueParts value_parts(std::string_view value) {
  ValueParts out;
  if (item_length(value) < value.size()) out.items = true;  // values without brackets
  else if (value.starts_with('[')) out = {.items = true, .open = "[", .close = "]"};
  else if (value.starts_with('"')) out.quote = "\"";
  if (!out.open.empty() || !out.quote.empty()) value = value.substr(1, value.size() - 2);
  while (!value.empty()) {
    const std::size_t length = out.items ? item_length(value) : character_length(value);
    out.all.push_back(value.substr(0, length));
    value.remove_prefix(std::min(length + (out.items ? 1 : 0), value.size()));
  }
  return out;
}

std::size_t parting(const ValueParts& one, const ValueParts& other) {
  return static_cast<std::size_t>(std::ranges::mismatch(one.all, other.all).in1 - one.all.begin());
}

/// The parts from `from` to before `to`; items that are long beside those of `other`, if there is one, are shortened.
std::string parts_text(const ValueParts& parts, std::size_t from, std::size_t to, const ValueParts* other = nullptr) {
  constexpr std::size_t run_min = 8;
  std::vector<std::string> pieces;
  std::string single;  // characters outside of runs
  const auto add = [&](const std::string& text, std::size_t times) {
    if (text.empty()) return;
    pieces.push_back(std::string{parts.quote}.append(text).append(parts.quote));
    if (times > 1) pieces.back() += " × " + std::to_string(times);
  };
  if (from > 0) pieces.emplace_back("…");
  for (std::size_t i = from, end = from; i < to; i = end) {
    const std::string_view part = parts.all[i];
    while (end < to && parts.all[end] == part) ++end;
    if (end - i < run_min) end = i + 1;
    if (parts.items) {
      add(other == nullptr ? std::string{part} : shortened(part, i < other->all.size() ? other->all[i] : part),
          end - i);
    } else if (end == i + 1) {
      single += part;
    } else {
      add(std::exchange(single, {}), 1);
      add(std::string{part}, end - i);
    }
  }
  add(single, 1);
  if (to < parts.all.size()) pieces.emplace_back("…");
  return std::string{parts.open}.append(joined(pieces, parts.items ? "," : " ")).append(parts.close);
}

}  // namespace

std::string shortened(std::string_view value, std::string_view other) {
  constexpr std::size_t long_value = 100, before = 20, after = 40;
  if (value.size() <= long_value) return std::string{value};
  const ValueParts parts = value_parts(value), others = value_parts(other);
  std::string out = parts_text(parts, 0, parts.all.size());
  if (out.size() <= long_value) return out;
  std::size_t from = value == other ? 0 : parting(parts, others), to = from;
  for (std::size_t size = 0; to < parts.all.size() && size < after; ++to) size += parts.all[to].size();
  for (std::size_t size = 0; from > 0 && size < before;) size += parts.all[--from].size();
  return parts_text(parts, from, to, &others);
}

std::string difference_text(std::string_view expected, std::string_view actual) {
  const std::string one = shortened(expected, actual), other = shortened(actual, expected);
  std::string out = "expected " + one + ", got " + other;
  const ValueParts parts = value_parts(expected), others = value_parts(actual);
  if ((one == expected && other == actual) || parts.items != others.items || parts.quote != others.quote) return out;
  out += " (they part after " + counted(parting(parts, others), parts.items ? "item" : "character") + ", of " +
         std::to_string(parts.all.size());
  if (parts.all.size() != others.all.size()) out += " and " + std::to_string(others.all.size());
  return out + ")";
}

std::string without_indices(std::string_view name) {
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
