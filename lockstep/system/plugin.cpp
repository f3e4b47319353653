#include "lockstep/system/plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "lockstep/base/lines.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

/// The parts of "PATH:NAME". Without a colon, or with one inside the path, all of it is the path.
struct PluginName {
  std::string path;
  std::string implementation;

  explicit PluginName(std::string_view name) : path{name} {
    const std::size_t colon = name.rfind(':');
    if (colon == std::string_view::npos || name.find('/', colon) != std::string_view::npos) return;
    path = name.substr(0, colon);
    implementation = name.substr(colon + 1);
  }
};

using Failure = std::unexpected<std::string>;

/// All loaded implementations by name; a map, so that their addresses remain valid.
std::map<std::string, const lockstep_simulator*, std::less<>>& loaded() {
  static std::map<std::string, const lockstep_simulator*, std::less<>> all;
  return all;
}

std::string entry_fault(const lockstep_simulator& s) {
  if (s.game == nullptr || s.name == nullptr || s.play == nullptr) {
    return "one of its implementations has no system, name or play";
  }
  const std::string_view name = s.name;
  const auto fits = [](unsigned char c) { return c == '_' || std::isalnum(c) != 0; };
  if (name.empty() || !std::ranges::all_of(name, fits))
    return "an implementation's name must be letters, digits and '_'";
  return "";
}

/// The linker's message, with an explanation if a sanitizer's symbols are missing.
std::string explained_fault(const std::string& said) {
  for (const std::string_view part : {"asan", "ubsan", "msan", "tsan", "sancov", "sanitizer"}) {
    if (said.find("undefined symbol: __" + std::string{part}) == std::string::npos) continue;
    return said + " (it was built with a sanitizer or for a fuzzing engine, and this program was not)";
  }
  return said + "; expected a shared library that exports what lockstep/plugin.h says";
}

std::expected<const lockstep_plugin*, std::string> load(const std::string& path) {
  const auto failure = [&](const std::string& what) { return Failure{"the plugin '" + path + "'" + what}; };
  // Without a slash, dlopen searches the system's library folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  // In a child first: a library with a sanitizer runtime of its own may end the process that loads it, with a status that
  // looks like a verdict.
  constexpr std::chrono::minutes patience{1};
  const ChildResult trial = run_in_child(
      [&] {
        dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        return std::string{};
      },
      patience);
  if (trial.end == ChildResult::End::died || trial.end == ChildResult::End::timed_out)
    return failure(" cannot be loaded: the process that loads it " + trial.reason);
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return failure(" cannot be loaded: " + explained_fault(dlerror()));
  const auto entry = reinterpret_cast<decltype(&lockstep_plugin_entry)>(dlsym(library, "lockstep_plugin_entry"));
  if (entry == nullptr)
    return Failure{"'" + path + "' is no plugin: it does not export lockstep_plugin_entry (lockstep/plugin.h)"};
  const lockstep_plugin* const plugin = entry();
  if (plugin == nullptr) return failure(": its lockstep_plugin_entry answers null");
  if (plugin->version != LOCKSTEP_PLUGIN_VERSION) {
    return failure(" speaks version " + std::to_string(plugin->version) + " of lockstep/plugin.h; expected " +
                   std::to_string(LOCKSTEP_PLUGIN_VERSION));
  }
  if (plugin->simulator_count > 0 && plugin->simulators == nullptr) return failure(": its implementations are null");
  for (const auto& implementation : std::span{plugin->simulators, plugin->simulator_count}) {
    if (const std::string fault = entry_fault(implementation); !fault.empty()) return failure(": " + fault);
  }
  return plugin;
}

/// Trims blanks, joins runs of them, and replaces unprintable characters by '?'.
std::string tidied(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r') {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += c > ' ' && c <= '~' ? c : '?';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// A text that a plugin has said.
struct Said {
  bool in_snapshot;
  std::string lines;
};

/// The run that is passed to the plugin, with what the plugin says.
struct PluginRun : lockstep_run {
  std::vector<Said> texts;
  std::size_t answers_left = 0;    // that are kept
  std::size_t snapshots_left = 0;  // likewise
  std::uint32_t answers = 0;
  std::string refusal;

  static PluginRun& of(lockstep_run* run) { return *static_cast<PluginRun*>(run); }
  void hear(bool in_snapshot, const char* lines) {
    std::size_t& left = in_snapshot ? snapshots_left : answers_left;
    if (left == 0) return;
    --left;
    texts.push_back({in_snapshot, lines != nullptr ? lines : ""});
  }
};

/// C knows no exceptions: one that leaves a plugin ends the process, as any other crash of it does. In the process it would
/// look like one of the library.
const char* play(const lockstep_simulator& implementation, lockstep_run& run) noexcept {
  return implementation.play(&implementation, &run);
}

extern "C" void hear_observation(lockstep_run* run, const char* fields) noexcept {
  PluginRun::of(run).hear(false, fields);
  *run->under_way = ++PluginRun::of(run).answers;
}

extern "C" void hear_snapshot(lockstep_run* run, const char* fields) noexcept { PluginRun::of(run).hear(true, fields); }

PluginRun run_plugin(const lockstep_simulator& implementation, const AnyScenario& scenario,
                     std::span<const std::uint64_t> positions, volatile std::uint32_t& in_flight) {
  const std::string text = scenario_text(scenario);
  PluginRun run{};
  run.scenario = text.c_str();
  run.positions = positions.data();
  run.position_count = positions.size();
  run.under_way = &in_flight;
  run.observation = hear_observation;
  run.snapshot = hear_snapshot;
  run.answers_left = scenario.size() + 1;  // one too many is a difference
  run.snapshots_left = positions.size() + 1;
  in_flight = 0;
  if (const char* const refusal = play(implementation, run)) {
    run.refusal = tidied(refusal);
    if (run.refusal.empty()) run.refusal = "no reason given";
  }
  return run;
}

/// The first difference between what a plugin said and the trace of the reference, which has snapshots at `positions`.
std::optional<Deviation> deviation_of(const PluginRun& run, const AnyTrace& reference,
                                      std::span<const std::uint64_t> positions, std::size_t actions) {
  std::size_t done = 0;   // answers compared
  std::size_t taken = 0;  // snapshots compared
  const auto due = [&]() -> std::string {
    if (taken < positions.size() && positions[taken] == done) return "a snapshot";
    return done < actions ? "an answer" : "the end";
  };
  const auto instead = [&](const std::string& said) {
    const bool answer_due = due() == "an answer";
    return Deviation{answer_due ? done + 1 : done, !answer_due, "(next)", due(), said, false};
  };
  for (const auto& [in_snapshot, lines] : run.texts) {
    const std::string said = in_snapshot ? "a snapshot" : "an answer";
    if (said != due()) return instead(said);
    CollectFields collected;
    if (in_snapshot) reference.read_snapshot(taken++, collected);
    else reference.read_answer(done++, collected);
    const std::string expected = lines_of(collected.fields);
    if (lines == expected) continue;
    // A different text may still have equal fields.
    auto difference = first_difference(fields_of(expected), fields_of(lines));
    if (!difference.name.empty())
      return Deviation{done, in_snapshot, difference.name, difference.expected, difference.actual};
  }
  if (!run.refusal.empty()) return instead("a refusal: " + run.refusal);
  return due() == "the end" ? std::nullopt : std::optional{instead("the end")};
}

}  // namespace

bool names_plugin(std::string_view name) {
  return name.find('/') != std::string_view::npos || PluginName{name}.path.ends_with(".so");
}

std::string plugin_path(std::string_view name) { return std::string{PluginName{name}.path}; }

const lockstep_simulator* known_plugin(std::string_view name) {
  const auto found = loaded().find(name);
  return found == loaded().end() ? nullptr : found->second;
}

std::vector<Field> fields_of(std::string_view lines) {
  std::vector<Field> out;
  while (!lines.empty()) {
    const std::string line = tidied(take_line(lines));
    if (line.empty()) continue;
    const std::size_t equals = std::min(line.find('='), line.size());
    out.push_back({tidied(line.substr(0, equals)), tidied(line.substr(std::min(equals + 1, line.size())))});
  }
  return out;
}

std::string picture_of(const std::vector<Field>& fields) {
  std::string out;
  std::string item;  // prefix of the current item's line: "piece[2]."
  for (const auto& [name, text] : fields) {
    const std::size_t open = std::min(name.find('['), name.size());
    const std::size_t dot = name.find("].");
    const std::string whose = dot == std::string::npos ? "" : name.substr(0, dot + 2);
    if (!item.empty() && whose == item) {
      out.back() = ' ';
      out.append(name.substr(dot + 2)).append("=").append(text);
    } else if (!whose.empty()) {
      out.append(name.substr(0, open)).append(" ").append(name.substr(dot + 2)).append("=").append(text);
    } else if (open < name.size()) {
      if (name.substr(open) == "[0]") out.append(name.substr(0, open)).append("\n");
      out.append(text);
    } else {
      out.append(name).append(" ").append(text);
    }
    out.append("\n");
    item = whose;
  }
  return out;
}

PluginTexts texts_of_run(const lockstep_simulator& implementation, const AnyScenario& scenario,
                         std::span<const std::uint64_t> positions, volatile std::uint32_t& in_flight) {
  const PluginRun run = run_plugin(implementation, scenario, positions, in_flight);
  PluginTexts out{.answers = {}, .snapshots = {}, .refusal = run.refusal};
  for (const auto& [in_snapshot, lines] : run.texts)
    (in_snapshot ? out.snapshots : out.answers).push_back(fields_of(lines));
  return out;
}

Runner implementation_of(std::string_view name, const lockstep_simulator& implementation, const Runner& reference) {
  const char* const about = implementation.about;
  const auto run = [&implementation, reference](const AnyScenario& scenario, Cadence cadence, AnyTrace& out) {
    reference.run(scenario, cadence, out);
    std::vector<std::uint64_t> positions;
    const std::size_t total = scenario.size();
    for (std::size_t done = 0; done <= total; ++done) {
      if (takes_snapshot(cadence, done, total)) positions.push_back(done);
    }
    volatile std::uint32_t unwatched = 0;
    volatile std::uint32_t* const progress = out.head().progress;
    const PluginRun said = run_plugin(implementation, scenario, positions, progress != nullptr ? *progress : unwatched);
    if (!out.deviation()) out.head().deviation = deviation_of(said, out, positions, total);
  };
  return {name, Kind::plugin, about != nullptr ? about : "", code_of(run)};
}

std::expected<std::vector<std::string>, std::string> register_plugin(const Vocabulary& system, std::string_view name) {
  const PluginName wanted{name};
  const auto plugin = load(wanted.path);
  if (!plugin) return Failure{plugin.error()};
  auto& all = system.implementations();
  const Runner reference = reference_of(system);
  std::vector<std::string> names;
  std::string others;
  for (const auto& each : std::span{(*plugin)->simulators, (*plugin)->simulator_count}) {
    others += (others.empty() ? "" : ", ") + std::string{each.game} + " " + each.name;
    if (each.game != system.name()) continue;
    if (!wanted.implementation.empty() && each.name != wanted.implementation) continue;
    const auto known = loaded().try_emplace(wanted.path + ":" + each.name, &each).first;
    names.push_back(known->first);
    if (std::ranges::find(all, known->first, &Runner::name) == all.end()) {
      all.push_back(implementation_of(known->first, *known->second, reference));
    }
  }
  if (!names.empty()) return names;
  return Failure{"the plugin '" + wanted.path + "' has no implementation " +
                 (wanted.implementation.empty() ? "" : "'" + wanted.implementation + "' ") + "of " +
                 std::string{system.name()} + (others.empty() ? ", nor of any system" : "; it has: " + others)};
}

}  // namespace lockstep
