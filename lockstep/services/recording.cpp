#include "lockstep/services/recording.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/base/json.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/describe/trace.hpp"
#include "lockstep/text/text.hpp"
#include "lockstep/text/values.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

// What an implementation shows -------------------------------------------------------------------

/// Collects the words of an item of a sequence. An item that is a record is its fields.
class CollectItem final : public CollectWords {
 public:
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> record) override {
    if (name.empty() && fields.empty()) record(*this);
    else Wording::visit_record(name, record);
  }
};

/// Collects fields with their structure. Lists inside the items of a list are texts.
class CollectRecorded final : public Wording {
 public:
  RecordedFields fields;

  void word(std::string_view name, std::string text) override {
    fields.push_back({RecordedField::Kind::value, std::string{name}, std::move(text)});
  }
  void board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) override {
    fields.push_back({RecordedField::Kind::board, std::string{name}, {}, grid, std::string{alphabet.symbols}});
  }
  void visit_list(std::string_view name, Items& items, int, int) override {
    add_list<CollectWords>(RecordedField::Kind::lines, name, items);
  }
  void visit_items(std::string_view name, Items& items, int, int) override {
    add_list<CollectItem>(RecordedField::Kind::sequence, name, items);
  }
  void visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)> value) override {
    value(*this, name);
  }

 private:
  template <class Collect>
  void add_list(RecordedField::Kind kind, std::string_view name, Items& items) {
    RecordedField& out = fields.emplace_back(kind, std::string{name});
    for (std::size_t i = 0; i < items.size(); ++i) {
      Collect collect;
      items.visit(i, collect);
      out.items.push_back(std::move(collect.fields));
    }
  }
};

RecordedFields recorded(FunctionRef<void(Fields&)> read) {
  CollectRecorded collect;
  read(collect);
  return std::move(collect.fields);
}

// As JSON ----------------------------------------------------------------------------------------

Json cell_json(const RecordedField& board, std::uint8_t cell) {
  if (board.symbols.empty()) return cell;
  return std::string(1, cell < board.symbols.size() ? board.symbols[cell] : '?');
}

Json items_json(const RecordedField& list, std::size_t first, std::size_t count) {
  Json out = Json::array();
  for (std::size_t i = first; i < first + count; ++i) {
    Json& item = out.emplace_back(Json::array());
    for (const auto& [name, text] : list.items[i]) item.push_back(Json::array({name, text}));
  }
  return out;
}

Json rows_json(const RecordedField& board) {
  Json rows = Json::array();
  for (int row = 0; row < board.grid.rows; ++row) {
    Json& cells = rows.emplace_back(board.symbols.empty() ? Json::array() : Json(""));
    for (int column = 0; column < board.grid.columns; ++column) {
      const Json cell = cell_json(board, board.grid.at(row, column));
      if (board.symbols.empty()) cells.push_back(cell);
      else cells.get_ref<std::string&>() += cell.get<std::string>();
    }
  }
  return rows;
}

Json field_json(const RecordedField& field) {
  switch (field.kind) {
    case RecordedField::Kind::value: return Json::array({field.name, field.text});
    case RecordedField::Kind::board: return {{"n", field.name}, {"b", rows_json(field)}};
    case RecordedField::Kind::lines:
    case RecordedField::Kind::sequence: break;
  }
  return {{"n", field.name},
          {"l", items_json(field, 0, field.items.size())},
          {"k", field.kind == RecordedField::Kind::lines ? "lines" : "sequence"}};
}

Json fields_json(const RecordedFields& fields) {
  Json out = Json::array();
  for (const auto& field : fields) out.push_back(field_json(field));
  return out;
}

/// At least the bytes that json_text takes for a text.
std::size_t text_size(std::string_view text) {
  std::size_t size = 2;
  for (const char c : text) size += c < ' ' || c > '~' || c == '<' ? 6 : c == '"' || c == '\\' ? 2 : 1;
  return size;
}

/// About the bytes that json_text takes for a field's content.
std::size_t size_of(const RecordedField& field) {
  std::size_t size = text_size(field.text) + field.grid.cells.size() * (field.symbols.empty() ? 3 : 1);
  for (const auto& item : field.items) {
    for (const auto& [name, text] : item) size += text_size(name) + text_size(text) + 4;
  }
  return size;
}

RecordedField too_large(const RecordedField& field) {
  const bool board = field.kind == RecordedField::Kind::board;
  const std::string size = board ? counted(field.grid.cells.size(), "cell") : counted(size_of(field), "byte");
  return {RecordedField::Kind::value, field.name, "(" + size + ": too large for a page)"};
}

/// The fields in at most about twice so many bytes: fields that are too large are replaced by a sentence; if there are
/// too many even for that, the rest is.
RecordedFields bounded(RecordedFields fields, std::size_t bytes) {
  const std::size_t most = std::min(recorded_field_max, bytes);
  std::size_t used = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (used + size_of(fields[i]) > most) fields[i] = too_large(fields[i]);
    used += text_size(fields[i].name) + size_of(fields[i]) + 16;
    if (used <= 2 * most) continue;
    const std::string rest = counted(fields.size() - i, "field");
    fields.resize(i);
    fields.push_back({RecordedField::Kind::value, "and", "(" + rest + " more: too many for a page)"});
  }
  return fields;
}

bool same_shape(const RecordedField& a, const RecordedField& b) {
  return a.kind == b.kind && a.name == b.name && a.symbols == b.symbols && a.grid.rows == b.grid.rows &&
         a.grid.columns == b.grid.columns;
}

/// The changed items: those between the longest common beginning and end.
Json list_change(std::size_t index, const RecordedField& before, const RecordedField& after) {
  const auto& a = before.items;
  const auto& b = after.items;
  std::size_t first = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
  std::size_t same_end = 0;
  while (same_end < std::min(a.size(), b.size()) - first && a[a.size() - 1 - same_end] == b[b.size() - 1 - same_end])
    ++same_end;
  return Json::array(
      {index, first, a.size() - first - same_end, items_json(after, first, b.size() - first - same_end)});
}

Json change(std::size_t index, const RecordedField& before, const RecordedField& after) {
  if (after.kind == RecordedField::Kind::value) return Json::array({index, after.text});
  if (after.kind != RecordedField::Kind::board) return list_change(index, before, after);
  Json cells = Json::array();
  for (std::size_t i = 0; i < after.grid.cells.size(); ++i) {
    if (before.grid.cells[i] == after.grid.cells[i]) continue;
    cells.push_back(i);
    cells.push_back(cell_json(after, after.grid.cells[i]));
  }
  constexpr std::size_t pair_of_whole = 4;  // a changed cell takes a few times the bytes of one in a row
  if (cells.size() / 2 * pair_of_whole > after.grid.cells.size()) return Json::array({index, field_json(after)});
  return Json::array({index, cells});
}

Json position_json(const RecordedFields* before, const RecordedFields& after) {
  if (before == nullptr || !std::ranges::equal(*before, after, same_shape)) return {{"s", fields_json(after)}};
  Json changes = Json::array();
  for (std::size_t i = 0; i < after.size(); ++i) {
    if ((*before)[i] != after[i]) changes.push_back(change(i, (*before)[i], after[i]));
  }
  Json out = Json::object();
  if (!changes.empty()) out["d"] = std::move(changes);
  return out;
}

// What a state and an answer may take of a run's bytes: a run exceeds them by one position to each side at most.
constexpr std::size_t state_share = 16;
constexpr std::size_t answer_share = 32;

std::string position_text(const RunSource& source, const RecordedFields* before, const RecordedFields& after,
                          std::size_t position, std::size_t bytes) {
  Json out = position_json(before, after);
  if (position > 0) out["a"] = fields_json(bounded(source.answer(position), bytes / answer_share));
  return json_text(out);
}

// What a plugin shows ----------------------------------------------------------------------------

/// Whether the field is of this item: "name[2].row" is of name[2].
bool belongs_to(const std::string& field, const std::string& name, std::size_t index) {
  return field.starts_with(name + "[" + std::to_string(index) + "]");
}

/// A row of a board as `row_text` writes it; false if the text is none.
bool read_row(const std::string& text, const std::string& symbols, Grid& grid, int row) {
  const Alphabet alphabet = symbols.empty() ? Alphabet::numbers(255) : Alphabet::of(symbols);
  const text::Line line{1, text, alphabet.numeric() ? text::parts_of(text, ' ') : std::vector{text::Word{text}}};
  return !line.words.empty() && text::row_from(line, {}, grid, row, alphabet).has_value();
}

/// Removes the first fields, which must be rows of a board, and returns the board; nullopt if they are not.
std::optional<RecordedField> take_board(std::vector<Field>& fields, const RecordedField& like) {
  RecordedField out{like.kind, like.name, {}, Grid{like.grid.rows, like.grid.columns}, like.symbols};
  const auto rows = static_cast<std::size_t>(like.grid.rows);
  if (fields.size() < rows) return std::nullopt;
  for (std::size_t row = 0; row < rows; ++row) {
    if (fields[row].name != like.name + "[" + std::to_string(row) + "]") return std::nullopt;
    if (!read_row(fields[row].text, like.symbols, out.grid, static_cast<int>(row))) return std::nullopt;
  }
  fields.erase(fields.begin(), fields.begin() + like.grid.rows);
  return out;
}

RecordedField take_lines(std::vector<Field>& fields, const RecordedField& like) {
  RecordedField out{like.kind, like.name};
  std::size_t taken = 0;
  while (taken < fields.size() &&
         (belongs_to(fields[taken].name, like.name, out.items.size()) ||
          (!out.items.empty() && belongs_to(fields[taken].name, like.name, out.items.size() - 1)))) {
    const auto& [name, text] = fields[taken++];
    if (belongs_to(name, like.name, out.items.size())) out.items.emplace_back();
    const std::size_t dot = name.find("].");
    out.items.back().push_back({dot == std::string::npos ? "" : name.substr(dot + 2), text});
  }
  fields.erase(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(taken));
  return out;
}

}  // namespace

RecordedFields structured(const std::vector<Field>& given, const RecordedFields& like) {
  std::vector<Field> fields = given;
  RecordedFields out;
  for (const auto& each : like) {
    if (each.kind == RecordedField::Kind::lines) {
      out.push_back(take_lines(fields, each));
    } else if (auto board = each.kind == RecordedField::Kind::board ? take_board(fields, each) : std::nullopt) {
      out.push_back(std::move(*board));
    } else if (!fields.empty()) {
      out.push_back({RecordedField::Kind::value, fields.front().name, fields.front().text});
      fields.erase(fields.begin());
    }
  }
  for (auto& [name, text] : fields) out.push_back({RecordedField::Kind::value, std::move(name), std::move(text)});
  return out;
}

PositionRange positions_around(std::size_t position, std::size_t total, std::size_t most) {
  if (total < most) return {0, total};
  const std::size_t first = std::min(position - std::min(position, most / 2), total + 1 - most);
  return {first, first + most - 1};
}

RecordedRun recorded_run(const RunSource& source, PositionRange range, std::size_t position, std::size_t bytes,
                         const std::function<void()>& tick) {
  RecordedRun out{{}, range, source.end, {}};
  const std::size_t stop = source.end ? std::min(source.end->step, range.last + 1) : range.last + 1;
  if (stop <= range.first) {
    out.positions = "[]";
    return out;
  }
  const auto state = [&](std::size_t at) {
    tick();
    return bounded(source.state(at), bytes / state_share);
  };
  // Grows from one position to both sides, as differences, until nothing is left or the bytes are spent.
  std::size_t first = std::clamp(position, range.first, stop - 1);
  std::size_t last = first;
  RecordedFields at_first = state(first);
  RecordedFields at_last = at_first;
  std::deque<std::string> differences;
  std::size_t used = position_text(source, nullptr, at_first, first, bytes).size();
  while (used < bytes && (first > range.first || last + 1 < stop)) {
    if (first > range.first) {
      RecordedFields before = state(first - 1);
      differences.push_front(position_text(source, &before, at_first, first, bytes));
      used += differences.front().size();
      at_first = std::move(before);
      --first;
    }
    if (last + 1 < stop) {
      RecordedFields after = state(last + 1);
      differences.push_back(position_text(source, &at_last, after, last + 1, bytes));
      used += differences.back().size();
      at_last = std::move(after);
      ++last;
    }
  }
  out.range = {first, last + 1 == stop ? range.last : last};
  out.positions = "[" + position_text(source, nullptr, at_first, first, bytes);
  for (const auto& difference : differences) out.positions.append(",").append(difference);
  out.positions += "]";
  return out;
}

RunSource traced_source(const Runner& implementation, const AnyScenario& scenario, PositionRange range,
                        volatile std::uint32_t* in_flight) {
  const std::size_t total = scenario.size();
  const Cadence cadence{range.first, range.last};
  const std::size_t first_index = snapshots_before(range.first, cadence, total);
  const auto trace = std::make_shared<AnyTrace>(scenario.vocabulary().trace());
  trace->head().progress = in_flight;
  implementation.run(scenario, cadence, *trace);
  // Positions of the range are consecutive snapshots.
  RunSource out{
      {},
      [trace, range, first_index](std::size_t position) {
        const std::size_t taken = first_index + position - range.first;
        if (taken >= trace->snapshots()) std::abort();  // as in a crash: a page has no exceptions
        return recorded([&](Fields& io) { trace->read_snapshot(taken, io); });
      },
      [trace](std::size_t position) { return recorded([&](Fields& io) { trace->read_answer(position - 1, io); }); }};
  // A deviation that is no exception (image.hpp) leaves the trace whole.
  if (trace->deviation() && trace->snapshots() < snapshots_before(total + 1, cadence, total)) {
    out.end = RunEnd{trace->deviation()->step, "threw " + trace->deviation()->actual};
  }
  return out;
}

std::vector<RecordedAction> recorded_actions(const AnyScenario& scenario, PositionRange range) {
  std::vector<RecordedAction> out;
  const auto kinds = scenario.vocabulary().kinds();
  scenario.read_each([&](std::size_t action, const AnyScenario::VisitAction& visit) {
    if (action < range.first || action >= range.last) return;
    CollectWords words;
    visit(words);
    out.push_back({std::string{kinds[visit.kind()].name}, std::move(words.fields)});
  });
  return out;
}

}  // namespace lockstep
