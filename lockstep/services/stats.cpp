#include "lockstep/services/stats.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

SharedStats share_stats() { return share<CampaignStats>(); }

SharedScenarios share_scenarios() { return share<RecentScenarios>(); }

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
  if (memory == MAP_FAILED) return nullptr;
  return {static_cast<CampaignStats*>(memory), Unmap{sizeof(CampaignStats)}};
}

}  // namespace lockstep
