// A program of one file, as a user writes it: a set of numbers as a sorted vector, and as bits, with one mistake. The
// same file is a libFuzzer target, and a program that judges one implementation alone (tests/program/CMakeLists.txt).
// program_test.py runs all three.
#include <algorithm>
#include <bitset>
#include <memory>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Numbers {
  static constexpr std::string_view name = "numbers";
  static constexpr int most = 63;

  struct Setup {
    std::vector<int> members;  // increasing
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Insert {
    static constexpr std::string_view name = "insert";
    int number = 0;
    bool operator==(const Insert&) const = default;
  };
  struct Erase {
    static constexpr std::string_view name = "erase";
    int number = 0;
    bool operator==(const Erase&) const = default;
  };
  using Action = std::variant<Insert, Erase>;
  struct Observation {
    bool changed = false;
    int size = 0;
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.list("member", s.members, 0, 8, [](auto& item, int& number) { item.number("number", number, 0, most); });
  }
  static void describe(auto& io, const Setup&, Insert& a) { io.number("number", a.number, 0, most); }
  static void describe(auto& io, const Setup&, Erase& a) { io.number("number", a.number, 0, most); }
  static void describe(auto& io, Observation& o) {
    io.flag("changed", o.changed);
    io.value("size", o.size);
  }

  struct Laws {
    static void normalise(Setup& s) {
      std::ranges::sort(s.members);
      s.members.erase(std::ranges::unique(s.members).begin(), s.members.end());
    }
    static std::optional<lockstep::Flaw> flaw(const Setup& s) {
      Setup lawful = s;
      normalise(lawful);
      if (lawful == s) return std::nullopt;
      return lockstep::Flaw{.field = "member", .what = "members increase"};
    }
    static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation& o,
                                 const Snapshot& after) {
      if (static_cast<int>(after.members.size()) != o.size) return "the size is the number of members";
      return o.changed == (before == after) ? "a change changes the members" : "";
    }
  };
};

class Sorted {
 public:
  explicit Sorted(const Numbers::Setup& setup) : members_{setup} {}

  Numbers::Observation step(const Numbers::Action& action) {
    const bool changed = std::visit([this](const auto& a) { return act(a); }, action);
    return {changed, static_cast<int>(members_.members.size())};
  }
  const Numbers::Setup& snapshot() const { return members_; }

 private:
  bool act(const Numbers::Insert& a) {
    const auto at = std::ranges::lower_bound(members_.members, a.number);
    if (at != members_.members.end() && *at == a.number) return false;
    members_.members.insert(at, a.number);
    return true;
  }
  bool act(const Numbers::Erase& a) { return std::erase(members_.members, a.number) > 0; }

  Numbers::Setup members_;
};

/// Cannot be copied or moved. Its mistake: it forgets the number that `forgets` says when six others are in the set.
class Bits {
 public:
  Bits(const Numbers::Setup& setup, int forgets) : forgets_{forgets} {
    for (const int number : setup.members) bits_.set(static_cast<std::size_t>(number));
  }
  Bits(const Bits&) = delete;
  Bits& operator=(const Bits&) = delete;

  Numbers::Observation step(const Numbers::Action& action) {
    const bool inserts = std::holds_alternative<Numbers::Insert>(action);
    const int number = std::visit([](const auto& a) { return a.number; }, action);
    const auto bit = static_cast<std::size_t>(number);
    const bool changed = bits_.test(bit) != inserts;
    if (!inserts || number != forgets_ || bits_.count() < 6) bits_.set(bit, inserts);
    return {changed, static_cast<int>(bits_.count())};
  }
  Numbers::Snapshot snapshot() const {
    Numbers::Snapshot out;
    for (int number = 0; number <= Numbers::most; ++number) {
      if (bits_.test(static_cast<std::size_t>(number))) out.members.push_back(number);
    }
    return out;
  }

 private:
  std::bitset<Numbers::most + 1> bits_;
  int forgets_;
};

int main(int argc, char** argv) {
#ifdef ALONE  // the program `alone`: laws judge the only implementation
  return lockstep::system<Numbers>()
      .implementation("forgetful", [](const Numbers::Setup& setup) { return Bits{setup, 42}; })
      .main(argc, argv);
#else
  return lockstep::system<Numbers>()
      .reference<Sorted>("sorted")
      .implementation(
          "bits", [](const Numbers::Setup& setup) { return Bits{setup, -1}; }, "one bit for each number")
      .implementation("forgetful", [](const Numbers::Setup& setup) { return std::make_unique<Bits>(setup, 42); })
      .canary(
          "zeroless", [](const Numbers::Setup& setup) { return Bits{setup, 0}; }, "forgets 0 when six are in")
      .main(argc, argv);
#endif
}
