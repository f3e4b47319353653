#include "lockstep/program/builder.hpp"

#include <algorithm>
#include <deque>

namespace lockstep {

std::string_view kept_text(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

void add_implementation(std::vector<Runner>& all, Kind kind, std::string name, std::string about,
                        std::shared_ptr<const Runner::Code> code, std::source_location where) {
  all.push_back({kept_text(std::move(name)), kind, kept_text(std::move(about)), std::move(code), where});
}

std::optional<Runner> choose_reference(std::vector<Runner>& all, bool has_laws) {
  const auto found = std::ranges::find(all, Kind::reference, &Runner::kind);
  if (found != all.end()) return *found;
  if (!has_laws || std::ranges::count(all, Kind::optimized, &Runner::kind) != 1) return std::nullopt;
  Runner& only = *std::ranges::find(all, Kind::optimized, &Runner::kind);
  only.kind = Kind::reference;
  return only;
}

void add_image(std::vector<Runner>& all, const Runner& reference, std::string_view symmetry,
               std::shared_ptr<const Runner::Code> code) {
  const std::string original{reference.name};
  add_implementation(all, Kind::yardstick, original + "." + word_of_type(symmetry),
                     original + " under the symmetry " + std::string{symmetry}, std::move(code), reference.where);
}

std::string another_name(std::vector<std::string>& taken, std::string name) {
  while (std::ranges::find(taken, name) != taken.end()) name += "+";
  return taken.emplace_back(std::move(name));
}

}  // namespace lockstep
