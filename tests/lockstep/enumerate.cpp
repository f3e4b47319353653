#include "lockstep/describe/enumerate.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "lockstep/system/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

TEST(Enumerate, NamesEveryActionOnce) {
  std::set<std::string> seen;
  std::vector<std::size_t> counts;
  for (std::size_t kind = 0; kind < action_kinds<Garden::Action>; ++kind) {
    AnyScenario actions = any_of<Garden>({.setup = plot(2, 3), .actions = {}});
    enumerate_kind(kind, actions);
    counts.push_back(actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i) seen.insert(action_text(actions, i));
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{2 * 3 * 2, 301, 1}));
  EXPECT_EQ(seen.size(), 12u + 301u + 1u);
}

}  // namespace
}  // namespace lockstep
