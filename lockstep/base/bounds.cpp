#include "lockstep/base/bounds.hpp"

#include <algorithm>

#include "lockstep/base/error.hpp"

namespace lockstep {

Bound bound_from(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view range = text.substr(std::min(equals + 1, text.size()));
  const std::size_t dots = range.find("..");
  const auto lo = number_in(range.substr(0, dots));
  const auto hi = dots == std::string_view::npos ? lo : number_in(range.substr(dots + 2));
  const std::string given = "bound '" + std::string{text} + "': ";
  if (equals == 0 || !lo || !hi) {
    throw BadInput{given + "expected NAME=LOWEST..HIGHEST or NAME=VALUE, such as price=1..3"};
  }
  if (*lo > *hi) throw BadInput{given + "it has no value; the lower number comes first"};
  return {std::string{text.substr(0, equals)}, *lo, *hi};
}

}  // namespace lockstep
