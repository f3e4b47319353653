#include "lockstep/signature.hpp"

#include <algorithm>

#include "lockstep/judge.hpp"
#include "lockstep/lines.hpp"

namespace lockstep {
namespace {

bool is_kind(std::string_view word) {
  return word == stopped_by_engine || word == not_shrunk ||
         std::ranges::count(Enumerators<DivergenceKind>::names, word);
}

}  // namespace

SignatureParts parts_of(std::string_view signature) {
  constexpr std::string_view unstable = " unstable";
  SignatureParts out;
  out.unstable = signature.ends_with(unstable);
  if (out.unstable) signature.remove_suffix(unstable.size());
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

}  // namespace lockstep
