#include "lockstep/program/builder.hpp"

#include <algorithm>
#include <deque>

namespace lockstep {

std::string_view kept_text(std::string_view text) {
  static std::deque<std::string> all;
  return all.emplace_back(text);
}

BuiltImplementations::BuiltImplementations() = default;
BuiltImplementations::BuiltImplementations(const BuiltImplementations&) = default;
BuiltImplementations& BuiltImplementations::operator=(const BuiltImplementations&) = default;
BuiltImplementations::~BuiltImplementations() = default;

void BuiltImplementations::add(Kind kind, std::string_view name, std::string_view about,
                               std::shared_ptr<const Runner::Code> code, const std::source_location& where) {
  all_.push_back({kept_text(name), kind, kept_text(about), std::move(code), where});
}

void BuiltImplementations::choose_reference(bool has_laws) {
  if (reference() != nullptr || !has_laws) return;
  if (std::ranges::count(all_, Kind::optimized, &Runner::kind) != 1) return;
  std::ranges::find(all_, Kind::optimized, &Runner::kind)->kind = Kind::reference;
}

const Runner* BuiltImplementations::reference() const {
  const auto found = std::ranges::find(all_, Kind::reference, &Runner::kind);
  return found != all_.end() ? &*found : nullptr;
}

void BuiltImplementations::add_image(std::string_view symmetry, std::shared_ptr<const Runner::Code> code) {
  const Runner original = *reference();
  const std::string name{original.name};
  add(Kind::yardstick, name + "." + word_of_type(symmetry), name + " under the symmetry " + std::string{symmetry},
      std::move(code), original.where);
}

void BuiltImplementations::add_to(std::vector<Runner>& registry) const {
  registry.insert(registry.end(), all_.begin(), all_.end());
}

std::string another_name(std::vector<std::string>& taken, std::string name) {
  while (std::ranges::find(taken, name) != taken.end()) name += "+";
  return taken.emplace_back(std::move(name));
}

}  // namespace lockstep
