// A stand-alone program outside games/: one source registers a system and its implementations, and gets every command
// from lockstep::program. program_test.py runs it.
#include <algorithm>
#include <array>

#include "lockstep/describe/describe.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/system/registered.hpp"

/// Two counters: each action that is possible adds to one of them.
struct Counters {
  static constexpr std::string_view name = "counters";
  static constexpr int most = 60;

  struct Setup {
    int left = 0, right = 0;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Add {
    static constexpr std::string_view name = "add";
    int side = 0, amount = 0;
    bool operator==(const Add&) const = default;
  };
  struct Reset {
    static constexpr std::string_view name = "reset";
    int to = 0;
    bool operator==(const Reset&) const = default;
  };
  using Action = std::variant<Add, Reset>;
  struct Observation {
    int sum = 0;
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.number("left", s.left, 0, most);
    io.number("right", s.right, 0, most);
  }
  static void describe(auto& io, const Setup&, Add& a) {
    io.number("side", a.side, 0, 1);
    io.number("amount", a.amount, 0, 9);
  }
  static void describe(auto& io, const Setup&, Reset& a) { io.number("to", a.to, most, 0); }  // has no value
  static void describe(auto& io, Observation& o) { io.value("sum", o.sum); }

  struct Features {
    enum : std::size_t { sum };
    static constexpr std::array<lockstep::Feature, 1> list = {{{sum, "sum"}}};
    static void observe(auto&& emit, const Action&, const Observation& o) { emit(sum, o.sum); }
  };
};

template <bool wrong>
class Adder {
 public:
  explicit Adder(const Counters::Setup& setup) : at_{setup} {}
  Counters::Observation step(const Counters::Action& action) {
    const auto& add = std::get<Counters::Add>(action);
    int& counter = add.side == 0 ? at_.left : at_.right;
    counter = std::min(counter + add.amount, Counters::most);
    return {wrong && at_.left == 42 && at_.right > 9 ? 0 : at_.left + at_.right};
  }
  Counters::Snapshot snapshot() const { return at_; }

 private:
  Counters::Setup at_;
};

namespace {
using lockstep::Kind;
const auto adds = lockstep::register_implementation<Adder<false>, Counters>("adds", Kind::reference, "adds");
const auto wrong = lockstep::register_implementation<Adder<true>, Counters>("wrong", Kind::optimized, "forgets at 42");
const lockstep::Registered<Counters> registered;
}  // namespace

int main(int argc, char** argv) { return lockstep::program_main(argc, argv); }
