#include "lockstep/any_system.hpp"

#include <algorithm>

#include "lockstep/plugin.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

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

std::vector<std::string> implementations_named(const AnySystem& system, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& name : names) {
    if (!names_plugin(name)) {
      known.push_back(name);
      continue;
    }
    const auto loaded = system.load(name);
    if (!loaded) throw BadInput{loaded.error()};
    known.insert(known.end(), loaded->begin(), loaded->end());
  }
  auto resolved = resolve_implementations(system, known);
  if (!resolved) throw BadInput{resolved.error()};
  if (resolved->size() < 2) {
    throw BadInput{"name at least one implementation of " + std::string{system.name()} + " beside the reference"};
  }
  return *resolved;
}

}  // namespace lockstep
