#include "lockstep/process/outbox.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lockstep/process/process_copy.hpp"

namespace lockstep {
namespace {

using Position = std::atomic<std::uint32_t>;
static_assert(sizeof(Position) == sizeof(std::uint32_t) && Position::is_always_lock_free);

/// Waits while the position is `seen`. std::atomic::wait does not work between processes.
void wait_while(Position& position, std::uint32_t seen, std::chrono::milliseconds patience) {
  const timespec time{patience.count() / 1000, patience.count() % 1000 * 1'000'000};
  syscall(SYS_futex, &position, FUTEX_WAIT, seen, &time, nullptr, 0);
}
void wake(Position& position) { syscall(SYS_futex, &position, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

}  // namespace

void Outbox::send(std::string_view bytes) {
  if (is_process_copy) std::_Exit(0);
  while (!bytes.empty()) {
    const std::uint32_t sent = sent_.load();
    const std::uint32_t taken = taken_.load();
    const std::uint32_t place = sent % size;
    const std::size_t count = std::min<std::size_t>({bytes.size(), size - (sent - taken), size - place});
    if (count == 0) wait_while(taken_, taken, std::chrono::milliseconds{10});  // without it, if the parent has no time
    std::memcpy(bytes_ + place, bytes.data(), count);
    bytes.remove_prefix(count);
    sent_.store(sent + static_cast<std::uint32_t>(count));
    wake(sent_);
  }
}

void Outbox::note_return() {
  returned_.store(true);
  wake(sent_);
}

void Outbox::take(std::string& out) {
  const std::uint32_t sent = sent_.load();
  std::uint32_t taken = taken_.load();
  while (taken != sent) {
    const std::uint32_t place = taken % size;
    const std::uint32_t count = std::min(sent - taken, size - place);
    out.append(bytes_ + place, count);
    taken += count;
  }
  taken_.store(taken);
  wake(taken_);
}

void Outbox::wait(std::chrono::milliseconds patience) {
  const std::uint32_t sent = sent_.load();
  if (sent == taken_.load() && !returned()) wait_while(sent_, sent, patience);
}

}  // namespace lockstep
