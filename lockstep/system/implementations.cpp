#include "lockstep/system/implementations.hpp"

#include <algorithm>
#include <iterator>

namespace lockstep {

Runner implementation_named(const Vocabulary& system, std::string_view name) {
  return *std::ranges::find(system.implementations(), name, &Runner::name);
}

std::vector<Runner> implementations_named(const Vocabulary& system, const std::vector<std::string>& names) {
  std::vector<Runner> out;
  for (const auto& name : names) out.push_back(implementation_named(system, name));
  return out;
}

Runner reference_of(const Vocabulary& system) {
  return *std::ranges::find(system.implementations(), Kind::reference, &Runner::kind);
}

Runner fastest_of(const Vocabulary& system) {
  const auto& all = system.implementations();
  const auto last = std::ranges::find(all.rbegin(), all.rend(), Kind::optimized, &Runner::kind);
  return last != all.rend() ? *last : reference_of(system);
}

std::vector<Runner> answering_many(const std::vector<Runner>& implementations) {
  std::vector<Runner> out;
  std::ranges::copy_if(implementations, std::back_inserter(out),
                       [](const Runner& each) { return each.answer_many != nullptr; });
  return out;
}

}  // namespace lockstep
