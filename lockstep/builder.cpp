#include "lockstep/builder.hpp"

#include <algorithm>
#include <deque>

namespace lockstep {

std::string_view kept_text(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

BuiltImplementations::BuiltImplementations() = default;
BuiltImplementations::BuiltImplementations(const BuiltImplementations&) = default;
BuiltImplementations& BuiltImplementations::operator=(const BuiltImplementations&) = default;
BuiltImplementations::~BuiltImplementations() = default;

void BuiltImplementations::add(Kind kind, std::string name, std::string about, std::shared_ptr<const Runner::Code> code,
                               std::source_location where) {
  all_.push_back({kept_text(std::move(name)), kind, kept_text(std::move(about)), std::move(code), where});
}

std::optional<Runner> BuiltImplementations::complete(bool has_laws) {
  const auto found = std::ranges::find(all_, Kind::reference, &Runner::kind);
  if (found != all_.end()) return *found;
  if (!has_laws || std::ranges::count(all_, Kind::optimized, &Runner::kind) != 1) return std::nullopt;
  Runner& only = *std::ranges::find(all_, Kind::optimized, &Runner::kind);
  only.kind = Kind::reference;
  return only;
}

void BuiltImplementations::add_image(const Runner& reference, std::string_view symmetry,
                                     std::shared_ptr<const Runner::Code> code) {
  const std::string original{reference.name};
  all_.push_back({kept_text(original + "." + word_of_type(symmetry)), Kind::yardstick,
                  kept_text(original + " under the symmetry " + std::string{symmetry}), std::move(code),
                  reference.where});
}

void BuiltImplementations::add_to(const Vocabulary& system) const {
  auto& registered = system.implementations();
  registered.insert(registered.end(), all_.begin(), all_.end());
}

std::string another_name(std::vector<std::string>& taken, std::string name) {
  while (std::ranges::find(taken, name) != taken.end()) name += "+";
  return taken.emplace_back(std::move(name));
}

}  // namespace lockstep
