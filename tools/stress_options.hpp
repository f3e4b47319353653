// Shared by the verbs that test outside programs: their options, and the files of a finding.
#pragma once

#include <cstdint>

#include "programs/stress.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

/// What the command line says about programs and their cases.
struct ProgramOptions {
  StressOptions stress;               // complete() fills in what is below
  std::optional<std::uint64_t> seed;  // by default, a random one
  std::string batch = "published";
  double time_limit = 2;
  std::uint64_t memory_limit = 512;
  CorpusOption corpus;
  std::filesystem::path out = "findings";
  bool json = false;

  /// BadInput if they contradict each other.
  void complete(const AnySystem& system, const ProblemInputs& inputs);
};

void add_program_options(CLI::App& verb, ProgramOptions& options);

/// What to do about a verdict of few cases (StressResult::few).
inline constexpr std::string_view few_cases_note =
    "few cases: below 300, a mistake that shows in one case of 100 is often missed; raise --seconds, or let a process "
    "answer several cases (--batch loop)";

/// Writes GAME-HASH.in, .ans, and .txt with the scenario if there is one case, and sets the finding's file. If that cannot
/// be written, prints the input. `of`: " of right.cpp", for the message.
void write_stress_finding(const std::filesystem::path& folder, const AnySystem& system, StressFinding& finding,
                          const std::string& of = {});

void to_json(nlohmann::ordered_json& out, const StressFinding& finding);

}  // namespace lockstep
