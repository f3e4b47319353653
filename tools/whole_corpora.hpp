// What lockstep corpus does with whole corpora. What changes many files reads and checks all of them first. If there are
// damaged ones, each is named, and nothing is written.
#pragma once

#include "tools/verbs.hpp"

namespace lockstep {

struct CorpusOptions {
  std::vector<std::string> files;
  std::string system;
  std::vector<std::string> systems;
  std::vector<std::string> with;
  std::string folder = "corpus";
  std::string out;
  std::string name;
  std::string floors;
  Guard guard;
};

/// The folder's scenario files; none if there is no such folder. One that cannot be read is an error, and so is a link that
/// leads nowhere: the files would be skipped silently.
std::expected<CorpusFiles, std::string> files_if_exists(const std::filesystem::path& folder);

int check_corpus(const CorpusOptions& options);
int minimise_corpus(const CorpusOptions& options);
void merge_folders(const CorpusOptions& options);

}  // namespace lockstep
