// The report of `lockstep fuzz`: as tables, or as JSON (docs/fuzz-json.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/resume.hpp"
#include "page/run.hpp"
#include "tools/report_files.hpp"

namespace lockstep {

/// What the command line of fuzz or merge wants to be reported, and where.
struct FuzzOutput {
  bool json = false;     // JSON in place of tables
  bool verbose = false;  // also tables of the implementations, the canaries and the engines
  ReportFiles reports;
  std::string html;  // the page of the run; empty: none
};

/// A campaign that missed its canary, or judged nothing, proves nothing.
int exit_code_of(const std::vector<CampaignResult>& results, bool interrupted);

/// A table of the systems and the findings, or JSON, on standard output; faults on standard error.
void print_results(const FuzzRun& run, const FuzzOutput& output, int exit_code);

/// Writes the page of a run (page/run.hpp) to a file. A finding whose own page is beside it (finding.html beside
/// finding.txt) is linked. `doing`: what a run does that is not over; its page loads itself again, and a pipe or a device
/// gets only the last one. BadInput if the file cannot be written.
void write_run_page(const std::string& path, page::RunFile run, std::vector<page::RunFile> more,
                    const std::string& doing = "");

/// Writes the page of --html, if there is a path. BadInput if the file cannot be written.
void write_page(const std::string& path, const FuzzRun& run, int exit_code, const std::string& doing = "");

/// The files of the output. Each system has a case for its search and one for each finding. `not_merged`:
/// why shards of the run are missing in it; then no search passes. Returns the exit code of the program, as after_writing
/// does.
[[nodiscard]] int write_reports(const FuzzOutput& output, const FuzzRun& run, int exit_code,
                                const std::vector<std::string>& not_merged = {});

/// The progress line of a running campaign.
/// `place`: which of how many systems, as "2 of 5"; empty if there is one. `left`: how long it still takes; empty: unknown.
std::string progress_text(const CampaignProgress& progress, const std::string& place, std::optional<double> left);

}  // namespace lockstep
