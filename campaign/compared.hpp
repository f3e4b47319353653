// The integers that implementations compare, so that mutation tries them: nearly no draw hits the number in
// `x == 123456789`.
//
// Code compiled with clang's -fsanitize-coverage=trace-cmp calls a function before each comparison; libFuzzer has its own.
// Without such code there are no numbers, and this costs nothing. A mutated scenario that gets further is kept where its
// branches are seen (lockstep/draw/coverage.hpp). Comparisons in shared libraries are not recorded.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

/// Switches the recording of comparisons on or off; what is recorded stays. A search records only while it judges drawn
/// scenarios: shrinking takes as long as there is time, so with its comparisons no search would repeat exactly.
void record_comparisons(bool on);

/// For each place in the code that compared, one of the last two numbers (the constant, if one is), read as unsigned.
std::vector<std::int64_t> compared_numbers();

/// Forgets all numbers, so that a search does not depend on what this process did before.
void forget_compared_numbers();

}  // namespace lockstep
