// Bounds that one exploration puts on the fields of actions: "price=1..3", "order=1", "place.price=1..3".
#pragma once

#include <string>
#include <string_view>

#include "lockstep/base/numbers.hpp"

namespace lockstep {

/// Narrows a field to the numbers from lo to hi that its description allows. The name is
///   FIELD        that field, in actions of every kind
///   KIND.FIELD   in actions of one kind
///   FIELD.item   the nameless items of a list, or the characters of a text (as numbers in their alphabet)
/// The bound of a list or text itself is on its size. A choice or flag is bounded by its number. A floating-point field
/// takes only whole numbers then. A nameless value (in an optional, a record or a variant) has the name around it.
struct Bound {
  std::string name;
  Number lo = 0;
  Number hi = 0;

  std::string text() const { return name + "=" + to_text(lo) + (lo == hi ? "" : ".." + to_text(hi)); }
};

/// Parses "NAME=LO..HI" or "NAME=VALUE". Throws BadInput (error.hpp) for any other text.
Bound bound_from(std::string_view text);

}  // namespace lockstep
