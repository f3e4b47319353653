// Each mistake of a description is refused with one sentence that says what to do.
#include "lockstep/system/check_description.hpp"

#include <gtest/gtest.h>

#include "lockstep/system/any_system.hpp"
#include "lockstep/system/registered.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/garden.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

struct Values {
  int a = 0, b = 0;
  double real = 0;
  std::string text;
  std::vector<int> list;
  std::optional<int> maybe;
  bool operator==(const Values&) const = default;
};
constexpr auto flawless = [](auto& io, Values& v) { io.number("a", v.a, 1, 9); };

/// A description in one setup and one action, each given as a function of (io, Values&).
template <class DescribeSetup, class DescribeAction = decltype(flawless), ActionName system = "lru",
          ActionName kind = "get">
struct Lru : NeverRun {
  static constexpr std::string_view name{system.letters};
  using Setup = Values;
  struct Get : Values {
    static constexpr std::string_view name{kind.letters};
    bool operator==(const Get&) const = default;
  };
  using Put = ActionOf<"put">;
  using Action = std::variant<Get, Put>;
  using NeverRun::describe;
  static void describe(auto& io, Setup& s) { DescribeSetup{}(io, s); }
  static void describe(auto& io, const Setup&, Get& a) { DescribeAction{}(io, static_cast<Values&>(a)); }
};

template <class Describe>
std::string flaw_of_setup(Describe) {
  return description_flaw(vocabulary<Lru<Describe>>());
}
template <class Describe>
std::string flaw_of_action(Describe) {
  return description_flaw(vocabulary<Lru<decltype(flawless), Describe>>());
}

TEST(CheckDescription, ADescriptionWithoutMistakesPasses) {
  EXPECT_EQ(flaw_of_setup(flawless), "");
  EXPECT_EQ(description_flaw(vocabulary<Garden>()), "");
}

TEST(CheckDescription, AFieldThatIsOnlyPrintedIsRefused) {
  const std::string flaw =
      "system lru: the setup describes 'capacity' by value(), values() or a flag() that is computed, which only print: "
      "use field(), or number() and others with bounds";
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) { io.value("capacity", v.a); }), flaw);
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) { io.flag("capacity", v.a > 0); }), flaw);
}

/// An observation that a user described as an action.
struct Bounded : NeverRun {
  static constexpr std::string_view name = "lru";
  using Action = std::variant<ActionOf<"get">>;
  struct Observation {
    int size = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Observation& o) { io.number("size", o.size, 0, 9); }
};
TEST(CheckDescription, ASystemWhoseObservationHasBoundsIsRefused) {
  EXPECT_EQ(description_flaw(vocabulary<Bounded>()),
            "system lru: the observation describes 'size' as a setup or an action does: use value(), "
            "values() or flag()");
}

constexpr auto empty_number = [](auto& io, Values& v) { io.number("capacity", v.a, 5, 3); };

TEST(CheckDescription, AnEmptyBoundOfTheSetupIsRefused) {
  EXPECT_EQ(
      flaw_of_setup(empty_number),
      "system lru: the setup's field 'capacity' has no value: its bounds are 5 to 3; put the lower one first, and "
      "allow at least one value");
  const auto bounds = [](std::string flaw) { return flaw.substr(0, flaw.find(';')); };
  EXPECT_EQ(bounds(flaw_of_setup([](auto& io, Values& v) { io.text("word", v.text, 5, 3); })),
            "system lru: the setup's field 'word' has no value: its sizes are 5 to 3");
  EXPECT_EQ(bounds(flaw_of_setup([](auto& io, Values& v) { io.real("share", v.real, 1.5, -1); })),
            "system lru: the setup's field 'share' has no value: its bounds are 1.5 to -1");
  EXPECT_EQ(bounds(flaw_of_setup([](auto& io, Values& v) {
              io.sequence("keys", v.list, 0, 9, [](auto& inner, int& key) { inner.number("", key, 2, 1); });
            })),
            "system lru: the setup's field 'keys' has no value: its bounds are 2 to 1");
  EXPECT_EQ(flaw_of_action(empty_number), "") << "such an action is impossible in this place";
}

TEST(CheckDescription, ABoundThatTheTypeCannotHoldIsRefused) {
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) { io.number("key", v.a, 0, v.list.size() - 1); }),
            "system lru: action 'get''s field 'key' has the bounds 0 to 18446744073709551615, but its type holds "
            "-2147483648 to 2147483647: narrow them (unsigned numbers have no -1: 0u - 1 is their largest)");
  using Limits = std::numeric_limits<int>;
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) { io.number("key", v.a, Limits::min(), Limits::max()); }), "");
}

TEST(CheckDescription, AnAlphabetWithoutCharactersAndAWordOutsideOfItAreRefused) {
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) { io.text("word", v.text, 0, 9, Text::of("")); }),
            "system lru: action 'get''s field 'word' has an alphabet without characters: give it one");
  static constexpr std::string_view words[] = {"ab", "a\n"};
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) { io.text("word", v.text, 0, 9, Text::ascii.with(words)); }),
            "system lru: action 'get''s field 'word' has the word \"a\\n\", which is not of printable ASCII: leave it "
            "out, or use an alphabet that has its characters");
}

/// One kind of action, which is never drawn.
struct Weightless : NeverRun {
  static constexpr std::string_view name = "lru";
  struct Get {
    static constexpr std::string_view name = "get";
    static constexpr unsigned weight = 0;
    bool operator==(const Get&) const = default;
  };
  using Action = std::variant<Get>;
};
TEST(CheckDescription, WeightsOfZeroAloneAreRefused) {
  EXPECT_EQ(description_flaw(vocabulary<Weightless>()),
            "system lru: all kinds of actions have the weight 0, so that none can be drawn: give one of them another "
            "weight");
}

TEST(CheckDescription, BoundsMayDependOnEarlierFields) {
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) {
              io.number("a", v.a, 3, 9);
              io.number("b", v.b, 0, v.a - 3);  // empty for the value 0, which a has before it is described
            }),
            "");
}

TEST(CheckDescription, ABoundThatIsEmptyForSomeSetupsIsRefused) {
  const std::string flaw = flaw_of_setup([](auto& io, Values& v) {
    io.number("a", v.a, 0, 9);
    io.number("b", v.b, 0, 6 - v.a);  // empty from 7 on
  });
  EXPECT_TRUE(flaw.starts_with("system lru: the setup's field 'b' has no value: its bounds are 0 to -")) << flaw;
}

TEST(CheckDescription, AFieldOfTheSetupThatIsCalledAsAPartOfATextIsRefused) {
  const std::string why = ", which begins a part of a text: give it another name";
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) { io.number("actions", v.a, 0, 9); }),
            "system lru: the setup has a field called 'actions'" + why);
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) { io.number("finding", v.a, 0, 9); }),
            "system lru: the setup has a field called 'finding'" + why);
}

TEST(CheckDescription, AFieldThatIsDescribedTwiceInOneRecordIsRefused) {
  const std::string twice_in_action =
      "system lru: action 'get' describes the field 'key' twice: give one of them another name";
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) {
              io.number("a", v.a, 0, 9);
              io.number("a", v.b, 0, 9);
            }),
            "system lru: the setup describes the field 'a' twice: give one of them another name");
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.number("key", v.a, 0, 9);
              io.optional("key", v.maybe, [](auto& inner, int& x) { inner.number("", x, 0, 9); });
            }),
            twice_in_action);
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.sequence("keys", v.list, 0, 9, [](auto& inner, int& key) {
                inner.number("key", key, 0, 9);
                inner.number("key", key, 0, 9);
              });
            }),
            twice_in_action);
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.number("key", v.a, 0, 9);
              io.record("from", [&](auto& inner) { inner.number("key", v.b, 0, 9); });
            }),
            "");
}

TEST(CheckDescription, ANamelessFieldIsRefusedOutsideOfAnItem) {
  const std::string hint = " has a field without a name: name it (only the one field of an item may be nameless)";
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) { io.number("", v.a, 0, 9); }), "system lru: the setup" + hint);
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) { io.text("", v.text, 0, 9); }), "system lru: action 'get'" + hint);
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.record("from", [&](auto& inner) {
                inner.number("", v.a, 0, 9);
                inner.number("", v.b, 0, 9);
              });
            }),
            "system lru: action 'get' has two fields without a name in an item of 'from': name both");
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.record("from", [&](auto& inner) {
                inner.number("x", v.a, 0, 9);
                inner.number("", v.b, 0, 9);
              });
            }),
            "system lru: action 'get' has a nameless field beside others in an item of 'from': name it");
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.sequence("keys", v.list, 0, 9, [](auto& inner, int& key) { inner.number("", key, 0, 9); });
              io.optional("maybe", v.maybe, [](auto& inner, int& x) { inner.number("", x, 0, 9); });
            }),
            "");
}

TEST(CheckDescription, ANameThatIsNoWordIsRefused) {
  using Fine = decltype(flawless);
  const std::string hint = ": use letters, digits and the marks _ - . + only";
  EXPECT_EQ(flaw_of_setup([](auto& io, Values& v) { io.number("a b", v.a, 0, 9); }),
            "system lru: the setup has a field called 'a b'" + hint);
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) { io.number("a=", v.a, 0, 9); }),
            "system lru: action 'get' has a field called 'a='" + hint);
  EXPECT_EQ(flaw_of_action([](auto& io, Values& v) {
              io.optional("maybe", v.maybe, [](auto& inner, int& x) { inner.number("#", x, 0, 9); });
            }),
            "system lru: action 'get' has a field called '#'" + hint);
  EXPECT_EQ((description_flaw(vocabulary<Lru<Fine, Fine, "lru", "get it">>())),
            "system lru: an action is called 'get it'" + hint);
  EXPECT_EQ((description_flaw(vocabulary<Lru<Fine, Fine, "lru", "">>())), "system lru: an action is called ''" + hint);
  EXPECT_EQ((description_flaw(vocabulary<Lru<Fine, Fine, "lru", "put">>())),
            "system lru: two kinds of actions are called 'put': give one of them another name");
  EXPECT_EQ((description_flaw(vocabulary<Lru<Fine, Fine, "lru#2">>())), "a system is called 'lru#2'" + hint);
}

/// A value that contains itself in two ways, and has many types.
struct Tree {
  std::vector<std::variant<int, Tree, std::pair<int, std::vector<Tree>>>> children;
  static void describe(auto& io, Tree& t) { io.field("children", t.children); }
  bool operator==(const Tree&) const = default;
};
TEST(CheckDescription, ARecursiveValueHasAnEnd) {
  EXPECT_EQ(flaw_of_setup([](auto& io, Values&) {
              Tree tree;
              io.field("tree", tree);
            }),
            "");
}

TEST(CheckDescription, ASystemWithAMistakeIsRefusedBeforeItIsUsed) {
  const AnySystem system{system_parts<Lru<decltype(empty_number)>>()};
  EXPECT_EQ(message_of([&] { refuse_mistakes(system); }), flaw_of_setup(empty_number));
}

}  // namespace
}  // namespace lockstep
