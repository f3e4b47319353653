// Objects in memory that a process shares with its children. They survive the death of the process that wrote them.
#pragma once

#include <cstddef>
#include <memory>

namespace lockstep {

/// Unmaps memory of this size.
struct Unmap {
  std::size_t bytes = 0;
  void operator()(void* memory) const;
};
template <class T>
using SharedMemory = std::unique_ptr<T, Unmap>;

/// Zeros. Throws InternalError, which says how much was asked for and why there is none.
void* share_memory(std::size_t bytes);

/// The first of `count` objects. They are default-initialised, so that pages that are never written take no memory.
/// No destructor runs.
template <class T>
SharedMemory<T> share(std::size_t count = 1) {
  T* const first = static_cast<T*>(share_memory(count * sizeof(T)));
  std::uninitialized_default_construct_n(first, count);
  return {first, Unmap{count * sizeof(T)}};
}

}  // namespace lockstep
