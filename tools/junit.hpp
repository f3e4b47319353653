// JUnit's XML, as continuous integration reads test results. All verbs that write it use this file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// One test case. `wrong`: what it found; none: it passed.
struct JunitCase {
  struct Wrong {
    enum class Kind { failure, error };  // what was tested is wrong; or the test could not be made
    Kind kind = Kind::failure;
    std::string type;  // one word or a few, by which a host groups
    std::string message;
    std::string details = {};
  };

  std::string suite;  // JUnit's class name
  std::string name;
  double seconds = 0;
  std::optional<Wrong> wrong = {};
};

/// A case that is an error of this type: the test could not be made.
inline JunitCase junit_error(std::string_view suite, std::string name, std::string type, std::string message) {
  return {std::string{suite}, std::move(name), 0,
          JunitCase::Wrong{JunitCase::Wrong::Kind::error, std::move(type), std::move(message)}};
}

/// One test suite. Characters that XML cannot hold become '?'.
std::string junit_text(std::string_view name, const std::vector<JunitCase>& cases);

}  // namespace lockstep
