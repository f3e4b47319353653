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
template <System S>
std::vector<Scenario<S>> seed_corpus(const std::filesystem::path& corpus, std::uint64_t given = 0) {
  std::multimap<std::uint64_t, Scenario<S>> by_cost;
  for (const auto& file : corpus_files_if_any(corpus_folder(corpus, S::name))) {
    const auto text = read_file(file);
    if (!text) continue;
    if (auto scenario = parse_scenario<S>(*text)) by_cost.emplace(cost_of<S>(*scenario), std::move(*scenario));
  }
  std::vector<Scenario<S>> out;
  for (auto& [cost, scenario] : by_cost) {
    if (given == 0) out.push_back(std::move(scenario));
    else --given;
  }
  return out;
}

}  // namespace lockstep
