#include "props/golden.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "lockstep/base/lines.hpp"
#include "lockstep/process/files.hpp"

namespace lockstep {
namespace {

constexpr std::string_view advice = "If the change is meant, run the test once with LOCKSTEP_UPDATE_GOLDEN=1.";

bool updating() {
  const char* const wish = std::getenv("LOCKSTEP_UPDATE_GOLDEN");
  return wish != nullptr && std::string_view{wish} == "1";
}

std::filesystem::path path_of(std::string_view name) { return std::filesystem::path{LOCKSTEP_GOLDEN} / name; }

testing::AssertionResult written(std::string_view name, std::string_view bytes) {
  if (const auto done = write_file(path_of(name), bytes); !done) return testing::AssertionFailure() << done.error();
  return testing::AssertionSuccess();
}

/// "KEY: VALUE" lines.
using Lines = std::map<std::string, std::string, std::less<>>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) lines.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  return lines;
}

}  // namespace

bool has_golden(std::string_view name) { return std::filesystem::exists(path_of(name)); }

testing::AssertionResult matches_golden(std::string_view name, std::string_view actual) {
  if (updating()) return written(name, actual);
  const auto expected = read_file(path_of(name));
  if (!expected) return testing::AssertionFailure() << path_of(name) << ": " << expected.error() << ". " << advice;
  if (*expected == actual) return testing::AssertionSuccess();
  return testing::AssertionFailure() << path_of(name) << " says\n"
                                     << *expected << "but this build says\n"
                                     << actual << advice;
}

testing::AssertionResult matches_golden_line(std::string_view name, std::string_view key, std::string_view actual) {
  Lines lines = lines_of(read_file(path_of(name)).value_or(""));
  if (updating()) {
    lines.insert_or_assign(std::string{key}, std::string{actual});
    std::string text;
    for (const auto& [each, value] : lines) text.append(each).append(": ").append(value).append("\n");
    return written(name, text);
  }
  const auto found = lines.find(key);
  if (found == lines.end()) {
    return testing::AssertionFailure() << path_of(name) << " has no line '" << key << ": …'. " << advice;
  }
  if (found->second == actual) return testing::AssertionSuccess();
  return testing::AssertionFailure() << path_of(name) << " says " << key << ": " << found->second
                                     << "\nbut this build says " << key << ": " << actual << "\n"
                                     << advice;
}

}  // namespace lockstep
