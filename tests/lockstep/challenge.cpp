// The shrinking challenge (github.com/jlink/shrinking-challenge): false properties on which shrinkers are compared, with
// its generators as far as descriptions express them. The best published result of each is the smallest here. Then small
// failures like those that users of this and other tools reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "lockstep/draw/draw.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep::challenge {
namespace {

using List = std::vector<int>;

enum class Operator : std::uint8_t { add, divide };

/// A number, or an operation on two terms.
struct Term {
  std::vector<Term> operands;
  Operator op{};
  int number = 0;
  static void describe(auto& io, Term& t) {
    io.sequence("operands", t.operands, 0, 2, [](auto& inner, Term& each) { inner.field("", each); });
    if (t.is_number()) io.number("number", t.number, -1000, 1000);
    else io.field("op", t.op);
  }
  bool is_number() const { return operands.size() < 2; }
  bool operator==(const Term&) const = default;
};

/// A heap: each number is that of the node above it, plus `more`. At most one node on each side.
struct Heap {
  int more = 0;
  std::vector<Heap> left, right;
  static void describe(auto& io, Heap& heap) {
    const auto child = [](auto& inner, Heap& each) { inner.field("", each); };
    io.number("more", heap.more, 0, 1000);
    io.sequence("left", heap.left, 0, 1, child);
    io.sequence("right", heap.right, 0, 1, child);
  }
  bool operator==(const Heap&) const = default;
};

/// Each kind of action is a false property of its fields.
struct Challenge : NeverRun {
  static constexpr std::string_view name = "challenge";
  using Bound5 = ActionOf<"bound5", std::array<std::vector<std::int16_t>, 5>>;
  using LargeUnion = ActionOf<"large_union", std::vector<List>>;
  using Reverse = ActionOf<"reverse", List>;
  using Calculator = ActionOf<"calculator", Term>;
  using Length = ActionOf<"length", List>;
  struct Difference {
    static constexpr std::string_view name = "difference";
    int first = 0, second = 0;
    bool operator==(const Difference&) const = default;
  };
  using Heaped = ActionOf<"heaped", std::vector<Heap>>;
  using Coupling = ActionOf<"coupling", List>;
  struct Deletion {
    static constexpr std::string_view name = "deletion";
    List list;
    int element = 0;
    bool operator==(const Deletion&) const = default;
  };
  using Distinct = ActionOf<"distinct", List>;
  using Nested = ActionOf<"nested", std::vector<List>>;
  using Action = std::variant<Bound5, LargeUnion, Reverse, Calculator, Length, Difference, Heaped, Coupling, Deletion,
                              Distinct, Nested>;

  using NeverRun::describe;
  static constexpr int large = 1'000'000;
  static void list(auto& io, List& list, int least = 0, int lo = -large, int hi = large) {
    io.sequence("list", list, least, 20, [=](auto& inner, int& each) { inner.number("", each, lo, hi); });
  }
  static void lists(auto& io, std::vector<List>& lists) {
    io.sequence("lists", lists, 0, 20, [](auto& inner, List& each) {
      inner.sequence("", each, 0, 20,
                     [](auto& innermost, int& number) { innermost.number("", number, -large, large); });
    });
  }
  static void describe(auto& io, const Setup&, Bound5& a) {
    constexpr std::string_view names[] = {"a", "b", "c", "d", "e"};
    for (std::size_t i = 0; i < 5; ++i) {
      io.sequence(names[i], a.value[i], 0, 10, [](auto& inner, std::int16_t& each) { inner.field("", each); });
    }
  }
  static void describe(auto& io, const Setup&, LargeUnion& a) { lists(io, a.value); }
  static void describe(auto& io, const Setup&, Reverse& a) { list(io, a.value); }
  static void describe(auto& io, const Setup&, Calculator& a) { io.field("term", a.value); }
  static void describe(auto& io, const Setup&, Length& a) {
    io.sequence("list", a.value, 1, 100, [](auto& inner, int& each) { inner.number("", each, 0, 1000); });
  }
  static void describe(auto& io, const Setup&, Difference& a) {
    io.number("first", a.first, 0, 1000);
    io.number("second", a.second, 0, 1000);
  }
  static void describe(auto& io, const Setup&, Heaped& a) {
    io.sequence("heap", a.value, 0, 1, [](auto& inner, Heap& each) { inner.field("", each); });
  }
  static void describe(auto& io, const Setup&, Coupling& a) { list(io, a.value, 0, 0, 19); }
  static void describe(auto& io, const Setup&, Deletion& a) {
    list(io, a.list);
    io.number("element", a.element, -large, large);
  }
  static void describe(auto& io, const Setup&, Distinct& a) { list(io, a.value); }
  static void describe(auto& io, const Setup&, Nested& a) { lists(io, a.value); }
};

using S = Challenge;

bool bound5_holds(const S::Bound5& a) {
  const auto sum = [](const std::vector<std::int16_t>& list) {
    int out = 0;
    for (const auto each : list) out = static_cast<std::int16_t>(out + each);
    return out;
  };
  if (std::ranges::any_of(a.value, [&](const auto& list) { return sum(list) >= 256; })) return true;
  int all = 0;
  for (const auto& list : a.value) all = static_cast<std::int16_t>(all + sum(list));
  return all < 5 * 256;
}

/// The value, or none after a division by zero.
std::optional<int> value_of(const Term& t) {
  if (t.is_number()) return t.number;
  const auto first = value_of(t.operands[0]);
  const auto second = value_of(t.operands[1]);
  if (!first || !second) return std::nullopt;
  if (t.op == Operator::add) return *first + *second;
  return *second == 0 ? std::nullopt : std::optional{*first / *second};
}
bool divides_by_literal_zero(const Term& t) {
  if (t.is_number()) return false;
  const Term& second = t.operands[1];
  if (t.op == Operator::divide && second.is_number() && second.number == 0) return true;
  return std::ranges::any_of(t.operands, divides_by_literal_zero);
}

const Heap* node(const std::vector<Heap>& side) { return side.empty() ? nullptr : &side.front(); }
/// The merged heap of two; one of them exists.
Heap merged(const Heap* one, const Heap* other) {
  if (one == nullptr) return *other;
  if (other == nullptr) return *one;
  if (one->more > other->more) std::swap(one, other);
  return {one->more, {merged(node(one->right), other)}, one->left};
}
void append(List& out, const Heap& heap) {
  out.push_back(heap.more);
  for (const auto& each : heap.right) append(out, each);
  for (const auto& each : heap.left) append(out, each);
}
void add_up(Heap& heap, int above) {
  heap.more += above;
  for (auto* side : {&heap.left, &heap.right}) {
    for (auto& each : *side) add_up(each, heap.more);
  }
}
bool heap_holds(const S::Heaped& a) {
  if (a.value.empty()) return true;
  Heap heap = a.value.front();
  add_up(heap, 0);
  List all, wrong{heap.more};
  append(all, heap);
  if (!heap.left.empty() || !heap.right.empty()) append(wrong, merged(node(heap.left), node(heap.right)));
  std::ranges::sort(all);
  return wrong == all;
}

bool coupling_holds(const S::Coupling& a) {
  if (std::ranges::any_of(a.value, [&](int each) { return each >= std::ssize(a.value); })) return true;
  for (std::size_t i = 0; i < a.value.size(); ++i) {
    const auto j = static_cast<std::size_t>(a.value[i]);
    if (j != i && a.value[j] == static_cast<int>(i)) return false;
  }
  return true;
}

bool deletion_holds(const S::Deletion& a) { return std::ranges::count(a.list, a.element) < 2; }

struct Case {
  std::string_view name;
  std::function<bool(const S::Action&)> holds;
  std::string_view smallest;
  std::uint64_t judgements_max;  // on average
  std::size_t as_small = 1;      // how many results of the smallest size are met
};

/// Holds for all other kinds of actions.
template <class Kind, class Property>
auto on(Property property) {
  return [property](const S::Action& action) {
    const auto* a = std::get_if<Kind>(&action);
    return a == nullptr || property(*a);
  };
}
auto difference(int lo, int hi) {
  return on<S::Difference>([=](const auto& a) {
    const int apart = std::abs(a.first - a.second);
    return a.first < 10 || apart < lo || apart > hi;
  });
}

const Case cases[] = {
    // The lists that stay empty are not exchanged with the others.
    {"bound5", on<S::Bound5>(bound5_holds), "bound5 a=[] b=[] c=[] d=[-1] e=[-32768]", 778, 10},
    {"large_union_list", on<S::LargeUnion>([](const auto& a) {
       std::set<int> all;
       for (const List& list : a.value) all.insert(list.begin(), list.end());
       return all.size() < 5;
     }),
     "large_union lists=[[0,1,-1,2,-2]]", 217},
    {"reverse",
     on<S::Reverse>([](const auto& a) { return std::equal(a.value.begin(), a.value.end(), a.value.rbegin()); }),
     "reverse list=[0,1]", 19},
    {"calculator",
     on<S::Calculator>([](const auto& a) { return divides_by_literal_zero(a.value) || value_of(a.value).has_value(); }),
     "calculator term={operands=[{operands=[] number=0},{operands=[{operands=[] number=0},{operands=[] number=0}] "
     "op=add}] op=divide}",
     65},
    {"lengthlist", on<S::Length>([](const auto& a) { return std::ranges::max(a.value) < 900; }), "length list=[900]",
     47},
    {"difference_must_not_be_zero", difference(0, 0), "difference first=10 second=10", 69},
    {"difference_must_not_be_small", difference(1, 4), "difference first=10 second=6", 78},
    {"difference_must_not_be_one", difference(1, 1), "difference first=10 second=9", 75},
    {"binheap", on<S::Heaped>(heap_holds),
     "heaped heap=[{more=0 left=[] right=[{more=0 left=[{more=0 left=[] right=[]}] right=[{more=1 left=[] "
     "right=[]}]}]}]",
     42, 8},
    {"coupling", on<S::Coupling>(coupling_holds), "coupling list=[1,0]", 200},
    {"deletion", on<S::Deletion>(deletion_holds), "deletion list=[0,0] element=0", 29},
    {"distinct",
     on<S::Distinct>([](const auto& a) { return std::set<int>(a.value.begin(), a.value.end()).size() < 3; }),
     "distinct list=[0,1,-1]", 44},
    {"nestedlists", on<S::Nested>([](const auto& a) {
       return std::accumulate(a.value.begin(), a.value.end(), std::size_t{0},
                              [](std::size_t sum, const List& list) { return sum + list.size(); }) <= 10;
     }),
     "nested lists=[[0,0,0,0,0,0,0,0,0,0,0]]", 57},
};

class ShrinkingChallenge : public testing::TestWithParam<std::size_t> {};

TEST_P(ShrinkingChallenge, EndsAtTheBestPublishedResult) {
  const Case& one = cases[GetParam()];
  const auto fails = [&](const Scenario<S>& scenario) { return !std::ranges::all_of(scenario.actions, one.holds); };
  constexpr int runs = 20;
  std::uint64_t judgements = 0;
  std::map<std::string, int> results;
  std::uint64_t next = 0;
  for (int i = 0; i < runs; ++i) {
    Scenario<S> failing;
    do {
      ASSERT_LT(next, 1'000'000u);
      Random random{seed_of(1001, next++)};
      failing = draw_scenario<S>(random, next % 2 == 0 ? Style::uniform : Style::swarm);
    } while (!fails(failing));
    const auto shrunk = shrunk_where<S>(failing, fails);
    judgements += shrunk.judgements;
    results[scenario_text<S>(shrunk.scenario)] += 1;
  }
  EXPECT_LE(judgements / runs, one.judgements_max);  // docs/finding.md has these figures
  const std::string smallest = "lockstep 1 challenge\nactions\n" + std::string{one.smallest} + "\n";
  const Size size = size_of<S>(*parse_scenario<S>(smallest));
  for (const auto& [text, count] : results) EXPECT_TRUE(size_of<S>(*parse_scenario<S>(text)) == size) << text;
  EXPECT_EQ(results.count(smallest), 1u) << results.begin()->first;
  EXPECT_LE(results.size(), one.as_small);
}

INSTANTIATE_TEST_SUITE_P(, ShrinkingChallenge, testing::Range<std::size_t>(0, std::size(cases)),
                         [](const auto& index) { return std::string{cases[index.param].name}; });

// What users reported ------------------------------------------------------------------------------

struct Constant {
  int value = 0;
  bool operator==(const Constant&) const = default;
  static void describe(auto& io, Constant& c) { io.number("value", c.value, -9, 9); }
};
struct Variable {
  bool operator==(const Variable&) const = default;
};
struct Sum;
using Expression = std::variant<Constant, Variable, Sum>;
struct Sum {
  std::vector<Expression> of;
  bool operator==(const Sum& other) const;
  static void describe(auto& io, Sum& sum) {
    io.sequence("of", sum.of, 2, 2, [](auto& inner, Expression& each) { inner.field("", each); });
  }
};
bool Sum::operator==(const Sum& other) const { return of == other.of; }

/// The value, if there is no variable in it.
std::optional<int> folded(const Expression& e) {
  if (const auto* constant = std::get_if<Constant>(&e)) return constant->value;
  const auto* sum = std::get_if<Sum>(&e);
  if (sum == nullptr) return std::nullopt;
  const auto first = folded(sum->of[0]);
  const auto second = folded(sum->of[1]);
  return first && second ? std::optional{*first + *second} : std::nullopt;
}

/// Each kind of action is a false property of its fields.
struct Reported : NeverRun {
  static constexpr std::string_view name = "reported";
  using Interval = ActionOf<"interval", double>;
  using Narrow = ActionOf<"narrow", double>;
  using Sparse = ActionOf<"sparse", int>;
  struct TwoLists {
    static constexpr std::string_view name = "two_lists";
    List a, b;
    bool operator==(const TwoLists&) const = default;
  };
  struct Index {
    static constexpr std::string_view name = "index";
    List list;
    int i = 0;
    bool operator==(const Index&) const = default;
  };
  /// The first number decides whether there is a second, the third whether there is a fifth.
  struct Conditional {
    static constexpr std::string_view name = "conditional";
    int first = 0, second = 0, third = 0, width = 1, fifth = 0;
    bool operator==(const Conditional&) const = default;
  };
  using Folded = ActionOf<"folded", Expression>;
  using Action = std::variant<Interval, Narrow, Sparse, TwoLists, Index, Conditional, Folded>;

  using NeverRun::describe;
  static void list(auto& io, std::string_view of, List& list) {
    io.sequence(of, list, 0, 10, [](auto& inner, int& each) { inner.number("", each, 0, 1000); });
  }
  static void describe(auto& io, const Setup&, Interval& a) { io.real("x", a.value, 0.0, 1000.0); }
  static void describe(auto& io, const Setup&, Narrow& a) { io.real("x", a.value, 0.0, 100'000.0); }
  static void describe(auto& io, const Setup&, Sparse& a) { io.number("m", a.value, 0, 1'000'000'000); }
  static void describe(auto& io, const Setup&, TwoLists& a) {
    list(io, "a", a.a);
    list(io, "b", a.b);
  }
  static void describe(auto& io, const Setup&, Index& a) {
    list(io, "list", a.list);
    io.number("i", a.i, 0, 9);
  }
  static void describe(auto& io, const Setup&, Conditional& a) {
    io.number("first", a.first, 0, 3);
    if (a.first != 0) io.number("second", a.second, 0, 40);
    io.number("third", a.third, 0, 2);
    io.number("width", a.width, 1, 30);
    if (a.third == 0) io.number("fifth", a.fifth, -9, 9);
  }
  static void describe(auto& io, const Setup&, Folded& a) { io.field("of", a.value); }
};

using R = Reported;
template <class Kind>
auto wrong_if(bool (*wrong)(const Kind&)) {
  return [wrong](const Scenario<R>& scenario) {
    return std::ranges::any_of(scenario.actions, [&](const R::Action& action) {
      const auto* a = std::get_if<Kind>(&action);
      return a != nullptr && wrong(*a);
    });
  };
}

/// Three rings on three pegs, until all are on the last peg: seven moves.
struct Hanoi : NeverRun {
  static constexpr std::string_view name = "hanoi";
  struct Move {
    static constexpr std::string_view name = "move";
    std::size_t from = 0, to = 0;
    bool operator==(const Move&) const = default;
  };
  using Action = std::variant<Move>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Move& a) {
    io.number("from", a.from, 0, 2);
    io.number("to", a.to, 0, 2);
  }
};
bool is_solved(const Scenario<Hanoi>& scenario) {
  List pegs[3] = {{3, 2, 1}, {}, {}};
  for (const auto& action : scenario.actions) {
    const auto& [from, to] = std::get<0>(action);
    List &source = pegs[from], &target = pegs[to];
    if (source.empty() || (!target.empty() && target.back() <= source.back())) continue;
    target.push_back(source.back());
    source.pop_back();
    if (pegs[2].size() == 3) return true;
  }
  return false;
}

/// Reads numbers that it has pushed.
struct Store : NeverRun {
  static constexpr std::string_view name = "store";
  using Push = ActionOf<"push", int>;
  using Get = ActionOf<"get", std::size_t>;
  using Action = std::variant<Push, Get>;
  using NeverRun::describe;
  static void describe(auto& io, const Setup&, Push& a) { io.number("value", a.value, 0, 100); }
  static void describe(auto& io, const Setup&, Get& a) { io.number("at", a.value, 0, 11); }
};
bool reads_a_number(const Scenario<Store>& scenario) {
  List numbers;
  for (const auto& action : scenario.actions) {
    if (const auto* push = std::get_if<Store::Push>(&action)) numbers.push_back(push->value);
    else if (const auto at = std::get<Store::Get>(action).value; at < numbers.size() && numbers[at] != 0) return true;
  }
  return false;
}

/// The actions of what twenty failing scenarios end at, after so many judgements on average.
template <System S>
std::map<std::string, int> ends_of(const std::function<bool(const Scenario<S>&)>& fails,
                                   std::uint64_t judgements_max = 300) {
  std::map<std::string, int> out;
  std::uint64_t judgements = 0;
  constexpr int runs = 20;
  for (std::uint64_t next = 0, found = 0; found < runs && next < 1'000'000; ++next) {
    Random random{seed_of(7, next)};
    const auto drawn = draw_scenario<S>(random, next % 2 == 0 ? Style::uniform : Style::swarm);
    if (!fails(drawn)) continue;
    const auto smallest = shrunk_where<S>(drawn, fails);
    judgements += smallest.judgements;
    out[actions_text<S>(smallest.scenario)] += 1;
    ++found;
  }
  EXPECT_LE(judgements / runs, judgements_max);
  return out;
}
using Ends = std::map<std::string, int>;

TEST(ReportedFailures, EndAtTheSmallest) {
  EXPECT_EQ(ends_of<R>(wrong_if<R::Interval>([](const auto& a) { return a.value > 99.5 && a.value < 100; })),
            (Ends{{"interval x=99.75\n", 20}}));
  EXPECT_EQ(ends_of<R>(wrong_if<R::Narrow>([](const auto& a) { return a.value > 0.1 && a.value < 0.2; })),
            (Ends{{"narrow x=0.11\n", 20}}));
  EXPECT_EQ(ends_of<R>(wrong_if<R::Sparse>([](const auto& a) { return a.value > 0 && a.value % 1000 == 0; })),
            (Ends{{"sparse m=1000\n", 20}}));
  EXPECT_EQ(ends_of<R>(wrong_if<R::TwoLists>([](const auto& a) {
              return a.a.size() == a.b.size() && std::ranges::any_of(a.a, [](int each) { return each != 0; });
            })),
            (Ends{{"two_lists a=[1] b=[0]\n", 20}}));
  EXPECT_EQ(ends_of<R>(wrong_if<R::Index>(
                [](const auto& a) { return a.i < std::ssize(a.list) && a.list[static_cast<std::size_t>(a.i)] != 0; })),
            (Ends{{"index list=[1] i=0\n", 20}}));
  EXPECT_EQ(ends_of<R>(wrong_if<R::Conditional>([](const auto& a) { return a.width > 1; })),
            (Ends{{"conditional first=0 third=0 width=2 fifth=0\n", 20}}));
  EXPECT_EQ(ends_of<R>(wrong_if<R::Folded>([](const auto& a) { return folded(a.value).value_or(0) < -3; })),
            (Ends{{"folded of=0:{value=-4}\n", 20}}));
  EXPECT_EQ(ends_of<Store>(reads_a_number), (Ends{{"push value=1\nget at=0\n", 20}}));
  Ends hanoi = ends_of<Hanoi>(is_solved, 500);
  std::erase_if(hanoi, [](const auto& each) { return std::ranges::count(each.first, '\n') == 7; });
  EXPECT_EQ(hanoi, Ends{});
}

}  // namespace
}  // namespace lockstep::challenge
