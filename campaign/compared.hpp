// The integers that implementations compare, so that mutation tries them: nearly no draw hits the number in
// `x == 123456789`.
//
// Code compiled with clang's -fsanitize-coverage=trace-cmp calls a function before each comparison; libFuzzer has its own.
// Without such code there are no numbers, and this costs nothing. A mutated scenario that gets further is kept where its
// branches are seen (lockstep/draw/coverage.hpp). Code in shared libraries is not heard.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

/// Whether comparisons are recorded. Only those of drawn scenarios are, not those of shrinking, which takes as long as there is
/// time: so a search repeats exactly. True forgets nothing.
void record_comparisons(bool on);

/// Of each place in the code that compared, one of its last two numbers, read as unsigned; a constant if it has one.
std::vector<std::int64_t> compared_numbers();

/// Forgets all numbers, so that a search does not depend on what this process did before.
void forget_compared_numbers();

}  // namespace lockstep
