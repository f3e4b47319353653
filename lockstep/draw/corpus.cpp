#include "lockstep/draw/corpus.hpp"

#include <map>
#include <ranges>
#include <system_error>

#include "lockstep/draw/portfolio.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

namespace fs = std::filesystem;

std::expected<CorpusFiles, std::string> corpus_files(const fs::path& folder, std::string_view extension) {
  return files_in(folder, [&](const fs::path& file) { return file.extension() == extension; });
}

std::expected<CorpusFiles, std::string> corpus_files_below(const fs::path& folder, std::string_view extension) {
  return files_in<fs::recursive_directory_iterator>(
      folder, [&](const fs::path& file) { return file.extension() == extension; });
}

CorpusFiles corpus_files_if_any(const fs::path& folder, std::string_view extension) {
  return corpus_files(folder, extension).value_or(CorpusFiles{});
}

fs::path corpus_folder(const fs::path& corpus, std::string_view system) {
  if (corpus.empty()) return {};  // else it would be a folder of the current one
  std::error_code none;
  const fs::path own = corpus / system;
  return fs::is_directory(own, none) ? own : corpus;
}

std::vector<AnyScenario> seed_corpus(const Vocabulary& system, const fs::path& corpus, std::uint64_t given) {
  std::multimap<std::uint64_t, AnyScenario> by_cost;
  for (const auto& file : corpus_files_if_any(corpus_folder(corpus, system.name()))) {
    const auto text = read_file(file);
    if (!text) continue;
    if (auto scenario = parse_scenario(system, *text)) by_cost.emplace(cost_of(*scenario), std::move(*scenario));
  }
  std::vector<AnyScenario> out;
  for (auto& [cost, scenario] : by_cost | std::views::drop(given)) out.push_back(std::move(scenario));
  return out;
}

}  // namespace lockstep
