#include "lockstep/explore/exploration_run.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/system/registered.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/lockstep/expected.hpp"
#include "tests/lockstep/toy.hpp"

namespace lockstep {
namespace {

TEST(Explored, SurvivesSerialization) {
  Explored explored{.end = ExploreEnd::diverged,
                    .levels = {{"1", 2, 3, 4}, {"2", 5, 6, 7}},
                    .share = 0.25,
                    .reason = "why",
                    .folded_by = {"mirror"},
                    .memory = 8,
                    .seconds = 1.5,
                    .failed = Counterexample{"a text", "an explanation", Size{1, 2, 3, 4, 5}},
                    .unsaved = "a full disk"};
  EXPECT_EQ(to_json(explored_from(to_json(explored))), to_json(explored));
  explored.failed->size.reset();
  EXPECT_EQ(to_json(explored_from(to_json(explored))), to_json(explored));
  explored.failed.reset();
  EXPECT_EQ(to_json(explored_from(to_json(explored))), to_json(explored));
}

TEST(Explored, MalformedJsonIsAnInternalError) {
  std::string without_a_name = to_json(Explored{.levels = {{"1", 2, 3, 4}}});
  without_a_name.replace(without_a_name.find("name"), 4, "mane");
  for (const std::string& text : {std::string{}, std::string{"{}"}, std::string{"[1]"}, std::string{R"({"end": 1})"},
                                  std::string{R"({"end": "now"})"}, without_a_name})
    EXPECT_THROW(explored_from(text), InternalError) << text;
}

TEST(Explored, EveryEndHasAName) {
  for (const auto end : {ExploreEnd::running, ExploreEnd::covered, ExploreEnd::exhausted, ExploreEnd::diverged,
                         ExploreEnd::out_of_memory, ExploreEnd::cannot_judge}) {
    Explored explored;
    explored.end = end;
    EXPECT_EQ(explored_from(to_json(explored)).end, end) << to_string(end);
  }
}

TEST(ProgramIdentity, CoversThePluginsThatAreNamed) {
  const ScratchFolder folder;
  const std::string plugin = folder / "plugin.so";
  ASSERT_TRUE(write_file(plugin, "one build"));
  const std::string without = program_identity({"reference", "quick"});
  const std::string with = program_identity({"reference", plugin + ":quick"});
  EXPECT_NE(with, without);
  EXPECT_EQ(program_identity({plugin, plugin + ":slow"}), with) << "each file counts once";
  ASSERT_TRUE(write_file(plugin, "another build"));
  EXPECT_NE(program_identity({"reference", plugin + ":quick"}), with);
  EXPECT_EQ(program_identity({"reference"}), without);
}

/// A ribbon of many colours, whose packed position takes more than a byte for each of them.
struct Ribbon {
  static constexpr std::string_view name = "ribbon";
  static constexpr int length_max = 70'000;
  struct Setup {
    std::vector<std::uint8_t> colours;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  using Cut = ActionOf<"cut">;
  using Action = std::variant<Cut>;
  struct Observation {
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Setup& s) {
    io.sequence("colours", s.colours, 0, length_max, [](auto& item, auto& colour) { item.number("", colour, 0, 255); });
  }
  static void describe(auto&, Observation&) {}
};

template <bool dies>
struct Scissors {
  explicit Scissors(const Ribbon::Setup& setup) : ribbon{setup} {}
  Ribbon::Observation step(const Ribbon::Action&) const {
    if (dies) std::_Exit(5);
    return {};
  }
  const Ribbon::Snapshot& snapshot() const { return ribbon; }
  Ribbon::Setup ribbon;
};

[[maybe_unused]] const std::array registered_scissors = {
    register_implementation<Scissors<false>, Ribbon>("sharp", Kind::reference, "cuts"),
    register_implementation<Scissors<true>, Ribbon>("rusty", Kind::plugin, "dies", untimed),
};

/// Explores ribbons of that length; the death of an implementation is a finding with its setup.
Explored explored_ribbons(std::size_t length) {
  static const AnySystem ribbons{system_parts<Ribbon>()};
  const Ribbon::Setup start{std::vector<std::uint8_t>(length, 200)};
  return explore({.system = &ribbons,
                  .from = {.exploration = {}, .texts = {{"start", scenario_text<Ribbon>({start, {}})}}},
                  .implementations = {"sharp", "rusty"},
                  .options = {.depth = 1}});
}

TEST(Exploration, ADeathAtAPositionThatNoBeaconHoldsIsNotAttributed) {
  const Explored small = explored_ribbons(10);
  ASSERT_TRUE(small.failed);
  EXPECT_NE(small.failed->text.find("[200,200,200,200,200,200,200,200,200,200]"), std::string::npos);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "more than 60000 bytes",
                      message_of<InternalError>([] { explored_ribbons(Ribbon::length_max); }));
}

}  // namespace
}  // namespace lockstep
