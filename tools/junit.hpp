// JUnit's XML, as continuous integration reads test results. All verbs that write it use this file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// One test case: it passed, what was tested is wrong, or the test could not be made.
struct JunitCase {
  enum class Outcome { passed, failure, error };

  std::string suite;  // JUnit's class name
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::passed;
  std::string type = {};  // one word or a few, by which a host groups
  std::string message = {};
  std::string details = {};
};

/// A case that is an error of this type.
inline JunitCase junit_error(std::string_view suite, std::string name, std::string type, std::string message,
                             double seconds = 0) {
  return {std::string{suite}, std::move(name), seconds, JunitCase::Outcome::error, std::move(type), std::move(message)};
}

/// One test suite. Characters that XML cannot hold become '?'.
std::string junit_text(std::string_view name, const std::vector<JunitCase>& cases);

}  // namespace lockstep
