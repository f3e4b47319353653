// A folder in which the engines of one campaign leave scenarios for each other, as bytes (codec.hpp).
//
// libFuzzer writes its corpus there and rereads it once a second by itself; built-in workers do the same
// through this class. Files are never changed once they have their name, and every byte string is a
// scenario, so nobody needs a lock.
#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/files.hpp"

namespace lockstep {

/// What the program packs for libFuzzer from corpus/: workers have read that already.
inline constexpr std::string_view corpus_prefix = "corpus-";

class Exchange {
 public:
  /// An empty path: nothing is exchanged.
  explicit Exchange(std::filesystem::path folder)
      : folder_{std::move(folder)}, prefix_{"worker-" + std::to_string(getpid()) + "-"} {}

  void leave(const Bytes& scenario) {
    if (folder_.empty()) return;
    const std::string name = prefix_ + std::to_string(left_++);
    seen_.insert(name);
    // Others can do without it: a full disk must not end the search.
    static_cast<void>(write_file(folder_ / name, {reinterpret_cast<const char*>(scenario.data()), scenario.size()}));
  }

  /// What others left since the last look; looks once a second at most.
  std::vector<Bytes> take() {
    std::vector<Bytes> out;
    const auto now = std::chrono::steady_clock::now();
    if (folder_.empty() || now < next_look_) return out;
    next_look_ = now + std::chrono::seconds{1};
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{folder_, none}) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(corpus_prefix) || !seen_.insert(name).second) continue;
      if (const auto bytes = read_file(entry.path())) out.emplace_back(bytes->begin(), bytes->end());
    }
    return out;
  }

 private:
  std::filesystem::path folder_;
  std::string prefix_;
  std::set<std::string> seen_;
  std::size_t left_ = 0;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace lockstep
