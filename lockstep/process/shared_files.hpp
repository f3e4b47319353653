// Files that come with the program, and are looked for when they are needed: below share/lockstep, beside the running
// program (build/release/share, or where a package put it), in /usr/local or in /usr.
#pragma once

#include <filesystem>
#include <optional>

namespace lockstep {

/// The prefix that the running program belongs to: /usr for /usr/bin/lockstep.
std::filesystem::path own_prefix();

/// The path of share/lockstep/NAME; nullopt if there is none.
std::optional<std::filesystem::path> shared_file(const std::filesystem::path& name);

/// The corpora that come with the running program (lockstep/draw/corpus.hpp), whether they exist or not. Looked for below its
/// own prefix only: a program in another place has other systems.
std::filesystem::path own_corpus();

}  // namespace lockstep
