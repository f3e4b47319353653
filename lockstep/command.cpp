#include "lockstep/command.hpp"

#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "lockstep/words.hpp"

namespace lockstep {
namespace {

/// A command as words, or one for a shell. Error: a quote that is not closed.
std::expected<std::vector<std::string>, std::string> split_command(const std::string& command) {
  wordexp_t split{};
  const int fault = wordexp(command.c_str(), &split, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (fault == 0) words.assign(split.we_wordv, split.we_wordv + split.we_wordc);
  if (fault == 0) wordfree(&split);
  if (fault == WRDE_SYNTAX) return std::unexpected("the command has a quote that is not closed: " + command);
  if (fault == 0 && words.empty()) return std::unexpected("the command is empty");
  // Operators and the output of commands are no words. A first word with '=' sets a variable.
  if (fault != 0 || words.front().contains('=')) return std::vector<std::string>{"/bin/sh", "-c", command};
  return words;
}

/// The script that an interpreter is to run and that does not exist. The interpreter would start, and fail on each input.
std::optional<std::string> missing_script(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 5> interpreters{"python", "ruby", "perl", "php", "lua"};
  std::string name = std::filesystem::path{words[0]}.filename();
  name.resize(name.find_last_not_of("0123456789.") + 1);  // python3.11
  const bool interprets = std::ranges::find(interpreters, name) != interpreters.end();
  if (!interprets || words.size() < 2 || words[1].starts_with('-')) return std::nullopt;
  return access(words[1].c_str(), F_OK) == 0 ? std::nullopt : std::optional{words[1]};
}

}  // namespace

std::expected<std::string, std::string> path_of(const std::string& program) {
  if (program.contains('/')) {
    if (access(program.c_str(), X_OK) != 0) return std::unexpected(program + ": " + std::strerror(errno));
    return program;
  }
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path, ':')) {
    const std::string found = std::filesystem::path{folder} / program;
    if (access(found.c_str(), X_OK) == 0 && !std::filesystem::is_directory(found)) return found;
  }
  return std::unexpected("there is no program '" + program + "' in PATH");
}

std::expected<std::vector<std::string>, std::string> words_of_command(const std::string& command) {
  auto words = split_command(command);
  if (!words) return words;
  auto path = path_of(words->front());
  if (!path) return std::unexpected(path.error());
  words->front() = std::move(*path);
  if (const auto script = missing_script(*words)) return std::unexpected("there is no file '" + *script + "'");
  return words;
}

}  // namespace lockstep
