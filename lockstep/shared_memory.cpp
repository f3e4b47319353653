#include "lockstep/shared_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace lockstep {

void Unmap::operator()(void* memory) const { munmap(memory, bytes); }

void* share_memory(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  return memory;
}

}  // namespace lockstep
