// Where scenario files are: the .txt files of a folder, sorted by name. A corpus has one such folder for each system.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using CorpusFiles = std::vector<std::filesystem::path>;

/// The folder's scenario files, or why it cannot be read: for a folder that a person has named.
std::expected<CorpusFiles, std::string> corpus_files(const std::filesystem::path& folder,
                                                     std::string_view extension = ".txt");

/// The same, where a folder that is missing or cannot be read holds none: for a corpus that need not exist.
CorpusFiles corpus_files_if_any(const std::filesystem::path& folder, std::string_view extension = ".txt");

}  // namespace lockstep
