#include "lockstep/signature.hpp"

#include <algorithm>
#include <string>

#include "lockstep/judge.hpp"

namespace lockstep {
namespace {

/// Where " KIND" begins as a word of its own behind `from`; npos if it does not occur.
std::size_t place_of(std::string_view kind, std::string_view signature, std::size_t from) {
  const std::string word = " " + std::string{kind};
  const std::size_t between = signature.find(word + " ", from);
  if (between != std::string_view::npos) return between;
  // The last word: a fuzz target that its engine stopped has no action.
  const bool last = signature.ends_with(word) && signature.size() - word.size() >= from;
  return last ? signature.size() - word.size() : std::string_view::npos;
}

}  // namespace

SignatureParts parts_of(std::string_view signature) {
  constexpr std::string_view unstable = " unstable";
  SignatureParts out;
  out.unstable = signature.ends_with(unstable);
  if (out.unstable) signature.remove_suffix(unstable.size());

  const std::size_t system_end = std::min(signature.find(' '), signature.size());
  std::size_t kind_at = std::string_view::npos;
  const auto look_for = [&](std::string_view kind) {
    const std::size_t at = place_of(kind, signature, system_end + 1);
    if (at >= kind_at) return;
    kind_at = at;
    out.kind = kind;
  };
  for (const std::string_view kind : Enumerators<DivergenceKind>::names) look_for(kind);
  look_for(stopped_by_engine);
  look_for(not_shrunk);
  if (out.kind.empty()) return {};

  out.system = signature.substr(0, system_end);
  out.implementation = signature.substr(system_end + 1, kind_at - system_end - 1);
  std::string_view rest = signature.substr(kind_at + 1 + out.kind.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t action_end = std::min(rest.find(' '), rest.size());
  out.action = rest.substr(0, action_end);
  if (action_end < rest.size()) out.detail = rest.substr(action_end + 1);
  return out;
}

}  // namespace lockstep
