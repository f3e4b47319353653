#include "lockstep/system/any_system.hpp"

#include <algorithm>
#include <deque>

#include "lockstep/base/refuse.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/system/check_description.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/plugin.hpp"
#include "lockstep/system/registered.hpp"

namespace lockstep {

namespace {

std::vector<const AnySystem*>& registered_systems() {
  static std::vector<const AnySystem*> systems;
  return systems;
}

std::string unknown_implementation(const AnySystem& system, const std::string& name) {
  std::vector<std::string> known;
  std::vector<std::string> right;  // without canaries: there are too many to list
  for (const auto& implementation : system.implementations()) {
    known.emplace_back(implementation.name);
    if (implementation.kind != Kind::canary) right.emplace_back(implementation.name);
  }
  const std::string of = " of " + std::string{system.name()};
  if (!nearest(name, known).empty()) return unknown_name("implementation", name, known, of);
  return unknown_name("implementation", name, right, of) + ", and its canaries";
}

/// The registered name that `name` selects; empty if there is none.
std::string spelled(const std::vector<Runner>& all, const std::string& name) {
  for (const auto& implementation : all) {
    if (implementation.name == name || (name == "reference" && implementation.kind == Kind::reference))
      return std::string{implementation.name};
  }
  return {};
}

}  // namespace

std::vector<std::string> AnySystem::action_names() const {
  std::vector<std::string> out;
  for (const ActionKind& kind : vocabulary().kinds()) out.emplace_back(kind.name);
  return out;
}

Parsed<std::string> AnySystem::canonical(std::string_view text) const {
  const auto scenario = parse(text);
  if (!scenario) return std::unexpected(scenario.error());
  return scenario_text(*scenario);
}

Parsed<std::string> AnySystem::unpack(std::span<const std::uint8_t> bytes) const {
  const AnyScenario scenario = decoded(vocabulary(), bytes);
  if (scenario.size() > text_actions_max) {
    return text_error(0, 0,
                      "these bytes hold " + std::to_string(scenario.size()) + " actions, a text at most " +
                          std::to_string(text_actions_max));
  }
  return scenario_text(scenario);
}

std::string source_file(const Runner& implementation) {
  return implementation.kind == Kind::plugin ? plugin_path(implementation.name) : implementation.where.file_name();
}

void register_system(const SystemParts& parts) {
  static std::deque<AnySystem> all;  // a deque, so that addresses remain valid
  registered_systems().push_back(&all.emplace_back(parts));
}

void refuse_mistakes(const AnySystem& system) {
  if (const std::string flaw = description_flaw(system.vocabulary()); !flaw.empty()) throw BadInput{flaw};
  const std::string of{system.name()};
  const auto& all = system.implementations();
  for (auto one = all.begin(); one != all.end(); ++one) {
    const std::string name{one->name};
    if (one->kind != Kind::plugin && !is_name(name)) {
      throw BadInput{"an implementation of " + of + " is called '" + name + "': " + name_hint};
    }
    const auto other = std::find_if(one + 1, all.end(), [&](const auto& each) { return each.name == one->name; });
    if (other == all.end()) continue;
    const std::string about = std::string{one->about}.append("; ").append(other->about);
    throw BadInput{"two implementations of " + of + " are called '" + name +
                   (one->about == other->about ? "'" : "' (" + about + ")") + ": give one of them another name"};
  }
  const auto references = std::ranges::count(all, Kind::reference, &Runner::kind);
  if (references == 1) return;
  if (references == 0) {
    throw BadInput{of + " has no reference implementation: register the slow, obviously correct one as the reference"};
  }
  throw BadInput{of + " has " + std::to_string(references) +
                 " reference implementations: keep one, and register the others as implementations"};
}

std::span<const AnySystem* const> all_systems() {
  static const auto& systems = []() -> const std::vector<const AnySystem*>& {
    const auto& all = registered_systems();
    for (const AnySystem* system : all) {
      refuse_mistakes(*system);
      if (std::ranges::count(all, system->name(), &AnySystem::name) == 1) continue;
      throw BadInput{"two systems are called '" + std::string{system->name()} + "': give one another name"};
    }
    return all;
  }();
  return systems;
}

const AnySystem* find_system(std::string_view name) {
  const auto systems = all_systems();
  const auto found = std::ranges::find(systems, name, &AnySystem::name);
  return found == systems.end() ? nullptr : *found;
}

std::expected<std::vector<std::string>, std::string> resolve_implementations(const AnySystem& system,
                                                                             const std::vector<std::string>& names) {
  const auto& all = system.implementations();
  std::vector<std::string> out = {spelled(all, "reference")};
  for (const auto& name : names) {
    const std::string known = spelled(all, name);
    if (known.empty()) return std::unexpected(unknown_implementation(system, name));
    if (std::ranges::find(out, known) == out.end()) out.push_back(known);
  }
  if (names.empty()) {
    for (const auto& implementation : all) {
      if (judged_by_default(implementation.kind) && implementation.kind != Kind::reference)
        out.emplace_back(implementation.name);
    }
  }
  return out;
}

std::expected<std::string, std::string> resolve_implementation(const AnySystem& system, const std::string& name) {
  if (name.empty()) return std::string{fastest_of(system.vocabulary()).name};
  std::string known = spelled(system.implementations(), name);
  if (known.empty()) return std::unexpected(unknown_implementation(system, name));
  return known;
}

std::vector<std::string> implementations_to_judge(const AnySystem& system, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& name : names) {
    if (!names_plugin(name)) {
      known.push_back(name);
      continue;
    }
    const auto loaded = or_refuse(register_plugin(system.vocabulary(), name));
    known.insert(known.end(), loaded.begin(), loaded.end());
  }
  auto resolved = or_refuse(resolve_implementations(system, known));
  if (resolved.size() < 2) {
    const auto& all = system.implementations();
    const bool alone = std::ranges::count_if(all, judged_by_default, &Runner::kind) == 1;
    if (alone && system.vocabulary().has_invariants()) return resolved;
    throw BadInput{"name at least one implementation of " + std::string{system.name()} + " beside the reference" +
                   (alone ? ", or give the system Laws::violation: nothing would be judged" : "")};
  }
  return resolved;
}

}  // namespace lockstep
