// Prints scenarios.
#include <utility>

#include "lockstep/base/lines.hpp"
#include "lockstep/describe/fields.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace text {
namespace {

class PrintSetup final : public Wording {
 public:
  /// `draw_empty`: draws an empty board, too, so that pictures can be compared.
  explicit PrintSetup(bool draw_empty = false) : draw_empty_{draw_empty} {}

  std::string out;

  /// Prints a line "name text".
  void word(std::string_view name, std::string text) override {
    out.append(name).append(" ").append(text).append("\n");
  }
  void board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) override {
    if (grid.empty() && !draw_empty_) return word(name, "empty");
    out.append(name).append("\n");
    for (int row = 0; row < grid.rows; ++row) out.append(row_text(grid, row, alphabet)).append("\n");
  }
  void visit_list(std::string_view name, Items& items, int, int) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      CollectWords words;
      items.visit(i, words);
      const bool nameless = words.fields.size() == 1 && words.fields.front().name.empty();
      word(name, nameless ? words.fields.front().text : line_of(words.fields));
    }
  }

 private:
  bool draw_empty_;
};

std::string printed(FunctionRef<void(Fields&)> read, bool draw_empty) {
  PrintSetup print{draw_empty};
  read(print);
  return std::move(print.out);
}

std::string line_of_action(std::string_view name, FunctionRef<void(Fields&)> read, bool whole = true) {
  CollectWords words;
  read(words);
  for (Field& field : words.fields) {
    if (!whole) field.text = shortened(field.text, field.text);
  }
  std::string out{name};
  if (!words.fields.empty()) out += " " + line_of(words.fields);
  return out;
}

}  // namespace

std::string picture(FunctionRef<void(Fields&)> read) { return printed(read, true); }

}  // namespace text

std::string setup_text(const AnyScenario& scenario) {
  return text::printed([&](Fields& io) { scenario.read_setup(io); }, false);
}

std::string snapshot_text(const AnyTrace& trace, std::size_t taken) {
  return text::picture([&](Fields& io) { trace.read_snapshot(taken, io); });
}

std::string action_text(const AnyScenario& scenario, std::size_t action, bool whole) {
  const auto read = [&](Fields& io) { scenario.read_action(action, io); };
  return text::line_of_action(scenario.action_name(action), read, whole);
}

std::string scenario_text(const AnyScenario& scenario, std::string_view comment) {
  const Vocabulary& system = scenario.vocabulary();
  std::string out = "lockstep " + std::to_string(text_version) + " " + std::string{system.name()} + "\n";
  while (!comment.empty()) {
    const std::string_view line = take_line(comment);
    out.append(line.empty() ? "#" : "# ").append(line).append("\n");
  }
  out += setup_text(scenario) + "actions\n";
  scenario.read_each([&](std::size_t, const AnyScenario::VisitAction& visit) {
    out += text::line_of_action(system.kinds()[visit.kind()].name, [&](Fields& io) { visit(io); }) + "\n";
  });
  return out;
}

}  // namespace lockstep
