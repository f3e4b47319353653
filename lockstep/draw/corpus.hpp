// Finds scenario files: the .txt files of a folder, sorted by name. A corpus has one such folder per system; the corpus
// of a single system may be that folder itself.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

class AnyScenario;
class Vocabulary;

using CorpusFiles = std::vector<std::filesystem::path>;

/// The folder's scenario files, or the reason why it cannot be read. For a folder that the user has named.
std::expected<CorpusFiles, std::string> corpus_files(const std::filesystem::path& folder,
                                                     std::string_view extension = ".txt");

/// The same of the folder and of all folders below it.
std::expected<CorpusFiles, std::string> corpus_files_below(const std::filesystem::path& folder,
                                                           std::string_view extension = ".txt");

/// As corpus_files, but a folder that is missing or cannot be read has no files. For a corpus that need not exist.
CorpusFiles corpus_files_if_any(const std::filesystem::path& folder, std::string_view extension = ".txt");

/// The folder of a system's scenarios: CORPUS/SYSTEM, or CORPUS itself if that does not exist. An empty path if there is no
/// corpus (an empty path, too).
std::filesystem::path corpus_folder(const std::filesystem::path& corpus, std::string_view system);

/// A seed corpus for the portfolio: the scenarios of a corpus, in increasing order of cost, without the first `given`; none if the path is empty. An invalid file is
/// skipped here: the replay test reports it.
std::vector<AnyScenario> seed_corpus(const Vocabulary& system, const std::filesystem::path& corpus,
                                     std::uint64_t given = 0);

}  // namespace lockstep
