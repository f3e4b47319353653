// The page of a run (page/run.hpp) as a file.
#pragma once

#include <string>
#include <vector>

#include "page/run.hpp"

namespace lockstep {

/// Writes the page. A finding whose own page is beside it (finding.html beside finding.txt) is linked. `doing`: what a run
/// does that is not over; its page loads itself again, and a pipe or a device gets only the last one. BadInput if the file
/// cannot be written.
void write_run_page(const std::string& path, page::RunFile run, std::vector<page::RunFile> more,
                    const std::string& doing = "");

}  // namespace lockstep
