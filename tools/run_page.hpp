// The page of a run (page/run.hpp) as a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "page/run.hpp"

namespace lockstep {

/// Writes a page that says that the run did not end: a run that is killed leaves it, and BadInput for a file that
/// cannot be written comes before the work.
void begin_run_page(const std::string& path);

/// Writes the page. A finding whose own page is beside it (finding.html beside finding.txt) is linked.
void write_run_page(const std::filesystem::path& path, page::RunFile run, std::vector<page::RunFile> more);

}  // namespace lockstep
