#include "lockstep/exploration_run.hpp"

#include <gtest/gtest.h>

#include "lockstep/error.hpp"

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
                    .failed = Explored::Failed{"a text", "an explanation", Size{1, 2, 3, 4}},
                    .unsaved = "a full disk"};
  EXPECT_EQ(to_json(explored_from(to_json(explored))), to_json(explored));
  explored.failed->size.reset();
  EXPECT_EQ(to_json(explored_from(to_json(explored))), to_json(explored));
  explored.failed.reset();
  EXPECT_EQ(to_json(explored_from(to_json(explored))), to_json(explored));
}

TEST(Explored, MalformedJsonIsAnInternalError) {
  for (const char* text : {"", "{}", "[1]", R"({"end": 1})"}) EXPECT_THROW(explored_from(text), InternalError) << text;
}

TEST(Explored, EveryEndHasAName) {
  for (const auto end : {ExploreEnd::running, ExploreEnd::covered, ExploreEnd::exhausted, ExploreEnd::diverged,
                         ExploreEnd::out_of_memory, ExploreEnd::cannot_judge}) {
    Explored explored;
    explored.end = end;
    EXPECT_EQ(explored_from(to_json(explored)).end, end) << to_string(end);
  }
}

}  // namespace
}  // namespace lockstep
