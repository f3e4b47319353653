// --sarif and --junit: the files that a verb writes for a code host and for continuous integration.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/services/finding.hpp"
#include "tools/junit.hpp"
#include "tools/sarif.hpp"

namespace lockstep {

class ReportFiles {
 public:
  /// Adds both options to a verb.
  void add_to(CLI::App& verb);

  /// The options as they were given, for a command line: " --sarif x.sarif"; "" if there are none.
  std::string given() const;

  /// Writes files that say that the run did not end. Called before the verb begins: a run that is killed leaves them,
  /// and BadInput for a file that cannot be written comes before the work and not after it. A pipe or a device gets the
  /// end only. `html`: another file that the verb writes, of the option --html.
  void begin(std::string_view verb, const std::string& html = {}) const;

  /// Writes both files at the end of the run. Returns the exit code of the program, as after_writing does.
  [[nodiscard]] int write(const SarifRun& run, const std::vector<JunitCase>& cases) const;

 private:
  std::string sarif_;
  std::string junit_;
};

/// Calls `write` at the end of a run. If it throws BadInput, because a file cannot be written, that is told on standard
/// error, and what the run found stays its result. Returns the exit code of the program: the run's, or exit_bad_input if
/// the run found nothing wrong and the file is missing.
[[nodiscard]] int after_writing(int exit_code, const std::function<void()>& write);

/// Writes what says that the run did not end, as ReportFiles::begin does.
void begin_file(const std::string& path, const std::string& text);

/// The finding as JSON; `file`: "" if it could not be written.
nlohmann::ordered_json json_of(const Finding& finding, const std::string& file);

/// The case of a finding: it fails.
JunitCase junit_case(const SarifResult& result, std::string name, double seconds);

}  // namespace lockstep
