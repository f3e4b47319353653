#include "lockstep/shrink/explain.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lockstep/base/function_ref.hpp"
#include "lockstep/describe/fields.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/draw/draw.hpp"

namespace lockstep {
namespace {

constexpr std::string_view grey = "\x1b[90m";
constexpr std::string_view plain = "\x1b[0m";

std::string tinted(const std::string& text, Matter matter, bool colour) {
  if (!colour || matter == Matter::matters || matter == Matter::untested) return text;
  return std::string{grey} + text + std::string{plain};
}

/// "drop (colour=red) column=3"
std::string record_text(const ExplainedLine& line, bool colour) {
  std::string out = tinted(line.name, line.matter, colour);
  for (const auto& word : line.words) {
    std::string text = word.name + "=" + word.text;
    const bool free_alone = line.matter == Matter::matters && word.matter == Matter::free;
    if (!colour && free_alone) text = "(" + text + ")";
    out += " " + tinted(text, word.matter, colour);
  }
  return out;
}

std::string row_of_cells(const ExplainedLine& line, bool colour) {
  std::string out;
  std::string marks;
  for (const auto& word : line.words) {
    out += tinted(word.text, word.matter, colour);
    marks += mark_of(word.matter);
  }
  if (colour) return out;
  marks.erase(marks.find_last_not_of(' ') + 1);
  return out + (marks.empty() ? "" : "   " + marks);
}

std::string line_text(const ExplainedLine& line, bool colour) {
  switch (line.kind) {
    case ExplainedLine::Kind::field:
      return tinted(line.name + " " + (line.words.empty() ? "" : line.words.front().text), line.matter, colour);
    case ExplainedLine::Kind::board: return tinted(line.name, line.matter, colour);
    case ExplainedLine::Kind::row: return row_of_cells(line, colour);
    case ExplainedLine::Kind::item:
    case ExplainedLine::Kind::action: return record_text(line, colour);
  }
  return {};
}

}  // namespace

std::string explanation_text(const Explanation& explanation, bool colour) {
  std::string out;
  bool in_actions = false;
  for (const auto& line : explanation.lines) {
    if (line.kind == ExplainedLine::Kind::action && !in_actions) {
      out += "  actions\n";
      in_actions = true;
    }
    const char mark = line.matter == Matter::matters ? '*' : line.matter == Matter::untested ? '?' : ' ';
    out += std::string{mark} + " " + line_text(line, colour) + "\n";
  }
  return out;
}

namespace {

/// The explanation of one failure.
class Explaining {
 public:
  Explaining(const JudgeFunction& judge, std::chrono::milliseconds time, const AnyScenario& failing)
      : judge_{judge}, deadline_{std::chrono::steady_clock::now() + time}, scenario_{failing} {}

  std::optional<Explanation> run() {
    const Verdict verdict = judge(scenario_);
    if (!verdict.divergence) return std::nullopt;
    out_.signature = verdict.divergence->signature();
    out_.system = scenario_.vocabulary().name();
    out_.complete = true;
    parts_ = parts(scenario_);
    test_actions();
    test_numbers();
    test_items();
    test_cells();
    redraw_together();
    Lines text{*this};
    scenario_.read_setup(text);
    for (std::size_t i = 0; i < scenario_.size(); ++i) text.action(i, scenario_);
    out_.lines = std::move(text.lines);
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t few = 16;   // a part with at most this many other values is tested with all of them
  static constexpr int drawn_values = 8;    // values drawn for a part with more
  static constexpr int drawn_per_kind = 2;  // replacements of an action
  static constexpr int redraws = 32;

  /// All parts of a setup as flat lists, so that two setups can be compared part by part.
  class Parts final : public ListNumbers {
   public:
    std::vector<std::uint8_t> cells;
    std::vector<int> alphabet;  // alphabet size of each cell
    std::size_t item_count = 0;

    void board(std::string_view, Grid& grid, int, int, const Alphabet& of) override {
      cells.insert(cells.end(), grid.cells.begin(), grid.cells.end());
      alphabet.insert(alphabet.end(), grid.cells.size(), of.size);
    }
    void visit_list(std::string_view, Items& items, int, int) override {
      item_count += items.size();
      items.visit_all(*this);
    }
  };

  /// Nothing if the scenario has no such action.
  static Parts parts(const AnyScenario& scenario, Place place = {}) {
    Parts out;
    if (!place) scenario.read_setup(out);
    else if (*place < scenario.size()) scenario.read_action(*place, out);
    return out;
  }

  bool spent() const { return std::chrono::steady_clock::now() >= deadline_; }

  Verdict judge(const AnyScenario& scenario) {
    ++out_.judgements;
    return judge_(scenario);
  }

  bool fails(const AnyScenario& candidate) {
    const Verdict verdict = judge(candidate);
    return verdict.divergence && verdict.divergence->signature() == out_.signature;
  }

  /// Classifies a part from the scenarios in which it has another value. `alone` is true for scenarios in which nothing
  /// else changed.
  Matter tested(const std::vector<AnyScenario>& others, FunctionRef<bool(const AnyScenario&)> alone) {
    const bool some_alone = std::ranges::any_of(others, alone);
    for (const auto& other : others) {
      if (some_alone && !alone(other)) continue;
      if (spent()) {
        out_.complete = false;
        return Matter::untested;
      }
      if (!fails(other)) return Matter::matters;
    }
    return others.empty() ? Matter::fixed : Matter::free;
  }

  /// The other values that are tried for a number.
  std::vector<Number> values_for(Number value, Number lo, Number hi, bool dimension) {
    std::vector<Number> out;
    if (hi - lo <= few && !dimension) {
      for (Number other = lo; other <= hi; ++other) out.push_back(other);
    } else {
      if (dimension) hi = std::min(hi, 2 * value + 2);  // larger boards are slow and give no more information
      out = {lo, hi, value - 1, value + 1};
      for (int i = 0; i < drawn_values; ++i) out.push_back(random_.number(lo, hi));
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    std::erase_if(out, [&](Number other) { return other == value || other < lo || other > hi; });
    return out;
  }

  // Actions -----------------------------------------------------------------------------------

  void test_actions() {
    const std::size_t total = scenario_.size();
    actions_.assign(total, Matter::untested);
    action_fields_.assign(total, {});
    for (std::size_t i = 0; i < total; ++i) {
      const std::size_t fields = parts(scenario_, i).fields.size();
      actions_[i] = tested(replaced(i), [](const auto&) { return true; });
      action_fields_[i].assign(fields, actions_[i] == Matter::free ? Matter::free : Matter::untested);
      if (actions_[i] != Matter::matters) continue;
      for (std::size_t f = 0; f < fields; ++f) action_fields_[i][f] = tested_field(i, f);
    }
  }

  std::vector<AnyScenario> replaced(std::size_t action) {
    std::vector<AnyScenario> out = {without_actions(scenario_, action, 1)};
    const Vocabulary& vocabulary = scenario_.vocabulary();
    for (std::size_t kind = 0; kind < vocabulary.kinds().size(); ++kind) {
      for (int i = 0; i < drawn_per_kind; ++i) {
        std::optional<AnyScenario> other = with_drawn_action(scenario_, action, kind);
        if (!other) continue;
        if (other->action_equals(action, scenario_, action)) continue;
        if (vocabulary.depends_on_past()) refit(*other);
        out.push_back(std::move(*other));
      }
    }
    return out;
  }

  /// The scenario with a drawn action of a kind in place of one; nullopt if that is impossible there.
  std::optional<AnyScenario> with_drawn_action(const AnyScenario& scenario, std::size_t action, std::size_t kind) {
    AnyScenario out = scenario;
    out.set_action(action, kind);
    DrawFields fields{random_, false};
    if (!out.visit_action(action, fields)) return std::nullopt;
    return out;
  }

  Matter tested_field(std::size_t action, std::size_t field) {
    const auto were = parts(scenario_, action).fields;
    const auto& number = were[field];
    std::vector<AnyScenario> others;
    for (const Number value : values_for(number.value, number.lo, number.hi, false)) {
      others.push_back(with_numbers(scenario_, action, {field, value}));
    }
    return tested(others, [&](const AnyScenario& other) {
      if (other.size() != scenario_.size()) return false;
      const auto are = parts(other, action).fields;
      return are.size() == were.size() && differing(were, are) == 1;
    });
  }

  /// The number of positions at which two lists of equal length differ.
  static std::size_t differing(const std::vector<NumberField>& were, const std::vector<NumberField>& are) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < are.size(); ++i) count += are[i].value != were[i].value ? 1 : 0;
    return count;
  }

  // The setup -----------------------------------------------------------------------------------

  /// Whether the setups have the same shape and differ in exactly one number or cell, and the actions are equal.
  bool differs_once(const AnyScenario& other) const {
    const Parts now = parts(other);
    if (now.fields.size() != parts_.fields.size() || now.cells.size() != parts_.cells.size()) return false;
    std::size_t differ = differing(parts_.fields, now.fields);
    for (std::size_t i = 0; i < now.cells.size(); ++i) differ += now.cells[i] != parts_.cells[i] ? 1 : 0;
    return differ == 1 && same_actions(other);
  }

  bool same_actions(const AnyScenario& other) const {
    if (other.size() != scenario_.size()) return false;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!other.action_equals(i, scenario_, i)) return false;
    }
    return true;
  }

  void test_numbers() {
    numbers_.assign(parts_.fields.size(), Matter::untested);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto& number = parts_.fields[i];
      std::vector<AnyScenario> others;
      for (const Number value : values_for(number.value, number.lo, number.hi, number.dimension)) {
        AnyScenario other = scenario_;
        refit(other, {i, value});
        const Parts now = parts(other);
        // A repair may have restored the old value.
        if (i < now.fields.size() && now.fields[i].value != number.value) others.push_back(std::move(other));
      }
      numbers_[i] = tested(others, [&](const AnyScenario& other) { return differs_once(other); });
    }
  }

  void test_items() {
    items_.assign(parts_.item_count, Matter::untested);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      AnyScenario other = with_parts(scenario_, {}, item_remover(i, 1));
      std::vector<AnyScenario> others;
      if (parts(other).item_count < parts_.item_count) others.push_back(std::move(other));
      items_[i] = tested(others, [](const auto&) { return true; });
    }
  }

  void test_cells() {
    cells_.assign(parts_.cells.size(), Matter::untested);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (spent()) {
        out_.complete = false;
        return;
      }
      std::vector<AnyScenario> others;
      for (const Number value : values_for(parts_.cells[i], 0, parts_.alphabet[i] - 1, false)) {
        AnyScenario other = with_parts(scenario_, {}, cell_setter(i, static_cast<std::uint8_t>(value)));
        const Parts now = parts(other);
        if (now.cells.size() == cells_.size() && now.cells[i] != parts_.cells[i]) others.push_back(std::move(other));
      }
      cells_[i] = tested(others, [&](const AnyScenario& other) { return differs_once(other); });
    }
  }

  // All together --------------------------------------------------------------------------------

  void redraw_together() {
    for (int i = 0; i < redraws && !spent(); ++i) {
      ++out_.redrawn;
      out_.redrawn_that_fail += fails(redrawn()) ? 1 : 0;
    }
  }

  /// The actions are redrawn before the setup takes effect, because then some may be unlawful and be removed.
  AnyScenario redrawn() {
    AnyScenario out = scenario_;
    const std::size_t kinds = scenario_.vocabulary().kinds().size();
    AnyScenario setup = scenario_.vocabulary().scenario();
    setup.assign_setup(scenario_);
    EditParts edit{[&](std::size_t i, std::uint8_t& at) {
      if (cells_[i] != Matter::free) return;
      at = static_cast<std::uint8_t>(random_.integer(0, parts_.alphabet[i] - 1));
    }};
    setup.visit_setup(edit);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto& number = parts_.fields[i];
      if (numbers_[i] != Matter::free || number.dimension) continue;
      Fit fit{Edit{i, random_.number(number.lo, number.hi)}};
      setup.visit_setup(fit);
    }
    for (std::size_t a = out.size(); a-- > 0;) {
      if (actions_[a] == Matter::free) {
        if (random_.chance(1, 2)) out.erase(a, 1);
        else if (auto drawn = with_drawn_action(out, a, random_.below(kinds))) out = std::move(*drawn);
        continue;
      }
      for (std::size_t f = 0; f < action_fields_[a].size(); ++f) {
        if (action_fields_[a][f] != Matter::free) continue;
        const auto number = parts(scenario_, a).fields[f];
        Fit fit{Edit{f, random_.number(number.lo, number.hi)}};
        out.visit_action(a, fit);
      }
    }
    out.assign_setup(setup);
    refit(out);
    return out;
  }

  // Lines -----------------------------------------------------------------------------------------

  /// Builds the lines of the scenario's text, with its words in the order of the parts.
  class Lines final : public Wording {
   public:
    explicit Lines(const Explaining& of) : of_{of} {}
    std::vector<ExplainedLine> lines;

    void word(std::string_view name, std::string text) override { add(name, std::move(text), (*matters_)[next_++]); }
    void add(std::string_view name, std::string text, Matter matter) {
      if (!in_line_) lines.push_back({ExplainedLine::Kind::field, std::string{name}, matter, {}});
      lines.back().words.push_back({std::string{name}, std::move(text), matter});
    }
    void board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) override {
      lines.push_back({ExplainedLine::Kind::board, std::string{name}, Matter::fixed, {}});
      const std::size_t head = lines.size() - 1;
      for (int row = 0; row < grid.rows; ++row) {
        ExplainedLine line{ExplainedLine::Kind::row, std::string{name}, Matter::fixed, {}};
        const std::string text = row_text(grid, row, alphabet);
        const std::size_t wide = alphabet.numeric() ? (text.size() + 1) / static_cast<std::size_t>(grid.columns) : 1;
        for (int column = 0; column < grid.columns; ++column) {
          line.words.push_back({"", text.substr(static_cast<std::size_t>(column) * wide, wide), of_.cells_[cells_++]});
        }
        summarise(line);
        lines[head].matter = std::min(lines[head].matter, line.matter);
        lines.push_back(std::move(line));
      }
    }
    /// A compound value is one word; it matters as much as the most important number in it.
    void compound(std::string_view name, std::string text, FunctionRef<void(Fields&)> visit) override {
      Parts inside;
      visit(inside);
      Matter matter = Matter::fixed;
      for (std::size_t i = 0; i < inside.fields.size(); ++i) matter = std::min(matter, (*matters_)[next_ + i]);
      if (!in_action_) {
        for (std::size_t i = 0; i < inside.item_count; ++i) matter = std::min(matter, of_.items_[items_ + i]);
        items_ += inside.item_count;
      }
      next_ += inside.fields.size();
      add(name, std::move(text), matter);
    }
    void visit_list(std::string_view name, Items& items, int lo, int hi) override {
      if (in_line_) return visit_items(name, items, lo, hi);
      for (std::size_t i = 0; i < items.size(); ++i) {
        in_line_ = true;
        lines.push_back({ExplainedLine::Kind::item, std::string{name}, of_.items_[items_++], {}});
        items.visit(i, *this);
        summarise(lines.back());  // an item with only free fields can still matter by its presence
        in_line_ = false;
      }
    }
    void action(std::size_t number, const AnyScenario& scenario) {
      lines.push_back(
          {ExplainedLine::Kind::action, std::string{scenario.action_name(number)}, of_.actions_[number], {}});
      matters_ = &of_.action_fields_[number];
      next_ = 0;
      in_line_ = true;
      in_action_ = true;
      scenario.read_action(number, *this);
      in_line_ = false;
      in_action_ = false;
    }

   private:
    static void summarise(ExplainedLine& line) {
      for (const auto& word : line.words) line.matter = std::min(line.matter, word.matter);
    }

    const Explaining& of_;
    const std::vector<Matter>* matters_ = &of_.numbers_;
    std::size_t next_ = 0;
    std::size_t cells_ = 0;
    std::size_t items_ = 0;
    bool in_line_ = false;
    bool in_action_ = false;
  };

  const JudgeFunction& judge_;
  std::chrono::steady_clock::time_point deadline_;
  Random random_{1};
  const AnyScenario& scenario_;
  Explanation out_;
  Parts parts_;
  std::vector<Matter> actions_;
  std::vector<std::vector<Matter>> action_fields_;
  std::vector<Matter> numbers_;
  std::vector<Matter> items_;
  std::vector<Matter> cells_;
};

}  // namespace

std::optional<Explanation> explain(const JudgeFunction& judge, std::chrono::milliseconds time,
                                   const AnyScenario& failing) {
  return Explaining{judge, time, failing}.run();
}

}  // namespace lockstep
