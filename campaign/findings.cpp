#include "campaign/findings.hpp"

#include "lockstep/files.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {

std::expected<std::string, std::string> write_finding(const std::filesystem::path& folder, const AnySystem& system,
                                                      const FindingText& finding) {
  const auto scenario = system.judging().canonical(finding.text);
  const std::filesystem::path plain = folder / finding.file_name;
  std::filesystem::path name = plain;
  for (int number = 2;; ++number) {
    const auto known = read_file(name);
    const auto there = known ? system.judging().canonical(*known) : scenario;
    if (!known || (scenario && there && *there == *scenario)) break;
    name = plain;
    name.replace_filename(plain.stem().string() + "-" + std::to_string(number) + plain.extension().string());
  }
  if (const auto written = write_file(name, finding.text); !written) return std::unexpected(written.error());
  return name.string();
}

}  // namespace lockstep
