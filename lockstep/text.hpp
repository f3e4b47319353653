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
#include "lockstep/scenario.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

inline constexpr int text_version = 1;
inline constexpr std::size_t text_actions_max = 1'000'000;

namespace text {

// Printing ------------------------------------------------------------------------------------

class PrintSetup final : public Wording {
 public:
  /// `draw_empty`: draw an empty board too, for people who compare pictures.
  explicit PrintSetup(bool draw_empty = false) : draw_empty_{draw_empty} {}

  std::string out;

  /// Prints a line "name text".
  void word(std::string_view name, std::string text) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

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
class Reading : public Fields {
 public:
  virtual std::optional<Word> take(std::string_view name) = 0;
  virtual int line_number() const = 0;
  /// The field's name in errors.
  virtual std::string called(std::string_view name) const = 0;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;

 protected:
  void fail(int line, int column, std::string what) { keep({line, column, std::move(what)}); }
  void keep(TextError error) {
    if (!error_) error_ = std::move(error);
  }
  std::optional<TextError> error_;
};

/// Parses `name=value` words, all required: the fields of an action or of a list item, and compound values in them.
class ReadRecord final : public Reading {
 public:
  /// Parses the words after the first, which names the action or the list.
  explicit ReadRecord(const Line& line);
  /// One field.
  ReadRecord(std::string_view name, const Word& word, int line);

  std::optional<Word> take(std::string_view name) override;
  int line_number() const override { return line_; }
  /// For a field without a name, the name of the field around it.
  std::string called(std::string_view name) const override { return std::string{name.empty() ? around_ : name}; }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
  void visit_optional(std::string_view name, Items& value) override;
  void visit_variant(std::string_view name, Alternatives& value) override;
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override;

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

  template <class T>
  void read(const Parsed<T>& parsed, T& value) {
    if (parsed) value = *parsed;
    else keep(parsed.error());
  }
  void inside(const Word& word, FunctionRef<void()> body);
  void add(Frame& frame, const Word& word);
  void enter(const Word& word);
  void leave();

  int line_;
  std::string_view around_ = "a value";  // the last name that was taken
  std::vector<Frame> frames_;
};

/// Parses a setup from the lines, field by field in the described order.
class ReadSetup final : public Reading {
 public:
  ReadSetup(const std::vector<Line>& lines, std::size_t first) : lines_{lines}, next_{first} {}

  /// If the current line is "name value": consumes it and returns the value.
  std::optional<Word> take(std::string_view name) override;
  int line_number() const override { return lines_[next_ - 1].number; }
  std::string called(std::string_view name) const override { return std::string{name}; }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override;
  void visit_items(std::string_view name, Items& items, int lo, int hi) override;
  void visit_optional(std::string_view name, Items& value) override;
  void visit_variant(std::string_view name, Alternatives& value) override;
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

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
  void compound(std::string_view name, FunctionRef<void(Fields&)> visit);
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

std::string setup_text(const AnyScenario& scenario);

/// A snapshot's fields, with boards as pictures, for `show`.
std::string snapshot_text(const AnyTrace& trace, std::size_t taken);

/// "drop column=4"
std::string action_text(const AnyScenario& scenario, std::size_t action);

/// The canonical text. Lines of `comment` follow the first line, each after "# ".
std::string scenario_text(const AnyScenario& scenario, std::string_view comment = {});

/// The name of the system in a scenario's text.
Parsed<std::string> scenario_system(std::string_view text);

Parsed<AnyScenario> parse_scenario(const Vocabulary& vocabulary, std::string_view source);

}  // namespace lockstep
