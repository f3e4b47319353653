#include "campaign/minimise.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>

#include "lockstep/base/json.hpp"
#include "lockstep/describe/features.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/services/guarded.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/services/searching.hpp"

namespace lockstep {
namespace {

/// How many elements of its coverage no chosen candidate reaches yet.
std::size_t gain_of(const CoverCandidate& one, const std::vector<std::uint32_t>& times) {
  return static_cast<std::size_t>(
      std::ranges::count_if(one.coverage, [&](std::uint32_t element) { return times[element] == 0; }));
}

}  // namespace

std::vector<std::size_t> small_cover(std::span<const CoverCandidate> all) {
  std::uint32_t elements = 0;
  for (const auto& one : all) {
    for (const std::uint32_t element : one.coverage) elements = std::max(elements, element + 1);
  }
  std::vector<std::uint32_t> times(elements);  // how many chosen ones reach each element
  std::vector<std::size_t> order(all.size());  // the largest first
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
    return std::tie(all[other].size, other) < std::tie(all[one].size, one);
  });
  std::vector<std::size_t> chosen;  // ranks in that order
  const auto choose = [&](std::size_t rank) {
    for (const std::uint32_t element : all[order[rank]].coverage) ++times[element];
    chosen.push_back(rank);
  };

  // A gain never grows. So if the one that had the largest gain has it still, no other has to be counted again. Of equal
  // gains, the last in the order is on top.
  std::priority_queue<std::pair<std::size_t, std::size_t>> open;  // gain and rank
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    if (all[order[rank]].required) choose(rank);
    else open.push({all[order[rank]].coverage.size(), rank});
  }
  while (!open.empty()) {
    const auto [gain_before, rank] = open.top();
    open.pop();
    const std::size_t gain = gain_of(all[order[rank]], times);
    if (gain == gain_before && gain > 0) choose(rank);
    else if (gain > 0) open.push({gain, rank});
  }

  std::ranges::sort(chosen);
  std::erase_if(chosen, [&](std::size_t rank) {
    const auto& one = all[order[rank]];
    if (one.required) return false;
    if (!std::ranges::all_of(one.coverage, [&](std::uint32_t element) { return times[element] > 1; })) return false;
    for (const std::uint32_t element : one.coverage) --times[element];
    return true;
  });
  for (std::size_t& each : chosen) each = order[each];
  std::ranges::sort(chosen);
  return chosen;
}

namespace {

/// A text with the implementations that judge it.
struct Case {
  std::size_t place;
  std::string_view text;
  std::vector<std::string> names;
};

/// For each case the numbers of what it reaches; nullopt: a finding.
using Lines = std::vector<std::optional<std::vector<std::uint32_t>>>;

/// What the cases reach, judged in one child; nullopt if it did not return.
std::optional<Lines> reached_together(const AnySystem& system, std::span<const Case> cases, Guard guard) {
  const SharedStats stats = share_stats();
  const auto judge_all = [&] {
    Lines out;
    for (const Case& one : cases) {
      const Reached reached = reach(system.parse(one.text).value(), one.names, *stats);
      auto& line = out.emplace_back();
      if (reached.state == Verdict::State::agreed) line.emplace(reached.coverage.begin(), reached.coverage.end());
      stats->scenarios.fetch_add(1);
    }
    return nlohmann::json(out).dump();
  };
  const auto result =
      run_in_child(judge_all, guard.timeout, ChildProcess::quiet(), [&] { return heartbeat_of(*stats); });
  if (result.end == ChildResult::End::not_started) throw InternalError{result.reason};
  if (result.end != ChildResult::End::returned) return std::nullopt;
  return nlohmann::json::parse(result.output).get<Lines>();
}

/// What the cases reach. If the child that judges them all does not return, each is judged in its own child; one that
/// kills its child or hangs is a finding.
Lines reached_by(const AnySystem& system, std::span<const Case> cases, Guard guard) {
  if (auto together = reached_together(system, cases, guard)) return std::move(*together);
  Lines out;
  for (const Case& one : cases) {
    auto alone = reached_together(system, {&one, 1}, guard);
    out.push_back(alone ? std::move(alone->front()) : std::nullopt);
  }
  return out;
}

/// Those with these names, if the system has them all; else all that are judged by default.
std::vector<std::string> judges_of(const AnySystem& system, const std::vector<std::string>& names) {
  try {
    return implementations_to_judge(system, names);
  } catch (const BadInput&) {
    return implementations_to_judge(system, {});
  }
}

/// The different scenarios of a corpus.
struct Scenarios {
  std::vector<Case> cases;
  std::vector<CoverCandidate> candidates;  // beside cases
};

/// Of equal scenarios the first one, or the first that is of a finding. Texts that are no scenarios are added to `bad`.
Scenarios different_scenarios(const AnySystem& system, std::span<const std::string> texts,
                              const std::vector<std::string>& names, std::vector<Minimised::Bad>& bad) {
  Scenarios out;
  std::map<std::string, std::size_t> places;
  for (std::size_t place = 0; place < texts.size(); ++place) {
    const auto scenario = system.parse(texts[place]);
    if (!scenario) {
      bad.push_back({place, scenario.error()});
      continue;
    }
    const FindingNotes notes = notes_of(texts[place]);
    const Case one{place, texts[place], names.empty() ? judges_of(system, notes.implementations) : names};
    const bool required = !notes.signature.empty();
    const CoverCandidate candidate{size_of(*scenario), {}, required};
    const auto [same, fresh] = places.try_emplace(scenario_text(*scenario), out.cases.size());
    if (fresh) {
      out.cases.push_back(one);
      out.candidates.push_back(candidate);
    } else if (required && !out.candidates[same->second].required) {
      out.cases[same->second] = one;
      out.candidates[same->second] = candidate;
    }
  }
  return out;
}

}  // namespace

Minimised minimise(const AnySystem& system, std::span<const std::string> texts, const std::vector<std::string>& names,
                   Guard guard, const std::function<bool(std::size_t done)>& goes_on) {
  constexpr std::size_t batch = 64;
  Minimised out;
  auto [cases, candidates] = different_scenarios(system, texts, names, out.bad);
  out.judged = cases.size();

  for (std::size_t first = 0; first < cases.size(); first += batch) {
    const auto some = std::span<const Case>{cases}.subspan(first, std::min(batch, cases.size() - first));
    if (!goes_on(first)) {
      for (std::size_t i = first; i < candidates.size(); ++i) candidates[i].required = true;
      out.judged = first;
      break;
    }
    auto reached = reached_by(system, some, guard);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (reached[i]) candidates[first + i].coverage = std::move(*reached[i]);
      else candidates[first + i].required = true;
    }
  }

  std::vector<std::uint32_t> covered;
  for (const std::size_t one : small_cover(candidates)) {
    out.kept.push_back(cases[one].place);
    if (candidates[one].required) out.findings.push_back(cases[one].place);
    covered.insert(covered.end(), candidates[one].coverage.begin(), candidates[one].coverage.end());
  }
  std::ranges::sort(covered);
  covered.erase(std::ranges::unique(covered).begin(), covered.end());
  out.features =
      static_cast<std::size_t>(std::ranges::lower_bound(covered, std::uint32_t{feature_indices}) - covered.begin());
  out.edges = covered.size() - out.features;
  return out;
}

}  // namespace lockstep
