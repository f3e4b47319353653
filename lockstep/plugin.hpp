// Plugins: implementations from shared libraries, found by name and judged like any other.
//
// A plugin speaks plugin.h: words, no types. So its trace is made of two. The system's reference plays the scenario and
// gives answers of the system's types; the plugin plays it too, and each thing that it says is compared with the words
// for what the reference answered. Where they first differ the trace notes a Deviation, which the judge treats as a
// difference. An answer that is no answer, a refused scenario, a step left out: all of them are deviations.
//
// "PATH" names all of the plugin's implementations of a system, "PATH:NAME" one; a name is one of a plugin when it has a '/'
// or when the path ends in ".so". Loading a plugin runs its code: nothing but a person's own words may cause that.
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
#include "lockstep/text.hpp"

namespace lockstep {

/// Whether an implementation's name is one of a plugin.
bool names_plugin(std::string_view name);

/// An implementation as a plugin has it, and the name under which the judge knows it: "PATH:NAME".
struct PluginImplementation {
  std::string name;
  const lockstep_simulator* implementation;
};

/// The plugin's implementations of the system that `name` asks for, at least one; or why there are none. What was loaded
/// stays, so that names and functions do.
std::expected<std::vector<const PluginImplementation*>, std::string> open_plugin(std::string_view name,
                                                                                 std::string_view system);

/// One that open_plugin has answered before; null when there is none of that name.
const PluginImplementation* known_plugin(std::string_view name);

/// Reads what lines_of wrote. Total: whatever a plugin says is fields; white space counts for one blank, and what
/// cannot be printed becomes '?'.
std::vector<Field> fields_of(std::string_view lines);

/// A snapshot's fields as `show` draws them: boards as pictures, an item of a list in a line.
std::string picture_of(const std::vector<Field>& fields);

/// Hears a plugin play. Every text lives during the call only.
class PluginListener {
 public:
  virtual ~PluginListener() = default;
  virtual void observation(std::string_view lines) = 0;
  virtual void snapshot(std::string_view lines) = 0;
};

/// Lets it play; "" or the reason that it gives for not having done so.
std::string play(const lockstep_simulator& implementation, const std::string& scenario,
                 std::span<const std::uint64_t> positions, volatile std::uint32_t& in_flight, PluginListener& listener);

/// What it says last of all: the answer to the last action ("" when there is none) and the state after it.
struct LastWords {
  std::vector<Field> observation;
  std::vector<Field> snapshot;
};
LastWords last_words(const lockstep_simulator& implementation, const std::string& scenario, std::size_t actions,
                     volatile std::uint32_t& in_flight);

/// Compares what a plugin says with what the reference's trace shows, and notes the first difference in that trace.
template <System S>
class PluginComparison final : public PluginListener {
 public:
  /// The positions are those at which the trace has snapshots.
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

  /// Nothing more will be said, for this reason if there is one.
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
      case Next::snapshot: return note(done_, true, "(next)", "a snapshot", std::move(actual));
      case Next::answer: return note(done_ + 1, false, "(next)", "an answer", std::move(actual));
      case Next::end: return note(done_, true, "(next)", "the end", std::move(actual));
    }
  }

  void compare(std::string_view lines, const std::vector<Field>& expected, bool in_snapshot) {
    if (lines == lines_of(expected)) return;
    // Said differently, which need not mean that something else was said.
    const auto difference = first_difference(fields_of(lines_of(expected)), fields_of(lines));
    if (!difference.name.empty()) note(done_, in_snapshot, difference.name, difference.expected, difference.actual);
  }

  void note(std::size_t step, bool in_snapshot, std::string field, std::string expected, std::string actual) {
    trace_.deviation = Deviation{step, in_snapshot, std::move(field), std::move(expected), std::move(actual)};
  }

  std::span<const std::uint64_t> positions_;
  Trace<S>& trace_;
  std::size_t done_ = 0;   // answers heard
  std::size_t taken_ = 0;  // snapshots heard
};

/// A plugin's implementation as the judge wants it, beside the reference that it is compared with.
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
    comparison.finish(play(*implementation, scenario_text<S>(scenario), positions,
                           out.progress != nullptr ? *out.progress : unwatched, comparison));
  };
  return {plugin.name, Kind::plugin, plugin.implementation->about != nullptr ? plugin.implementation->about : "",
          trace};
}

/// Adds to the roster what `name` asks for and is not there yet. The names of all that it asks for, or why not.
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
