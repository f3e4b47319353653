// A lock that opens after six digits in a row. Digits are all that is asked, and the only answer is whether it is open:
// nothing tells how far one has come, but the branches of `Fast`, which compiles as a source of its own.
#pragma once

#include "lockstep/lockstep.hpp"

struct Combination {
  static constexpr std::string_view name = "combination";
  struct Setup {
    bool operator==(const Setup&) const = default;
  };
  struct Turn {
    static constexpr std::string_view name = "turn";
    int digit = 0;
    bool operator==(const Turn&) const = default;
  };
  using Action = std::variant<Turn>;
  struct Observation {
    bool open = false;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto&, Setup&) {}
  static void describe(auto& io, const Setup&, Turn& a) { io.number("digit", a.digit, 0, 99); }
  static void describe(auto& io, Observation& o) { io.value("open", o.open); }
};

/// Never opens.
class Shut {
 public:
  explicit Shut(const Combination::Setup&) {}
  Combination::Observation step(const Combination::Action&) { return {}; }
};

/// The mistake: it opens.
class Fast {
 public:
  explicit Fast(const Combination::Setup&) {}
  Combination::Observation step(const Combination::Action& action);

 private:
  int right_ = 0;
};
