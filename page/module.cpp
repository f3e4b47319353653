// A game's module: what a page needs to judge a changed scenario in the browser, compiled for WebAssembly without
// exceptions (page/CMakeLists.txt, once per game, which defines ThisSystem).
//
// The page (module.js) writes a request into the memory that lockstep_room returns, and calls lockstep_ask. A request
// is a line of words, then the scenario's text. Its answer is JSON:
//
//   implementations          {"names": […]}
//   read                     {"text", "actions", "boards"}: the text in its canonical form, its actions, the setup's
//                            boards with what their cells can hold
//   run NAME ACTIONS         {"end", "positions"}: the first ACTIONS actions, as recording.hpp has them
//   judge NAMES ACTIONS      {"divergence", "reason"}
//   put CELL VALUE           {"text"}: a cell of the setup changed; made lawful again (fit.hpp)
//   reductions               {"texts": […], "complete"}: every one-step reduction (reduce.hpp)
//   explain NAMES MS         {"why"}: what matters (explain.hpp)
//
// Any other answer is {"error", "line"}. Without exceptions, an implementation that throws ends the module, as one does
// that crashes or hangs: the page reads lockstep_in_flight, and starts a new one.
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/lines.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/shrink/explain.hpp"
#include "lockstep/system/scenario_of.hpp"
#include "lockstep/text/text.hpp"
#include "page/film.hpp"

namespace lockstep::page {
namespace {

const Vocabulary& game() { return vocabulary<ThisSystem>(); }

JudgeProgress in_flight;

constexpr std::size_t reductions_max = 4'000;

std::size_t number_of(std::string_view& line) {
  const std::string_view word = take_word(line);
  std::size_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

std::vector<Runner> named(std::string_view names) {
  std::vector<Runner> out;
  for (const auto& each : game().implementations()) {
    const std::string wanted = "," + std::string{each.name} + ",";
    if (("," + std::string{names} + ",").find(wanted) != std::string::npos) out.push_back(each);
  }
  return out;
}

/// The boards of a setup: {"name", "rows", "columns", "cells", "symbols"}. With "size" instead of symbols, cells are
/// numbers below it.
class Boards final : public Fields {
 public:
  Json boards = Json::array();

  void visit_number(std::string_view, Number&, Number, Number, const NumberAs&) override {}
  void board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) override {
    Json out{{"name", name}, {"rows", grid.rows}, {"columns", grid.columns}, {"cells", grid.cells}};
    if (alphabet.numeric()) out["size"] = alphabet.size;
    else out["symbols"] = alphabet.symbols;
    boards.push_back(std::move(out));
  }
  void visit_list(std::string_view, Items& items, int, int) override { items.visit_all(*this); }
};

Json read(const AnyScenario& scenario) {
  Boards collect;
  scenario.read_setup(collect);
  return {{"text", scenario_text(scenario)},
          {"actions", actions_json(recorded_actions(scenario, {0, scenario.size()}))},
          {"boards", collect.boards}};
}

std::string run(const AnyScenario& scenario, std::string_view name) {
  const auto implementations = named(name);
  const PositionRange range{0, scenario.size()};
  const RunSource source = traced_source(implementations.front(), scenario, range, &in_flight.step);
  const RecordedRun run = recorded_run(source, range, range.last, recording_bytes_max);
  Json out{{"first", run.range.first}, {"last", run.range.last}};
  if (run.end) out["end"] = {{"step", run.end->step}, {"reason", run.end->reason}};
  return with_positions(out, run);
}

Json judge(const AnyScenario& scenario, std::string_view names) {
  Judge judge{game(), named(names), &in_flight};
  const Verdict verdict = judge.judge(scenario);
  return {{"divergence", divergence_json(verdict.divergence)}, {"reason", verdict.reason}};
}

Json put(const AnyScenario& scenario, std::size_t cell, std::size_t value) {
  return {{"text", scenario_text(with_parts(scenario, {}, cell_setter(cell, static_cast<std::uint8_t>(value))))}};
}

Json reductions(const AnyScenario& scenario) {
  Json texts = Json::array();
  const auto stopped = reduction_from(scenario, 0, [&](const AnyScenario& candidate) {
    texts.push_back(scenario_text(candidate));
    return texts.size() == reductions_max;
  });
  return {{"texts", std::move(texts)}, {"complete", !stopped}};
}

Json explain(const AnyScenario& scenario, std::string_view names, std::size_t time_ms) {
  Judge judge{game(), named(names), &in_flight};
  const auto explanation = lockstep::explain([&](const AnyScenario& changed) { return judge.judge(changed); },
                                             std::chrono::milliseconds{time_ms}, scenario);
  return {{"why", explanation ? explanation_json(*explanation, {0, scenario.size()}) : Json(nullptr)}};
}

Json implementations() {
  Json names = Json::array();
  for (const auto& each : game().implementations()) names.push_back(each.name);
  return {{"names", std::move(names)}};
}

std::string answer(std::string_view request) {
  std::string_view line = take_line(request);
  const std::string_view verb = take_word(line);
  if (verb == "implementations") return json_text(implementations());
  auto scenario = parse_scenario(game(), request);
  if (!scenario) return json_text({{"error", scenario.error().what}, {"line", scenario.error().line}});
  if (scenario->size() >= recorded_positions_max) return json_text({{"error", "too many actions"}, {"line", 0}});
  const auto shorten = [&] { scenario->truncate(number_of(line)); };
  if (verb == "read") return json_text(read(*scenario));
  if (verb == "reductions") return json_text(reductions(*scenario));
  const std::string_view names = verb == "put" ? "" : take_word(line);
  if (verb == "run") {
    shorten();
    return run(*scenario, names);
  }
  if (verb == "judge") {
    shorten();
    return json_text(judge(*scenario, names));
  }
  const std::size_t number = number_of(line);
  if (verb == "put") return json_text(put(*scenario, number, number_of(line)));
  return json_text(explain(*scenario, names, number));
}

std::string room;

}  // namespace
}  // namespace lockstep::page

extern "C" {

/// Memory for a request of so many bytes; it stays until the next call.
[[gnu::visibility("default")]] char* lockstep_room(std::size_t bytes) {
  lockstep::page::room.resize(bytes);
  return lockstep::page::room.data();
}

/// The zero-terminated answer to the request in the room. It takes the request's place.
[[gnu::visibility("default")]] const char* lockstep_ask() {
  const std::string request = std::move(lockstep::page::room);
  lockstep::page::room = lockstep::page::answer(request);
  return lockstep::page::room.c_str();
}

/// Two 32-bit numbers: the implementation in flight, as an index into those that were named; and its action.
[[gnu::visibility("default")]] const void* lockstep_in_flight() { return &lockstep::page::in_flight; }

}  // extern "C"
