#include "lockstep/any_system.hpp"

#include <algorithm>

#include "lockstep/words.hpp"

namespace lockstep {

const AnySystem* find_system(std::string_view name) {
  const auto systems = all_systems();
  const auto found = std::ranges::find(systems, name, [](const auto& system) { return system->name(); });
  return found == systems.end() ? nullptr : found->get();
}

namespace {

std::string unknown_implementation(const AnySystem& system, const std::string& name) {
  std::vector<std::string> known;
  std::vector<std::string> right;  // not wrong on purpose; of canaries there are too many to be read
  for (const auto& implementation : system.implementations()) {
    known.push_back(implementation.name);
    if (implementation.kind != Kind::canary) right.push_back(implementation.name);
  }
  const std::string of = " of " + std::string{system.name()};
  if (!nearest(name, known).empty()) return unknown_name("implementation", name, known, of);
  return unknown_name("implementation", name, right, of) + ", and the canaries of 'lockstep list --canaries'";
}

/// The name as the roster spells it; empty when nobody has it.
std::string spelled(const std::vector<ImplementationInfo>& all, const std::string& name) {
  for (const auto& implementation : all) {
    if (implementation.name == name || (name == "reference" && implementation.kind == Kind::reference))
      return implementation.name;
  }
  return {};
}

}  // namespace

std::expected<std::vector<std::string>, std::string> resolve_implementations(const AnySystem& system,
                                                                             const std::vector<std::string>& names) {
  const auto all = system.implementations();
  std::vector<std::string> out = {spelled(all, "reference")};
  for (const auto& name : names) {
    const std::string known = spelled(all, name);
    if (known.empty()) return std::unexpected(unknown_implementation(system, name));
    if (std::ranges::find(out, known) == out.end()) out.push_back(known);
  }
  if (names.empty()) {
    for (const auto& implementation : all) {
      if (implementation.kind == Kind::optimized) out.push_back(implementation.name);
    }
  }
  return out;
}

std::expected<std::string, std::string> resolve_implementation(const AnySystem& system, const std::string& name) {
  const auto all = system.implementations();
  if (!name.empty()) {
    std::string known = spelled(all, name);
    if (!known.empty()) return known;
    return std::unexpected(unknown_implementation(system, name));
  }
  std::string fastest = spelled(all, "reference");
  for (const auto& implementation : all) {
    if (implementation.kind == Kind::optimized) fastest = implementation.name;
  }
  return fastest;
}

}  // namespace lockstep
