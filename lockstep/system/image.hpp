// An implementation under a symmetry, judged like another implementation: a metamorphic law that needs no reference.
//
// It runs a scenario and its image (symmetry.hpp). Its trace is that of the scenario itself, with a deviation at the
// first step at which the image's answer is not the image of the answer. Answers that a symmetry maps through a
// snapshot are compared where the cadence has one; the judge's second pass, which takes all, names the first step.
#pragma once

#include <string>

#include "lockstep/describe/fields.hpp"
#include "lockstep/describe/symmetry.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace lockstep {

template <System S>
class Image final : public Runner::Code {
 public:
  Image(Runner implementation, Symmetry<S> symmetry)
      : implementation_{std::move(implementation)}, symmetry_{std::move(symmetry)} {}

  void run(const AnyScenario& any, Cadence cadence, AnyTrace& any_out) const override {
    const Scenario<S>& scenario = typed<S>(any);
    Trace<S>& out = typed<S>(any_out);
    Scenario<S> image{.setup = symmetry_.setup(scenario.setup), .actions = {}};
    image.actions.reserve(scenario.actions.size());
    for (const auto& action : scenario.actions) image.actions.push_back(symmetry_.action(scenario.setup, action));
    Trace<S> mapped;
    mapped.progress = out.progress;
    AnyTrace any_mapped = untyped<S>(mapped);
    implementation_.run(untyped<S>(image), cadence, any_mapped);
    implementation_.run(any, cadence, any_out);
    if (out.deviation || mapped.deviation) out.deviation = exception_of(out, mapped);
    else out.deviation = deviation(scenario, cadence, out, mapped);
  }

 private:
  /// What the image threw, when it did not throw the same as the original.
  static Deviation exception_of(const Trace<S>& trace, const Trace<S>& mapped) {
    if (trace.deviation == mapped.deviation || !trace.deviation) return *mapped.deviation;
    const std::string thrown = mapped.deviation ? mapped.deviation->actual : "none";
    return {trace.deviation->step, false, std::string{exception_field}, trace.deviation->actual, thrown};
  }

  std::optional<Deviation> deviation(const Scenario<S>& scenario, Cadence cadence, const Trace<S>& trace,
                                     const Trace<S>& mapped) const {
    const std::size_t total = scenario.actions.size();
    for (std::size_t done = 0, taken = 0; done <= total; ++done) {
      const auto* const snapshot = takes_snapshot(cadence, done, total) ? &trace.snapshots[taken] : nullptr;
      if (done > 0) {
        const auto expected = observation(scenario, done - 1, trace.observations[done - 1], snapshot);
        const auto& actual = mapped.observations[done - 1];
        if (expected && !same_answer<S>(*expected, actual)) {
          return named(done, false, observation_fields<S>(*expected), observation_fields<S>(actual));
        }
      }
      if (snapshot == nullptr) continue;
      const auto expected = this->snapshot(scenario.setup, *snapshot);
      const auto& actual = mapped.snapshots[taken++];
      if (!(expected == actual)) {
        return named(done, true, snapshot_fields<S>(expected), snapshot_fields<S>(actual));
      }
    }
    return std::nullopt;
  }

  /// The expected answer of the image; nullopt if it cannot be compared.
  std::optional<typename S::Observation> observation(const Scenario<S>& scenario, std::size_t step,
                                                     const typename S::Observation& own,
                                                     const SnapshotOf<S>* after) const {
    if (!symmetry_.observation) return own;
    if (after == nullptr) return std::nullopt;
    return symmetry_.observation(scenario.setup, scenario.actions[step], own, *after);
  }

  SnapshotOf<S> snapshot(const typename S::Setup& setup, const SnapshotOf<S>& own) const {
    if (symmetry_.snapshot) return symmetry_.snapshot(setup, own);
    if constexpr (std::same_as<typename S::Setup, SnapshotOf<S>>) return symmetry_.setup(own);
    else return own;
  }

  static Deviation named(std::size_t step, bool in_snapshot, const std::vector<Field>& expected,
                         const std::vector<Field>& actual) {
    const FieldDifference difference = first_difference(expected, actual);
    return {step, in_snapshot, difference.name, difference.expected, difference.actual};
  }

  Runner implementation_;
  Symmetry<S> symmetry_;
};

}  // namespace lockstep
