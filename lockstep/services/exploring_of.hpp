// The exploring service as a template over a system.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/bulk.hpp"
#include "lockstep/check_description.hpp"
#include "lockstep/draw.hpp"
#include "lockstep/exploration.hpp"
#include "lockstep/services/exploring.hpp"
#include "lockstep/services/implementations.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

template <System S>
class ExploringOf final : public Exploring {
 public:
  std::vector<ExplorationInfo> explorations() const override {
    std::vector<ExplorationInfo> out;
    for (const auto& each : lockstep::explorations<S>()) {
      const auto* const walk = std::get_if<Walk<S>>(&each.what);
      out.push_back({each.name, each.about, walk != nullptr ? std::optional{walk->depth} : std::nullopt,
                     std::holds_alternative<Bulk<S>>(each.what)});
    }
    return out;
  }

  std::vector<std::string> answering_many(const std::vector<std::string>& implementations) const override {
    std::vector<std::string> out;
    for (const auto& each : lockstep::answering_many<S>(implementations_named<S>(implementations))) {
      out.emplace_back(each.name);
    }
    return out;
  }

  std::vector<std::string> action_names() const override {
    std::vector<std::string> out;
    for (std::size_t kind = 0; kind < action_kinds<typename S::Action>; ++kind) {
      out.emplace_back(action_name(alternative<typename S::Action>(kind)));
    }
    return out;
  }

  std::expected<std::unique_ptr<Explorer>, std::string> start(const ExploreStart& from,
                                                              const std::vector<std::string>& implementations,
                                                              const ExploreOptions& options) const override {
    if constexpr (can_restate<S>) return start_walk_or_sweep(from, implementations, options);
    else
      return std::unexpected(std::string{S::name} +
                             " cannot be explored: it has no snapshot that can be given as a setup");
  }

 private:
  static std::expected<std::unique_ptr<Explorer>, std::string> start_walk_or_sweep(
      const ExploreStart& from, const std::vector<std::string>& implementations, const ExploreOptions& options) {
    const auto compared = implementations_named<S>(implementations);
    if (!from.exploration.empty()) {
      for (auto& each : lockstep::explorations<S>()) {
        if (each.name != from.exploration) continue;
        if (const auto* const make = std::get_if<MakeSweep<S>>(&each.what)) {
          return std::make_unique<SweepExplorer<S>>(compared, options, (*make)());
        }
        if constexpr (Given<BitsOf<S>>) {
          if (const auto* const bulk = std::get_if<Bulk<S>>(&each.what)) {
            auto sweep = bulk_sweep<S>(*bulk, options.positions, options.seed, compared);
            if (!sweep) return std::unexpected(each.name + ": " + sweep.error());
            return std::make_unique<SweepExplorer<S>>(compared, options, std::move(*sweep));
          }
        }
        const auto& walk = std::get<Walk<S>>(each.what);
        ExploreOptions deep = options;
        if (deep.depth == 0) deep.depth = walk.depth;
        return start_walk(compared, deep, {walk.start});
      }
      return std::unexpected(std::string{S::name} + " has no exploration '" + from.exploration + "'");
    }
    std::vector<typename S::Setup> starts;
    for (const auto& [source, text] : from.texts) {
      const auto scenario = parse_scenario<S>(text);
      if (!scenario) return std::unexpected(scenario.error().message(source));
      add_positions(*scenario, compared.front(), from.every_position, starts);
    }
    return start_walk(compared, options, starts);
  }

  static std::expected<std::unique_ptr<Explorer>, std::string> start_walk(
      const std::vector<AnyImplementation<S>>& compared, const ExploreOptions& options,
      const std::vector<typename S::Setup>& starts) {
    if (options.bounds.empty()) return std::make_unique<WalkExplorer<S>>(compared, options, starts);
    const auto [fields, of_kinds] = bounded_names(starts.front());
    for (const Bound& bound : options.bounds) {
      const bool of_kind = bound.name.contains('.') && std::ranges::find(fields, bound.name) == fields.end();
      const auto& known = of_kind ? of_kinds : fields;
      if (std::ranges::find(known, bound.name) != known.end()) continue;
      return std::unexpected(unknown_name("field", bound.name, known, " in actions of " + std::string{S::name}));
    }
    auto walk = std::make_unique<WalkExplorer<S>>(compared, options, starts);
    if (std::ranges::none_of(starts, [&](const auto& start) { return walk->has_action(start); })) {
      std::vector<std::string> bounds;
      for (const Bound& bound : options.bounds) bounds.push_back(bound.text());
      return std::unexpected("no action at the start is inside the bounds " + joined(bounds, ", ") + ": widen them");
    }
    return walk;
  }

  /// The names of the fields of actions, and the same with their kind, KIND.FIELD. Which fields an action has may depend
  /// on its values, so that many are drawn.
  static std::pair<std::vector<std::string>, std::vector<std::string>> bounded_names(const typename S::Setup& start) {
    constexpr int drawn = 64;
    std::set<std::string> fields;
    std::set<std::string> of_kinds;
    Random random{1};
    for (std::size_t kind = 0; kind < action_kinds<typename S::Action>; ++kind) {
      for (int i = 0; i < drawn; ++i) {
        auto action = alternative<typename S::Action>(kind);
        DrawFields draw{random, false};
        visit_action<S>(draw, start, action);
        CheckDescription names{{}, true};
        visit_action<S>(names, start, action);
        for (const auto& name : names.names()) {
          fields.insert(name);
          of_kinds.insert(std::string{action_name(action)} + "." + name);
        }
      }
    }
    return {{fields.begin(), fields.end()}, {of_kinds.begin(), of_kinds.end()}};
  }

  /// The reference's positions in a scenario: all, or the last. Computed one window at a time, so that memory stays
  /// bounded.
  static void add_positions(const Scenario<S>& scenario, const AnyImplementation<S>& reference, bool all,
                            std::vector<typename S::Setup>& out) {
    constexpr std::size_t window = 256;
    const std::size_t total = scenario.actions.size();
    Trace<S> trace;
    if (!all) {
      reference.trace(scenario, Cadence{}, trace);
      if (trace.deviation) {
        throw BadInput{"the reference throws " + trace.deviation->actual + " at action " +
                       std::to_string(trace.deviation->step) +
                       " of the scenario to start from: there is no position "
                       "after it"};
      }
      out.push_back(restate<S>(scenario.setup, trace.snapshots.back()));
      return;
    }
    for (std::size_t from = 0; from <= total; from += window) {
      const Cadence cadence{from, from + window - 1};
      reference.trace(scenario, cadence, trace);
      for (std::size_t done = 0, taken = 0; done <= total; ++done) {
        if (taken == trace.snapshots.size()) break;  // the reference threw
        if (!takes_snapshot(cadence, done, total)) continue;
        const auto& snapshot = trace.snapshots[taken++];
        if (done >= from && done < from + window) out.push_back(restate<S>(scenario.setup, snapshot));
      }
    }
  }
};

}  // namespace lockstep
