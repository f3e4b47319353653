#include "lockstep/enumerate.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "lockstep/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

TEST(Enumerate, NamesEveryActionOnce) {
  Garden::Setup setup;
  setup.rows = 2;
  setup.columns = 3;
  setup.beds = Grid{2, 3};
  std::set<std::string> seen;
  std::vector<std::size_t> counts;
  for (std::size_t kind = 0; kind < action_kinds<Garden::Action>; ++kind) {
    std::vector<Garden::Action> actions;
    enumerate_kind<Garden>(setup, kind, actions);
    counts.push_back(actions.size());
    for (const auto& action : actions) seen.insert(action_text<Garden>(setup, action));
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{2 * 3 * 2, 301, 1}));
  EXPECT_EQ(seen.size(), 12u + 301u + 1u);
}

}  // namespace
}  // namespace lockstep
