#include "lockstep/exploration_run.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/files.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/scratch.hpp"

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
                    .failed = Explored::Failed{"a text", "an explanation", Size{1, 2, 3, 4, 5}},
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

TEST(Checkpoint, ItsCounterexampleIsReadWithoutTheRest) {
  const ScratchFolder folder;
  const std::string file = folder / "checkpoint";
  EXPECT_EQ(counterexample_in(file), "");
  const auto sealed = [](const std::string& head) {  // the line ends with a checksum of what is before it
    return head.substr(0, head.size() - 1) + ",\"head\":" + std::to_string(fnv1a(head)) + "}\nbytes";
  };
  const std::string right = sealed(R"({"checkpoint":1,"failed":"a text"})");
  ASSERT_TRUE(write_file(file, right));
  EXPECT_EQ(counterexample_in(file), "a text");
  std::string changed = right;
  changed.replace(changed.find("text"), 4, "test");
  for (const std::string& damaged :
       {std::string{}, std::string{"{}"}, std::string{"bytes"}, std::string{R"({"checkpoint":1,"failed":"a text"})"},
        sealed(R"({"checkpoint":1})"), sealed(R"({"checkpoint":1,"failed":1})"), changed}) {
    ASSERT_TRUE(write_file(file, damaged));
    EXPECT_THROW(counterexample_in(file), BadInput) << damaged;
  }
}

}  // namespace
}  // namespace lockstep
