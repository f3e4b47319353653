// A system behind an interface of texts, so that the program's verbs know no system's types.
//
// any_game.cpp is compiled once per system, and the build lists what that makes in all_systems(). Nothing here is
// called inside a step loop: the finest grain is one scenario.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/error.hpp"
#include "lockstep/explain.hpp"
#include "lockstep/finding.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/labels.hpp"
#include "lockstep/measure.hpp"
#include "lockstep/portfolio.hpp"
#include "lockstep/stats.hpp"

namespace lockstep {

struct ImplementationInfo {
  std::string name;
  Kind kind;
  std::string about;
};

/// What came of judging one text.
struct Replay {
  std::vector<std::string> implementations;
  std::size_t actions = 0;
  Verdict verdict;
  std::string explanation;    // one line; empty when all agreed
  bool hidden_state = false;  // it diverges, but not from the position before the step that differs
};

/// What a built-in worker does: scenarios first, first + stride, … of the stream of `seed`.
struct StreamPart {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t end = UINT64_MAX;  // one past the last index
  std::vector<Generator> generators;
  std::filesystem::path corpus = {};    // the folder whose SYSTEM/*.txt the pool starts with; empty: none
  std::filesystem::path exchange = {};  // where engines leave scenarios for each other; empty: nowhere
  std::chrono::steady_clock::time_point deadline;
  std::chrono::milliseconds shrink_time{10'000};
  bool keep_going = false;  // go on after the first finding
};

struct ShowOptions {
  std::optional<std::size_t> step;  // the position after that many actions; by default where they differ, or the last
  bool colour = false;
};

/// How long one action may take before it counts as a hang.
struct Guard {
  std::chrono::milliseconds timeout{20'000};
};

/// How far a search for a label may go.
struct LabelBudget {
  std::uint64_t seed = 1;
  std::uint64_t tries_max = 1'000'000;
  std::chrono::milliseconds shrink_time{10'000};
};
struct LabelFound {
  std::string text;            // the scenario
  std::uint64_t distance = 0;  // from the wanted value; 0: it shows it
  std::uint64_t tries = 0;
};

class AnySystem {
 public:
  virtual ~AnySystem() = default;

  virtual std::string_view name() const = 0;
  virtual std::vector<ImplementationInfo> implementations() const = 0;
  virtual std::vector<Feature> features() const = 0;

  /// Makes implementations of a plugin known (lockstep/plugin.hpp): their names, or why not.
  virtual std::expected<std::vector<std::string>, std::string> load(const std::string& plugin) const = 0;

  /// The text's scenario in canonical form, without comments.
  virtual Parsed<std::string> canonical(std::string_view text) const = 0;
  virtual Parsed<Size> size(std::string_view text) const = 0;
  virtual Parsed<Bytes> pack(std::string_view text) const = 0;
  /// An error when they hold more actions than a text may.
  virtual Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const = 0;

  /// Judges in a child process, so that a crash or a hang is a verdict too.
  virtual Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard) const = 0;
  virtual Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names, const ShowOptions&,
                                   Guard) const = 0;
  /// Nothing when the scenario does not diverge.
  virtual Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard,
                                                    std::chrono::milliseconds time) const = 0;

  /// What the failure hangs on; nothing when the scenario does not diverge.
  virtual Parsed<std::optional<Explanation>> explain(std::string_view text, const std::vector<std::string>& names,
                                                     Guard, std::chrono::milliseconds time) const = 0;

  /// The cases of the original problem's input as scenarios.
  virtual Parsed<std::vector<std::string>> cases_of(std::string_view input) const = 0;
  /// The answer to the original problem's input.
  virtual Parsed<std::string> answer(std::string_view input, const std::string& implementation) const = 0;

  /// Runs in a worker process until the deadline, the end of its part, or stats.stop.
  virtual void work(const StreamPart&, const std::vector<std::string>& names, CampaignStats&, InFlightScenario&,
                    const std::function<void(const FindingText&)>& report) const = 0;
  /// What each way of drawing shows (labels.hpp), and what the corpus, given as texts, does.
  virtual LabelTable labels(std::uint64_t seed, std::uint64_t runs, const std::vector<std::string>& corpus) const = 0;
  /// A small scenario that shows the value of the feature with this number, or the nearest one met.
  virtual LabelFound find_label(std::size_t feature, std::int64_t value, const LabelBudget& budget,
                                const std::vector<std::string>& corpus) const = 0;
};

/// The systems of this build, in the order of CMakeLists.txt.
std::span<const std::unique_ptr<AnySystem>> all_systems();
const AnySystem* find_system(std::string_view name);

/// The implementations to judge: the named ones, "reference" standing for the system's reference; the
/// reference goes first even when it is not named. No names: the reference and all optimized ones.
/// An unknown name is an error that names the nearest one, or all.
std::expected<std::vector<std::string>, std::string> resolve_implementations(const AnySystem& system,
                                                                             const std::vector<std::string>& names);
/// The same, with BadInput for an unknown name or when none is left beside the reference. Plugins that are named are
/// loaded.
std::vector<std::string> implementations_named(const AnySystem& system, const std::vector<std::string>& names);
/// One implementation by name; no name: the fastest, which is the optimized one that enlisted last.
std::expected<std::string, std::string> resolve_implementation(const AnySystem& system, const std::string& name);

}  // namespace lockstep
