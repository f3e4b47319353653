#include "lockstep/explore/exploring.hpp"

#include <algorithm>
#include <set>

#include "lockstep/base/error.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/explore/bulk.hpp"
#include "lockstep/system/check_description.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

/// The names of the fields of actions, and the same with their kind, KIND.FIELD. Which fields an action has may depend
/// on its values, so that many are drawn.
std::pair<std::vector<std::string>, std::vector<std::string>> bounded_names(const AnyScenario& start) {
  constexpr int drawn = 64;
  std::set<std::string> fields;
  std::set<std::string> of_kinds;
  Random random{1};
  AnyScenario scenario = start;
  scenario.truncate(0);
  const auto kinds = start.vocabulary().kinds();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (int i = 0; i < drawn; ++i) {
      scenario.set_action(0, kind);
      DrawFields draw{random, false};
      scenario.visit_action(0, draw);
      for (const auto& name : field_names(scenario, 0)) {
        fields.insert(name);
        of_kinds.insert(std::string{kinds[kind].name} + "." + name);
      }
    }
  }
  return {{fields.begin(), fields.end()}, {of_kinds.begin(), of_kinds.end()}};
}

/// The reference's positions in a scenario: all, or the last. Computed one window at a time, so that memory stays
/// bounded.
void add_positions(const AnyScenario& scenario, const Runner& reference, bool all, std::vector<AnyScenario>& out) {
  constexpr std::size_t window = 256;
  const Vocabulary& system = scenario.vocabulary();
  const std::size_t total = scenario.size();
  AnyTrace trace = system.trace();
  const auto add = [&](std::size_t taken) {
    system.restate(scenario, trace, taken, true, out.emplace_back(system.scenario()));
  };
  if (!all) {
    reference.run(scenario, Cadence{}, trace);
    if (const auto& deviation = trace.deviation()) {
      throw BadInput{"the reference throws " + deviation->actual + " at action " + std::to_string(deviation->step) +
                     " of the scenario to start from: there is no position "
                     "after it"};
    }
    add(trace.snapshots() - 1);
    return;
  }
  for (std::size_t from = 0; from <= total; from += window) {
    const Cadence cadence{from, from + window - 1};
    reference.run(scenario, cadence, trace);
    // There are fewer snapshots if the reference threw.
    for (std::size_t done = 0, taken = 0; done <= total && taken < trace.snapshots(); ++done) {
      if (!takes_snapshot(cadence, done, total)) continue;
      if (done >= from && done < from + window) add(taken);
      ++taken;
    }
  }
}

std::expected<std::unique_ptr<Explorer>, std::string> start_walk(const Vocabulary& system,
                                                                 const std::vector<Runner>& compared,
                                                                 const ExploreOptions& options,
                                                                 const std::vector<AnyScenario>& starts) {
  if (options.bounds.empty()) return walk_from(system, compared, options, starts);
  const auto [fields, of_kinds] = bounded_names(starts.front());
  for (const Bound& bound : options.bounds) {
    const bool of_kind = bound.name.contains('.') && std::ranges::find(fields, bound.name) == fields.end();
    const auto& known = of_kind ? of_kinds : fields;
    if (std::ranges::find(known, bound.name) != known.end()) continue;
    return std::unexpected(unknown_name("field", bound.name, known, " in actions of " + std::string{system.name()}));
  }
  auto walk = walk_from(system, compared, options, starts);
  if (std::ranges::none_of(starts, [&](const auto& start) { return has_action(start, options); })) {
    std::vector<std::string> bounds;
    for (const Bound& bound : options.bounds) bounds.push_back(bound.text());
    return std::unexpected("no action at the start is inside the bounds " + joined(bounds, ", ") + ": widen them");
  }
  return walk;
}

}  // namespace

std::vector<AnyExploration> explorations_of(const SystemParts& system) {
  if (system.explorations == nullptr) return {};
  return system.explorations();
}

std::expected<std::unique_ptr<Explorer>, std::string> start_exploring(const SystemParts& parts,
                                                                      const ExploreStart& from,
                                                                      const std::vector<std::string>& implementations,
                                                                      const ExploreOptions& options) {
  const Vocabulary& system = parts.vocabulary;
  if (!system.can_restate()) {
    return std::unexpected(std::string{system.name()} +
                           " cannot be explored: it has no snapshot that can be given as a setup");
  }
  const auto compared = implementations_named(system, implementations);
  if (!from.exploration.empty()) {
    for (const auto& each : explorations_of(parts)) {
      if (each.name != from.exploration) continue;
      if (each.sweep) {
        auto sweep = each.sweep(implementations, options);
        if (!sweep) return std::unexpected(each.name + ": " + sweep.error());
        return sweep_over(system, compared, options, std::move(*sweep));
      }
      ExploreOptions deep = options;
      if (deep.depth == 0) deep.depth = each.depth.value();
      return start_walk(system, compared, deep, {each.start.value()});
    }
    return std::unexpected(std::string{system.name()} + " has no exploration '" + from.exploration + "'");
  }
  std::vector<AnyScenario> starts;
  for (const auto& [source, text] : from.texts) {
    const auto scenario = parse_scenario(system, text);
    if (!scenario) return std::unexpected(scenario.error().message(source));
    add_positions(*scenario, compared.front(), from.every_position, starts);
  }
  return start_walk(system, compared, options, starts);
}

}  // namespace lockstep

namespace lockstep::bulk {

void contradicts(const std::string& names, const AnyScenario& scenario) {
  throw InternalError{"answer_many answers otherwise among many, in " + names + ", on\n" + scenario_text(scenario)};
}

}  // namespace lockstep::bulk
