#include "lockstep/services/implementations.hpp"

namespace lockstep {

Runner implementation_named(const Vocabulary& system, std::string_view name) {
  const auto all = system.implementations();
  return *std::ranges::find(all, name, &Runner::name);
}

std::vector<Runner> implementations_named(const Vocabulary& system, const std::vector<std::string>& names) {
  const auto all = system.implementations();
  std::vector<Runner> out;
  for (const auto& name : names) out.push_back(*std::ranges::find(all, name, &Runner::name));
  return out;
}

Runner reference_of(const Vocabulary& system) {
  const auto all = system.implementations();
  return *std::ranges::find(all, Kind::reference, &Runner::kind);
}

Runner fastest_of(const Vocabulary& system) {
  const auto all = system.implementations();
  const auto last = std::ranges::find(all.rbegin(), all.rend(), Kind::optimized, &Runner::kind);
  return last != all.rend() ? *last : reference_of(system);
}

}  // namespace lockstep
