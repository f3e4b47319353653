// What the programs of RapidCheck and libFuzzer share: the system of examples/roaring, with nothing left out, and its
// two implementations beside each other. Each program has its own visitor that draws, as a user of the tool would draw.
#pragma once

#include "examples/roaring/roaring.cpp"  // NOLINT: the example is one file

namespace lockstep::lab {

static_assert(known_mistakes, "the comparison leaves nothing out");

class SideBySide {
 public:
  explicit SideBySide(const Roaring::Setup& setup) : reference_{setup}, library_{setup} {}

  /// Whether both give the same answer to the action.
  bool agree_on(const Roaring::Action& action) { return reference_.step(action) == library_.step(action); }
  /// Whether all bitmaps have the same members. This costs more than an action, so it is asked once, at the end.
  bool have_equal_members() const { return reference_.snapshot() == library_.snapshot(); }

 private:
  Boundaries reference_;
  Library library_;
};

}  // namespace lockstep::lab
