// Mistakes that need a domain: each is found by drawing and shrunk to the smallest scenario. Integers, bytes, sets,
// sequences and results of earlier actions have theirs in examples/.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "lockstep/draw/draw.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

enum class Month : std::uint8_t { jan = 1, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec };
enum class Operation : std::uint8_t { plus, minus };

/// A number, the negation of its only operand, or an operation on two.
struct Expression {
  std::vector<Expression> operands;
  Operation operation{};
  int number = 0;
  static void describe(auto& io, Expression& e) {
    io.sequence("operands", e.operands, 0, 2, [](auto& inner, Expression& each) { inner.field("", each); });
    if (e.operands.empty()) io.number("number", e.number, 0, 9);
    if (e.operands.size() == 2) io.field("operation", e.operation);
  }
  bool operator==(const Expression&) const = default;
};

struct Percent {
  static constexpr std::string_view name = "percent";
  int share = 0;
  static void describe(auto& io, Percent& p) { io.number("share", p.share, 0, 100); }
  bool operator==(const Percent&) const = default;
};

/// Questions, one for each domain. No implementation has a state.
struct Questions {
  static constexpr std::string_view name = "questions";
  using Setup = Nothing;

  /// How many units of UTF-16 the text has.
  using Units = ActionOf<"units", std::string>;
  /// The number in JSON, which has neither NaN nor infinities.
  using Json = ActionOf<"json", double>;
  /// What is left of 200 cents after a discount of some cents or a share.
  using Discount = ActionOf<"discount", std::variant<std::uint8_t, Percent>>;
  /// The given settings, and defaults for the others.
  using Settings = ActionOf<"settings", std::map<std::string, int>>;
  /// How much of what is wanted a limit leaves.
  struct Take {
    static constexpr std::string_view name = "take";
    int wanted = 0;
    std::optional<int> limit;
    bool operator==(const Take&) const = default;
  };
  using Evaluate = ActionOf<"evaluate", Expression>;
  /// The days of a month, in a year that is no leap year.
  using Days = ActionOf<"days", Month>;
  /// The text without comments. One that does not end is none.
  using Strip = ActionOf<"strip", std::string>;
  /// The value, if it is a byte.
  using Byte = ActionOf<"byte", int>;
  using Action = std::variant<Units, Json, Discount, Settings, Take, Evaluate, Days, Strip, Byte>;

  struct Observation {
    std::string answer;
    Observation() = default;
    explicit Observation(std::string text) : answer{std::move(text)} {}
    explicit Observation(const Thrown& exception) : answer{"throws " + exception_text(exception)} {}
    bool operator==(const Observation&) const = default;
  };

  static constexpr std::string_view marks[] = {"<!--", "-->"};
  static void describe(auto& io, const Setup&, Units& a) { io.text("text", a.value, 0, 20, Text::utf8); }
  static void describe(auto& io, const Setup&, Json& a) { io.real("number", a.value); }
  static void describe(auto& io, const Setup&, Discount& a) { io.field("off", a.value); }
  static void describe(auto& io, const Setup&, Settings& a) {
    io.set("given", a.value, 4, [](auto& inner, auto& entry) {
      inner.text("key", entry.first, 1, 3, Text::of("abc"));
      inner.number("value", entry.second, 0, 9);
    });
  }
  static void describe(auto& io, const Setup&, Take& a) {
    io.number("wanted", a.wanted, 0, 99);
    io.optional("limit", a.limit, [](auto& inner, int& limit) { inner.number("", limit, 0, 99); });
  }
  static void describe(auto& io, const Setup&, Evaluate& a) { io.field("expression", a.value); }
  static void describe(auto& io, const Setup&, Days& a) { io.field("month", a.value); }
  static void describe(auto& io, const Setup&, Strip& a) { io.text("text", a.value, 0, 30, Text::ascii.with(marks)); }
  static void describe(auto& io, const Setup&, Byte& a) { io.number("value", a.value, -999, 999); }
  static void describe(auto& io, Observation& o) { io.value("answer", o.answer); }
};

using S = Questions;

std::ptrdiff_t code_points(std::string_view text) {
  return std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; });  // no continuation
}

int value_of(const Expression& e) {
  if (e.operands.empty()) return e.number;
  const int first = value_of(e.operands[0]);
  if (e.operands.size() == 1) return -first;
  const int second = value_of(e.operands[1]);
  return e.operation == Operation::plus ? first + second : first - second;
}

/// a − (b ± c) becomes (a − b) ± c, as if it were written without parentheses.
Expression without_parentheses(Expression e) {
  for (Expression& each : e.operands) each = without_parentheses(each);
  if (e.operands.size() < 2 || e.operands[1].operands.size() < 2) return e;
  const Expression& right = e.operands[1];
  const Expression left{{e.operands[0], right.operands[0]}, e.operation};
  return {{left, right.operands[1]}, right.operation};
}

const std::map<std::string, int> defaults{{"a", 5}};
std::string text_of(const std::map<std::string, int>& settings) {
  std::string out;
  for (const auto& [key, value] : settings) out += key + "=" + std::to_string(value) + " ";
  return out;
}

/// Removes each comment, whose end is searched from `skipped` characters after the first of its beginning.
std::string stripped(std::string text, std::size_t skipped) {
  for (std::size_t begin = 0; (begin = text.find("<!--", begin)) != std::string::npos;) {
    const std::size_t end = text.find("-->", begin + skipped);
    if (end == std::string::npos) break;
    text.erase(begin, end + 3 - begin);
  }
  return text;
}

struct Reference {
  S::Observation step(const S::Action& action) {
    return S::Observation{std::visit([](const auto& a) { return answer(a); }, action)};
  }
  static std::string answer(const S::Units& a) {
    const auto begins_four_bytes = [](char byte) { return (byte & 0xf0) == 0xf0; };
    return std::to_string(code_points(a.value) + std::ranges::count_if(a.value, begins_four_bytes));
  }
  static std::string answer(const S::Json& a) { return std::isfinite(a.value) ? floating::text_of(a.value) : "null"; }
  static std::string answer(const S::Discount& a) {
    const auto* percent = std::get_if<Percent>(&a.value);
    return std::to_string(percent != nullptr ? 200 - 2 * percent->share : std::max(200 - std::get<0>(a.value), 0));
  }
  static std::string answer(const S::Settings& a) {
    auto all = defaults;
    for (const auto& [key, value] : a.value) all[key] = value;
    return text_of(all);
  }
  static std::string answer(const S::Take& a) { return std::to_string(std::min(a.wanted, a.limit.value_or(a.wanted))); }
  static std::string answer(const S::Evaluate& a) { return std::to_string(value_of(a.value)); }
  static std::string answer(const S::Days& a) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return std::to_string(days[static_cast<int>(a.value) - 1]);
  }
  static std::string answer(const S::Strip& a) { return stripped(a.value, 4); }
  static std::string answer(const S::Byte& a) {
    if (a.value < 0 || a.value > 255) throw std::out_of_range{std::to_string(a.value) + " is no byte"};
    return std::to_string(a.value);
  }
};

struct Mistake {
  std::string_view name;
  std::function<S::Observation(const S::Action&)> step;
  std::uint64_t scenarios_max;
  std::string_view smallest;
};

/// Answers one kind of action as given, the others as the reference does.
template <class Kind, class Answer>
auto on(Answer answer) {
  return [answer](const S::Action& action) {
    const auto* a = std::get_if<Kind>(&action);
    return a != nullptr ? S::Observation{answer(*a)} : Reference{}.step(action);
  };
}

const Mistake mistakes[] = {
    {"counts_bytes", on<S::Units>([](const auto& a) { return std::to_string(a.value.size()); }), 100,
     "units text=\"\u0080\""},
    {"forgets_surrogates", on<S::Units>([](const auto& a) { return std::to_string(code_points(a.value)); }), 100,
     "units text=\"\U00010000\""},
    {"prints_nan", on<S::Json>([](const auto& a) { return std::isinf(a.value) ? "null" : floating::text_of(a.value); }),
     1000, "json number=nan"},
    {"drops_sign_of_zero", on<S::Json>([](const auto& a) { return a.value == 0 ? "0" : Reference::answer(a); }), 1000,
     "json number=-0"},
    {"drops_sign_of_fraction", on<S::Json>([](const auto& a) {
       const auto text = Reference::answer(a);
       return text.starts_with("-0.") ? text.substr(1) : text;
     }),
     5000, "json number=-0.5"},
    {"percent_is_an_amount", on<S::Discount>([](const auto& a) {
       const auto* percent = std::get_if<Percent>(&a.value);
       return std::to_string(std::max(200 - (percent != nullptr ? percent->share : std::get<0>(a.value)), 0));
     }),
     100, "discount off=percent:{share=1}"},
    {"defaults_win", on<S::Settings>([](const auto& a) {
       auto all = defaults;
       all.insert(a.value.begin(), a.value.end());
       return text_of(all);
     }),
     100, "settings given=[{key=\"a\" value=0}]"},
    {"no_limit_is_0",
     on<S::Take>([](const auto& a) { return std::to_string(std::min(a.wanted, a.limit.value_or(0))); }), 100,
     "take wanted=1 limit=none"},
    {"limit_0_is_none", on<S::Take>([](const auto& a) {
       return std::to_string(std::min(a.wanted, a.limit.value_or(0) == 0 ? a.wanted : *a.limit));
     }),
     5000, "take wanted=1 limit=0"},
    {"no_parentheses_on_the_right",
     on<S::Evaluate>([](const auto& a) { return std::to_string(value_of(without_parentheses(a.value))); }), 100,
     "evaluate expression={operands=[{operands=[] number=0},{operands=[{operands=[] number=0},{operands=[] number=1}] "
     "operation=plus}] operation=minus}"},
    {"forgets_september",
     on<S::Days>([](const auto& a) { return a.value == Month::sep ? "31" : Reference::answer(a); }), 100,
     "days month=sep"},
    {"end_inside_the_beginning", on<S::Strip>([](const auto& a) { return stripped(a.value, 2); }), 5000,
     "strip text=\"<!-->\""},
    {"other_exception", on<S::Byte>([](const auto& a) {
       if (a.value > 255) throw std::length_error{std::to_string(a.value) + " is no byte"};
       return Reference::answer(a);
     }),
     100, "byte value=256"},
    {"other_message", on<S::Byte>([](const auto& a) {
       const auto value = static_cast<unsigned>(a.value);
       if (value > 255) throw std::out_of_range{std::to_string(value) + " is no byte"};
       return std::to_string(value);
     }),
     100, "byte value=-1"},
};

class Planted : public testing::TestWithParam<std::size_t> {};

TEST_P(Planted, MistakeIsFoundAndShrunkToTheSmallestScenario) {
  const Mistake& mistake = mistakes[GetParam()];
  const auto reference = [](const S::Action& action) { return Reference{}.step(action); };
  JudgeOf<S> judge{
      {stateless<S>("reference", Kind::reference, reference), stateless<S>(mistake.name, Kind::canary, mistake.step)}};
  const auto judged = [&](const Scenario<S>& scenario) { return judge.judge(scenario); };
  Scenario<S> failing;
  for (std::uint64_t i = 0; i < mistake.scenarios_max && judged(failing).agreed(); ++i) {
    Random random{seed_of(1, i)};
    failing = draw_scenario<S>(random, i % 2 == 0 ? Style::uniform : Style::swarm);
  }
  ASSERT_TRUE(judged(failing).diverged());
  const auto shrunk =
      Shrinker{[&](const AnyScenario& any) { return judge.any().judge(any); }, {}, {.time = std::chrono::hours{1}}}
          .shrink(any_of<S>(failing));
  EXPECT_TRUE(shrunk.minimal);
  EXPECT_EQ(scenario_text(shrunk.scenario), "lockstep 1 questions\nactions\n" + std::string{mistake.smallest} + "\n");
}

INSTANTIATE_TEST_SUITE_P(, Planted, testing::Range<std::size_t>(0, std::size(mistakes)),
                         [](const auto& index) { return std::string{mistakes[index.param].name}; });

}  // namespace
}  // namespace lockstep
