// Each mistake of a description is refused with one sentence that says what to do.
#include "lockstep/check_description.hpp"

#include <gtest/gtest.h>

#include "lockstep/any_system.hpp"
#include "lockstep/registered.hpp"
#include "lockstep/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

/// A description in one setup and one action. `Mistake` has the members setup(io, Values&) and action(io, Values&).
struct Values {
  int a = 0, b = 0;
  double real = 0;
  std::string text;
  std::vector<int> list;
  std::optional<int> maybe;
  bool operator==(const Values&) const = default;
};
struct Fine {
  static constexpr std::string_view system = "lru";
  static constexpr std::string_view kind = "get";
  static void setup(auto& io, Values& v) { io.number("a", v.a, 1, 9); }
  static void action(auto& io, Values& v) { io.number("a", v.a, 1, 9); }
};
template <class Mistake>
struct Lru {
  static constexpr std::string_view name = Mistake::system;
  using Setup = Values;
  struct Get : Values {
    static constexpr std::string_view name = Mistake::kind;
    bool operator==(const Get&) const = default;
  };
  struct Put {
    static constexpr std::string_view name = "put";
    bool operator==(const Put&) const = default;
  };
  using Action = std::variant<Get, Put>;
  struct Observation {
    int answer = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Setup& s) { Mistake::setup(io, s); }
  static void describe(auto& io, const Setup&, Get& a) { Mistake::action(io, a); }
  static void describe(auto&, const Setup&, Put&) {}
  static void describe(auto& io, Observation& o) { io.value("answer", o.answer); }
};

template <class Mistake>
std::string flaw() {
  return description_flaw<Lru<Mistake>>();
}

TEST(CheckDescription, ADescriptionWithoutMistakesPasses) {
  EXPECT_EQ(flaw<Fine>(), "");
  EXPECT_EQ(description_flaw<Garden>(), "");
}

struct EmptyNumber : Fine {
  static void setup(auto& io, Values& v) { io.number("capacity", v.a, 5, 3); }
};
struct EmptySize : Fine {
  static void setup(auto& io, Values& v) { io.text("word", v.text, 5, 3); }
};
struct EmptyReal : Fine {
  static void setup(auto& io, Values& v) { io.real("share", v.real, 1.5, -1); }
};
struct EmptyItem : Fine {
  static void setup(auto& io, Values& v) {
    io.sequence("keys", v.list, 0, 9, [](auto& inner, int& key) { inner.number("", key, 2, 1); });
  }
};
struct EmptyInAction : Fine {
  static void action(auto& io, Values& v) { io.number("a", v.a, 5, 3); }
};
struct OnlyPrinted : Fine {
  static void setup(auto& io, Values& v) { io.value("capacity", v.a); }
};
TEST(CheckDescription, AFieldThatIsOnlyPrintedIsRefused) {
  EXPECT_EQ(
      flaw<OnlyPrinted>(),
      "system lru: the setup describes 'capacity' by value() or values(), which only print: use field(), or number() "
      "and others with bounds");
}

TEST(CheckDescription, AnEmptyBoundOfTheSetupIsRefused) {
  EXPECT_EQ(
      flaw<EmptyNumber>(),
      "system lru: the setup's field 'capacity' has no value: its bounds are 5 to 3; put the lower one first, and "
      "allow at least one value");
  EXPECT_TRUE(flaw<EmptySize>().starts_with("system lru: the setup's field 'word' has no value: its sizes are 5 to 3"));
  EXPECT_TRUE(
      flaw<EmptyReal>().starts_with("system lru: the setup's field 'share' has no value: its bounds are 1.5 to -1"));
  EXPECT_TRUE(
      flaw<EmptyItem>().starts_with("system lru: the setup's field 'keys' has no value: its bounds are 2 to 1"));
  EXPECT_EQ(flaw<EmptyInAction>(), "") << "such an action is impossible in this place";
}

struct BeyondType : Fine {
  static void action(auto& io, Values& v) { io.number("key", v.a, 0, v.list.size() - 1); }
};
struct WholeType : Fine {
  static void action(auto& io, Values& v) {
    io.number("key", v.a, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  }
};
TEST(CheckDescription, ABoundThatTheTypeCannotHoldIsRefused) {
  EXPECT_EQ(flaw<BeyondType>(),
            "system lru: action 'get''s field 'key' has the bounds 0 to 18446744073709551615, but its type holds "
            "-2147483648 to 2147483647: narrow them (unsigned numbers have no -1: 0u - 1 is their largest)");
  EXPECT_EQ(flaw<WholeType>(), "");
}

struct NoCharacters : Fine {
  static void action(auto& io, Values& v) { io.text("word", v.text, 0, 9, Text::of("")); }
};
struct WordOutside : Fine {
  static constexpr std::string_view words[] = {"ab", "a\n"};
  static void action(auto& io, Values& v) { io.text("word", v.text, 0, 9, Text::ascii().with(words)); }
};
TEST(CheckDescription, AnAlphabetWithoutCharactersAndAWordOutsideOfItAreRefused) {
  EXPECT_EQ(flaw<NoCharacters>(),
            "system lru: action 'get''s field 'word' has an alphabet without characters: give it one");
  EXPECT_EQ(flaw<WordOutside>(),
            "system lru: action 'get''s field 'word' has the word \"a\\n\", which is not of printable ASCII: leave it "
            "out, or use an alphabet that has its characters");
}

/// One kind of action, which is never drawn.
struct Weightless {
  static constexpr std::string_view name = "lru";
  using Setup = Nothing;
  struct Get {
    static constexpr std::string_view name = "get";
    static constexpr unsigned weight = 0;
    bool operator==(const Get&) const = default;
  };
  using Action = std::variant<Get>;
  struct Observation {
    int answer = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Observation& o) { io.value("answer", o.answer); }
};
TEST(CheckDescription, WeightsOfZeroAloneAreRefused) {
  EXPECT_EQ(description_flaw<Weightless>(),
            "system lru: all kinds of actions have the weight 0, so that none can be drawn: give one of them another "
            "weight");
}

struct Dependent : Fine {
  static void setup(auto& io, Values& v) {
    io.number("a", v.a, 3, 9);
    io.number("b", v.b, 0, v.a - 3);  // empty for the value 0, which a has before it is described
  }
};
TEST(CheckDescription, BoundsMayDependOnEarlierFields) { EXPECT_EQ(flaw<Dependent>(), ""); }

struct SometimesEmpty : Fine {
  static void setup(auto& io, Values& v) {
    io.number("a", v.a, 0, 9);
    io.number("b", v.b, 0, 6 - v.a);  // empty from 7 on
  }
};
struct CalledActions : Fine {
  static void setup(auto& io, Values& v) { io.number("actions", v.a, 0, 9); }
};
TEST(CheckDescription, ABoundThatIsEmptyForSomeSetupsIsRefused) {
  EXPECT_TRUE(
      flaw<SometimesEmpty>().starts_with("system lru: the setup's field 'b' has no value: its bounds are 0 to -"))
      << flaw<SometimesEmpty>();
}
TEST(CheckDescription, AFieldOfTheSetupThatIsCalledActionsIsRefused) {
  EXPECT_EQ(flaw<CalledActions>(),
            "system lru: the setup has a field called 'actions', which begins the actions in a text: give it another "
            "name");
}

struct TwiceInSetup : Fine {
  static void setup(auto& io, Values& v) {
    io.number("a", v.a, 0, 9);
    io.number("a", v.b, 0, 9);
  }
};
struct TwiceInAction : Fine {
  static void action(auto& io, Values& v) {
    io.number("key", v.a, 0, 9);
    io.optional("key", v.maybe, [](auto& inner, int& x) { inner.number("", x, 0, 9); });
  }
};
struct TwiceInItem : Fine {
  static void action(auto& io, Values& v) {
    io.sequence("keys", v.list, 0, 9, [](auto& inner, int& key) {
      inner.number("key", key, 0, 9);
      inner.number("key", key, 0, 9);
    });
  }
};
struct OnceInEach : Fine {
  static void action(auto& io, Values& v) {
    io.number("key", v.a, 0, 9);
    io.record("from", [&](auto& inner) { inner.number("key", v.b, 0, 9); });
  }
};
TEST(CheckDescription, AFieldThatIsDescribedTwiceInOneRecordIsRefused) {
  EXPECT_EQ(flaw<TwiceInSetup>(), "system lru: the setup describes the field 'a' twice: give one of them another name");
  EXPECT_EQ(flaw<TwiceInAction>(),
            "system lru: action 'get' describes the field 'key' twice: give one of them another name");
  EXPECT_EQ(flaw<TwiceInItem>(),
            "system lru: action 'get' describes the field 'key' twice: give one of them another name");
  EXPECT_EQ(flaw<OnceInEach>(), "");
}

struct NamelessInSetup : Fine {
  static void setup(auto& io, Values& v) { io.number("", v.a, 0, 9); }
};
struct NamelessInAction : Fine {
  static void action(auto& io, Values& v) { io.text("", v.text, 0, 9); }
};
struct TwoNameless : Fine {
  static void action(auto& io, Values& v) {
    io.record("from", [&](auto& inner) {
      inner.number("", v.a, 0, 9);
      inner.number("", v.b, 0, 9);
    });
  }
};
struct NamelessBesideOthers : Fine {
  static void action(auto& io, Values& v) {
    io.record("from", [&](auto& inner) {
      inner.number("x", v.a, 0, 9);
      inner.number("", v.b, 0, 9);
    });
  }
};
struct NamelessItem : Fine {
  static void action(auto& io, Values& v) {
    io.sequence("keys", v.list, 0, 9, [](auto& inner, int& key) { inner.number("", key, 0, 9); });
    io.optional("maybe", v.maybe, [](auto& inner, int& x) { inner.number("", x, 0, 9); });
  }
};
TEST(CheckDescription, ANamelessFieldIsRefusedOutsideOfAnItem) {
  const std::string hint = " has a field without a name: name it (only the one field of an item may be nameless)";
  EXPECT_EQ(flaw<NamelessInSetup>(), "system lru: the setup" + hint);
  EXPECT_EQ(flaw<NamelessInAction>(), "system lru: action 'get'" + hint);
  EXPECT_EQ(flaw<TwoNameless>(),
            "system lru: action 'get' has two fields without a name in an item of 'from': name both");
  EXPECT_EQ(flaw<NamelessBesideOthers>(),
            "system lru: action 'get' has a nameless field beside others in an item of 'from': name it");
  EXPECT_EQ(flaw<NamelessItem>(), "");
}

struct BlankField : Fine {
  static void setup(auto& io, Values& v) { io.number("a b", v.a, 0, 9); }
};
struct EqualsField : Fine {
  static void action(auto& io, Values& v) { io.number("a=", v.a, 0, 9); }
};
struct HashField : Fine {
  static void action(auto& io, Values& v) {
    io.optional("maybe", v.maybe, [](auto& inner, int& x) { inner.number("#", x, 0, 9); });
  }
};
struct BlankKind : Fine {
  static constexpr std::string_view kind = "get it";
};
struct NamelessKind : Fine {
  static constexpr std::string_view kind = "";
};
struct SameKind : Fine {
  static constexpr std::string_view kind = "put";
};
struct HashSystem : Fine {
  static constexpr std::string_view system = "lru#2";
};
TEST(CheckDescription, ANameThatIsNoWordIsRefused) {
  const std::string hint = ": use letters, digits and the marks _ - . + only";
  EXPECT_EQ(flaw<BlankField>(), "system lru: the setup has a field called 'a b'" + hint);
  EXPECT_EQ(flaw<EqualsField>(), "system lru: action 'get' has a field called 'a='" + hint);
  EXPECT_EQ(flaw<HashField>(), "system lru: action 'get' has a field called '#'" + hint);
  EXPECT_EQ(flaw<BlankKind>(), "system lru: an action is called 'get it'" + hint);
  EXPECT_EQ(flaw<NamelessKind>(), "system lru: an action is called ''" + hint);
  EXPECT_EQ(flaw<SameKind>(), "system lru: two kinds of actions are called 'put': give one of them another name");
  EXPECT_EQ(flaw<HashSystem>(), "a system is called 'lru#2'" + hint);
}

/// A value that contains itself in two ways, and has many types.
struct Tree {
  std::vector<std::variant<int, Tree, std::pair<int, std::vector<Tree>>>> children;
  static void describe(auto& io, Tree& t) { io.field("children", t.children); }
  bool operator==(const Tree&) const = default;
};
struct Recursive : Fine {
  static void setup(auto& io, Values&) {
    Tree tree;
    io.field("tree", tree);
  }
};
TEST(CheckDescription, ARecursiveValueHasAnEnd) { EXPECT_EQ(flaw<Recursive>(), ""); }

TEST(CheckDescription, ASystemWithAMistakeIsRefusedBeforeItIsUsed) {
  const AnySystem system{system_parts<Lru<EmptyNumber>>()};
  try {
    refuse_mistakes(system);
    FAIL() << "not refused";
  } catch (const BadInput& error) {
    EXPECT_STREQ(error.what(), flaw<EmptyNumber>().c_str());
  }
}

}  // namespace
}  // namespace lockstep
