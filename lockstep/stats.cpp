#include "lockstep/stats.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

namespace lockstep {

void UnmapStats::operator()(CampaignStats* stats) const { munmap(stats, sizeof(CampaignStats)); }

void UnmapScenarios::operator()(RecentScenarios* scenario) const { munmap(scenario, sizeof(RecentScenarios)); }

namespace {

void* share_memory(std::size_t size) {
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  return memory;
}

}  // namespace

SharedStats share_stats() { return SharedStats{new (share_memory(sizeof(CampaignStats))) CampaignStats}; }

SharedScenarios share_scenarios() {
  // Default-initialised, so that the zero pages are not touched.
  return SharedScenarios{new (share_memory(sizeof(RecentScenarios))) RecentScenarios};
}

SharedStats share_stats(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  struct stat status{};
  const bool known = fstat(file, &status) == 0;
  // A file of another size is a program's of another version: cut short, it would end that program (SIGBUS).
  const bool fits = known && status.st_size == static_cast<off_t>(sizeof(CampaignStats));
  if (fits || (known && status.st_size == 0 && ftruncate(file, sizeof(CampaignStats)) == 0)) {
    memory = mmap(nullptr, sizeof(CampaignStats), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  // The file's bytes are the object, zeros or another process's counts, so no constructor runs.
  return SharedStats{memory == MAP_FAILED ? nullptr : static_cast<CampaignStats*>(memory)};
}

}  // namespace lockstep
