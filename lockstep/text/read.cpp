// Reads scenarios.
#include <algorithm>
#include <utility>

#include "lockstep/base/words.hpp"
#include "lockstep/text/text.hpp"
#include "lockstep/text/values.hpp"

namespace lockstep {
namespace text {
namespace {

constexpr std::size_t fields_max = 64;  // per record; a hostile text must not cost more than a valid one

/// A visitor that parses. The first error is kept.
class Reading : public Fields {
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
  explicit ReadRecord(const Line& line) : line_{line.number} {
    Frame frame{{}, end_of(line.words.back())};
    for (std::size_t i = 1; i < line.words.size() && !error_; ++i) add(frame, line.words[i]);
    frames_.push_back(std::move(frame));
  }
  /// One field.
  ReadRecord(std::string_view name, const Word& word, int line) : line_{line} {
    frames_.push_back({{{name, word, word.column}}, end_of(word)});
  }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    const bool named = as.role == Role::choice;
    const bool refers = as.role == Role::reference;
    if (!named && !refers && empty_range(lo, hi)) return fail(line_, 1, called(name) + " has no value here");
    value = named || refers ? lo : simplest(lo, hi);
    const auto given = take_given(name);
    if (!given) return;
    if (named) read(name_from(*given, as.names, lo), value);
    else if (refers) read(reference_from(*given, as.of, hi + 1), value);
    else read(number_from(*given, lo, hi), value);
  }
  void visit_real(std::string_view name, double& value, Bounds bounds, bool) override {
    if (const auto given = take_given(name)) read(real_from(*given, bounds), value);
  }
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override {
    if (const auto given = take_given(name)) read(text_from(*given, lo, hi, of), value);
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override {
    if (const auto given = take_given(name)) read(board_from(*given, rows, columns, alphabet), grid);
  }
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    const auto given = take_given(name);
    if (!given) return;
    const auto words = items_from(*given, lo, hi);
    if (!words) return keep(words.error());
    items.resize(0);
    items.resize(words->size());
    for (std::size_t i = 0; i < words->size(); ++i) inside((*words)[i], [&] { items.visit(i, *this); });
  }
  void visit_optional(std::string_view name, Items& value) override {
    value.resize(0);
    const auto word = take(name);
    if (!word || word->text == "none") return;
    inside(*word, [&] {
      value.resize(1);
      value.visit(0, *this);
    });
  }
  void visit_variant(std::string_view name, Alternatives& value) override {
    const auto given = take_given(name);
    if (!given) return;
    const auto& [text, column] = given->word;
    const std::size_t colon = text.find(':');
    std::vector<std::string> tags;
    for (std::size_t i = 0; i < value.count(); ++i) tags.push_back(value.tag(i));
    const auto found = std::ranges::find(tags, text.substr(0, colon));
    if (too_deep() && found != tags.begin()) {
      return keep(
          given->fault(" must begin with " + tags.front() + " here, below " + std::to_string(depth_max) + " sequences")
              .error());
    }
    if (found == tags.end()) return keep(given->fault(" must begin with one of " + joined(tags, ", ")).error());
    value.select(static_cast<std::size_t>(found - tags.begin()));
    const std::size_t rest = colon == std::string_view::npos ? text.size() : colon + 1;
    inside({text.substr(rest), column + static_cast<int>(rest)}, [&] { value.visit(*this); });
  }
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override {
    if (const auto word = take(name)) inside(*word, [&] { fields(*this); });
  }

  /// The first error, or an error for a word that no field has taken; nullopt: there is none.
  const std::optional<TextError>& finish() {
    leave();
    return error_;
  }

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

  /// The word for a field; nullopt, and an error, if there is none.
  std::optional<Word> take(std::string_view name) {
    if (error_) return std::nullopt;
    if (!name.empty()) around_ = name;
    auto& pairs = frames_.back().pairs;
    const auto found = std::ranges::find(pairs, name, &Pair::name);
    if (found != pairs.end()) {
      found->taken = true;
      return found->value;
    }
    if (name.empty() && !frames_.back().whole.text.empty()) {
      for (Pair& pair : pairs) pair.taken = true;  // by the record that is read next
      return frames_.back().whole;
    }
    const auto nameless = std::ranges::find(pairs, "", &Pair::name);
    if (nameless != pairs.end())
      fail(line_, nameless->column, "expected name=value, got " + quoted(nameless->value.text));
    else if (name.empty()) fail(line_, frames_.back().end_column, "expected a value");
    else fail(line_, frames_.back().end_column, "expected " + std::string{name} + "=…");
    return std::nullopt;
  }
  /// What errors call a field: one without a name has that of the field around it.
  std::string called(std::string_view name) const { return std::string{name.empty() ? around_ : name}; }
  std::optional<Given> take_given(std::string_view name) {
    const auto word = take(name);
    if (!word) return std::nullopt;
    return Given{*word, line_, called(name)};
  }
  template <class T>
  void read(const Parsed<T>& parsed, T& value) {
    if (parsed) value = *parsed;
    else keep(parsed.error());
  }

  static int end_of(const Word& word) { return word.column + static_cast<int>(word.text.size()); }

  /// Reads the fields of a compound value.
  void inside(const Word& word, FunctionRef<void()> body) {
    if (error_) return;
    enter(word);
    if (!error_) body();
    leave();
  }

  /// A word without a name is an error if no field takes it: see take and leave.
  void add(Frame& frame, const Word& word) {
    if (frame.pairs.size() == fields_max) {
      return fail(line_, word.column, "at most " + std::to_string(fields_max) + " fields in a line");
    }
    const std::size_t equals = word.text.find('=');
    const std::size_t value = word.text.find_first_of("\"[{");
    if (equals == std::string_view::npos || equals == 0 || value < equals) {
      frame.pairs.push_back({"", word, word.column});
      return;
    }
    const std::string_view name = word.text.substr(0, equals);
    if (std::ranges::find(frame.pairs, name, &Pair::name) != frame.pairs.end()) {
      return fail(line_, word.column, quoted(name) + " is given twice");
    }
    frame.pairs.push_back(
        {name, {word.text.substr(equals + 1), word.column + static_cast<int>(equals) + 1}, word.column});
  }

  void enter(const Word& word) {
    Frame frame{{}, end_of(word)};
    if (word.text.starts_with('{') && word.text.ends_with('}')) {
      frame.whole = word;
      for (const Word& field : parts_of(word.text.substr(1, word.text.size() - 2), ' ', word.column + 1)) {
        add(frame, field);
      }
    } else if (!word.text.empty()) {
      frame.pairs.push_back({"", word, word.column});
    }
    frames_.push_back(std::move(frame));
  }

  void leave() {
    const bool in_line = frames_.size() == 1;
    for (const Pair& pair : frames_.back().pairs) {
      if (pair.taken) continue;
      if (in_line && pair.name.empty()) fail(line_, pair.column, "expected name=value, got " + quoted(pair.value.text));
      else
        fail(line_, pair.column,
             "there is no field " + quoted(pair.name.empty() ? pair.value.text : pair.name) + " here");
    }
    frames_.pop_back();
  }

  int line_;
  std::string_view around_ = "a value";  // the last name that was taken
  std::vector<Frame> frames_;
};

/// Appends the action of a line, or returns why it cannot.
std::optional<TextError> read_action(const Line& line, std::span<const ActionKind> kinds,
                                     AnyScenario::TryAction try_one) {
  const Word& name = line.words[0];
  std::string known;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].name != name.text) {
      known.append(known.empty() ? "" : ", ").append(kinds[kind].name);
      continue;
    }
    ReadRecord record{line};
    const bool possible = try_one(kind, record);
    if (const auto& error = record.finish(); error || possible) return error;
    return TextError{line.number, name.column, "this action is impossible here"};
  }
  return TextError{line.number, name.column, "expected an action (" + known + "), got " + quoted(name.text)};
}

/// Parses a setup from the lines, field by field in the described order.
class ReadSetup final : public Reading {
 public:
  ReadSetup(const std::vector<Line>& lines, std::size_t first) : lines_{lines}, next_{first} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    const bool named = as.role == Role::choice;
    if (!named && empty_range(lo, hi)) return fail(line_number(), 1, std::string{name} + " has no value here");
    value = named ? lo : simplest(lo, hi);
    if (const auto word = take(name)) read(name, *word, [&](Fields& io) { io.visit_number(name, value, lo, hi, as); });
    else if (as.role == Role::size) left_out_.emplace_back(name, static_cast<std::int64_t>(value));
  }
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override {
    compound(name, [&](Fields& io) { io.visit_real(name, value, bounds, single); });
  }
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override {
    compound(name, [&](Fields& io) { io.visit_text(name, value, lo, hi, of); });
  }
  void visit_items(std::string_view name, Items& items, int lo, int hi) override {
    compound(name, [&](Fields& io) { io.visit_items(name, items, lo, hi); });
  }
  void visit_optional(std::string_view name, Items& value) override {
    compound(name, [&](Fields& io) { io.visit_optional(name, value); });
  }
  void visit_variant(std::string_view name, Alternatives& value) override {
    compound(name, [&](Fields& io) { io.visit_variant(name, value); });
  }
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override {
    compound(name, [&](Fields& io) { io.visit_record(name, fields); });
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override {
    grid = Grid{rows, columns};
    const bool given = !error_ && at(name);
    note(name);
    if (!given) return;
    const Line& head = lines_[next_];
    if (head.words.size() == 2 && head.words[1].text == "empty") {
      ++next_;
      return;
    }
    if (head.words.size() > 1) {
      return fail(head.number, head.words[1].column,
                  "expected nothing or 'empty' after " + quoted(name) + ", got " + quoted(head.words[1].text));
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
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    items.resize(0);
    note(name);
    const int list_line = lines_[std::min(next_, lines_.size() - 1)].number;  // the last line if the text ends here
    for (; !error_ && at(name); ++next_) {
      const std::size_t size = items.size();
      if (size == static_cast<std::size_t>(hi)) {
        return fail(lines_[next_].number, 1, "at most " + counted(size, "'" + std::string{name} + "' line"));
      }
      ReadRecord record{lines_[next_]};
      items.resize(size + 1);
      items.visit(size, record);
      if (const auto& error = record.finish()) keep(*error);
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
  std::string surplus_row() const {
    if (boards_.empty() || boards_.back().first_row + static_cast<std::size_t>(boards_.back().rows) != next_) return {};
    return left_out(boards_.back().rows);
  }
  /// The place in the text of a flaw of the setup.
  TextError locate(const Flaw& flaw) const {
    const std::string what = std::string{flaw.field} + ": " + flaw.what;
    for (const Place& place : boards_) {
      if (place.name != flaw.field || flaw.row < 0) continue;
      const Line& line = lines_[place.first_row + static_cast<std::size_t>(flaw.row)];
      const int cell = std::max(flaw.column, 0);
      const int column =
          place.numeric ? line.words[static_cast<std::size_t>(cell)].column : line.words[0].column + cell;
      return {line.number, column, what};
    }
    // A flaw in a list gives the item as `row`: the n-th line that starts with the field's name.
    int before = std::max(flaw.row, 0);
    for (const Line& line : lines_) {
      if (line.words[0].text == flaw.field && before-- == 0) return {line.number, line.words[0].column, what};
    }
    return {lines_[0].number, 1, what};
  }

 private:
  struct Place {
    std::string name;
    std::size_t first_row;  // index of the line that holds row 0
    int rows;
    bool numeric;
  };

  /// If the current line is "name value": consumes it and returns the value.
  std::optional<Word> take(std::string_view name) {
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
  /// The line of the word that was taken last.
  int line_number() const { return lines_[next_ - 1].number; }
  /// Reads a word by a description, which `visit(io)` applies to another visitor.
  void read(std::string_view name, const Word& word, FunctionRef<void(Fields&)> visit) {
    ReadRecord record{name, word, line_number()};
    visit(record);
    if (const auto& error = record.finish()) keep(*error);
  }
  /// The same for a compound value, which takes one word.
  void compound(std::string_view name, FunctionRef<void(Fields&)> visit) {
    if (const auto word = take(name)) return read(name, *word, visit);
    if (error_) return;
    codec::Decoder simplest{{}};
    visit(simplest);
  }
  bool at(std::string_view name) const { return next_ < lines_.size() && lines_[next_].words[0].text == name; }
  /// " ('size' is left out, which makes it 1)": the likely reason for an unexpected size of a board.
  std::string left_out(std::int64_t size) const {
    const auto found = std::ranges::find(left_out_, size, &std::pair<std::string, std::int64_t>::second);
    if (found == left_out_.end()) return {};
    return " (" + text::quoted(found->first) + " is left out, which makes it " + std::to_string(size) + ")";
  }
  void note(std::string_view name) { names_ += (names_.empty() ? "" : ", ") + std::string{name}; }

  const std::vector<Line>& lines_;
  std::size_t next_;
  std::string names_;
  std::vector<Place> boards_;
  std::vector<std::pair<std::string, std::int64_t>> left_out_;  // sizes that no line sets, and their values
};

}  // namespace

Parsed<std::string> system_of(const std::vector<Line>& lines) {
  if (lines.empty()) return text_error(1, 1, "expected 'lockstep 1 SYSTEM', got an empty text");
  const Line& line = lines[0];
  if (line.words[0].text != "lockstep" || line.words.size() != 3) {
    // Of another text, its first word shows that; of a line of ours, what is missing or too much does.
    std::string got;
    for (const Word& word : line.words) {
      got += (got.empty() ? "" : " ") + std::string{word.text};
      if (line.words[0].text != "lockstep") break;
    }
    return text_error(line.number, line.words[0].column,
                      "expected 'lockstep 1 SYSTEM' before anything else, got " + text::quoted(got));
  }
  const auto version = number_from({line.words[1], line.number, "the format version"}, text_version, text_version);
  if (!version) return std::unexpected(version.error());
  return std::string{line.words[2].text};
}

}  // namespace text

Parsed<std::string> scenario_system(std::string_view source) { return text::system_of(text::lines_of(source, 1)); }

Parsed<AnyScenario> parse_scenario(const Vocabulary& vocabulary, std::string_view source) {
  const auto lines = text::lines_of(source);
  const auto system = text::system_of(lines);
  if (!system) return std::unexpected(system.error());
  if (*system != vocabulary.name()) {
    return text_error(lines[0].number, lines[0].words[2].column,
                      "expected the system " + text::quoted(vocabulary.name()) + ", got " + text::quoted(*system));
  }
  AnyScenario out = vocabulary.scenario();
  text::ReadSetup setup{lines, 1};
  out.visit_setup(setup);
  if (setup.error()) return std::unexpected(*setup.error());
  std::size_t next = setup.next();
  if (next == lines.size()) return text_error(lines.back().number, 1, "expected 'actions' after the setup");
  if (lines[next].words[0].text != "actions") {
    return text_error(lines[next].number, lines[next].words[0].column,
                      "expected 'actions' or a field of the setup in its order (" + setup.names() + "), got " +
                          text::quoted(lines[next].words[0].text) + setup.surplus_row());
  }
  if (lines[next].words.size() > 1) {
    return text_error(lines[next].number, lines[next].words[1].column, "expected nothing after 'actions'");
  }
  if (const auto flaw = out.flaw()) return std::unexpected(setup.locate(*flaw));
  std::optional<TextError> error;
  out.grow([&](AnyScenario::TryAction try_one) {
    for (++next; next < lines.size() && !error; ++next) {
      if (out.size() < text_actions_max) error = text::read_action(lines[next], vocabulary.kinds(), try_one);
      else error = {lines[next].number, 1, "at most " + std::to_string(text_actions_max) + " actions"};
    }
  });
  if (error) return std::unexpected(*error);
  return out;
}

}  // namespace lockstep
