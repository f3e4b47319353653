#include "programs/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

/// A command as words, or one for a shell. Error: a quote that is not closed.
std::expected<std::vector<std::string>, std::string> split_command(const std::string& command) {
  constexpr std::string_view for_a_shell = "|&;<>()$`*?[#~\n";
  const std::vector<std::string> shell{"/bin/sh", "-c", command};
  std::vector<std::string> words;
  bool inside = false;  // of a word
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool last = i + 1 == command.size();
    if (quote == 0 && (c == ' ' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == '\'') {
      words.back() += c;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && !last && (quote == 0 || std::string_view{"$`\"\\"}.contains(command[i + 1]))) {
      words.back() += command[++i];
    } else if (quote == '"' ? c == '$' || c == '`' : for_a_shell.contains(c) || (c == '=' && words.size() == 1)) {
      return shell;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return std::unexpected("the command has a quote that is not closed: " + command);
  if (words.empty()) return std::unexpected("the command is empty");
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
  std::string_view left = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (true) {
    const std::size_t end = left.find(':');
    const std::string found = std::filesystem::path{left.substr(0, end)} / program;
    if (access(found.c_str(), X_OK) == 0 && !std::filesystem::is_directory(found)) return found;
    if (end == std::string_view::npos) return std::unexpected("there is no program '" + program + "' in PATH");
    left.remove_prefix(end + 1);
  }
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
