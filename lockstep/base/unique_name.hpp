// Names for temporary files that no other writer chooses: not another thread, nor a process with the same number on
// another machine or in another container that shares the folder.
#pragma once

#include <random>
#include <string>

#include "lockstep/base/hash.hpp"

namespace lockstep {

/// 16 hexadecimal digits, others at every call.
inline std::string unique_name() {
  std::random_device random;
  return hash_text(std::to_string(random()) + " " + std::to_string(random()));
}

}  // namespace lockstep
