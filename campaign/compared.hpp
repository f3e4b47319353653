// The integers that implementations compare, so that mutation tries them: nearly no draw hits the number in
// `x == 123456789`.
//
// Code compiled with clang's -fsanitize-coverage=trace-cmp calls a function before each comparison; libFuzzer has its own.
// Without such code there are no numbers, and this costs nothing. A mutated scenario that gets further is kept where its
// branches are seen (lockstep/draw/coverage.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

/// For each place in the code that compared two integers which differ, one of them, the last time.
std::vector<std::int64_t> compared_numbers();

/// A search that begins so is the same whatever this process did before.
void forget_compared_numbers();

}  // namespace lockstep
