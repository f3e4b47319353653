// A game behind an interface of texts, so that the program's verbs know no game's types.
//
// any_game.cpp is compiled once per game and registers itself in all_games(). Nothing here is called
// inside a step loop: the finest grain is one scenario.
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

#include "harness/codec.hpp"
#include "harness/error.hpp"
#include "harness/judge.hpp"
#include "harness/measure.hpp"
#include "harness/portfolio.hpp"
#include "harness/stats.hpp"

namespace lockstep {

struct SimulatorInfo {
  std::string name;
  Kind kind;
  std::string about;
};

/// What came of judging one text.
struct Replay {
  std::vector<std::string> simulators;
  std::size_t actions = 0;
  Verdict verdict;
  std::string explanation;  // one line; empty when all agreed
};

/// A finding as the verbs hand it around: its file's name and text, and the report for people.
struct FindingText {
  std::string signature;
  std::string file_name;
  std::string text;
  std::string explanation;
  bool minimal = false;
  bool hidden_state = false;
  std::size_t actions_before = 0;
  std::size_t actions = 0;
  std::uint64_t judgements = 0;
  std::string engine = {};  // who found it; empty when nobody was searching
};

/// What a built-in worker does: scenarios first, first + stride, … of the stream of `seed`.
struct StreamPart {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t end = UINT64_MAX;  // one past the last index
  std::vector<Way> ways;
  std::filesystem::path corpus = {};    // the folder whose GAME/*.txt the pool starts with; empty: none
  std::filesystem::path exchange = {};  // where engines leave scenarios for each other; empty: nowhere
  std::chrono::steady_clock::time_point deadline;
  std::chrono::milliseconds shrink_time{10'000};
  bool keep_going = false;  // go on after the first finding
};

struct ShowOptions {
  std::optional<std::size_t> step;  // the position after that many actions; by default where they differ, or the last
  bool colour = false;
};

/// How long one judgement may take before it counts as a hang.
struct Guard {
  std::chrono::milliseconds timeout{20'000};
};

class AnyGame {
 public:
  virtual ~AnyGame() = default;

  virtual std::string_view name() const = 0;
  virtual std::vector<SimulatorInfo> simulators() const = 0;
  virtual std::vector<std::string_view> feature_names() const = 0;

  /// The text's scenario in canonical form, without comments.
  virtual Parsed<std::string> canonical(std::string_view text) const = 0;
  virtual Parsed<Size> size(std::string_view text) const = 0;
  virtual Parsed<Bytes> pack(std::string_view text) const = 0;
  virtual std::string unpack(std::span<const std::uint8_t> bytes) const = 0;

  /// Judges in a child process, so that a crash or a hang is a verdict too.
  virtual Parsed<Replay> replay(std::string_view text, const std::vector<std::string>& names, Guard) const = 0;
  virtual Parsed<std::string> show(std::string_view text, const std::vector<std::string>& names,
                                   const ShowOptions&) const = 0;
  /// Nothing when the scenario does not diverge.
  virtual Parsed<std::optional<FindingText>> shrink(std::string_view text, const std::vector<std::string>& names, Guard,
                                                    std::chrono::milliseconds time) const = 0;

  /// The answer to the original problem's input.
  virtual Parsed<std::string> answer(std::string_view input, const std::string& simulator) const = 0;

  /// Runs in a worker process until the deadline, the end of its part, or stats.stop.
  virtual void work(const StreamPart&, const std::vector<std::string>& names, CampaignStats&, ScenarioUnderWay&,
                    const std::function<void(const FindingText&)>& report) const = 0;
};

/// The games of this build, in the order of CMakeLists.txt.
std::span<const std::unique_ptr<AnyGame>> all_games();
const AnyGame* find_game(std::string_view name);

/// The simulators to judge: the named ones, "reference" standing for the game's reference; the
/// reference goes first even when it is not named. No names: the reference and all optimized ones.
/// An unknown name is an error that lists the known ones.
std::expected<std::vector<std::string>, std::string> resolve_simulators(const AnyGame& game,
                                                                        const std::vector<std::string>& names);
/// One simulator by name; no name: the fastest, which is the optimized one that enlisted last.
std::expected<std::string, std::string> resolve_simulator(const AnyGame& game, const std::string& name);

}  // namespace lockstep
