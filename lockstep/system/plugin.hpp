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

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe/fields.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/plugin.h"

namespace lockstep {

/// Whether an implementation's name belongs to a plugin.
bool names_plugin(std::string_view name);
/// The path in such a name.
std::string plugin_path(std::string_view name);

/// A plugin's implementation that was registered before, by its name for the judge: "PATH:NAME". Null if none has that name.
const lockstep_simulator* known_plugin(std::string_view name);

/// Parses the text of lines_of. Total: every text of a plugin yields fields. Runs of white space become one blank, and
/// unprintable characters become '?'.
std::vector<Field> fields_of(std::string_view lines);

/// A snapshot's fields as `show` draws them: boards as pictures, one line per list item.
std::string picture_of(const std::vector<Field>& fields);

/// All that a run says.
struct PluginTexts {
  std::vector<std::vector<Field>> answers;    // answers[i]: to action i
  std::vector<std::vector<Field>> snapshots;  // in the order of the positions that were asked for
  std::string refusal;                        // the reason that it gives for not running the scenario; empty: none
};
/// Keeps one answer and one snapshot more than was asked for, if there are more: that shows the mistake.
PluginTexts texts_of_run(const lockstep_simulator& implementation, const AnyScenario& scenario,
                         std::span<const std::uint64_t> positions, volatile std::uint32_t& in_flight);

/// The plugin's implementation for the judge. Each run runs `reference` as well.
Runner implementation_of(std::string_view name, const lockstep_simulator& implementation, const Runner& reference);

/// Registers the implementations of the system that `name` selects, unless registered already. Returns their names, at
/// least one, or the reason why there are none. Plugins stay loaded, so that their names and functions remain valid.
std::expected<std::vector<std::string>, std::string> register_plugin(const Vocabulary& system, std::string_view name);

}  // namespace lockstep
