// A progress line on stderr, rewritten in place. Off a terminal, in a log of CI, it is a line each half minute.
#pragma once

#include <unistd.h>

#include "tools/verbs.hpp"

namespace lockstep {

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted = true) : wanted_{wanted}, shown_{wanted && isatty(STDERR_FILENO) != 0} {
    if (!shown_) last_ = std::chrono::steady_clock::now();
  }

  bool shown() const { return shown_; }

  /// Prints at most ten times a second. The line is cut to the width of the terminal: "\r" could not erase a second line.
  void update(const std::string& line) {
    constexpr std::chrono::milliseconds rewritten{100};
    constexpr std::chrono::seconds logged{30};
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (shown_ ? rewritten : logged)) return;
    last_ = now;
    if (shown_) show(line);
    else if (wanted_) std::cerr << line << '\n' << std::flush;
  }

  void show(const std::string& line) const {
    if (shown_) std::cerr << "\r\x1b[K" << line.substr(0, width() - 1) << std::flush;
  }

  void clear() const { show(""); }

 private:
  /// Read each time, because a window can be resized.
  static std::size_t width() {
    const std::size_t columns = layout_of(STDERR_FILENO).columns;
    return columns > 1 ? columns : text_columns;
  }

  bool wanted_;
  bool shown_;  // on a terminal
  std::chrono::steady_clock::time_point last_;
};

}  // namespace lockstep
