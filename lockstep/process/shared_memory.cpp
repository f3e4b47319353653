#include "lockstep/process/shared_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "lockstep/base/error.hpp"

namespace lockstep {

void Unmap::operator()(void* memory) const { munmap(memory, bytes); }

void* share_memory(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    const std::string reason = std::strerror(errno);
    throw InternalError{std::to_string(bytes) + " bytes of memory to share with child processes cannot be had: " +
                        reason + "; ask for fewer jobs, or allow this process more (ulimit -v)"};
  }
  return memory;
}

}  // namespace lockstep
