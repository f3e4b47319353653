// The scenarios of a corpus folder (corpus.hpp) as a seed corpus for the portfolio.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "lockstep/corpus.hpp"
#include "lockstep/files.hpp"
#include "lockstep/portfolio.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

/// The scenarios, in increasing order of cost, without the first `given`; none if the path is empty. An invalid file is
/// skipped here: the replay test reports it.
inline std::vector<AnyScenario> seed_corpus(const Vocabulary& system, const std::filesystem::path& corpus,
                                            std::uint64_t given = 0) {
  std::multimap<std::uint64_t, AnyScenario> by_cost;
  for (const auto& file : corpus_files_if_any(corpus_folder(corpus, system.name()))) {
    const auto text = read_file(file);
    if (!text) continue;
    if (auto scenario = parse_scenario(system, *text)) by_cost.emplace(cost_of(*scenario), std::move(*scenario));
  }
  std::vector<AnyScenario> out;
  for (auto& [cost, scenario] : by_cost) {
    if (given == 0) out.push_back(std::move(scenario));
    else --given;
  }
  return out;
}

}  // namespace lockstep
