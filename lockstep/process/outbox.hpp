// What a child process sends its parent, in memory that both share. An implementation in the child may close descriptors,
// or open files in their place: nothing that passes here is lost or goes elsewhere.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// A queue of bytes with one process that sends at a time, and one that takes:
///
///   | free | taken next ... sent last | free |        positions count on and wrap around, at `size` and at 2^32
class Outbox {
 public:
  /// Called by the child. Waits while the queue is full. Ends a process that is a copy of the child (process_copy.hpp).
  void send(std::string_view bytes);
  /// Called by the child when its function has returned. Code that calls exit(0) looks clean otherwise.
  void note_return();

  /// Called by the parent: appends what was sent.
  void take(std::string& out);
  bool returned() const { return returned_.load(); }
  /// Waits until something is sent, the function returns or the time is up; sometimes less long.
  void wait(std::chrono::milliseconds patience);

 private:
  static constexpr std::uint32_t size = std::uint32_t{1} << 20;

  std::atomic<std::uint32_t> sent_{0};
  std::atomic<std::uint32_t> taken_{0};
  std::atomic<bool> returned_{false};
  char bytes_[size];  // pages that are never written cost nothing
};

}  // namespace lockstep
