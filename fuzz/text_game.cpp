#include "fuzz/text_game.hpp"

#include LOCKSTEP_SYSTEM

#include <algorithm>

#include "lockstep/fuzz/fuzz_work.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/round_trip.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

using S = ThisSystem;

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
std::string flaw_of(const Scenario<S>& scenario) {
  if (const auto flaw = lockstep::flaw<S>(scenario.setup)) return "an unlawful setup was read: " + flaw->what;
  return fault_of_round_trips<S>(scenario);
}

std::string scenario_reader(std::string_view text) {
  for (const auto& name : notes_of(text).implementations) {
    if (name.find_first_of(",\r\n") != std::string::npos) return "an implementation's name holds a separator";
  }
  const auto scenario = parse_scenario<S>(text);
  return scenario ? flaw_of(*scenario) : flaw_of(scenario.error(), text);
}

/// Reads the original problem's input and, when that is cheap, runs the reference on it.
template <class J>
std::string judge_reader(std::string_view text) {
  const auto cases = J::read(text);
  if (!cases) return flaw_of(cases.error(), text);
  const Runner& reference = reference_of(vocabulary<S>());
  std::size_t actions = 0;
  Trace<S> trace;
  for (const ProblemCase<S>& one : *cases) {
    if (std::string flaw = flaw_of(one.scenario); !flaw.empty()) return flaw;
    actions += one.scenario.actions.size() + 1;
    if (actions > actions_max(untyped<S>(one.scenario)) / 8) continue;
    run_typed<S>(reference, one.scenario, Cadence{}, trace);
    const auto printed = J::print(one, trace.observations);
    if (printed) continue;
    if (std::string flaw = flaw_of(printed.error(), text); !flaw.empty()) return flaw;
  }
  return "";
}

/// A template, so that a system without a problem format needs no reader.
template <class Judged>
std::string broken_judge_format(std::string_view text) {
  if constexpr (requires { typename Judged::ProblemFormat; }) {
    if (const std::string law = judge_reader<typename Judged::ProblemFormat>(text); !law.empty())
      return "judge format: " + law;
  }
  return "";
}

std::string broken_law(std::string_view text) {
  if (const std::string law = scenario_reader(text); !law.empty()) return "scenario: " + law;
  return broken_judge_format<S>(text);
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

std::vector<std::string> words() {
  Dictionary collect;
  collect.words = {"lockstep", "actions", std::string{S::name}};
  typename S::Setup setup{};
  visit_setup<S>(collect, setup);
  for (std::size_t kind = 0; kind < action_kinds<typename S::Action>; ++kind) {
    auto action = alternative<typename S::Action>(kind);
    collect.words.emplace_back(action_name(action));
    visit_action<S>(collect, Past<S>{setup}, action);
  }
  return std::move(collect.words);
}

[[maybe_unused]] const bool added = (text_systems().push_back({S::name, broken_law, words}), true);

}  // namespace
}  // namespace lockstep
