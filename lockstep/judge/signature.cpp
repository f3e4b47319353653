#include "lockstep/judge/signature.hpp"

#include <algorithm>

#include "lockstep/base/lines.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/judge/judge.hpp"

namespace lockstep {
namespace {

bool is_kind(std::string_view word) {
  return word == stopped_by_engine || std::ranges::count(Enumerators<DivergenceKind>::names, word);
}

/// A law's name may have the word, too.
bool are_conditions(std::string_view text) {
  while (!text.empty()) {
    std::string_view word = take_word(text);
    if (!word.contains('=') || !is_name(take_until(word, '='))) return false;
  }
  return true;
}

}  // namespace

SignatureParts parts_of(std::string_view signature) {
  constexpr std::string_view unstable = " unstable";
  SignatureParts out;
  out.unstable = signature.ends_with(unstable);
  if (out.unstable) signature.remove_suffix(unstable.size());
  if (const std::size_t at = signature.rfind(before_conditions); at != std::string_view::npos) {
    const std::string_view conditions = signature.substr(at + before_conditions.size());
    if (are_conditions(conditions)) {
      out.conditions = conditions;
      signature = signature.substr(0, at);
    }
  }
  out.system = take_word(signature);
  std::string_view left = signature;
  take_word(left);  // of the implementation, whatever it is called
  while (!left.empty()) {
    const std::string_view word = take_word(left);
    if (!is_kind(word)) continue;
    out.implementation = signature.substr(0, static_cast<std::size_t>(word.data() - signature.data()) - 1);
    out.kind = word;
    left.remove_prefix(std::min(left.find_first_not_of(' '), left.size()));
    out.action = take_word(left);
    out.detail = left;
    return out;
  }
  return {};
}

ConditionValues parse_conditions(std::string_view conditions) {
  ConditionValues out;
  for (const std::string& condition : split(conditions, ' ')) {
    std::string_view values = condition;
    const std::string name{take_until(values, '=')};
    for (std::string& value : split(values, '|')) out[name].insert(std::move(value));
  }
  return out;
}

bool look_alike(std::string_view signature, const Divergence& divergence) {
  const std::string alike = divergence.signature();
  return signature.starts_with(alike) &&
         (signature.size() == alike.size() || signature.substr(alike.size()).starts_with(before_conditions));
}

bool covers(std::string_view signature, const Divergence& divergence) {
  if (!look_alike(signature, divergence)) return false;
  signature.remove_prefix(divergence.signature().size());
  if (signature.empty()) return true;
  return std::ranges::all_of(parse_conditions(signature.substr(before_conditions.size())), [&](const auto& needed) {
    const auto found = divergence.conditions.find(needed.first);
    return found != divergence.conditions.end() && needed.second.contains(found->second);
  });
}

std::string known_as(const Signatures& known, const Divergence& divergence) {
  const std::string alike = divergence.signature();
  for (auto each = known.lower_bound(alike); each != known.end() && each->starts_with(alike); ++each) {
    if (covers(*each, divergence)) return *each;
  }
  return {};
}

}  // namespace lockstep
