#include "campaign/findings.hpp"

#include <algorithm>

#include "lockstep/process/child.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/kept_files.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {

std::filesystem::path numbered(const std::filesystem::path& file, int number) {
  if (number == 1) return file;
  std::filesystem::path out = file;
  out.replace_filename(file.stem().string() + "-" + std::to_string(number) + file.extension().string());
  return out;
}

std::expected<std::string, std::string> write_numbered(const std::filesystem::path& file, const AnySystem& system,
                                                       const std::string& text) {
  std::filesystem::path name;
  for (int number = 1;; ++number) {
    name = numbered(file, number);
    const auto known = read_file(name);
    std::error_code fault;
    if (!known && std::filesystem::is_regular_file(name, fault)) continue;  // it cannot be read, and stays
    if (!known) break;
    const auto there = system.canonical(*known);
    if (const auto here = system.canonical(text); here && there && *here == *there) break;
  }
  if (const auto written = keep_file(name, text); !written) return std::unexpected(written.error());
  return name.string();
}

std::expected<void, std::string> shrink_further(const AnySystem& system,
                                                const std::vector<std::string>& implementations,
                                                std::span<const Finding> findings, const FurtherShrinking& options,
                                                const std::function<void(std::size_t, Finding)>& shrunk,
                                                const std::function<bool()>& goes_on) {
  using std::chrono::steady_clock;
  // A judgement that is running when its time is up may end first; one that hangs is not waited for.
  constexpr std::chrono::milliseconds grace{1'000};
  return in_children(
      findings.size(), options.jobs,
      [&](std::size_t i) {
        const auto rounds = static_cast<std::int64_t>((findings.size() - i + options.jobs - 1) / options.jobs);
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(options.deadline - steady_clock::now());
        const auto scenario = system.parse(findings[i].scenario);
        if (!scenario) return std::string{};
        const auto now =
            shrunk_finding(*scenario, implementations, Guard{options.timeout},
                           std::min(options.time_max, left / rounds), options.known, {}, findings[i].signature);
        return now ? to_json(*now) : std::string{};
      },
      [&](std::size_t i, const std::string& returned, const ExitStatus& status) {
        if (status.clean() && !returned.empty()) shrunk(i, finding_from(returned));
      },
      [&] {
        const auto now = steady_clock::now();
        if (!goes_on() || now >= options.deadline + grace) return ChildrenMay::not_run;
        return now < options.deadline ? ChildrenMay::start : ChildrenMay::finish;
      },
      ChildProcess::quiet());
}

}  // namespace lockstep
