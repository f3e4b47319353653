#include "tools/merged_corpus.hpp"

#include <set>

#include "campaign/minimise.hpp"
#include "campaign/shards.hpp"
#include "lockstep/base/hash.hpp"
#include "lockstep/draw/exchange.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/system/plugin.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// The scenarios that the shards' engines left for each other; shards may be running. Throws BadInput if one cannot be
/// read.
std::vector<std::string> exchanged(const fs::path& folder, const AnySystem& system) {
  const fs::path own = folder / "scenarios" / system.name();
  if (!is_there(own)) return {};
  std::set<std::string> texts;  // sorted, each once
  for (const fs::path& file : or_refuse(files_in(own, Exchange::is_scenario))) {
    const auto bytes = read_file(file);
    if (!bytes && fs::exists(file)) throw BadInput{unreadable_text(file, bytes.error())};
    if (!bytes) continue;  // a temporary file of a shard that is running
    if (auto text = system.unpack(bytes_in(*bytes))) texts.insert(std::move(*text));
  }
  return {texts.begin(), texts.end()};
}

/// Throws BadInput if a file cannot be read or written.
void write_corpus(const fs::path& shared, const fs::path& folder, const AnySystem& system, const FuzzRun& run) {
  const auto texts = exchanged(shared, system);
  if (texts.empty()) {
    std::cerr << system.name() << ": no shard left a scenario; nothing was written to " << folder.string()
              << ", and nothing removed from it\n";
    return;
  }
  // A plugin is not loaded because a file names it.
  const bool plugins = std::ranges::any_of(run.options.with, names_plugin);
  const auto names = implementations_to_judge(system, plugins ? std::vector<std::string>{} : run.options.with);
  const Minimised small = minimise(system, texts, names, Guard{run.options.timeout}, [](std::size_t) { return true; });
  std::set<fs::path> kept;
  for (const std::size_t place : small.kept) {
    const fs::path file = folder / (hash_text(texts[place]) + ".txt");
    keep_output(file, texts[place]);
    kept.insert(file);
  }
  std::error_code fault;
  for (const auto& file : corpus_files_if_any(folder)) {
    if (!kept.contains(file)) fs::remove(file, fault);
    if (fault) throw BadInput{file.string() + ": " + fault.message()};
  }
  std::cerr << fmt::format("{}: of {} that reached something new, {} {} it all{}: {}\n", system.name(),
                           counted(texts.size(), "scenario"), small.kept.size(),
                           small.kept.size() == 1 ? "reaches" : "reach",
                           plugins ? " (without plugins: merge loads none)" : "", folder.string());
}

}  // namespace

std::vector<std::string> write_corpora(const fs::path& shared, const fs::path& out, const FuzzRun& run) {
  std::vector<std::string> faults;
  for (const CampaignResult& result : run.results) {
    try {
      write_corpus(shared, out / "corpus" / result.system->name(), *result.system, run);
    } catch (const BadInput& fault) {
      faults.push_back("the corpus of " + std::string{result.system->name()} + " was not written: " + fault.what());
      complain(faults.back());
    }
  }
  return faults;
}

}  // namespace lockstep
