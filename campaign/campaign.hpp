// The search of one system: first a canary, then all engines side by side until the time is up.
//
// The engines are processes (lane.hpp): built-in workers, as many as there are jobs, and libFuzzer targets
// where they are built. At any moment as many of them run as there are jobs; the others are paused. Who
// runs is decided anew every fifth of a second by a bandit (lockstep/bandit.hpp), by what the engines found
// lately that nobody had. The workers begin alone: what is shallow they find before an engine has started.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/engine.hpp"

namespace lockstep {

/// Everything that may be asked for by --engine.
const std::vector<std::string>& engine_names();

struct SearchOptions {
  double seconds = 60;  // for this system
  std::uint64_t runs =
      0;  // above 0: so many scenarios, and as many executions of each libFuzzer target, instead of a time
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::vector<std::string> with = {};     // implementations beside the reference; none: all optimized ones
  std::vector<std::string> engines = {};  // none: all that are built
  std::filesystem::path out = "findings";
  std::filesystem::path corpus = "corpus";
  std::chrono::milliseconds timeout{20'000};
  bool keep_going = false;
  bool hunt_canary = true;
};

/// What one engine did.
struct EngineTally {
  std::uint64_t scenarios = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  std::uint64_t features = 0;  // pairs of feature and bucket that it reached first
  std::uint64_t findings = 0;
  std::uint64_t canaries = 0;

  EngineTally& operator+=(const EngineTally& other);
};

struct CanaryHunt {
  std::string name;  // empty: the system has none, or it was not asked for
  bool found = false;
  std::string engine = {};  // who found it
  double seconds = 0;
  std::uint64_t scenarios = 0;
};

/// When something first differed, before it was shrunk.
struct Detection {
  double seconds = 0;
  double processor_seconds = 0;  // of all engines' processes until then
  std::uint64_t scenarios = 0;
};

struct SystemResult {
  const AnySystem* system = nullptr;
  std::vector<std::string> implementations;
  std::map<std::string, EngineTally> engines;
  double seconds = 0;
  FeatureSet features;
  CanaryHunt canary;
  std::vector<Found> findings;
  std::vector<std::string> faults;
  std::set<std::string> absences;  // engines that took no part, and why
  std::optional<Detection> detected;
  std::vector<std::uint64_t> next;  // per worker: where its part of the stream goes on
  bool finished = false;

  EngineTally total() const;
};

/// Who looks on. Every member is set.
struct Callbacks {
  std::function<void(const std::string& line)> progress;
  /// The finding is on disk already.
  std::function<void(const SystemResult&, const Found&)> found;
  /// Called now and then with what a search could go on from.
  std::function<void(const SystemResult&)> checkpoint;
  std::function<bool()> interrupted;
};

/// Searches one system. `before` is what an earlier search of it had reached when it ended early.
SystemResult search_system(const SearchOptions& options, const AnySystem& system, const Callbacks& callbacks,
                           const SystemResult* before = nullptr);

}  // namespace lockstep
