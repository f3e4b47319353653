#include "campaign/findings.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "lockstep/child.hpp"
#include "lockstep/files.hpp"
#include "lockstep/kept_files.hpp"
#include "lockstep/services/judging.hpp"

namespace lockstep {

std::filesystem::path numbered(const std::filesystem::path& file, int number) {
  if (number == 1) return file;
  std::filesystem::path out = file;
  out.replace_filename(file.stem().string() + "-" + std::to_string(number) + file.extension().string());
  return out;
}

std::expected<std::string, std::string> write_finding(const std::filesystem::path& folder, const AnySystem& system,
                                                      const FindingText& finding) {
  const auto scenario = system.canonical(finding.text);
  std::filesystem::path name;
  for (int number = 1;; ++number) {
    name = numbered(folder / finding.file_name, number);
    const auto known = read_file(name);
    std::error_code fault;
    if (!known && std::filesystem::is_regular_file(name, fault)) continue;  // it cannot be read, and stays
    const auto there = known ? system.canonical(*known) : scenario;
    if (!known || (scenario && there && *there == *scenario)) break;
  }
  if (const auto written = keep_file(name, finding.text); !written) return std::unexpected(written.error());
  return name.string();
}

std::expected<void, std::string> shrink_further(const AnySystem& system,
                                                const std::vector<std::string>& implementations,
                                                std::span<const FindingText> findings, const FurtherShrinking& options,
                                                const std::function<void(std::size_t, FindingText)>& shrunk,
                                                const std::function<bool()>& goes_on) {
  using std::chrono::steady_clock;
  // A judgement that is running when its time is up may end first; one that hangs is not waited for.
  constexpr std::chrono::milliseconds grace{1'000};
  struct Job {
    std::size_t place;
    ChildProcess child;
    std::string output;
  };
  std::vector<Job> running;
  std::size_t next = 0;
  const auto waiting = [&] { return next < findings.size() && steady_clock::now() < options.deadline; };
  while (goes_on() && (waiting() || (!running.empty() && steady_clock::now() < options.deadline + grace))) {
    while (waiting() && running.size() < options.jobs) {
      const auto rounds = static_cast<std::int64_t>((findings.size() - next + options.jobs - 1) / options.jobs);
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(options.deadline - steady_clock::now());
      const auto time = std::min(options.time_max, left / rounds);
      auto child = ChildProcess::call(
          [&](Outbox& out) {
            const auto scenario = system.parse(findings[next].text);
            if (!scenario) return;
            const auto now = shrunk_finding(*scenario, implementations, Guard{options.timeout}, time);
            if (now) out.send(to_json(*now) + "\n");
          },
          ChildProcess::quiet());
      if (!child) return std::unexpected(child.error());
      running.push_back({next++, std::move(*child), {}});
    }
    std::erase_if(running, [&](Job& job) {
      job.child.read(job.output);
      if (!job.child.wait({})) return false;
      job.child.read(job.output);
      for (FindingText& now : take_findings(job.output)) shrunk(job.place, std::move(now));
      return true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return {};
}

}  // namespace lockstep
