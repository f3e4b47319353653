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
  template <class T, class Item>
  void list(std::string_view name, std::vector<T>& items, int, int, Item&& describe_item) {
    for (auto& item : items) {
      CollectFields collect;
      describe_item(collect, item);
      word(name, line_of(collect.fields));
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

/// The lines that contain more than white space and comments.
std::vector<Line> lines_of(std::string_view text);

/// An integer from lo to hi.
Parsed<std::int64_t> number_from(const Word& word, int line, std::string_view what, std::int64_t lo, std::int64_t hi);

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
  void number(std::string_view name, T& value, std::int64_t lo, std::int64_t hi) {
    value = static_cast<T>(lo);
    if (const auto word = self().take(name)) store(value, number_from(*word, self().line_number(), name, lo, hi), 0);
  }
  template <class T>
  void choice(std::string_view name, T& value, std::int64_t first, Names names) {
    value = static_cast<T>(first);
    if (const auto word = self().take(name)) store(value, name_from(*word, self().line_number(), name, names), first);
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
  template <class T>
  void store(T& value, const Parsed<std::int64_t>& parsed, std::int64_t offset) {
    if (parsed) value = static_cast<T>(*parsed + offset);
    else keep(parsed.error());
  }
};

/// Parses `name=value` words, all required: the fields of an action or of a list item.
class ReadRecord : public Reading<ReadRecord> {
 public:
  /// Parses the words after the first, which names the action or the list.
  explicit ReadRecord(const Line& line);

  std::optional<Word> take(std::string_view name);
  int line_number() const { return line_; }

  /// The first error, or an error for a word that no field has taken.
  Parsed<bool> finish() const;

 private:
  struct Pair {
    std::string_view name;
    Word value;
    int column;
    bool taken = false;
  };
  int line_;
  int end_column_;
  std::vector<Pair> pairs_;
};

/// Parses a setup from the lines, field by field in the described order.
class ReadSetup : public Reading<ReadSetup> {
 public:
  ReadSetup(const std::vector<Line>& lines, std::size_t first) : lines_{lines}, next_{first} {}

  /// If the current line is "name value": consumes it and returns the value.
  std::optional<Word> take(std::string_view name);
  int line_number() const { return lines_[next_ - 1].number; }

  template <class T>
  void size(std::string_view name, T& value, std::int64_t lo, std::int64_t hi) {
    const std::size_t before = next_;
    number(name, value, lo, hi);
    if (next_ == before) left_out_.emplace_back(name, lo);
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
  template <class T, class Item>
  void list(std::string_view name, std::vector<T>& items, int lo, int hi, Item&& describe_item) {
    items.clear();
    note(name);
    const int list_line = lines_[std::min(next_, lines_.size() - 1)].number;  // the last line if the text ends here
    for (; !error_ && at(name); ++next_) {
      if (items.size() == static_cast<std::size_t>(hi)) {
        return fail(lines_[next_].number, 1,
                    "at most " + counted(static_cast<std::uint64_t>(hi), "'" + std::string{name} + "' line"));
      }
      ReadRecord record{lines_[next_]};
      describe_item(record, items.emplace_back());
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
std::string snapshot_text(const typename S::Snapshot& snapshot) {
  text::PrintSetup print{true};
  read_snapshot<S>(print, snapshot);
  return std::move(print.out);
}

/// "drop column=4"
template <System S>
std::string action_text(const typename S::Setup& setup, const typename S::Action& action) {
  CollectFields collect;
  read_action<S>(collect, setup, action);
  std::string out{action_name(action)};
  if (!collect.fields.empty()) out += " " + line_of(collect.fields);
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
  for (const auto& action : scenario.actions) out += action_text<S>(scenario.setup, action) + "\n";
  return out;
}

/// The name of the system in a scenario's text.
Parsed<std::string> scenario_system(std::string_view text);

namespace text {

/// Parses an action, with fields bounded by the given setup.
template <System S>
Parsed<typename S::Action> action_from(const Line& line, const typename S::Setup& setup) {
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
    visit_action<S>(record, setup, action);
    if (const auto end = record.finish(); !end) return std::unexpected(end.error());
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
  for (++next; next < lines.size(); ++next) {
    if (out.actions.size() == text_actions_max) {
      return text_error(lines[next].number, 1, "at most " + std::to_string(text_actions_max) + " actions");
    }
    const auto action = text::action_from<S>(lines[next], out.setup);
    if (!action) return std::unexpected(action.error());
    out.actions.push_back(*action);
  }
  return out;
}

}  // namespace lockstep
