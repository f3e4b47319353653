// Looks up a system's implementations by name and by kind.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/registry.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

/// Requires a registered name, as resolve_implementations returns it.
template <class S>
const AnyImplementation<S>& implementation_named(std::string_view name) {
  return *std::ranges::find(registry<S>(), name, &AnyImplementation<S>::name);
}

template <class S>
std::vector<AnyImplementation<S>> implementations_named(const std::vector<std::string>& names) {
  std::vector<AnyImplementation<S>> out;
  for (const auto& name : names) out.push_back(implementation_named<S>(name));
  return out;
}

template <class S>
const AnyImplementation<S>& reference_of() {
  return *std::ranges::find(registry<S>(), Kind::reference, &AnyImplementation<S>::kind);
}

/// The optimized implementation that was registered last; the reference if there is none.
template <class S>
const AnyImplementation<S>& fastest_of() {
  const auto& all = registry<S>();
  const auto last = std::ranges::find(all.rbegin(), all.rend(), Kind::optimized, &AnyImplementation<S>::kind);
  return last != all.rend() ? *last : reference_of<S>();
}

// The same without types.
Runner implementation_named(const Vocabulary& system, std::string_view name);
std::vector<Runner> implementations_named(const Vocabulary& system, const std::vector<std::string>& names);
Runner reference_of(const Vocabulary& system);
Runner fastest_of(const Vocabulary& system);

}  // namespace lockstep
