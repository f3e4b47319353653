// Golden files: outputs that people rely on, kept in golden/ and compared byte for byte.
//
// With LOCKSTEP_UPDATE_GOLDEN=1 in the environment they are written instead of compared, and git shows
// what changed. `cmake --build BUILD --target update_golden` does that for every test program.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace lockstep {

/// Whether there is a file golden/NAME.
bool has_golden(std::string_view name);

/// Whether the whole file golden/NAME is `actual`.
testing::AssertionResult matches_golden(std::string_view name, std::string_view actual);

/// Whether the line of golden/NAME that starts with "KEY: " goes on with `actual`. A file of such
/// lines is kept sorted by key, so that several programs can share one.
testing::AssertionResult matches_golden_line(std::string_view name, std::string_view key, std::string_view actual);

}  // namespace lockstep
