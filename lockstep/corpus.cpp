#include "lockstep/corpus.hpp"

#include <system_error>

#include "lockstep/files.hpp"

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

}  // namespace lockstep
