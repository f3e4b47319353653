// Random positions by the billion. Judging costs microseconds a position, far more than a fast implementation needs to
// answer. So implementations that answer many positions at once, given in bits, are compared with each other at their
// own speed:
//
//   block of 10,000 positions ──▶ lanes ──▶ answers ─┐
//        drawn from seed_of(seed, block)             ├─ equal?   a position that differs is judged by all
//                             ──▶ batch ──▶ answers ─┘
//
// The first position of each block is judged by all implementations: this connects the fast functions to the rules,
// because the judge calls the fast function for a question as well, in campaigns too. A system takes part in four places:
//
//   - its vocabulary names `Bits` (a position) and `Answer` (to the question), a number;
//   - its laws say which action asks a question, and what its observation answers;
//   - implementations have `static void answer_many(std::span<const S::Bits>, std::span<S::Answer>)`;
//   - its explorations name a Bulk<S> (exploration.hpp).
//
// The result is no certificate that covers a bound: it says how many random positions were compared.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/explore/exploration.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/system/scenario_of.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

inline constexpr std::uint64_t bulk_block = 10'000;

namespace bulk {

/// The answer about a position must be the same among other positions and alone.
[[noreturn]] void contradicts(const std::string& names, const AnyScenario& scenario);

/// Compares the answers to one block, and judges its first position and up to `judged_max` that differ.
template <class S>
void compare_block(const Bulk<S>& bulk, std::uint64_t seed, std::uint64_t block, const std::vector<Runner>& fast,
                   Scenario<S>& scenario, const Judged& judged) {
  constexpr std::size_t stretch = 1'000;  // positions that stay in the caches
  constexpr std::size_t judged_max = 4;
  std::array<BitsOf<S>, stretch> positions;
  std::vector<std::array<AnswerOf<S>, stretch>> answers(fast.size());
  Random random{seed_of(seed, block)};
  std::size_t differing = 0;
  for (std::size_t done = 0; done < bulk_block; done += stretch) {
    bulk.draw(random, positions);
    for (std::size_t i = 0; i < fast.size(); ++i) ask_many<S>(fast[i].answer_many, positions, answers[i]);
    if (done == 0) {
      bulk.write(positions[0], scenario);
      const bool agreed = judged();
      for (std::size_t i = 0; agreed && i < fast.size(); ++i) {
        AnswerOf<S> alone{};
        ask_many<S>(fast[i].answer_many, {positions.data(), 1}, {&alone, 1});
        if (answers[i][0] != alone) contradicts(std::string{fast[i].name}, untyped<S>(scenario));
      }
    }
    for (std::size_t i = 1; i < fast.size(); ++i) {
      if (answers[i] == answers[0]) continue;
      for (std::size_t at = 0; at < stretch && differing < judged_max; ++at) {
        if (answers[i][at] == answers[0][at]) continue;
        ++differing;
        bulk.write(positions[at], scenario);
        if (judged()) contradicts(std::string{fast[0].name} + " or " + std::string{fast[i].name}, untyped<S>(scenario));
      }
    }
  }
}

}  // namespace bulk

/// A sweep over blocks. Its parts end at 10⁶ positions, 10⁷, …, so that a difference shows early. The number of
/// positions is rounded up to whole blocks; 0: that of the bulk. `judged` begins with the reference. An error if fewer
/// than two of them answer many positions at once.
template <System S>
std::expected<AnySweep, std::string> bulk_sweep(const Bulk<S>& bulk, std::uint64_t positions, std::uint64_t seed,
                                                const std::vector<Runner>& judged) {
  static_assert(asks_in_bits<S>, "give the system Laws::question and Laws::answer: else nothing judges answer_many");
  const auto fast = answering_many(judged);
  if (fast.size() < 2) {
    std::vector<std::string> names;
    for (const auto& each : answering_many(registry<S>())) names.emplace_back(each.name);
    return std::unexpected("two implementations must answer many positions at once; of those compared " +
                           (fast.empty() ? "none does" : "only " + std::string{fast.front().name} + " does") +
                           (names.empty() ? "" : "; " + std::string{S::name} + " has " + joined(names, ", ")));
  }
  const auto blocks_for = [](std::uint64_t count) { return (count - 1) / bulk_block + 1; };
  const std::uint64_t blocks = blocks_for(positions > 0 ? positions : bulk.positions);
  AnySweep out;
  std::uint64_t first = 0;
  for (std::uint64_t end = 1'000'000; first < blocks; end *= 10) {
    const std::uint64_t last = std::min(blocks, blocks_for(end));
    out.push_back({.name = "to " + std::to_string(last * bulk_block),
                   .numbers = last - first,
                   .each = bulk_block,
                   .scenarios = [=](std::uint64_t number, AnyScenario& scenario, const Judged& judge) {
                     bulk::compare_block(bulk, seed, first + number, fast, typed<S>(scenario), judge);
                   }});
    first = last;
  }
  return out;
}

}  // namespace lockstep
