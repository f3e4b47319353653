// The exploring service as a template over a system.
#pragma once

#include "lockstep/exploration.hpp"
#include "lockstep/services/exploring.hpp"
#include "lockstep/services/roster.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

template <System S>
class ExploringOf final : public Exploring {
 public:
  std::vector<ExplorationInfo> explorations() const override {
    std::vector<ExplorationInfo> out;
    for (const auto& each : lockstep::explorations<S>()) {
      const auto* const walk = std::get_if<Walk<S>>(&each.what);
      out.push_back({each.name, each.about, walk != nullptr ? std::optional{walk->depth} : std::nullopt});
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
    const auto compared = implementations_named<S>(implementations);
    if (!from.exploration.empty()) {
      for (auto& each : lockstep::explorations<S>()) {
        if (each.name != from.exploration) continue;
        if (const auto* const make = std::get_if<MakeSweep<S>>(&each.what)) {
          return std::make_unique<SweepExplorer<S>>(compared, options, (*make)());
        }
        const auto& walk = std::get<Walk<S>>(each.what);
        ExploreOptions deep = options;
        if (deep.depth == 0) deep.depth = walk.depth;
        return std::make_unique<WalkExplorer<S>>(compared, deep, std::vector{walk.start});
      }
      return std::unexpected(std::string{S::name} + " has no exploration '" + from.exploration + "'");
    }
    std::vector<typename S::Setup> starts;
    for (const auto& [source, text] : from.texts) {
      const auto scenario = parse_scenario<S>(text);
      if (!scenario) return std::unexpected(scenario.error().message(source));
      add_positions(*scenario, compared.front(), from.every_position, starts);
    }
    return std::make_unique<WalkExplorer<S>>(compared, options, starts);
  }

 private:
  /// The reference's positions in a scenario: all, or the last. Computed one window at a time, so that memory stays
  /// bounded.
  static void add_positions(const Scenario<S>& scenario, const AnyImplementation<S>& reference, bool all,
                            std::vector<typename S::Setup>& out) {
    constexpr std::size_t window = 256;
    const std::size_t total = scenario.actions.size();
    Trace<S> trace;
    if (!all) {
      reference.trace(scenario, Cadence{}, trace);
      out.push_back(restate<S>(scenario.setup, trace.snapshots.back()));
      return;
    }
    for (std::size_t from = 0; from <= total; from += window) {
      const Cadence cadence{from, from + window - 1};
      reference.trace(scenario, cadence, trace);
      for (std::size_t done = 0, taken = 0; done <= total; ++done) {
        if (!takes_snapshot(cadence, done, total)) continue;
        const auto& snapshot = trace.snapshots[taken++];
        if (done >= from && done < from + window) out.push_back(restate<S>(scenario.setup, snapshot));
      }
    }
  }
};

}  // namespace lockstep
