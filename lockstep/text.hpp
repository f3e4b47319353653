// Scenarios as text, for people and for git.
//
//   lockstep 1 ts_tetris      format version and system
//   width 10                  the setup, one field per line, in the described order;
//   height 4                    an omitted field takes its lowest value
//   board                     a board as a picture, top row first;
//   ..........                  "board empty" if it has no occupied cell
//   ..........
//   1.........
//   1222......
//   actions
//   drop column=4             one action per line, with all its fields, in any order
//   result                    '#' starts a comment that runs to the end of the line
//
// Compound values are one word each:
//   "a \"text\"\n"   [1,2,3]   {row=1 column=2}   none   market:{size=3}   order=place.2 (the result of the second place)
//
// Printing is canonical: parsing printed text and printing it again gives the same bytes. Parsing is strict: a setup
// outside its bounds or against a law of its system is refused, never repaired. The error has line and column.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/describe.hpp"
#include "lockstep/error.hpp"
#include "lockstep/fields.hpp"
#include "lockstep/lines.hpp"
#include "lockstep/problem_format.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

inline constexpr int text_version = 1;
inline constexpr std::size_t text_actions_max = 1'000'000;

namespace text {

// Printing ------------------------------------------------------------------------------------

class PrintSetup : public Wording<PrintSetup> {
 public:
  /// `draw_empty`: draw an empty board too, for people who compare pictures.
  explicit PrintSetup(bool draw_empty = false) : draw_empty_{draw_empty} {}

  std::string out;

  /// Prints a line "name text".
  void word(std::string_view name, std::string_view text) { out.append(name).append(" ").append(text).append("\n"); }
  void board(std::string_view name, const Grid& grid, int, int, const Alphabet& alphabet) {
    if (grid.empty() && !draw_empty_) return word(name, "empty");
    out.append(name).append("\n");
    for (int row = 0; row < grid.rows; ++row) out.append(row_text(grid, row, alphabet)).append("\n");
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int, int, Item&& describe_item) {
    for (auto& item : items) {
      CollectWords words;
      describe_item(words, item);
      const bool nameless = words.fields.size() == 1 && words.fields.front().name.empty();
      word(name, nameless ? words.fields.front().text : line_of(words.fields));
    }
  }

 private:
  bool draw_empty_;
};

// Reading -------------------------------------------------------------------------------------

struct Word {
  std::string_view text;
  int column = 1;  // counts from 1
};

struct Line {
  int number = 1;
  std::string_view text;  // without comment
  std::vector<Word> words;
};

/// The lines that contain more than white space and comments. White space and '#' inside the quotes, brackets and braces
/// of a value do not end a word.
std::vector<Line> lines_of(std::string_view text);

/// The parts of a text between separators outside of quotes, brackets and braces.
std::vector<Word> parts_of(std::string_view text, char separator);

/// An integer from lo to hi.
Parsed<Number> number_from(const Word& word, int line, std::string_view what, Number lo, Number hi);

/// A floating-point number, inside the bounds if there are any.
Parsed<double> real_from(const Word& word, int line, std::string_view what,
                         std::optional<std::pair<double, double>> bounds);

/// A text in quotes, of lo to hi characters of an alphabet.
Parsed<std::string> text_from(const Word& word, int line, std::string_view what, int lo, int hi, const Text& of);

/// "place.3" with kind "place": 2, the index of the third result.
Parsed<Number> reference_from(const Word& word, int line, std::string_view what, std::string_view kind, Number count);

/// The items of "[1,2,3]".
Parsed<std::vector<Word>> items_from(const Word& word, int line, std::string_view what, int lo, int hi);

/// The rows of a board in quotes, "..1/.12".
Parsed<Grid> board_from(const Word& word, int line, std::string_view what, int rows, int columns,
                        const Alphabet& alphabet);

/// The index of one of the names.
Parsed<std::int64_t> name_from(const Word& word, int line, std::string_view what, Names names);

/// Parses one row of a board into the grid. With a numeric alphabet the line's words are the cells. The error for a row
/// of the wrong width ends with `hint`.
Parsed<bool> row_from(const Line& line, std::string_view what, Grid& grid, int row, const Alphabet& alphabet,
                      std::string_view hint = {});

/// A visitor that parses: it defines take(name), which returns the word for a field (nullopt: the field takes its
/// lowest value), and line_number(), the line of that word. The first error is kept.
template <class Self>
class Reading : public Visitor<Self> {
 public:
  template <class T>
  void number(std::string_view name, T& value, Number lo, Number hi) {
    if (this->empty_range(lo, hi)) return fail(self().line_number(), 1, self().called(name) + " has no value here");
    value = static_cast<T>(simplest(lo, hi));
    if (const auto word = self().take(name))
      store(value, number_from(*word, self().line_number(), self().called(name), lo, hi), 0);
  }
  template <class T>
  void choice(std::string_view name, T& value, std::int64_t first, Names names) {
    value = static_cast<T>(first);
    if (const auto word = self().take(name))
      store(value, name_from(*word, self().line_number(), self().called(name), names), first);
  }
  void flag(std::string_view name, bool& value) {
    static constexpr std::string_view answers[] = {"no", "yes"};
    int bit = 0;
    choice(name, bit, 0, answers);
    value = bit != 0;
  }

 protected:
  void fail(int line, int column, std::string what) { keep({line, column, std::move(what)}); }
  void keep(TextError error) {
    if (!error_) error_ = std::move(error);
  }
  std::optional<TextError> error_;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  template <class T, class N>
  void store(T& value, const Parsed<N>& parsed, std::int64_t offset) {
    if (parsed) value = static_cast<T>(*parsed + offset);
    else keep(parsed.error());
  }
};

/// Parses `name=value` words, all required: the fields of an action or of a list item, and compound values in them.
class ReadRecord : public Reading<ReadRecord> {
 public:
  /// Parses the words after the first, which names the action or the list.
  explicit ReadRecord(const Line& line);
  /// One field.
  ReadRecord(std::string_view name, const Word& word, int line);

  std::optional<Word> take(std::string_view name);
  int line_number() const { return line_; }
  /// The field's name in errors: for one without a name, that of the field around it.
  std::string called(std::string_view name) const { return std::string{name.empty() ? around_ : name}; }

  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    read(
        name, [&](const Word& word) { return real_from(word, line_, called(name), bounds); },
        [&](double read) { value = static_cast<T>(read); });
  }
  void any_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) {
    read(
        name, [&](const Word& word) { return text_from(word, line_, called(name), lo, hi, of); },
        [&](std::string read) { value = std::move(read); });
  }
  template <class T>
  void reference(std::string_view name, std::string_view kind, T& index, Number count) {
    read(
        name, [&](const Word& word) { return reference_from(word, line_, called(name), kind, count); },
        [&](Number read) { index = static_cast<T>(read); });
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    read(
        name, [&](const Word& word) { return board_from(word, line_, called(name), rows, columns, alphabet); },
        [&](Grid read) { grid = std::move(read); });
  }
  template <class C, class Item>
  void list(std::string_view name, C& list_items, int lo, int hi, Item&& item) {
    items(name, list_items, lo, hi, item);
  }
  template <class C, class Item>
  void items(std::string_view name, C& items, int lo, int hi, Item&& item) {
    read(
        name, [&](const Word& word) { return items_from(word, line_, called(name), lo, hi); },
        [&](const std::vector<Word>& words) {
          items.clear();
          items.resize(words.size());
          auto word = words.begin();
          for (auto& each : items) inside(*word++, [&] { item(*this, each); });
        });
  }
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item) {
    value.reset();
    const auto word = take(name);
    if (word && word->text != "none") inside(*word, [&] { item(*this, value.emplace()); });
  }
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value) {
    const auto word = take(name);
    if (!word) return;
    const std::size_t colon = word->text.find(':');
    const std::string_view tag = word->text.substr(0, colon);
    const std::vector<std::string> tags = tags_of<T...>(std::index_sequence_for<T...>{});
    const auto found = std::ranges::find(tags, tag);
    if (this->too_deep() && found != tags.begin()) {
      return fail(line_, word->column,
                  called(name) + " must begin with " + tags.front() + " here, below " +
                      std::to_string(this->depth_max) + " sequences");
    }
    if (found == tags.end()) {
      return fail(line_, word->column, called(name) + " must begin with one of " + joined(tags, ", "));
    }
    value = alternative<std::variant<T...>>(static_cast<std::size_t>(found - tags.begin()));
    const std::size_t rest = colon == std::string_view::npos ? word->text.size() : colon + 1;
    inside({word->text.substr(rest), word->column + static_cast<int>(rest)},
           [&] { std::visit([&](auto& each) { this->contents(each); }, value); });
  }
  template <class Fields>
  void record(std::string_view name, Fields&& fields) {
    if (const auto word = take(name)) inside(*word, [&] { fields(*this); });
  }

  /// The first error, or an error for a word that no field has taken.
  Parsed<bool> finish();

 private:
  struct Pair {
    std::string_view name;  // "": a word without a name
    Word value;
    int column;
    bool taken = false;
  };
  /// The fields of the line, or of the compound value that is being read.
  struct Frame {
    std::vector<Pair> pairs;
    int end_column;
    Word whole = {};  // {…}, if it is a record: for an item that is one nameless field
  };

  template <class Parse, class Store>
  void read(std::string_view name, Parse&& parse, Store&& store) {
    const auto word = take(name);
    if (!word) return;
    if (auto parsed = parse(*word)) store(std::move(*parsed));
    else keep(parsed.error());
  }
  template <class Body>
  void inside(const Word& word, Body&& body) {
    if (error_) return;
    enter(word);
    if (!error_) body();
    leave();
  }
  template <class... T, std::size_t... I>
  static std::vector<std::string> tags_of(std::index_sequence<I...>) {
    return {alternative_text<T>(I)...};
  }
  void add(Frame& frame, const Word& word);
  void enter(const Word& word);
  void leave();

  int line_;
  std::string_view around_ = "a value";  // the last name that was taken
  std::vector<Frame> frames_;
};

/// Parses a setup from the lines, field by field in the described order.
class ReadSetup : public Reading<ReadSetup> {
 public:
  ReadSetup(const std::vector<Line>& lines, std::size_t first) : lines_{lines}, next_{first} {}

  /// If the current line is "name value": consumes it and returns the value.
  std::optional<Word> take(std::string_view name);
  int line_number() const { return lines_[next_ - 1].number; }
  static std::string called(std::string_view name) { return std::string{name}; }

  template <class T>
  void size(std::string_view name, T& value, Number lo, Number hi) {
    const std::size_t before = next_;
    number(name, value, lo, hi);
    if (next_ == before) left_out_.emplace_back(name, static_cast<std::int64_t>(simplest(lo, hi)));
  }
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    compound(name, [&](auto& io) { io.any_real(name, value, bounds); });
  }
  void any_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) {
    compound(name, [&](auto& io) { io.any_text(name, value, lo, hi, of); });
  }
  template <class C, class Item>
  void items(std::string_view name, C& items, int lo, int hi, Item&& item) {
    compound(name, [&](auto& io) { io.items(name, items, lo, hi, item); });
  }
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item) {
    compound(name, [&](auto& io) { io.optional(name, value, item); });
  }
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value) {
    compound(name, [&](auto& io) { io.variant(name, value); });
  }
  template <class Fields>
  void record(std::string_view name, Fields&& fields) {
    compound(name, [&](auto& io) { io.record(name, fields); });
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    grid = Grid{rows, columns};
    if (error_ || !at(name)) return note(name);
    note(name);
    const Line& head = lines_[next_];
    if (head.words.size() == 2 && head.words[1].text == "empty") {
      ++next_;
      return;
    }
    if (head.words.size() > 1) {
      return fail(head.number, head.words[1].column,
                  "expected nothing or 'empty' after '" + std::string{name} + "', got '" +
                      TokenReader::shown(head.words[1].text) + "'");
    }
    ++next_;
    boards_.push_back({std::string{name}, next_, rows, alphabet.numeric()});
    for (int row = 0; row < rows; ++row, ++next_) {
      if (next_ == lines_.size()) {
        return fail(head.number, 1,
                    "the board needs " + counted(static_cast<std::uint64_t>(rows), "row") + ", got " +
                        std::to_string(row) + left_out(rows));
      }
      if (const auto read = row_from(lines_[next_], name, grid, row, alphabet, left_out(columns)); !read) {
        return keep(read.error());
      }
    }
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int lo, int hi, Item&& describe_item) {
    items.clear();
    note(name);
    const int list_line = lines_[std::min(next_, lines_.size() - 1)].number;  // the last line if the text ends here
    for (; !error_ && at(name); ++next_) {
      if (items.size() == static_cast<std::size_t>(hi)) {
        return fail(lines_[next_].number, 1,
                    "at most " + counted(static_cast<std::uint64_t>(hi), "'" + std::string{name} + "' line"));
      }
      ReadRecord record{lines_[next_]};
      items.resize(items.size() + 1);
      describe_item(record, items.back());
      if (const auto end = record.finish(); !end) keep(end.error());
    }
    if (!error_ && items.size() < static_cast<std::size_t>(lo)) {
      fail(list_line, 1,
           "expected at least " + counted(static_cast<std::uint64_t>(lo), "'" + std::string{name} + "' line") +
               ", got " + std::to_string(items.size()));
    }
  }

  const std::optional<TextError>& error() const { return error_; }
  /// The line after the setup.
  std::size_t next() const { return next_; }
  /// "width, height, …": the fields that were allowed here.
  const std::string& names() const { return names_; }
  /// A hint for a line after the setup that looks like a surplus row of a board; "" otherwise.
  std::string surplus_row() const;
  /// The place in the text of a flaw of the setup.
  TextError locate(const Flaw& flaw) const;

 private:
  struct Place {
    std::string name;
    std::size_t first_row;  // index of the line that holds row 0
    int rows;
    bool numeric;
  };
  /// A compound value, which takes one word. `visit(io)` applies its description to another visitor.
  template <class Visit>
  void compound(std::string_view name, Visit&& visit) {
    const auto word = take(name);
    if (error_) return;
    if (!word) {
      codec::Decoder simplest{{}};
      return visit(simplest);
    }
    ReadRecord record{name, *word, line_number()};
    visit(record);
    if (const auto end = record.finish(); !end) keep(end.error());
  }
  bool at(std::string_view name) const { return next_ < lines_.size() && lines_[next_].words[0].text == name; }
  /// " ('size' is left out, which makes it 1)": the likely reason for an unexpected size of a board.
  std::string left_out(std::int64_t size) const;
  void note(std::string_view name) { names_ += (names_.empty() ? "" : ", ") + std::string{name}; }

  const std::vector<Line>& lines_;
  std::size_t next_;
  std::string names_;
  std::vector<Place> boards_;
  std::vector<std::pair<std::string, std::int64_t>> left_out_;  // sizes that no line sets, and their values
};

/// The system's name in the first line.
Parsed<std::string> system_of(const std::vector<Line>& lines);

}  // namespace text

template <System S>
std::string setup_text(const typename S::Setup& setup) {
  text::PrintSetup print;
  read_setup<S>(print, setup);
  return std::move(print.out);
}

/// A snapshot's fields, with boards as pictures, for `show`.
template <System S>
std::string snapshot_text(const SnapshotOf<S>& snapshot) {
  text::PrintSetup print{true};
  read_snapshot<S>(print, snapshot);
  return std::move(print.out);
}

/// "drop column=4"
template <System S>
std::string action_text(const Past<S>& past, const typename S::Action& action) {
  CollectWords words;
  read_action<S>(words, past, action);
  std::string out{action_name(action)};
  if (!words.fields.empty()) out += " " + line_of(words.fields);
  return out;
}

/// The canonical text. Lines of `comment` follow the first line, each after "# ".
template <System S>
std::string scenario_text(const Scenario<S>& scenario, std::string_view comment = {}) {
  std::string out = "lockstep " + std::to_string(text_version) + " " + std::string{S::name} + "\n";
  while (!comment.empty()) {
    const std::string_view line = take_line(comment);
    out.append(line.empty() ? "#" : "# ").append(line).append("\n");
  }
  out += setup_text<S>(scenario.setup) + "actions\n";
  Past<S> past{scenario.setup};
  for (const auto& action : scenario.actions) {
    out += action_text<S>(past, action) + "\n";
    past.add(action);
  }
  return out;
}

/// The name of the system in a scenario's text.
Parsed<std::string> scenario_system(std::string_view text);

namespace text {

/// Parses an action that follows `past`.
template <System S>
Parsed<typename S::Action> action_from(const Line& line, const Past<S>& past) {
  using Action = typename S::Action;
  const Word& name = line.words[0];
  std::string known;
  for (std::size_t kind = 0; kind < action_kinds<Action>; ++kind) {
    Action action = alternative<Action>(kind);
    if (action_name(action) != name.text) {
      known.append(known.empty() ? "" : ", ").append(action_name(action));
      continue;
    }
    ReadRecord record{line};
    const bool possible = visit_action<S>(record, past, action);
    if (const auto end = record.finish(); !end) return std::unexpected(end.error());
    if (!possible) return text_error(line.number, name.column, "this action is impossible here");
    return action;
  }
  return text_error(line.number, name.column,
                    "expected an action (" + known + "), got '" + TokenReader::shown(name.text) + "'");
}

}  // namespace text

template <System S>
Parsed<Scenario<S>> parse_scenario(std::string_view source) {
  const auto lines = text::lines_of(source);
  const auto system = text::system_of(lines);
  if (!system) return std::unexpected(system.error());
  if (*system != S::name) {
    return text_error(lines[0].number, lines[0].words[2].column,
                      "expected the system '" + std::string{S::name} + "', got '" + TokenReader::shown(*system) + "'");
  }
  Scenario<S> out;
  text::ReadSetup setup{lines, 1};
  visit_setup<S>(setup, out.setup);
  if (setup.error()) return std::unexpected(*setup.error());
  std::size_t next = setup.next();
  if (next == lines.size()) return text_error(lines.back().number, 1, "expected 'actions' after the setup");
  if (lines[next].words[0].text != "actions") {
    return text_error(lines[next].number, lines[next].words[0].column,
                      "expected 'actions' or a field of the setup in its order (" + setup.names() + "), got '" +
                          TokenReader::shown(lines[next].words[0].text) + "'" + setup.surplus_row());
  }
  if (lines[next].words.size() > 1) {
    return text_error(lines[next].number, lines[next].words[1].column, "expected nothing after 'actions'");
  }
  if (const auto flaw = lockstep::flaw<S>(out.setup)) return std::unexpected(setup.locate(*flaw));
  Past<S> past{out.setup};
  for (++next; next < lines.size(); ++next) {
    if (out.actions.size() == text_actions_max) {
      return text_error(lines[next].number, 1, "at most " + std::to_string(text_actions_max) + " actions");
    }
    const auto action = text::action_from<S>(lines[next], past);
    if (!action) return std::unexpected(action.error());
    past.add(*action);
    out.actions.push_back(*action);
  }
  return out;
}

}  // namespace lockstep
