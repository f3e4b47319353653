// A folder through which the engines of one campaign, or of all shards of one, exchange scenarios, as bytes (codec.hpp).
//
// libFuzzer writes its corpus there and rereads it once a second; built-in workers do the same through this class. A
// file never changes once it has its name, and every byte string is a valid scenario, also the first half of a file that
// a killed libFuzzer was writing. So no lock is needed.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/unique_name.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/process/files.hpp"

namespace lockstep {

/// Prefix of the files that the program packs from corpus/ for libFuzzer. Workers read the corpus itself, not these.
inline constexpr std::string_view corpus_prefix = "corpus-";

class Exchange {
 public:
  /// Whether the file holds a scenario that an engine left, and not one that is being written.
  static bool is_scenario(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return !name.starts_with(corpus_prefix) && finished_name(name).empty();
  }

  /// An empty path disables the exchange.
  explicit Exchange(std::filesystem::path folder) : folder_{std::move(folder)} {}

  void leave(const Bytes& scenario) {
    if (folder_.empty()) return;
    const std::string name = prefix_ + std::to_string(left_++);
    seen_.insert(name);
    // Losing a scenario is harmless: a full disk must not end the search.
    static_cast<void>(write_file(folder_ / name, as_chars(scenario)));
  }

  /// Returns the scenarios left by other engines since the last call. Reads the folder at most once a second, and spends
  /// at most a twentieth of the time on it: the folder of many shards is large, and may be on another machine.
  std::vector<Bytes> take() {
    std::vector<Bytes> out;
    const auto now = std::chrono::steady_clock::now();
    if (folder_.empty() || now < next_look_) return out;
    // What cannot be read now may be read at the next look.
    visit_entries(folder_, [&](const std::filesystem::directory_entry& entry) {
      const std::string name = entry.path().filename().string();
      if (!is_scenario(name) || seen_.contains(name)) return;
      const auto bytes = read_file(entry.path());
      if (!bytes) return;
      seen_.insert(name);
      out.emplace_back(bytes->begin(), bytes->end());
    });
    const auto looked = std::chrono::steady_clock::now();
    next_look_ = looked + std::max<std::chrono::steady_clock::duration>(std::chrono::seconds{1}, 20 * (looked - now));
    return out;
  }

 private:
  std::filesystem::path folder_;
  /// Not a number of the process: shards may have equal ones, on several machines or one after another.
  std::string prefix_ = "worker-" + unique_name() + "-";
  std::set<std::string> seen_;
  std::size_t left_ = 0;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace lockstep
