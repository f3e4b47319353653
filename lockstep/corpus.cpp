#include "lockstep/corpus.hpp"

#include <algorithm>
#include <system_error>

#include "lockstep/files.hpp"

namespace lockstep {

namespace fs = std::filesystem;

namespace {

template <class Iterator>
std::expected<CorpusFiles, std::string> files_of(const fs::path& folder, std::string_view extension) {
  CorpusFiles files;
  const std::error_code fault = visit_entries<Iterator>(folder, [&](const fs::directory_entry& entry) {
    std::error_code none;  // for a dangling link, which is not a regular file
    if (entry.path().extension() == extension && entry.is_regular_file(none)) files.push_back(entry.path());
  });
  if (fault) return std::unexpected(folder.string() + ": " + fault.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::expected<CorpusFiles, std::string> corpus_files(const fs::path& folder, std::string_view extension) {
  return files_of<fs::directory_iterator>(folder, extension);
}

std::expected<CorpusFiles, std::string> corpus_files_below(const fs::path& folder, std::string_view extension) {
  return files_of<fs::recursive_directory_iterator>(folder, extension);
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
