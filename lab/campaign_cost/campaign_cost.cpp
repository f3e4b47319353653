// The cost of a campaign relative to its reference: runs the worker loop over one part of a seed's stream, and the
// reference alone on the same scenarios.
//
//   ./dev lab campaign-cost [GAME …]
//   campaign_cost_SYSTEM [SCENARIOS [SEED]]
//
// The two alternate in blocks of 256 scenarios, on one thread, measured in its processor time. A disturbance hits both,
// so the ratio is comparable between machines. A third pass reads a clock between the parts of the loop to attribute
// the time. The clock itself costs time, so the parts are shares and do not add up to the ratio.
#include LOCKSTEP_SYSTEM

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/describe/codec.hpp"
#include "lockstep/draw/portfolio.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/stats.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/scenario_of.hpp"

namespace lockstep {
namespace {

using S = ThisSystem;

/// Parts of the loop; the time of the implementations is counted after these, in registration order.
enum Part : std::size_t { drawing, judging, features, rest, implementations };
constexpr std::array<std::string_view, implementations> part_names = {"drawing", "judging", "features", "rest"};

std::uint64_t processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Processor time by part. The time between two calls belongs to the part named in the second call.
class Split {
 public:
  void start() { last_ = processor_ns(); }
  void end(std::size_t part) {
    const std::uint64_t now = processor_ns();
    if (part >= ns_.size()) ns_.resize(part + 1);
    ns_[part] += now - std::exchange(last_, now);
  }
  /// "drawing 13%, …, textbook 5%"
  std::string text(std::span<const Runner> judged) const {
    const double all = static_cast<double>(std::accumulate(ns_.begin(), ns_.end(), std::uint64_t{0}));
    std::string out;
    for (std::size_t part = 0; part < ns_.size(); ++part) {
      out += fmt::format("{}{} {:.1f}%", part == 0 ? "" : ", ",
                         part < implementations ? part_names[part] : judged[part - implementations].name,
                         100 * static_cast<double>(ns_[part]) / all);
    }
    return out;
  }

 private:
  std::uint64_t last_ = 0;
  std::vector<std::uint64_t> ns_;
};

/// The loop of a built-in worker over one stream, without findings, exchange and progress callbacks.
class Loop {
 public:
  /// `split`: measures each part; null: no clock inside the loop.
  Loop(std::uint64_t seed, std::vector<Runner> judged, Split* split)
      : seed_{seed},
        split_{split},
        stats_{share_stats()},
        recent_{share_scenarios()},
        judge_{vocabulary<S>(), timed(std::move(judged)), &stats_->progress} {}

  /// The scenario is valid until the next call.
  const AnyScenario& run(std::uint64_t index) {
    using Clock = std::chrono::steady_clock;
    if (split_ != nullptr) split_->start();
    const Clock::time_point started = Clock::now();
    const std::uint64_t seed = seed_of(seed_, index);
    const AnyScenario& scenario = portfolio_.next(seed);
    end(drawing);
    encode(scenario, bytes_);
    const auto generator = static_cast<std::size_t>(portfolio_.generator());
    recent_->store(bytes_);
    stats_->current.store(index + 1);
    end(rest);
    if (!judge_.judge(scenario, seed).agreed()) {
      std::fputs("something differs: run a campaign\n", stderr);
      std::exit(1);
    }
    end(judging);
    stats_->count(scenario.size(), generator, Clock::now() - started);
    end(rest);
    portfolio_.learn(judge_.traces());
    for (const std::size_t bucket : portfolio_.buckets()) stats_->mark(bucket, generator);
    end(features);
    return scenario;
  }

 private:
  void end(std::size_t part) {
    if (split_ != nullptr) split_->end(part);
  }

  std::vector<Runner> timed(std::vector<Runner> judged) const {
    if (split_ == nullptr) return judged;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      judged[i].code = code_of([code = judged[i].code, split = split_, part = implementations + i](
                                   const AnyScenario& scenario, Cadence cadence, AnyTrace& out) {
        split->end(judging);
        code->run(scenario, cadence, out);
        split->end(part);
      });
    }
    return judged;
  }

  std::uint64_t seed_;
  Split* split_;
  SharedStats stats_;
  SharedScenarios recent_;
  Judge judge_;
  Portfolio portfolio_{vocabulary<S>(), {generators.begin(), generators.end()}, {}};
  Bytes bytes_;
};

void measure(std::uint64_t scenarios, std::uint64_t seed) {
  std::vector<Runner> judged;
  for (const auto& one : registry<S>()) {
    if (judged_by_default(one.kind)) judged.push_back(one);
  }
  constexpr std::size_t block = 256;
  Split split;
  Loop measured{seed, judged, &split};
  Loop whole{seed, judged, nullptr};
  AnyTrace trace = vocabulary<S>().trace();
  std::vector<AnyScenario> drawn(block, vocabulary<S>().scenario());
  std::uint64_t whole_ns = 0;
  std::uint64_t reference_ns = 0;
  std::uint64_t steps = 0;
  for (std::uint64_t first = 0; first < scenarios; first += block) {
    for (std::size_t i = 0; i < block; ++i) {
      drawn[i] = measured.run(first + i);
      steps += drawn[i].size();
    }
    const std::uint64_t start = processor_ns();
    for (std::size_t i = 0; i < block; ++i) whole.run(first + i);
    const std::uint64_t middle = processor_ns();
    for (const AnyScenario& scenario : drawn) judged.front().run(scenario, Cadence{}, trace);
    reference_ns += processor_ns() - middle;
    whole_ns += middle - start;
  }
  const auto per_step = [&](std::uint64_t ns) { return static_cast<double>(ns) / static_cast<double>(steps); };
  std::puts(fmt::format("{:<10} {:.2f} times the reference ({:.0f} / {:.0f} ns a step): {}", S::name,
                        static_cast<double>(whole_ns) / static_cast<double>(reference_ns), per_step(whole_ns),
                        per_step(reference_ns), split.text(judged))
                .c_str());
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  const std::uint64_t scenarios = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  lockstep::measure(scenarios, seed);
}
