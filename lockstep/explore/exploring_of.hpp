// The explorations of a system, for the exploring service.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lockstep/explore/bulk.hpp"
#include "lockstep/explore/exploration.hpp"
#include "lockstep/explore/exploring.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace lockstep {

/// A sweep for what works without types.
template <System S>
AnySweep any_sweep(Sweep<S> parts) {
  AnySweep out;
  for (SweepPart<S>& part : parts) {
    out.push_back(
        {std::move(part.name), part.numbers, part.each,
         [scenarios = std::move(part.scenarios)](std::uint64_t number, AnyScenario& scenario, const Judged& judged) {
           scenarios(number, typed<S>(scenario), judged);
         }});
  }
  return out;
}

/// The explorations that the system names.
template <System S>
std::vector<AnyExploration> explorations_of() {
  std::vector<AnyExploration> out;
  for (auto& each : ExplorationsOf<S>::all()) {
    AnyExploration& any =
        out.emplace_back(AnyExploration{each.name, each.about, std::holds_alternative<Bulk<S>>(each.what)});
    if (auto* const make = std::get_if<MakeSweep<S>>(&each.what)) {
      any.sweep = [make = std::move(*make)](const auto&, const auto&) { return any_sweep<S>(make()); };
    } else if (auto* const walk = std::get_if<Walk<S>>(&each.what)) {
      any.depth = walk->depth;
      any.start = vocabulary<S>().scenario();
      typed<S>(*any.start).setup = std::move(walk->start);
    } else if constexpr (Given<BitsOf<S>>) {
      any.sweep = [bulk = std::get<Bulk<S>>(each.what)](const std::vector<std::string>& implementations,
                                                        const ExploreOptions& options) {
        return bulk_sweep<S>(bulk, options.positions, options.seed,
                             implementations_named(vocabulary<S>(), implementations));
      };
    }
  }
  return out;
}

}  // namespace lockstep
