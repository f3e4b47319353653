// A set of integers twice: std::set, and the intervals that the members form, merged where they touch. Free lists,
// calendars and genome annotations are such sets; a boundary that is off by one hides for years.
//
// It shows a described state (a std::set as setup and snapshot), answers of any size, a bound that depends on an earlier
// field, and an invariant that is judged on every step. Four mistakes are planted at the end, as canaries.
//
//   interval_set fuzz --seconds 5                                 searches; the implementations agree
//   interval_set fuzz --with loses_the_rest --seconds 5           finds a planted mistake
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lockstep/lockstep.hpp"

/// From the first number to the last, both included.
struct Interval {
  int first = 0;
  int last = 0;
  bool operator==(const Interval&) const = default;
  static void describe(auto& io, Interval& i) {
    io.field("first", i.first);
    io.field("last", i.last);
  }
};

struct IntervalSet {
  static constexpr std::string_view name = "interval_set";
  static constexpr int most = 63;

  struct Setup {
    std::set<int> members;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Insert {
    static constexpr std::string_view name = "insert";
    Interval range;
    bool operator==(const Insert&) const = default;
  };
  struct Erase {
    static constexpr std::string_view name = "erase";
    Interval range;
    bool operator==(const Erase&) const = default;
  };
  /// The smallest member that is not below a number.
  struct Next {
    static constexpr std::string_view name = "next";
    int number = 0;
    bool operator==(const Next&) const = default;
  };
  /// All intervals that no number can be added to.
  struct Intervals {
    static constexpr std::string_view name = "intervals";
    bool operator==(const Intervals&) const = default;
  };
  using Action = std::variant<Insert, Erase, Next, Intervals>;
  struct Observation {
    int changed = 0;  // the count of numbers that were inserted or erased
    std::optional<int> next;
    std::vector<Interval> intervals;
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.set("members", s.members, 32, [](auto& item, int& number) { item.number("", number, 0, most); });
  }
  static void describe(auto& io, const Setup&, Insert& a) { describe_range(io, a.range); }
  static void describe(auto& io, const Setup&, Erase& a) { describe_range(io, a.range); }
  static void describe(auto& io, const Setup&, Next& a) { io.number("number", a.number, 0, most); }
  static void describe(auto& io, Observation& o) {
    io.value("changed", o.changed);
    io.value("next", o.next);
    io.value("intervals", o.intervals);
  }
  static void describe_range(auto& io, Interval& range) {
    io.number("first", range.first, 0, most);
    io.number("last", range.last, range.first, most);
  }

  struct Laws {
    static std::string violation(const Setup&, const Snapshot& before, const Action&, const Observation& o,
                                 const Snapshot& after) {
      const auto difference = static_cast<int>(before.members.size()) - static_cast<int>(after.members.size());
      if (std::abs(difference) != o.changed) return "the size changes by what the answer says";
      const auto touch = [](const Interval& a, const Interval& b) { return a.last + 1 >= b.first; };
      return std::ranges::adjacent_find(o.intervals, touch) == o.intervals.end() ? "" : "intervals do not touch";
    }
  };
};

class NaiveSet {
 public:
  explicit NaiveSet(const IntervalSet::Setup& setup) : state_{setup} {}

  IntervalSet::Observation step(const IntervalSet::Action& action) {
    return std::visit([this](const auto& a) { return act(a); }, action);
  }
  const IntervalSet::Snapshot& snapshot() const { return state_; }

 private:
  IntervalSet::Observation act(const IntervalSet::Insert& a) {
    int changed = 0;
    for (int i = a.range.first; i <= a.range.last; ++i) changed += state_.members.insert(i).second ? 1 : 0;
    return {.changed = changed, .next = {}, .intervals = {}};
  }
  IntervalSet::Observation act(const IntervalSet::Erase& a) {
    int changed = 0;
    for (int i = a.range.first; i <= a.range.last; ++i) changed += static_cast<int>(state_.members.erase(i));
    return {.changed = changed, .next = {}, .intervals = {}};
  }
  IntervalSet::Observation act(const IntervalSet::Next& a) {
    const auto next = state_.members.lower_bound(a.number);
    if (next == state_.members.end()) return {};
    return {.changed = 0, .next = *next, .intervals = {}};
  }
  IntervalSet::Observation act(const IntervalSet::Intervals&) {
    IntervalSet::Observation out;
    for (const int member : state_.members) {
      if (out.intervals.empty() || out.intervals.back().last + 1 < member) out.intervals.push_back({member, member});
      out.intervals.back().last = member;
    }
    return out;
  }

  IntervalSet::Setup state_;
};

enum class Mistake { none, leaves_neighbours_apart, swallows_one, loses_the_rest, next_begins_an_interval };

class MergingSet {
 public:
  explicit MergingSet(const IntervalSet::Setup& setup, Mistake mistake = Mistake::none) : mistake_{mistake} {
    for (const int member : setup.members) insert({member, member});
  }

  IntervalSet::Observation step(const IntervalSet::Action& action) {
    return std::visit([this](const auto& a) { return act(a); }, action);
  }
  IntervalSet::Snapshot snapshot() const {
    IntervalSet::Snapshot out;
    for (const auto& [first, last] : intervals_) {
      for (int i = first; i <= last; ++i) out.members.insert(out.members.end(), i);
    }
    return out;
  }

 private:
  using Intervals = std::map<int, int>;  // first → last; they neither overlap nor touch

  IntervalSet::Observation act(const IntervalSet::Insert& a) {
    return {.changed = insert(a.range), .next = {}, .intervals = {}};
  }
  IntervalSet::Observation act(const IntervalSet::Erase& a) {
    return {.changed = erase(a.range), .next = {}, .intervals = {}};
  }
  IntervalSet::Observation act(const IntervalSet::Next& a) const {
    const auto at = ends_from(a.number);
    if (at == intervals_.end()) return {};
    const int next = mistake_ == Mistake::next_begins_an_interval ? at->first : std::max(a.number, at->first);
    return {.changed = 0, .next = next, .intervals = {}};
  }
  IntervalSet::Observation act(const IntervalSet::Intervals&) const {
    IntervalSet::Observation out;
    for (const auto& [first, last] : intervals_) out.intervals.push_back({first, last});
    return out;
  }

  int insert(Interval range) {
    const int reach = mistake_ == Mistake::leaves_neighbours_apart ? 0 : 1;
    const Interval wanted = range;
    int present = 0;
    for (auto at = ends_from(wanted.first - reach); at != intervals_.end() && at->first <= wanted.last + reach;) {
      present += overlap(wanted, {at->first, at->second});
      range = {std::min(range.first, at->first), std::max(range.last, at->second)};
      at = intervals_.erase(at);
      if (mistake_ == Mistake::swallows_one) break;
    }
    intervals_[range.first] = range.last;
    return wanted.last - wanted.first + 1 - present;
  }

  int erase(Interval range) {
    int erased = 0;
    for (auto at = ends_from(range.first); at != intervals_.end() && at->first <= range.last;) {
      const Interval old{at->first, at->second};
      at = intervals_.erase(at);
      erased += overlap(range, old);
      if (old.first < range.first) intervals_[old.first] = range.first - 1;
      if (mistake_ == Mistake::loses_the_rest && old.first < range.first) continue;
      if (old.last > range.last) intervals_[range.last + 1] = old.last;
    }
    return erased;
  }

  static int overlap(Interval a, Interval b) {
    return std::max(0, std::min(a.last, b.last) - std::max(a.first, b.first) + 1);
  }
  /// The first interval that does not end before the number.
  Intervals::const_iterator ends_from(int number) const {
    auto at = intervals_.upper_bound(number);
    return at != intervals_.begin() && std::prev(at)->second >= number ? std::prev(at) : at;
  }

  Intervals intervals_;
  Mistake mistake_;
};

int main(int argc, char** argv) {
  const auto with = [](Mistake mistake) {
    return [=](const IntervalSet::Setup& setup) { return MergingSet{setup, mistake}; };
  };
  return lockstep::system<IntervalSet>()
      .reference<NaiveSet>("naive")
      .implementation<MergingSet>("merging", "a map from the first number of each interval to its last")
      .canary("leaves_neighbours_apart", with(Mistake::leaves_neighbours_apart), "intervals that touch are not merged")
      .canary("swallows_one", with(Mistake::swallows_one), "an insertion merges with one interval at most")
      .canary("loses_the_rest", with(Mistake::loses_the_rest), "erasing inside an interval drops what follows")
      .canary("next_begins_an_interval", with(Mistake::next_begins_an_interval),
              "next answers the interval's first number, even if it is below the one that was asked for")
      .main(argc, argv);
}
