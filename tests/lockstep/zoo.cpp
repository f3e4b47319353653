// The shrink zoo: cases of Hegel's tests of shrinking (github.com/hegeldev/hegel-rust: test_shrink_quality, test_quality,
// test_find_quality, test_shrink_call_budget) as predicates over one system. Each ends at the smallest by measure.hpp; that is
// another one than Hegel's where a choice among types is weighed up against numbers. Behind them are failures like those
// that users of this and other tools reported.
//
// A case is drawn until it fails and shrunk, for two seeds. LOCKSTEP_ZOO=N in the environment: for ten seeds from N on, of
// which nine have to end at the smallest; the line of the table in docs/finding.md is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>

#include "lockstep/system/typed.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep::zoo {
namespace {

using Int = std::int64_t;

// Values with bounds -------------------------------------------------------------------------------

template <Int lo, Int hi>
struct Whole {
  Int value{};
  static void describe(auto& io, Whole& w) { io.number("", w.value, lo, hi); }
  operator Int() const { return value; }  // implicit on purpose
  auto operator<=>(const Whole&) const = default;
};
template <double lo, double hi>
struct Real {
  double value{};
  static void describe(auto& io, Real& r) { io.real("", r.value, lo, hi); }
  operator double() const { return value; }  // likewise
  bool operator==(const Real&) const = default;
};
template <class T, int lo, int hi>
struct Many {
  std::vector<T> items;
  static void describe(auto& io, Many& m) { io.sequence("", m.items, lo, hi, describing::field_item); }
  bool operator==(const Many&) const = default;
};
/// Exactly k items.
template <Int lo, Int hi, class T>
struct Counted {
  int k = 0;
  std::vector<T> items;
  static void describe(auto& io, Counted& c) {
    io.number("k", c.k, lo, hi);
    io.sequence("items", c.items, c.k, c.k, describing::field_item);
  }
  bool operator==(const Counted&) const = default;
};
/// The first number decides whether there is a second, the third whether there is a fifth.
struct Conditional {
  int first{}, second{}, third{}, width{}, fifth{};
  static void describe(auto& io, Conditional& c) {
    io.number("first", c.first, 0, 3);
    if (c.first != 0) io.number("second", c.second, 0, 40);
    io.number("third", c.third, 0, 2);
    io.number("width", c.width, 1, 30);
    if (c.third == 0) io.number("fifth", c.fifth, -9, 9);
  }
  bool operator==(const Conditional&) const = default;
};
/// A constant, a variable, or a sum.
struct Expression {
  struct Sum {
    std::vector<Expression> of;
    static void describe(auto& io, Sum& sum) { io.sequence("of", sum.of, 2, 2, describing::field_item); }
    bool operator==(const Sum& other) const { return of == other.of; }
  };
  std::variant<Whole<-9, 9>, std::monostate, Sum> is;
  static void describe(auto& io, Expression& e) { io.field("", e.is); }
  bool operator==(const Expression&) const = default;
};
enum class Month : std::uint8_t { jan = 1, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec };
struct Utf8 {
  std::string text;
  static void describe(auto& io, Utf8& t) { io.text("", t.text, 0, 20, lockstep::Text::utf8); }
  bool operator==(const Utf8&) const = default;
};
struct Marked {
  static constexpr std::string_view marks[] = {"<!--", "-->"};
  std::string text;
  static void describe(auto& io, Marked& t) { io.text("", t.text, 0, 30, lockstep::Text::ascii.with(marks)); }
  bool operator==(const Marked&) const = default;
};
struct Percent {
  static constexpr std::string_view name = "percent";
  int share = 0;
  static void describe(auto& io, Percent& p) { io.number("share", p.share, 0, 100); }
  bool operator==(const Percent&) const = default;
};
struct Settings {
  std::map<std::string, int> given;
  static void describe(auto& io, Settings& s) {
    io.set("given", s.given, 4, [](auto& inner, auto& entry) {
      inner.text("key", entry.first, 1, 3, lockstep::Text::of("abc"));
      inner.number("value", entry.second, 0, 9);
    });
  }
  bool operator==(const Settings&) const = default;
};
using Up = Whole<0, 1000>;
using Byte = Whole<0, 255>;
using Word = Whole<0, 65535>;
using Natural = Whole<0, INT64_MAX / 2>;
using Half = Real<0.5, 1000.0>;
using Two = std::pair<Whole<-1000, 1000>, Whole<-1000, 1000>>;
using Flags = std::vector<bool>;
using Ints = std::vector<Int>;
using Ups = std::vector<Up>;
using Text = std::string;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using K = Counted<0, 100, bool>;
using Branch = std::variant<bool, double, Up>;
template <class T>
using Ten = Many<T, 10, 10>;
template <class T>
using List = std::vector<T>;
template <class... T>
using Tuple = std::tuple<T...>;

// The system ---------------------------------------------------------------------------------------

using Types =
    TypeList<Int, Whole<101, 1000>, Whole<-10, 10>, Two, std::pair<Word, Word>, Tuple<Up, Text, bool, Int, Up>,
             Tuple<Int, Text, double, Int>, std::pair<Int, Int>, std::pair<bool, bool>, double, Real<7.25, 1e6>,
             Real<12345.0, 1e15>, Real<-1000.0, -0.1>, Many<double, 10, 20>, std::pair<Half, Half>, std::pair<Up, Half>,
             Text, List<Text>, std::pair<Text, Text>, Many<Byte, 3, 3>, Ints, List<Natural>, Ups, Many<Int, 10, 12>,
             Many<bool, 50, 100>, std::pair<Ups, Up>, std::pair<Flags, Ints>, Pairs, List<Ints>, List<Flags>, Ten<Int>,
             Ten<Text>, Ten<Flags>, std::set<Int>, std::set<Whole<-10, 10>>, List<std::set<Int>>, std::map<Int, Text>,
             std::map<Int, Int>, K, Counted<0, 10, Word>, Counted<2, 8, Whole<0, 100>>,
             std::pair<Byte, Counted<0, 255, Byte>>, Branch, List<std::variant<bool, Text>>, std::variant<Ints, bool>,
             Real<0.0, 1000.0>, Real<0.0, 1e5>, Whole<0, 1'000'000'000>, std::pair<Many<Up, 0, 10>, Many<Up, 0, 10>>,
             std::pair<Ups, Whole<0, 9>>, Conditional, Expression, Month, Utf8, Marked, Settings,
             std::variant<std::uint8_t, Percent>, std::pair<Whole<0, 99>, std::optional<Whole<0, 99>>>>;

struct Open {
  static constexpr std::string_view name = "open";
  static constexpr bool has_result = true;
  Up value{};
  bool operator==(const Open&) const = default;
};
using Opened = Result<Open>;
using Touch = ActionOf<"touch", Opened>;
using Increment = ActionOf<"increment", Opened>;
using Close = ActionOf<"close", Opened>;
using Link = ActionOf<"link", std::pair<Opened, Opened>>;
using Scribble = ActionOf<"scribble", Int>;
using Push = ActionOf<"push", Up>;
using Get = ActionOf<"get", Whole<0, 11>>;
using Move = ActionOf<"move", std::pair<Whole<0, 2>, Whole<0, 2>>>;

struct Zoo : NeverRun {
  static constexpr std::string_view name = "zoo";
  using Action = Types::Actions<Open, Touch, Increment, Close, Link, Scribble, Push, Get, Move>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, auto& a) { io.field("v", a.value); }
};
using Given = Scenario<Zoo>;

struct Case {
  std::string name;
  std::string smallest;                // its actions
  std::vector<std::uint64_t> weights;  // of the kinds of actions that are drawn
  std::function<bool(const Given&)> fails;
};

template <class... Kinds>
Case case_of(std::string_view name, std::string smallest, std::function<bool(const Given&)> fails) {
  std::vector<std::uint64_t> weights(action_kinds<Zoo::Action>);
  ((weights[Zoo::Action{Kinds{}}.index()] = 1), ...);
  return {std::string{name}, std::move(smallest), std::move(weights), std::move(fails)};
}
/// The values of all actions of a kind.
template <class Kind>
auto values_of(const Given& scenario) {
  std::vector<decltype(Kind::value)> out;
  for (const auto& action : scenario.actions) {
    if (const auto* a = std::get_if<Kind>(&action)) out.push_back(a->value);
  }
  return out;
}
/// Fails if `wrong` is true of the value of an action.
template <class T>
Case of(std::string_view name, const std::string& smallest, bool (*wrong)(const T&)) {
  using Kind = Types::Use<T>;
  return case_of<Kind>(name, std::string{Kind::name} + " v=" + smallest + "\n", [wrong](const Given& scenario) {
    return std::ranges::any_of(values_of<Kind>(scenario), wrong);
  });
}
/// Fails if not all items are equal.
template <class T>
Case two_values(std::string_view name, const std::string& smallest) {
  return of<T>(name, smallest, [](const T& v) { return std::set(v.items.begin(), v.items.end()).size() > 1; });
}
/// Of actions on things that earlier ones opened.
constexpr auto opened = case_of<Open, Touch, Increment, Close, Link, Scribble>;

// What cases ask -----------------------------------------------------------------------------------

bool any(const auto& items, auto wrong) { return std::ranges::any_of(items, wrong); }
auto count(const auto& items, auto counts) { return std::ranges::count_if(items, counts); }
bool has(const auto& items, auto item) { return std::ranges::find(items, item) != items.end(); }
auto sum(const auto& items) { return std::accumulate(items.begin(), items.end(), Number{0}); }
auto distinct(const auto& items) { return std::set(items.begin(), items.end()).size(); }
bool sorted(const auto& items) { return std::ranges::is_sorted(items); }
bool is_fraction(double v) { return v != std::trunc(v); }
bool apart_by_one(Int a, Int b) { return std::abs(a - b) <= 1 && (a != 0 || b != 0); }
bool ends_are_set(const Flags& v, int between) {
  return v.size() >= 2 && v.front() && v.back() && std::ranges::count(v, false) >= between;
}
/// Runs of equal characters, encoded and decoded; the encoder never begins to count anew.
std::string run_lengths_decoded(const std::string& text) {
  std::string out;
  std::size_t count = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i] == text[i - 1]) ++count;
    if (i + 1 == text.size() || text[i + 1] != text[i]) out.append(count, text[i]);
  }
  return out;
}
bool has_wide_gap(const Ints& v) {
  if (v.empty()) return false;
  const auto [least, most] = std::ranges::minmax(v);
  return Number{most} > Number{least} + 10 && Number{least} + 10 > 0;
}
template <int times>
bool increments(const Given& scenario) {
  std::map<std::uint32_t, int> counts;
  return any(values_of<Increment>(scenario), [&](Opened of) { return ++counts[of.index] == times; });
}
/// Something is closed that was not the last one that is open.
bool closes_another(const Given& scenario) {
  std::vector<std::uint32_t> open;
  std::uint32_t count = 0;
  for (const auto& action : scenario.actions) {
    if (std::holds_alternative<Open>(action)) open.push_back(count++);
    const auto* close = std::get_if<Close>(&action);
    if (close == nullptr || !has(open, close->value.index)) continue;
    if (open.back() != close->value.index) return true;
    open.pop_back();
  }
  return false;
}
bool links_in_a_circle(const Given& scenario) {
  std::map<std::uint32_t, std::set<std::uint32_t>> reached_by;  // each also by itself
  for (const auto& [from, to] : values_of<Link>(scenario)) {
    for (const auto each : {from, to}) reached_by[each.index].insert(each.index);
    const auto before = reached_by[from.index];
    if (from != to && before.contains(to.index)) return true;
    for (auto& [end, all] : reached_by) {
      if (all.contains(to.index)) all.insert(before.begin(), before.end());
    }
  }
  return false;
}

/// The value, if there is no variable in it.
std::optional<Int> folded(const Expression& e) {
  if (const auto* constant = std::get_if<0>(&e.is)) return *constant;
  const auto* sum = std::get_if<Expression::Sum>(&e.is);
  if (sum == nullptr) return std::nullopt;
  const auto first = folded(sum->of[0]);
  const auto second = folded(sum->of[1]);
  return first && second ? std::optional{*first + *second} : std::nullopt;
}
/// Reads a number that was pushed.
bool reads_a_number(const Given& scenario) {
  Ints numbers;
  for (const auto& action : scenario.actions) {
    if (const auto* push = std::get_if<Push>(&action)) numbers.push_back(push->value);
    const auto* get = std::get_if<Get>(&action);
    if (get != nullptr && get->value < std::ssize(numbers) && numbers[static_cast<std::size_t>(get->value)] != 0)
      return true;
  }
  return false;
}
/// Three rings on three pegs, until all are on the last peg.
bool hanoi_is_solved(const Given& scenario) {
  Ints pegs[3] = {{3, 2, 1}, {}, {}};
  for (const auto& [from, to] : values_of<Move>(scenario)) {
    Ints &source = pegs[from], &target = pegs[to];
    if (source.empty() || (!target.empty() && target.back() <= source.back())) continue;
    target.push_back(source.back());
    source.pop_back();
    if (pegs[2].size() == 3) return true;
  }
  return false;
}

/// A list of `times` equal items, and perhaps another one.
std::string list_of(int times, std::string_view item, std::string_view last = {}) {
  std::string out;
  for (int i = 0; i < times; ++i) out.append(i > 0 ? "," : "[").append(item);
  return out.append(last.empty() ? "" : ",").append(last).append("]");
}

const Case cases[] = {
    of<Whole<101, 1000>>("integer from 101", "101", [](auto&) { return true; }),
    of<Whole<-10, 10>>("not 0", "1", [](auto& v) { return v != 0; }),
    of<Int>("integer from 1000", "1000", [](auto& v) { return v >= 1000; }),
    of<Two>("sum of a pair", "{first=1 second=1000}", [](auto& v) { return v.first + v.second > 1000; }),
    of<Two>("negative sum of a pair", "{first=-1 second=-1000}", [](auto& v) { return v.first + v.second < -1000; }),
    of<Tuple<Up, Text, bool, Int, Up>>("sum, others between", "{0=1 1=\"\" 2=no 3=0 4=1000}",
                                       [](auto& v) { return std::get<0>(v) + std::get<4>(v) > 1000; }),
    of<Two>("a gap", "{first=0 second=5}", [](auto& v) { return v.first + 5 == v.second; }),
    of<Tuple<Int, Text, double, Int>>("a gap, others between", "{0=0 1=\"\" 2=0 3=-5}",
                                      [](auto& v) { return Number{std::get<0>(v)} - 5 == std::get<3>(v); }),
    of<Two>("lowered together below 0", "{first=-10 second=-10}",
            [](auto& v) { return std::abs(v.first - v.second) <= 1 && v.first <= -10 && v.second <= -10; }),
    of<Two>("apart, of two signs", "{first=1 second=-19}",
            [](auto& v) { return v.first > 0 && v.second < 0 && v.first - v.second >= 20; }),
    of<Two>("nearby integers", "{first=11 second=10}", [](auto& v) { return v.second >= 10 && v.first > v.second; }),
    of<std::pair<Word, Word>>("zig-zag", "{first=0 second=1}", [](auto& v) { return apart_by_one(v.first, v.second); }),
    of<Two>("zig-zag below 0", "{first=0 second=-1}",
            [](auto& v) { return v.first <= 0 && v.second <= 0 && apart_by_one(v.first, v.second); }),
    of<std::pair<Int, Int>>("first below second", "{first=0 second=1}", [](auto& v) { return v.first < v.second; }),
    of<Two>("two equal ones", "{first=1 second=1}", [](auto& v) { return v.first == v.second && v.first > 0; }),
    of<std::pair<bool, bool>>("one of two flags", "{first=no second=yes}", [](auto& v) { return v.first || v.second; }),
    // Reals
    of<double>("real above 0", "1", [](auto& v) { return v > 0; }),
    of<double>("NaN", "nan", [](auto& v) { return std::isnan(v); }),
    of<double>("inexact inverse", "49", [](auto& v) { return std::isfinite(v) && v != 0 && v * (1 / v) != 1; }),
    of<Real<7.25, 1e6>>("real from 7.25", "8", [](auto&) { return true; }),
    of<Real<12345.0, 1e15>>("fraction above 12345", "12345.5", [](auto& v) { return is_fraction(v); }),
    of<Real<-1000.0, -0.1>>("negative fraction", "-0.5", [](auto& v) { return is_fraction(v); }),
    of<Many<double, 10, 20>>("ten reals, one not 0", list_of(9, "0", "1"),
                             [](auto& v) { return any(v.items, [](double each) { return each != 0; }); }),
    of<std::pair<Half, Half>>("sum of reals", "{first=1 second=1000}",
                              [](auto& v) { return v.first + v.second > 1000; }),
    of<std::pair<Up, Half>>(
        "integer and real", "{first=2 second=98}",
        [](auto& v) { return v.first > 1 && v.second > 1 && v.second >= 100.0 - static_cast<double>(v.first); }),
    // Texts and bytes
    of<Text>("ten characters", "\"aaaaaaaaaa\"", [](auto& v) { return v.size() >= 10; }),
    of<Text>("three with an e", "\"aae\"", [](auto& v) { return v.size() >= 3 && has(v, 'e'); }),
    of<Text>(
        "thrice one character", "\"aaab\"",
        [](auto& v) { return distinct(v) > 1 && any(v, [&](char each) { return std::ranges::count(v, each) > 2; }); }),
    of<Text>("upper case", "\"A\"", [](auto& v) { return any(v, [](char each) { return std::isupper(each) != 0; }); }),
    of<Text>("runs of characters", "\"aab\"", [](auto& v) { return run_lengths_decoded(v) != v; }),
    of<List<Text>>("ten texts", list_of(10, "\"\""), [](auto& v) { return v.size() >= 10; }),
    of<std::pair<Text, Text>>("texts in either order", "{first=\"a\" second=\"b\"}",
                              [](auto& v) { return v.first + v.second != v.second + v.first; }),
    of<Many<Byte, 3, 3>>("bytes out of order", "[0,1,0]", [](auto& v) { return has(v.items, 1) && !sorted(v.items); }),
    // Lists
    of<List<Natural>>("twenty that grow", "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]",
                      [](auto& v) {
                        Int i = 0;
                        return v.size() >= 20 && !any(std::span{v}.first(20), [&](Int each) { return each < i++; });
                      }),
    of<List<Natural>>("sum from 1000", "[1000]", [](auto& v) { return sum(v) >= 1000; }),
    of<Ups>("three with a sum", "[0,0,10]", [](auto& v) { return v.size() >= 3 && sum(v) >= 10; }),
    of<Ups>("unsorted", "[1,0]", [](auto& v) { return !sorted(v); }),
    of<Ups>("two equal items", "[0,0]", [](auto& v) { return distinct(v) < v.size(); }),
    of<Ints>("wide gap", "[0,11]", has_wide_gap),
    of<Many<Int, 10, 12>>("near the longest", list_of(12, "0"), [](auto& v) { return v.items.size() == 12; }),
    of<Many<bool, 50, 100>>("seventy flags", list_of(70, "no"), [](auto& v) { return v.items.size() >= 70; }),
    of<std::pair<Ups, Up>>("in the list", "{first=[50] second=50}",
                           [](auto& v) { return v.second >= 50 && has(v.first, v.second); }),
    of<std::pair<Ups, Up>>("twice in the list", "{first=[0,0] second=0}",
                           [](auto& v) { return std::ranges::count(v.first, v.second) > 1; }),
    of<std::pair<Flags, Ints>>("lengths that differ", "{first=[] second=[0]}",
                               [](auto& v) { return v.first.size() != v.second.size(); }),
    of<Pairs>("empty range", "[{first=0 second=0}]",
              [](auto& v) { return any(v, [](auto& each) { return each.first == each.second; }); }),
    of<Pairs>("equal pairs", list_of(2, "{first=0 second=0}"), [](auto& v) { return distinct(v) < v.size(); }),
    of<List<Ints>>("three lists", list_of(3, "[0]"),
                   [](auto& v) { return count(v, [](auto& each) { return !each.empty(); }) >= 3; }),
    of<List<Flags>>(
        "five longish lists", list_of(5, "[no,yes]"),
        [](auto& v) { return count(v, [](auto& each) { return each.size() > 1 && has(each, true); }) >= 5; }),
    two_values<Ten<Int>>("ten integers", list_of(9, "0", "1")),
    two_values<Ten<Text>>("ten texts, two values", list_of(9, "\"\"", "\"a\"")),
    two_values<Ten<Flags>>("ten lists", list_of(9, "[]", "[no]")),
    // Sets and maps
    of<std::set<Int>>("set of three", "[-1,0,1]", [](auto& v) { return v.size() >= 3; }),
    of<std::set<Whole<-10, 10>>>("set of five", "[-2,-1,0,1,2]", [](auto& v) { return v.size() >= 5; }),
    of<List<std::set<Int>>>("union of ten", "[[-4,-3,-2,-1,0,1,2,3,4,5]]",
                            [](auto& v) {
                              std::set<Int> all;
                              for (const auto& each : v) all.insert(each.begin(), each.end());
                              return all.size() >= 10;
                            }),
    of<std::map<Int, Text>>("map of three", "[{first=-1 second=\"\"},{first=0 second=\"\"},{first=1 second=\"\"}]",
                            [](auto& v) { return v.size() >= 3; }),
    of<std::map<Int, Int>>("key above its value", "[{first=0 second=-1}]",
                           [](auto& v) { return any(v, [](auto& each) { return each.first > each.second; }); }),
    // Values that decide others
    of<K>("nine set of k", "{k=9 items=" + list_of(9, "yes") + "}",
          [](auto& v) { return std::ranges::count(v.items, true) >= 9; }),
    of<K>("five clear of k", "{k=7 items=[yes,no,no,no,no,no,yes]}", [](auto& v) { return ends_are_set(v.items, 5); }),
    of<K>("nine clear of k", "{k=11 items=[yes,no,no,no,no,no,no,no,no,no,yes]}",
          [](auto& v) { return ends_are_set(v.items, 9); }),
    of<Counted<0, 10, Word>>("k with a sum", "{k=1 items=[1001]}", [](auto& v) { return sum(v.items) > 1000; }),
    of<Counted<2, 8, Whole<0, 100>>>("three of k with a sum", "{k=3 items=[0,51,100]}",
                                     [](auto& v) { return v.k >= 3 && sum(v.items) > 150; }),
    of<std::pair<Byte, Counted<0, 255, Byte>>>(
        "k twice", "{first=1 second={k=1 items=[0]}}",
        [](auto& v) { return v.first == v.second.k && v.first > 0 && distinct(v.second.items) <= 1; }),
    // One of several types
    of<Branch>("the third type", "2:51", [](auto& v) { return v.index() == 2 && std::get<2>(v) > 50; }),
    of<std::variant<Ints, bool>>("list or flag", "1:yes",
                                 [](auto& v) {
                                   const Ints* list = std::get_if<Ints>(&v);
                                   return list != nullptr ? !list->empty() : std::get<bool>(v);
                                 }),
    of<List<std::variant<bool, Text>>>("flags and texts", "[0:no,0:no,0:no,1:\"\",1:\"\",1:\"\"]",
                                       [](auto& v) {
                                         const auto texts = count(v, [](auto& each) { return each.index() == 1; });
                                         return texts >= 3 && std::ssize(v) - texts >= 3;
                                       }),
    // Several actions
    opened("two increments", "open v=0\nincrement v=open.1\nincrement v=open.1\n", increments<2>),
    opened("three increments", "open v=0\nincrement v=open.1\nincrement v=open.1\nincrement v=open.1\n", increments<3>),
    opened("two that differ", "open v=0\nopen v=0\nlink v={first=open.1 second=open.2}\n",
           [](auto& s) { return any(values_of<Link>(s), [](auto& v) { return v.first != v.second; }); }),
    opened("closed in another order", "open v=0\nopen v=0\nclose v=open.1\n", closes_another),
    opened("circle", "open v=0\nopen v=0\nlink v={first=open.1 second=open.2}\nlink v={first=open.2 second=open.1}\n",
           links_in_a_circle),
    // What users reported
    of<Real<0.0, 1000.0>>("interval", "99.75", [](auto& v) { return v > 99.5 && v < 100; }),
    of<Real<0.0, 1e5>>("narrow interval", "0.11", [](auto& v) { return v > 0.1 && v < 0.2; }),
    of<Whole<0, 1'000'000'000>>("sparse", "1000", [](auto& v) { return v > 0 && v % 1000 == 0; }),
    of<std::pair<Many<Up, 0, 10>, Many<Up, 0, 10>>>("lists of one length", "{first=[1] second=[0]}",
                                                    [](auto& v) {
                                                      return v.first.items.size() == v.second.items.size() &&
                                                             any(v.first.items, [](Int each) { return each != 0; });
                                                    }),
    of<std::pair<Ups, Whole<0, 9>>>("index", "{first=[1] second=0}",
                                    [](auto& v) {
                                      const auto i = static_cast<std::size_t>(v.second);
                                      return i < v.first.size() && v.first[i] != 0;
                                    }),
    of<Conditional>("fields that others decide", "{first=0 third=0 width=2 fifth=0}",
                    [](auto& v) { return v.width > 1; }),
    of<Expression>("folded", "0:-4", [](auto& v) { return folded(v).value_or(0) < -3; }),
    // Values that programs forget
    of<Month>("September", "sep", [](auto& v) { return v == Month::sep; }),
    of<Utf8>("not ASCII", "\"\u0080\"", [](auto& v) { return any(v.text, [](char each) { return each < 0; }); }),
    of<Utf8>("four bytes", "\"\U00010000\"",
             [](auto& v) { return any(v.text, [](char each) { return (each & 0xf0) == 0xf0; }); }),
    of<Marked>("end inside the beginning", "\"<!-->\"", [](auto& v) { return v.text.contains("<!-->"); }),
    of<double>("negative 0", "-0", [](auto& v) { return v == 0 && std::signbit(v); }),
    of<double>("fraction above -1", "-0.5", [](auto& v) { return v > -1 && v < 0; }),
    of<std::variant<std::uint8_t, Percent>>("a share", "percent:{share=1}",
                                            [](auto& v) { return v.index() == 1 && std::get<1>(v).share > 0; }),
    of<Settings>("another default", "{given=[{key=\"a\" value=0}]}",
                 [](auto& v) { return v.given.contains("a") && v.given.at("a") != 5; }),
    of<std::pair<Whole<0, 99>, std::optional<Whole<0, 99>>>>("no limit", "{first=1 second=none}",
                                                             [](auto& v) { return v.first > 0 && !v.second; }),
    of<std::pair<Whole<0, 99>, std::optional<Whole<0, 99>>>>(
        "limit of 0", "{first=1 second=0}", [](auto& v) { return v.first > 0 && v.second && *v.second == 0; }),
    case_of<Push, Get>("pushed and read", "push v=1\nget v=0\n", reads_a_number),
    case_of<Move>("three rings",
                  "move v={first=0 second=2}\nmove v={first=0 second=1}\nmove v={first=2 second=1}\n"
                  "move v={first=0 second=2}\nmove v={first=1 second=0}\nmove v={first=1 second=2}\n"
                  "move v={first=0 second=2}\n",
                  hanoi_is_solved),
};

// Shrinking ----------------------------------------------------------------------------------------

/// The actions as the table shows them.
std::string shown(const Given& scenario) {
  const AnyScenario any = any_of<Zoo>(scenario);
  std::string out;
  for (std::size_t i = 0; i < any.size(); ++i) {
    const std::string text = action_text(any, i, false);
    const std::size_t value = text.find(" v=");
    out += (i > 0 ? "; " : "") + (any.size() > 1 ? text.substr(0, value) + " " : "") + text.substr(value + 3);
  }
  return out;
}

/// The first scenario drawn from a seed that fails.
Given failing(const Case& one, std::uint64_t seed) {
  Given out;
  for (std::uint64_t i = 0; !one.fails(out); ++i) {
    if (i == 1'000) throw std::runtime_error{one.name + ": no drawn scenario fails"};
    Random random{seed_of(seed, i)};
    out = made<Zoo>([&](AnyScenario& any) {
      draw_scenario(random, styles[i % styles.size()], any, {.weights = one.weights, .actions_max = 256});
    });
  }
  return out;
}

/// Of these, some seeds end at another scenario: the simplest is far from it.
const std::set<std::string> unreached = {"inexact inverse", "wide gap"};

TEST(ShrinkZoo, EndsAtTheSmallest) {
  const char* const asked = std::getenv("LOCKSTEP_ZOO");
  const std::uint64_t first = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 1;
  const std::uint64_t seeds = asked != nullptr ? 10 : 2;
  for (const Case& one : cases) {
    const auto smallest = parse_scenario<Zoo>("lockstep 1 zoo\nactions\n" + one.smallest);
    ASSERT_TRUE(smallest) << smallest.error().message(one.name);
    std::string larger;
    std::uint64_t reached = 0;
    std::vector<std::uint64_t> judgements;
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
      const auto [end, count] = shrunk_where<Zoo>(failing(one, seed), one.fails);
      judgements.push_back(count);
      EXPECT_LT(count, one.name == "twenty that grow" ? 2'500u : 1'500u) << one.name;
      EXPECT_FALSE(smaller<Zoo>(end, *smallest, size_of<Zoo>(*smallest))) << one.name << ": " << shown(end);
      if (smaller<Zoo>(*smallest, end, size_of<Zoo>(end))) larger += shown(end) + "\n";
      else ++reached;
    }
    EXPECT_TRUE(10 * reached >= 9 * seeds || unreached.contains(one.name)) << one.name << "\n" << larger;
    if (asked == nullptr) continue;
    std::ranges::sort(judgements);
    std::cout << "| " << one.name << " | `" << shown(*smallest) << "` | " << reached << " | " << judgements[seeds / 2]
              << " |\n";
  }
}

}  // namespace
}  // namespace lockstep::zoo
