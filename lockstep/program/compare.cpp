#include "lockstep/program/compare.hpp"

#include "lockstep/draw/draw.hpp"

namespace lockstep::functions {

bool draw_call(std::uint64_t seed, FunctionRef<void(Fields&)> describe) {
  Random random{seed};
  DrawFields drawing{random, false};
  describe(drawing);
  return !drawing.impossible();
}

std::string forgotten_argument(std::size_t argument) {
  return ".with does not describe argument " + std::to_string(argument + 1) +
         ", which would be the same in all calls: describe it, by io.field(\"name\", argument) if it needs no bounds";
}

}  // namespace lockstep::functions
