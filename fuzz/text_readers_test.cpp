// Tests of fuzz_text itself: its dictionary is complete, and its checks accept correct input.
#include "fuzz/text_readers.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"

namespace {

using namespace lockstep;

TEST(FuzzText, ReadsEverySystem) {
  std::string names;
  for (const AnySystem* system : all_systems()) names += std::string{system->name()} + ";";
  for (const auto& folder : std::filesystem::directory_iterator{LOCKSTEP_GAMES}) {
    if (!exists(folder.path() / "roster.hpp")) continue;
    EXPECT_NE((";" + names).find(";" + folder.path().filename().string() + ";"), std::string::npos) << folder.path();
  }
}

TEST(FuzzText, ItsDictionaryHoldsEveryWord) {
  const std::string dictionary = read_file(LOCKSTEP_DICTIONARY).value();
  for (const AnySystem* system : all_systems()) {
    for (const auto& word : words_of(*system)) {
      EXPECT_NE(dictionary.find("\"" + word), std::string::npos) << system->name() << ": " << word;
    }
  }
}

TEST(FuzzText, EveryTextOfTheCorpusPassesEveryReader) {
  for (const char* extension : {".txt", ".in", ".out"}) {
    const CorpusFiles files = corpus_files_below(LOCKSTEP_CORPUS, extension).value();
    EXPECT_GT(files.size(), 0u) << extension;
    for (const auto& file : files) {
      const std::string text = read_file(file).value();
      for (const AnySystem* system : all_systems()) {
        EXPECT_EQ(law_broken_by_reading(*system, text), "") << file << " as " << system->name();
      }
    }
  }
}

TEST(FuzzText, EveryPrefixOfATextPassesEveryReader) {
  const std::string text =
      "lockstep 1 ts_tetris\nfinding\n  signature: x\n  implementations: a,,b\r\n    c\nwidth 5\nheight "
      "3\nboard\n.....\n1.2..\n11222\n"
      "actions\ndrop column=0 # here\nresult\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    for (const AnySystem* system : all_systems()) {
      EXPECT_EQ(law_broken_by_reading(*system, std::string_view{text}.substr(0, size)), "")
          << system->name() << ", first " << size;
    }
  }
}

/// Found by fuzz_text: an error about missing pieces named line 0.
TEST(FuzzText, AnErrorAtTheEndOfATextNamesTheLastLine) {
  for (const AnySystem* system : all_systems()) {
    const std::string text = "lockstep 1 " + std::string{system->name()} + "\n";
    EXPECT_EQ(law_broken_by_reading(*system, text), "") << system->name();
  }
}

}  // namespace
