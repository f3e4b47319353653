#include "tools/canaries_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

#include "tools/numbers.hpp"

namespace lockstep {
namespace {

/// A shorter time measures how fast processes start, not how well an engine searches.
constexpr double noise_seconds = 0.05;

std::string seconds_text(double seconds, double cap) {
  return std::isinf(seconds) ? fmt::format("> {:g}", cap) : fmt::format("{:.3f}", seconds);
}

std::string count_text(double count) { return std::isinf(count) ? "–" : short_number(count); }

/// "1", or "1–3" when the trials differ.
std::string range_text(const std::vector<std::uint64_t>& values) {
  if (values.empty()) return "–";
  const auto [least, most] = std::ranges::minmax(values);
  return least == most ? std::to_string(least) : fmt::format("{}–{}", least, most);
}

using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const std::vector<CanaryRow>& rows) {
  Cells out = {{"system", "canary", "engine", "detected", "median s", "quartiles s", "processor s", "scenarios",
                "actions", "cells", "minimal"}};
  for (const CanaryRow& row : rows) {
    const auto text = [&](double seconds) { return seconds_text(seconds, row.cap); };
    const Quartiles seconds = quartiles(row.seconds);
    out.push_back({std::string{row.system->name()}, row.canary, row.engine,
                   fmt::format("{}/{}", row.detected(), row.seconds.size()), text(seconds.median),
                   text(seconds.low) + " … " + text(seconds.high), text(row.median_processor()),
                   count_text(quartiles(row.scenarios).median), range_text(row.actions), range_text(row.cells),
                   fmt::format("{}/{}", row.minimal, row.detected())});
  }
  return out;
}

/// The results of one engine over all canaries; "" if it has none.
std::string engine_summary(const std::string& engine, const std::vector<CanaryRow>& rows) {
  auto own = rows | std::views::filter([&](const CanaryRow& row) { return row.engine == engine; });
  const auto slowest = std::ranges::max_element(own, {}, &CanaryRow::median_seconds);
  if (slowest == own.end()) return "";
  const auto canaries = std::ranges::distance(own);
  return fmt::format("{}: {} of {} {} in every trial; the largest median is {} s ({} {})\n", engine,
                     std::ranges::count_if(own, &CanaryRow::always_detected), canaries,
                     canaries == 1 ? "canary" : "canaries", seconds_text(slowest->median_seconds(), slowest->cap),
                     slowest->system->name(), slowest->canary);
}

/// The median of the portfolio divided by the best median of a single engine, for one canary. In processor time, which
/// other load on the machine does not change.
struct Ratio {
  const CanaryRow* portfolio_row = nullptr;
  const CanaryRow* best = nullptr;
  double ratio = 0;
};

/// One for each canary whose median for the portfolio is above the noise; the largest ratio first.
std::vector<Ratio> ratios_of(const std::vector<CanaryRow>& rows) {
  std::vector<Ratio> out;
  for (const CanaryRow& row : rows) {
    if (row.engine != portfolio || row.median_processor() < noise_seconds) continue;
    auto others = rows | std::views::filter([&](const CanaryRow& other) {
                    return other.against && other.system == row.system && other.canary == row.canary;
                  });
    const auto best = std::ranges::min_element(others, {}, &CanaryRow::median_processor);
    if (best == others.end() || std::isinf(best->median_processor())) continue;
    out.push_back({&row, &*best, row.median_processor() / std::max(best->median_processor(), noise_seconds)});
  }
  std::ranges::sort(out, std::greater{}, &Ratio::ratio);
  return out;
}

}  // namespace

std::string tables_of(const std::vector<CanaryRow>& rows, const std::vector<std::string>& headings) {
  const Cells cells = cells_of(rows);
  const bool several = std::ranges::any_of(rows, [&](const CanaryRow& row) { return row.engine != rows[0].engine; });
  const auto line = [&](std::string name, const std::vector<std::string>& row) {
    std::vector<std::string> out = {std::move(name)};
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::ranges::find(headings, cells[0][i]) != headings.end()) out.push_back(row[i]);
    }
    return out;
  };
  std::string out;
  Cells table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CanaryRow& row = rows[i];
    const bool first = i == 0 || rows[i - 1].system != row.system;
    if (first) table = {line(std::string{row.system->name()}, cells[0])};
    if (several && (first || rows[i - 1].canary != row.canary)) table.push_back({row.canary});
    table.push_back(line(several ? "  " + row.engine : row.canary, cells[i + 1]));
    if (i + 1 == rows.size() || rows[i + 1].system != row.system) out += table_text(table, 1, 0) + "\n";
  }
  return out;
}

std::string markdown_of(const std::vector<CanaryRow>& rows, const std::vector<std::string>& against) {
  const auto cells = cells_of(rows);
  const auto line = [](const std::vector<std::string>& words) {
    return fmt::format("| {} |\n", fmt::join(words, " | "));
  };
  std::vector<std::string> heading = cells.front();
  heading.insert(heading.end(), against.begin(), against.end());
  Cells lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CanaryRow& row = rows[i];
    if (!row.against || lines.empty()) {
      lines.push_back(cells[i + 1]);
      continue;
    }
    const std::string detected =
        row.always_detected() ? "" : fmt::format(" ({}/{})", row.detected(), row.seconds.size());
    lines.back().push_back(seconds_text(row.median_processor(), row.cap) + detected);
  }
  std::string out = line(heading) + "|---|---|---|";
  for (std::size_t i = 3; i < heading.size(); ++i) out += "--:|";
  out += "\n";
  for (const auto& words : lines) out += line(words);
  return out;
}

std::string summary_of(const std::vector<CanaryRow>& rows, const std::vector<std::string>& engines,
                       const std::vector<std::string>& against) {
  std::string out;
  for (const auto& names : {engines, against}) {
    for (const auto& engine : names) out += engine_summary(engine, rows);
  }
  const auto ratios = ratios_of(rows);
  if (!ratios.empty()) {
    const Ratio& worst = ratios.front();
    out += fmt::format(
        "the portfolio against the best single engine: at most {:.2f} times its median processor time ({} "
        "{}: {:.3f} s, {} {:.3f} s); below {:g} s is noise and counts as {:g} s\n",
        worst.ratio, worst.portfolio_row->system->name(), worst.portfolio_row->canary,
        worst.portfolio_row->median_processor(), worst.best->engine, worst.best->median_processor(), noise_seconds,
        noise_seconds);
  } else if (!against.empty()) {
    out += fmt::format("the portfolio's median processor time is below {:g} s, which is noise, on every canary\n",
                       noise_seconds);
  }
  return out;
}

void to_json(nlohmann::ordered_json& out, const CanaryRow& row) {
  const Quartiles seconds = quartiles(row.seconds);
  out = {{"system", row.system->name()},
         {"canary", row.canary},
         {"about", row.about},
         {"engine", row.engine},
         {"cap_seconds", row.cap},
         {"trials", row.seconds.size()},
         {"detected", row.detected()},
         {"seconds", row.seconds},
         {"median_seconds", seconds.median},
         {"median_processor_seconds", row.median_processor()},
         {"lower_quartile_seconds", seconds.low},
         {"upper_quartile_seconds", seconds.high},
         {"median_scenarios", quartiles(row.scenarios).median},
         {"actions", row.actions},
         {"cells", row.cells},
         {"minimal", row.minimal},
         {"found_by", row.found_by}};
}

nlohmann::ordered_json json_of(const std::vector<CanaryRow>& rows) {
  nlohmann::ordered_json ratios = nlohmann::json::array();
  for (const Ratio& r : ratios_of(rows)) {
    ratios.push_back({{"system", r.portfolio_row->system->name()},
                      {"canary", r.portfolio_row->canary},
                      {"best_single", r.best->engine},
                      {"ratio", r.ratio}});
  }
  return {{"rows", rows}, {"ratios", ratios}};
}

}  // namespace lockstep
