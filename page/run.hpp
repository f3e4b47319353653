// The page of a run: one HTML file with the curves and tables of a campaign, and of what other verbs wrote beside it.
//
// It consists of head.html, run.html, page.css, run.css, run.js, D3 (page/d3) and one JSON object, which run.cpp writes and
// run.js reads. Whatever a file holds, the page stays below 5 MB: long texts and long lists are cut, and the page says so.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lockstep::page {

/// What a verb wrote with --json.
struct RunFile {
  std::string name;  // as errors and the page name it
  std::string text;
};

struct RunContent {
  RunFile run;                // of fuzz
  std::vector<RunFile> more;  // of labels, canaries, explore, lockstep-prove and compare
  std::string command;        // that the program is called by
  std::string doing = {};  // what a run does that is not over: the page says so, with its age, and loads itself again
  /// The address of a finding's page, from that of the run; empty if there is none.
  std::function<std::string(const std::string& finding)> page_of;
};

/// Whether a text is JSON rather than a scenario.
bool is_json(const std::string& text);

/// The whole file. BadInput for a file that is something else, with the place and what was expected there.
std::string html_of(const RunContent& content);

}  // namespace lockstep::page
