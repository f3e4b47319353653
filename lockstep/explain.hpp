// Explains a failure: which of a scenario's actions, fields and cells it depends on.
//
// Each part is changed alone; the scenario is made lawful again (fit.hpp) and judged. A part
//   matters       when some change of it makes the failure vanish, or fail with another signature;
//   is free       when the scenario fails with the same signature after every change that was tried;
//   is fixed      when no lawful scenario differs in it (an empty cell without support, for example);
//   is untested   when the budget was spent before it was reached.
// A number or cell with at most sixteen other values is tried with all of them; otherwise with its lowest and highest
// value, the two neighbours of its own, and eight drawn values. An action is removed, and replaced by two drawn actions
// of each kind; if it is free, so are its fields. A list item is removed, and its fields are changed like any others.
// If the repair of some changes leaves all other parts alone, only those changes count.
//
// So "free" holds for each part alone. How far it holds for all free parts together is measured: they are all redrawn
// at once, several times, and the explanation says how many of those scenarios fail in the same way.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/draw.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/reduce.hpp"

namespace lockstep {

/// In order of priority: a line takes the first of these that one of its words has.
enum class Matter : std::uint8_t { matters, untested, free, fixed };

constexpr std::string_view to_string(Matter matter) {
  switch (matter) {
    case Matter::matters: return "matters";
    case Matter::free: return "free";
    case Matter::fixed: return "fixed";
    case Matter::untested: return "untested";
  }
  return "?";
}

/// One character for it, as texts and pages show it.
constexpr char mark_of(Matter matter) {
  switch (matter) {
    case Matter::matters: return '*';
    case Matter::free: return '.';
    case Matter::fixed: return ' ';
    case Matter::untested: return '?';
  }
  return '?';
}

/// A word of a line. Names and white space share the classification of their line.
struct ExplainedWord {
  std::string name;  // the field's; "" for a cell or for an action's own name
  std::string text;
  Matter matter = Matter::untested;
};

/// One line of the scenario's text.
struct ExplainedLine {
  enum class Kind : std::uint8_t { field, board, row, item, action };
  Kind kind = Kind::field;
  std::string name;                  // of the field, board, list or action
  Matter matter = Matter::untested;  // of the line as a whole: that of its most important word
  std::vector<ExplainedWord> words;
};

constexpr std::string_view to_string(ExplainedLine::Kind kind) {
  switch (kind) {
    case ExplainedLine::Kind::field: return "field";
    case ExplainedLine::Kind::board: return "board";
    case ExplainedLine::Kind::row: return "row";
    case ExplainedLine::Kind::item: return "item";
    case ExplainedLine::Kind::action: return "action";
  }
  return "?";
}

struct Explanation {
  std::string signature;
  std::string system;
  std::vector<ExplainedLine> lines;
  bool complete = false;  // every part was tested
  std::uint64_t judgements = 0;
  int redrawn = 0;            // number of scenarios with all free parts redrawn at once
  int redrawn_that_fail = 0;  // how many of those fail in the same way
};

/// The scenario's text with marks: lines that matter begin with '*', the cells that matter are marked to the right of
/// each row, and free fields of an action that matters are in parentheses. With colour, parts that do not matter are
/// grey instead.
std::string explanation_text(const Explanation& explanation, bool colour);

template <System S>
class Explainer {
 public:
  using JudgeFunction = std::function<Verdict(const Scenario<S>&)>;

  explicit Explainer(JudgeFunction judge, std::chrono::milliseconds time = std::chrono::seconds{10})
      : judge_{std::move(judge)}, deadline_{std::chrono::steady_clock::now() + time} {}

  /// Empty if the scenario does not diverge.
  std::optional<Explanation> explain(const Scenario<S>& failing) {
    scenario_ = failing;
    judgements_ = 1;
    const Verdict verdict = judge_(scenario_);
    if (!verdict.divergence) return std::nullopt;
    signature_ = verdict.divergence->signature();
    parts_ = parts(scenario_);
    test_actions();
    test_numbers();
    test_items();
    test_cells();
    Explanation out;
    out.signature = signature_;
    out.system = S::name;
    redraw_together(out);
    out.lines = lines();
    out.complete = complete_;
    out.judgements = judgements_;
    return out;
  }

 private:
  static constexpr std::int64_t few = 16;   // a part with at most this many other values is tested with all of them
  static constexpr int drawn_values = 8;    // values drawn for a part with more
  static constexpr int drawn_per_kind = 2;  // replacements of an action
  static constexpr int redraws = 32;

  /// All parts of a setup as flat lists, so that two setups can be compared part by part.
  class Parts : public Visitor<Parts> {
   public:
    struct Drawn {
      Number value, lo, hi;
      bool dimension;
    };
    std::vector<Drawn> numbers;
    std::vector<std::uint8_t> cells;
    std::vector<int> alphabet;  // alphabet size of each cell
    std::size_t item_count = 0;

    template <class T>
    void size(std::string_view, const T& value, Number lo, Number hi) {
      numbers.push_back({static_cast<Number>(value), lo, hi, true});
    }
    template <class T>
    void number(std::string_view, const T& value, Number lo, Number hi) {
      numbers.push_back({static_cast<Number>(value), lo, hi, false});
    }
    void board(std::string_view, const Grid& grid, int, int, const Alphabet& of) {
      cells.insert(cells.end(), grid.cells.begin(), grid.cells.end());
      alphabet.insert(alphabet.end(), grid.cells.size(), of.size);
    }
    template <class C, class Item>
    void list(std::string_view, C& list_items, int, int, Item&& describe_item) {
      item_count += list_items.size();
      for (auto& item : list_items) describe_item(*this, item);
    }
  };

  static Parts parts(const Scenario<S>& scenario) {
    Parts out;
    read_setup<S>(out, scenario.setup);
    return out;
  }

  bool spent() const { return std::chrono::steady_clock::now() >= deadline_; }

  bool fails(const Scenario<S>& candidate) {
    ++judgements_;
    const Verdict verdict = judge_(candidate);
    return verdict.divergence && verdict.divergence->signature() == signature_;
  }

  /// Classifies a part from the scenarios in which it has another value. `alone` is true for scenarios in which nothing
  /// else changed.
  template <class Alone>
  Matter tested(const std::vector<Scenario<S>>& others, Alone&& alone) {
    std::vector<const Scenario<S>*> count;
    for (const auto& other : others) {
      if (alone(other)) count.push_back(&other);
    }
    if (count.empty()) {
      for (const auto& other : others) count.push_back(&other);
    }
    if (count.empty()) return Matter::fixed;
    for (const auto* other : count) {
      if (spent()) {
        complete_ = false;
        return Matter::untested;
      }
      if (!fails(*other)) return Matter::matters;
    }
    return Matter::free;
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
    const std::size_t total = scenario_.actions.size();
    actions_.assign(total, Matter::untested);
    action_fields_.assign(total, {});
    for (std::size_t i = 0; i < total; ++i) {
      const std::size_t fields = fields_of_action(scenario_, i).numbers.size();
      actions_[i] = tested(replaced(i), [](const auto&) { return true; });
      action_fields_[i].assign(fields, actions_[i] == Matter::free ? Matter::free : Matter::untested);
      if (actions_[i] != Matter::matters) continue;
      for (std::size_t f = 0; f < fields; ++f) action_fields_[i][f] = tested_field(i, f);
    }
  }

  static Parts fields_of_action(const Scenario<S>& scenario, std::size_t action) {
    Parts out;
    if (action < scenario.actions.size()) read_action<S>(out, past_of<S>(scenario, action), scenario.actions[action]);
    return out;
  }

  std::vector<Scenario<S>> replaced(std::size_t action) {
    std::vector<Scenario<S>> out = {without_actions<S>(scenario_, action, 1)};
    for (std::size_t kind = 0; kind < action_kinds<typename S::Action>; ++kind) {
      for (int i = 0; i < drawn_per_kind; ++i) {
        Scenario<S> other = scenario_;
        if (!draw_into(other, action, kind)) continue;
        if (other.actions[action] == scenario_.actions[action]) continue;
        if constexpr (depends_on_past<S>) refit<S>(other);
        out.push_back(std::move(other));
      }
    }
    return out;
  }

  /// Replaces an action by a drawn one of a kind; false if that is impossible there.
  bool draw_into(Scenario<S>& scenario, std::size_t action, std::size_t kind) {
    auto drawn = alternative<typename S::Action>(kind);
    DrawFields fields{random_, false};
    if (!visit_action<S>(fields, past_of<S>(scenario, action), drawn)) return false;
    scenario.actions[action] = std::move(drawn);
    return true;
  }

  Matter tested_field(std::size_t action, std::size_t field) {
    const auto were = fields_of_action(scenario_, action).numbers;
    const auto& number = were[field];
    std::vector<Scenario<S>> others;
    for (const Number value : values_for(number.value, number.lo, number.hi, false)) {
      others.push_back(with_action_number<S>(scenario_, action, {field, value}));
    }
    return tested(others, [&](const Scenario<S>& other) {
      if (other.actions.size() != scenario_.actions.size()) return false;
      const auto are = fields_of_action(other, action).numbers;
      return are.size() == were.size() && differing(were, are) == 1;
    });
  }

  /// The number of positions at which two lists of equal length differ.
  static std::size_t differing(const std::vector<typename Parts::Drawn>& were,
                               const std::vector<typename Parts::Drawn>& are) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < are.size(); ++i) count += are[i].value != were[i].value ? 1 : 0;
    return count;
  }

  // The setup -----------------------------------------------------------------------------------

  /// Whether the setups have the same shape and differ in exactly one number or cell, and the actions are equal.
  bool differs_once(const Scenario<S>& other) const {
    const Parts now = parts(other);
    if (now.numbers.size() != parts_.numbers.size() || now.cells.size() != parts_.cells.size()) return false;
    std::size_t differ = differing(parts_.numbers, now.numbers);
    for (std::size_t i = 0; i < now.cells.size(); ++i) differ += now.cells[i] != parts_.cells[i] ? 1 : 0;
    return differ == 1 && other.actions == scenario_.actions;
  }

  void test_numbers() {
    numbers_.assign(parts_.numbers.size(), Matter::untested);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto& number = parts_.numbers[i];
      std::vector<Scenario<S>> others;
      for (const Number value : values_for(number.value, number.lo, number.hi, number.dimension)) {
        Scenario<S> other = scenario_;
        refit<S>(other, {i, value});
        const Parts now = parts(other);
        // A repair may have restored the old value.
        if (i < now.numbers.size() && now.numbers[i].value != number.value) others.push_back(std::move(other));
      }
      numbers_[i] = tested(others, [&](const Scenario<S>& other) { return differs_once(other); });
    }
  }

  void test_items() {
    items_.assign(parts_.item_count, Matter::untested);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Scenario<S> other = with_parts<S>(scenario_, item_remover(i, 1));
      std::vector<Scenario<S>> others;
      if (parts(other).item_count < parts_.item_count) others.push_back(std::move(other));
      items_[i] = tested(others, [](const auto&) { return true; });
    }
  }

  void test_cells() {
    cells_.assign(parts_.cells.size(), Matter::untested);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (spent()) {
        complete_ = false;
        return;
      }
      std::vector<Scenario<S>> others;
      for (const Number value : values_for(parts_.cells[i], 0, parts_.alphabet[i] - 1, false)) {
        Scenario<S> other = with_cell(scenario_, i, static_cast<std::uint8_t>(value));
        const Parts now = parts(other);
        if (now.cells.size() == cells_.size() && now.cells[i] != parts_.cells[i]) others.push_back(std::move(other));
      }
      cells_[i] = tested(others, [&](const Scenario<S>& other) { return differs_once(other); });
    }
  }

  static Scenario<S> with_cell(const Scenario<S>& scenario, std::size_t cell, std::uint8_t value) {
    Scenario<S> out = scenario;
    EditParts edit{[&](std::size_t i, std::uint8_t& at) {
                     if (i == cell) at = value;
                   },
                   [](std::size_t) { return false; }};
    visit_setup<S>(edit, out.setup);
    refit<S>(out);
    return out;
  }

  // All together --------------------------------------------------------------------------------

  void redraw_together(Explanation& out) {
    for (int i = 0; i < redraws && !spent(); ++i) {
      const Scenario<S> other = redrawn();
      ++out.redrawn;
      out.redrawn_that_fail += fails(other) ? 1 : 0;
    }
  }

  /// The actions are redrawn before the setup takes effect, because then some may be unlawful and be removed.
  Scenario<S> redrawn() {
    Scenario<S> out = scenario_;
    typename S::Setup setup = scenario_.setup;
    EditParts edit{[&](std::size_t i, std::uint8_t& at) {
                     if (cells_[i] != Matter::free) return;
                     at = static_cast<std::uint8_t>(random_.integer(0, parts_.alphabet[i] - 1));
                   },
                   [](std::size_t) { return false; }};
    visit_setup<S>(edit, setup);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto& number = parts_.numbers[i];
      if (numbers_[i] != Matter::free || number.dimension) continue;
      Fit fit{Edit{i, random_.number(number.lo, number.hi)}};
      visit_setup<S>(fit, setup);
    }
    for (std::size_t a = out.actions.size(); a-- > 0;) {
      if (actions_[a] == Matter::free) {
        if (random_.chance(1, 2)) out.actions.erase(out.actions.begin() + static_cast<std::ptrdiff_t>(a));
        else draw_into(out, a, random_.below(action_kinds<typename S::Action>));
        continue;
      }
      for (std::size_t f = 0; f < action_fields_[a].size(); ++f) {
        if (action_fields_[a][f] != Matter::free) continue;
        const auto number = fields_of_action(scenario_, a).numbers[f];
        Fit fit{Edit{f, random_.number(number.lo, number.hi)}};
        visit_action<S>(fit, past_of<S>(out, a), out.actions[a]);
      }
    }
    out.setup = std::move(setup);
    refit<S>(out);
    return out;
  }

  // Lines -----------------------------------------------------------------------------------------

  /// Builds the lines of the scenario's text, with its words in the order of the parts.
  class Lines : public Wording<Lines> {
   public:
    explicit Lines(const Explainer& of) : of_{of} {}
    std::vector<ExplainedLine> lines;

    void word(std::string_view name, std::string text) { add(name, std::move(text), (*matters_)[next_++]); }
    void add(std::string_view name, std::string text, Matter matter) {
      if (in_line_) {
        lines.back().words.push_back({std::string{name}, std::move(text), matter});
        return;
      }
      lines.push_back(
          {ExplainedLine::Kind::field, std::string{name}, matter, {{std::string{name}, std::move(text), matter}}});
    }
    void board(std::string_view name, const Grid& grid, int, int, const Alphabet& alphabet) {
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
    template <class Visit>
    void compound(std::string_view name, std::string text, Visit&& visit) {
      Parts inside;
      visit(inside);
      Matter matter = Matter::fixed;
      for (std::size_t i = 0; i < inside.numbers.size(); ++i) matter = std::min(matter, (*matters_)[next_ + i]);
      if (!in_action_) {
        for (std::size_t i = 0; i < inside.item_count; ++i) matter = std::min(matter, of_.items_[items_ + i]);
        items_ += inside.item_count;
      }
      next_ += inside.numbers.size();
      add(name, std::move(text), matter);
    }
    template <class C, class Item>
    void list(std::string_view name, C& list_items, int lo, int hi, Item&& describe_item) {
      if (in_line_) return this->items(name, list_items, lo, hi, describe_item);
      for (auto& item : list_items) {
        in_line_ = true;
        lines.push_back({ExplainedLine::Kind::item, std::string{name}, of_.items_[items_++], {}});
        describe_item(*this, item);
        // An item with only free fields can still matter by its presence.
        for (const auto& word : lines.back().words) lines.back().matter = std::min(lines.back().matter, word.matter);
        in_line_ = false;
      }
    }
    void action(std::size_t number, const Scenario<S>& scenario) {
      lines.push_back(
          {ExplainedLine::Kind::action, std::string{action_name(scenario.actions[number])}, of_.actions_[number], {}});
      matters_ = &of_.action_fields_[number];
      next_ = 0;
      in_line_ = true;
      in_action_ = true;
      read_action<S>(*this, past_of<S>(scenario, number), scenario.actions[number]);
      in_line_ = false;
      in_action_ = false;
    }

   private:
    static void summarise(ExplainedLine& line) {
      for (const auto& word : line.words) line.matter = std::min(line.matter, word.matter);
    }

    const Explainer& of_;
    const std::vector<Matter>* matters_ = &of_.numbers_;
    std::size_t next_ = 0;
    std::size_t cells_ = 0;
    std::size_t items_ = 0;
    bool in_line_ = false;
    bool in_action_ = false;
  };

  std::vector<ExplainedLine> lines() const {
    Lines out{*this};
    read_setup<S>(out, scenario_.setup);
    for (std::size_t i = 0; i < scenario_.actions.size(); ++i) out.action(i, scenario_);
    return std::move(out.lines);
  }

  JudgeFunction judge_;
  std::chrono::steady_clock::time_point deadline_;
  Random random_{1};
  Scenario<S> scenario_;
  std::string signature_;
  Parts parts_;
  std::vector<Matter> actions_;
  std::vector<std::vector<Matter>> action_fields_;
  std::vector<Matter> numbers_;
  std::vector<Matter> items_;
  std::vector<Matter> cells_;
  bool complete_ = true;
  std::uint64_t judgements_ = 0;
};

}  // namespace lockstep
