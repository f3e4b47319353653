// The page of a finding: one HTML file that needs nothing else, neither network nor files beside it.
//
// It consists of head.html, page.html, page.css, element.js, films.js, boards.js, panels.js, page.js, the drawing of the system
// (lockstep/system/drawing.hpp) and one JSON object, which data_of writes and films.js reads. With the system's module (module.cpp), module.js and what_if.js judge
// changed scenarios. The build puts the files into the library (files.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/services/judging.hpp"
#include "lockstep/services/recording.hpp"

namespace lockstep::page {

/// What the page of a scenario shows.
struct Content {
  std::string system;
  std::string file;                     // of the scenario, as errors name it
  std::string replay;                   // the command that judges it again
  std::string scenario;                 // its text
  std::optional<std::string> input;     // the same for the original problem, where it is one of its inputs
  std::vector<Runner> implementations;  // those that were judged
  Replay judged;
  Recording recording;
  std::optional<Explanation> explanation;
  std::string module;  // WebAssembly, compressed by gzip; empty if there is none
};

/// The content as JSON, in ASCII and without '<', so that it can stand in a script element.
std::string data_of(const Content& content);

/// The whole file. At most 5 MB, whatever the scenario.
std::string html_of(const Content& content);

}  // namespace lockstep::page
