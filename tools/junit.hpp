// JUnit's XML, as continuous integration reads test results. All verbs that write it use this file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// One test suite. Characters that XML cannot hold become '?'.
std::string junit_text(std::string_view name, const std::vector<JunitCase>& cases);

}  // namespace lockstep
