// The corpus of a sharded search: what its shards reached first.
#pragma once

#include "campaign/resume.hpp"

namespace lockstep {

/// Writes, of each system of the run, the fewest scenarios that reach all that the shards left in the folder `shared`, to
/// OUT/corpus/SYSTEM, in place of those of an earlier merge. Returns what could not be written, and prints it.
std::vector<std::string> write_corpora(const std::filesystem::path& shared, const std::filesystem::path& out,
                                       const FuzzRun& run);

}  // namespace lockstep
