#include "fuzz/text_readers.hpp"

#include <algorithm>

#include "lockstep/fuzz/fuzz_work.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/round_trip.hpp"
#include "lockstep/text/text.hpp"
#include "programs/any_problem.hpp"

namespace lockstep {
namespace {

/// An error must lead the user to the place: a line of the text, a column of that line or the one after it, and a
/// message that a terminal can show.
std::string flaw_of(const TextError& error, std::string_view text) {
  const std::string what = "error '" + error.what + "' ";
  if (error.what.empty()) return "an error says nothing";
  if (std::ranges::any_of(error.what, [](unsigned char c) { return c < ' ' || c == 127; })) {
    return what + "holds control characters";
  }
  const auto lines = 1 + std::ranges::count(text, '\n');
  if (error.line < 1 || error.line > lines) return what + "names line " + std::to_string(error.line);
  std::string_view line = text;
  for (int above = 1; above < error.line; ++above) line.remove_prefix(line.find('\n') + 1);
  line = line.substr(0, line.find('\n'));
  if (error.column < 1 || error.column > static_cast<int>(line.size()) + 1) {
    return what + "names column " + std::to_string(error.column) + " of a line of " + std::to_string(line.size());
  }
  return "";
}

/// A scenario must survive the round trip through each of its two other forms.
std::string flaw_of(const AnyScenario& scenario) {
  if (const auto flaw = scenario.flaw()) return "an unlawful setup was read: " + flaw->what;
  return fault_of_round_trips(scenario);
}

std::string scenario_reader(const AnySystem& system, std::string_view text) {
  for (const auto& name : notes_of(text).implementations) {
    if (name.find_first_of(",\r\n") != std::string::npos) return "an implementation's name holds a separator";
  }
  const auto scenario = system.parse(text);
  return scenario ? flaw_of(*scenario) : flaw_of(scenario.error(), text);
}

/// Reads the original problem's input and, when that is cheap, runs the reference on it.
std::string problem_reader(const AnyProblem& problem, std::string_view text) {
  const auto cases = problem.read(text);
  if (!cases) return flaw_of(cases.error(), text);
  const Runner reference = reference_of(problem.vocabulary());
  std::size_t actions = 0;
  AnyTrace trace = problem.vocabulary().trace();
  for (const AnyProblem::Case& one : *cases) {
    if (std::string flaw = flaw_of(one.scenario); !flaw.empty()) return flaw;
    actions += one.scenario.size() + 1;
    if (actions > actions_max(one.scenario) / 8) continue;
    reference.run(one.scenario, Cadence{}, trace);
    const auto printed = problem.print(one, trace);
    if (printed) continue;
    if (std::string flaw = flaw_of(printed.error(), text); !flaw.empty()) return flaw;
  }
  return "";
}

/// Collects the names of fields and of their values.
class Dictionary final : public Fields {
 public:
  std::vector<std::string> words;

  void visit_number(std::string_view name, Number&, Number, Number, const NumberAs& as) override {
    words.emplace_back(name);
    words.insert(words.end(), as.names.begin(), as.names.end());
  }
  void board(std::string_view name, Grid&, int, int, const Alphabet&) override {
    words.insert(words.end(), {std::string{name}, "empty"});
  }
  void visit_list(std::string_view name, Items& items, int, int) override {
    words.emplace_back(name);
    if (items.size() == 0) items.resize(1);  // of a setup or an action of our own
    items.visit(0, *this);
  }
};

}  // namespace

std::string law_broken_by_reading(const AnySystem& system, std::string_view text) {
  if (const std::string law = scenario_reader(system, text); !law.empty()) return "scenario: " + law;
  if (system.problem() == nullptr) return "";
  const std::string law = problem_reader(*system.problem(), text);
  return law.empty() ? "" : "judge format: " + law;
}

std::vector<std::string> words_of(const AnySystem& system) {
  Dictionary collect;
  collect.words = {"lockstep", "actions", std::string{system.name()}};
  AnyScenario scenario = system.vocabulary().scenario();
  scenario.visit_copy_of_setup(collect);
  for (std::size_t kind = 0; kind < system.vocabulary().kinds().size(); ++kind) {
    scenario.set_action(0, kind);
    collect.words.emplace_back(scenario.action_name(0));
    scenario.visit_action(0, collect);
  }
  return std::move(collect.words);
}

}  // namespace lockstep
