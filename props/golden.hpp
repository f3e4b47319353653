// Golden files: outputs that users rely on, kept in tests/golden/ and compared byte for byte.
//
// With LOCKSTEP_UPDATE_GOLDEN=1 in the environment the tests write the files instead of comparing, and git shows what
// changed. `cmake --build BUILD --target update_golden` does that for every test program.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace lockstep {

/// Whether the file tests/golden/NAME exists.
bool has_golden(std::string_view name);

/// Whether the content of tests/golden/NAME equals `actual`.
testing::AssertionResult matches_golden(std::string_view name, std::string_view actual);

/// Whether the rest of the line of tests/golden/NAME that starts with "KEY: " equals `actual`. Such a file is kept sorted by
/// key, so that several programs can share it.
testing::AssertionResult matches_golden_line(std::string_view name, std::string_view key, std::string_view actual);

}  // namespace lockstep
