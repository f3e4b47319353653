// Plugins: implementations from shared libraries, named by path and judged like any other.
//
// A plugin uses plugin.h, which exchanges text and no types. So its trace is built from two runs: the system's
// reference runs the scenario and gives answers of the system's types; the plugin runs it too, and each of its texts is
// compared with the text of the reference's answer. The trace records the first difference as a Deviation, which the
// judge treats as a difference. A malformed answer, a refused scenario and a missing step are deviations as well.
//
// "PATH" names all of the plugin's implementations of a system, "PATH:NAME" one. A name belongs to a plugin if it has a
// '/' or if the path ends in ".so". Loading a plugin runs its code, so only an explicit request by the user may load
// one.
#pragma once

#include <algorithm>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/fields.hpp"
#include "lockstep/plugin.h"
#include "lockstep/registry.hpp"
#include "lockstep/scenario_of.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

/// Whether an implementation's name belongs to a plugin.
bool names_plugin(std::string_view name);
/// The path in such a name.
std::string plugin_path(std::string_view name);

/// A plugin's implementation, and its name for the judge: "PATH:NAME".
struct PluginImplementation {
  std::string name;
  const lockstep_simulator* implementation;
};

/// The plugin's implementations of the system that `name` selects, at least one; or the reason why there are none.
/// Plugins stay loaded, so that their names and functions remain valid.
std::expected<std::vector<const PluginImplementation*>, std::string> open_plugin(std::string_view name,
                                                                                 std::string_view system);

/// An implementation that open_plugin has returned before. Null if none has that name.
const PluginImplementation* known_plugin(std::string_view name);

/// Parses the text of lines_of. Total: every text of a plugin yields fields. Runs of white space become one blank, and
/// unprintable characters become '?'.
std::vector<Field> fields_of(std::string_view lines);

/// A snapshot's fields as `show` draws them: boards as pictures, one line per list item.
std::string picture_of(const std::vector<Field>& fields);

/// Receives the output of a plugin's run. A text is valid during the call only.
class PluginListener {
 public:
  virtual ~PluginListener() = default;
  virtual void observation(std::string_view lines) = 0;
  virtual void snapshot(std::string_view lines) = 0;
};

/// Runs the implementation. Returns "", or the reason that it gives for not running the scenario.
std::string run_plugin(const lockstep_simulator& implementation, const std::string& scenario,
                       std::span<const std::uint64_t> positions, volatile std::uint32_t& in_flight,
                       PluginListener& listener);

/// The end of a run: the answer to the last action ("" if there is none) and the state after it.
struct LastWords {
  std::vector<Field> observation;
  std::vector<Field> snapshot;
};
LastWords last_words(const lockstep_simulator& implementation, const std::string& scenario, std::size_t actions,
                     volatile std::uint32_t& in_flight);

/// Compares a plugin's output with the reference's trace, and records the first difference in that trace.
template <System S>
class PluginComparison final : public PluginListener {
 public:
  /// `positions`: where the trace has snapshots, in actions done.
  PluginComparison(std::span<const std::uint64_t> positions, Trace<S>& trace) : positions_{positions}, trace_{trace} {}

  void observation(std::string_view lines) override {
    if (trace_.deviation) return;
    if (next() != Next::answer) return note_instead("an answer");
    ++done_;
    compare(lines, observation_fields<S>(trace_.observations[done_ - 1]), false);
  }

  void snapshot(std::string_view lines) override {
    if (trace_.deviation) return;
    if (next() != Next::snapshot) return note_instead("a snapshot");
    compare(lines, snapshot_fields<S>(trace_.snapshots[taken_++]), true);
  }

  /// The end of the output, with the reason for a refusal, if any.
  void finish(const std::string& reason) {
    if (trace_.deviation || (reason.empty() && next() == Next::end)) return;
    note_instead(reason.empty() ? "the end" : "a refusal: " + reason);
  }

 private:
  enum class Next { snapshot, answer, end };

  Next next() const {
    if (taken_ < positions_.size() && positions_[taken_] == done_) return Next::snapshot;
    return done_ < trace_.observations.size() ? Next::answer : Next::end;
  }

  void note_instead(std::string actual) {
    switch (next()) {
      case Next::snapshot: return note(done_, true, "(next)", "a snapshot", std::move(actual), false);
      case Next::answer: return note(done_ + 1, false, "(next)", "an answer", std::move(actual), false);
      case Next::end: return note(done_, true, "(next)", "the end", std::move(actual), false);
    }
  }

  void compare(std::string_view lines, const std::vector<Field>& expected, bool in_snapshot) {
    if (lines == lines_of(expected)) return;
    // A different text may still have equal fields.
    const auto difference = first_difference(fields_of(lines_of(expected)), fields_of(lines));
    if (!difference.name.empty()) note(done_, in_snapshot, difference.name, difference.expected, difference.actual);
  }

  void note(std::size_t step, bool in_snapshot, std::string field, std::string expected, std::string actual,
            bool answered = true) {
    trace_.deviation = Deviation{step, in_snapshot, std::move(field), std::move(expected), std::move(actual), answered};
  }

  std::span<const std::uint64_t> positions_;
  Trace<S>& trace_;
  std::size_t done_ = 0;   // answers received
  std::size_t taken_ = 0;  // snapshots received
};

/// Wraps a plugin's implementation for the judge. Each trace runs `reference` as well.
template <System S>
AnyImplementation<S> implementation_of(const PluginImplementation& plugin, const AnyImplementation<S>& reference) {
  const auto trace = [implementation = plugin.implementation, expected = reference.trace](
                         const Scenario<S>& scenario, Cadence cadence, Trace<S>& out) {
    expected(scenario, cadence, out);
    std::vector<std::uint64_t> positions;
    const std::size_t total = scenario.actions.size();
    for (std::size_t done = 0; done <= total; ++done) {
      if (takes_snapshot(cadence, done, total)) positions.push_back(done);
    }
    volatile std::uint32_t unwatched = 0;
    PluginComparison<S> comparison{positions, out};
    comparison.finish(run_plugin(*implementation, scenario_text(untyped<S>(scenario)), positions,
                                 out.progress != nullptr ? *out.progress : unwatched, comparison));
  };
  return {plugin.name, Kind::plugin, plugin.implementation->about != nullptr ? plugin.implementation->about : "",
          trace};
}

/// Registers the implementations that `name` selects, unless registered already. Returns their names, or the reason for
/// the failure.
template <System S>
std::expected<std::vector<std::string>, std::string> register_plugin(std::string_view name) {
  const auto found = open_plugin(name, S::name);
  if (!found) return std::unexpected(found.error());
  const auto reference = *std::ranges::find(registry<S>(), Kind::reference, &AnyImplementation<S>::kind);
  std::vector<std::string> names;
  for (const PluginImplementation* const each : *found) {
    names.push_back(each->name);
    if (std::ranges::find(registry<S>(), each->name, &AnyImplementation<S>::name) == registry<S>().end()) {
      registry<S>().push_back(implementation_of<S>(*each, reference));
    }
  }
  return names;
}

}  // namespace lockstep
