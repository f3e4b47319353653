// The report of an exploration, of one process (verb explore) or of all shards (verb merge): the certificate as text and
// as JSON, the finding, and the exit code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/json.hpp"
#include "lockstep/explore/exploration_run.hpp"
#include "tools/report_files.hpp"

namespace lockstep {

/// What a certificate is about. A folder of shards keeps it for the merge.
struct ExploreReport {
  std::string system;
  std::string exploration = {};  // its name, if it has one
  std::string about = {};
  bool walk = true;  // false: a sweep or a bulk
  std::vector<std::string> implementations = {};
  std::vector<std::string> fast = {};  // a bulk: those that answered all positions; all judged one of each block
  std::vector<std::string> actions = {};
  std::vector<std::string> bounds = {};
  std::size_t memory = 0;  // the limit, in MiB
};

LOCKSTEP_JSON(ExploreReport, system, exploration, about, walk, implementations, fast, actions, bounds, memory)

/// 1234567 → "1,234,567"; with a noun, "1,234,567 steps".
std::string grouped(std::uint64_t value);
std::string grouped(std::uint64_t value, std::string_view noun);

/// Writes the finding, if there is one, and returns its file. If it cannot be written, prints it and returns none.
std::string finding_file(const Explored& explored, const std::filesystem::path& out);

/// `workers`: the processes that explored, as text ("2 jobs"); `file`: the finding's file, empty if there is none.
void print_certificate(const ExploreReport& report, const Explored& explored, std::string_view workers,
                       const std::string& file);
void print_json(const ExploreReport& report, const Explored& explored, const std::string& file,
                const std::vector<unsigned>& missing = {});  // shards that have not ended, from 0

/// The files of --sarif and --junit. `not_merged`: why shards are missing.
[[nodiscard]] int write_reports(const ReportFiles& files, const ExploreReport& report, const Explored& explored,
                                const std::string& file, int exit_code,
                                const std::vector<std::string>& not_merged = {});

int exit_code_of(const Explored& explored);

}  // namespace lockstep
