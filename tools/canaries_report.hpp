// The results of the verb canaries, as tables, as a summary, and as JSON.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/services/timing.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

/// All engines together, as fuzz runs them.
inline constexpr std::string_view portfolio = "portfolio";
inline constexpr double never = std::numeric_limits<double>::infinity();

/// A row of the results: the trials of one engine with one canary.
struct CanaryRow {
  const AnySystem* system;
  std::string canary;
  std::string about;
  std::string engine;
  unsigned trials;
  double cap;
  bool against;                             // of --against
  std::vector<double> seconds = {};         // per trial, until the detection; `never` without one
  std::vector<double> processor = {};       // likewise, processor time of all processes of the trial
  std::vector<double> scenarios = {};       // likewise, scenarios judged
  std::vector<std::uint64_t> actions = {};  // of the shrunk scenarios
  std::vector<std::uint64_t> cells = {};
  unsigned minimal = 0;
  std::map<std::string, unsigned> found_by = {};

  std::size_t detected() const { return actions.size(); }
  bool always_detected() const { return detected() == seconds.size(); }
  double median_seconds() const { return quartiles(seconds).median; }
  double median_processor() const { return quartiles(processor).median; }
};

/// The columns with these headings, as a table of at most 80 characters for each system. Where there are several engines,
/// they are listed below each canary.
std::string tables_of(const std::vector<CanaryRow>& rows, const std::vector<std::string>& headings);

/// One line per canary. Each engine of --against is a column with its median processor time.
std::string markdown_of(const std::vector<CanaryRow>& rows, const std::vector<std::string>& against);

/// What each engine detected, and the portfolio against the best single engine.
std::string summary_of(const std::vector<CanaryRow>& rows, const std::vector<std::string>& engines,
                       const std::vector<std::string>& against);

/// The rows, and the ratios of the portfolio to the best single engine. A number that is `never` becomes null.
nlohmann::ordered_json json_of(const std::vector<CanaryRow>& rows);

}  // namespace lockstep
