#include "programs/process_family.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/process/files.hpp"

namespace lockstep {
namespace {

using std::chrono::milliseconds;

/// The process in /proc, empty if it has ended.
std::optional<Process> process(const std::string& id) {
  static const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  static const std::uint64_t tick_ms = 1000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  char text[1024];
  const int file = open(("/proc/" + id + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const ssize_t got = read(file, text, sizeof text);
  close(file);
  std::string_view left{text, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  // "12 (a name) S 1 …": the name can contain anything, so the fields are counted from its last bracket.
  const std::size_t name_end = left.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  left.remove_prefix(name_end + 4);
  std::uint64_t fields[25] = {};
  for (std::size_t i = 4; i < std::size(fields); ++i) {
    std::from_chars(left.data(), left.data() + left.size(), fields[i]);
    left.remove_prefix(std::min(left.find(' '), left.size() - 1) + 1);
    if (left.empty()) return std::nullopt;
  }
  return Process{.id = std::stoi(id),
                 .parent = static_cast<pid_t>(fields[4]),
                 .threads = fields[20],
                 .memory = fields[24] * page,
                 .processor_time = milliseconds{(fields[14] + fields[15] + fields[16] + fields[17]) * tick_ms}};
}

void for_each_process(const std::function<void(const Process&)>& visit) {
  visit_entries("/proc", [&](const std::filesystem::directory_entry& entry) {
    const std::string name = entry.path().filename();
    if (name[0] < '0' || name[0] > '9') return;
    if (const auto found = process(name)) visit(*found);
  });
}

}  // namespace

std::optional<std::uint64_t> proportional_memory(const Process& of) {
  std::ifstream file{"/proc/" + std::to_string(of.id) + "/smaps_rollup"};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Pss:")) return std::stoull(line.substr(4)) * 1024;
  }
  return std::nullopt;
}

void for_each_descendant(const std::function<void(const Process&)>& visit) {
  std::set<pid_t> family{getpid()};
  std::vector<Process> others;
  const auto join = [&](const Process& each) {
    if (!family.contains(each.parent)) return false;
    family.insert(each.id);
    visit(each);
    return true;
  };
  for_each_process([&](const Process& each) {
    if (!join(each)) others.push_back(each);
  });
  // Children have larger numbers than their parents, until the system begins again with small ones.
  while (std::erase_if(others, join) > 0) {
  }
}

std::uint64_t tasks_of(uid_t user) {
  std::uint64_t tasks = 0;
  for_each_process([&](const Process& each) {
    struct stat about{};
    if (stat(("/proc/" + std::to_string(each.id)).c_str(), &about) == 0 && about.st_uid == user) tasks += each.threads;
  });
  return tasks;
}

milliseconds time_of_ended() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return milliseconds{(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
                      (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000};
}

}  // namespace lockstep
