// The name of a type, as a word for texts.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/words.hpp"

namespace lockstep {

/// "ListLru" for lru::ListLru, "Adder_false" for Adder<false>.
template <class T>
std::string type_name() {
  // "… [T = lru::ListLru]" (clang), "… [with T = lru::ListLru; …]" (g++)
  std::string_view pretty = __PRETTY_FUNCTION__;
  pretty.remove_prefix(pretty.find("T = ") + 4);
  return word_of_type(pretty.substr(0, pretty.find_first_of(";]")));
}

}  // namespace lockstep
