// What claim files need to call a kernel on a state that no constructor has made.
#pragma once

#include "lockstep/system/processor.hpp"

namespace lockstep::proof {

/// Holds an object that no constructor has made: the claim says what is in it.
template <class T>
union Unmade {
  Unmade() {}
  ~Unmade() {}
  T it;
};

/// Whether this processor has the instructions of a level: Claim::runs_here of a kernel that is compiled for it.
template <Level level>
bool runs_here() {
  return level_of_processor() >= level;
}

}  // namespace lockstep::proof
