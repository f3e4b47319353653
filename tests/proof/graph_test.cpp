// Tests of the graph and of the solver on it.
#include "proof/graph.hpp"

#include <gtest/gtest.h>

#include <array>

#include "proof/claim.hpp"
#include "proof/solver.hpp"
#include "proof/words.hpp"

namespace lockstep::proof {
namespace {

/// Eight inputs have 256 assignments: a block is a truth table.
TEST(Graph, SimplifiedNodesEqualTheTruthTablesOfWhatWasAsked) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draws draws{seed};
    Graph graph;
    std::vector<Literal> literals = {no};
    std::vector<Graph::Block> tables = {{}};
    std::vector<Graph::Block> inputs;
    for (std::size_t i = 0; i < 8; ++i) {
      Graph::Block block;
      for (std::size_t bit = 0; bit < 256; ++bit) block.words[bit / 64] |= std::uint64_t{bit >> i & 1} << (bit % 64);
      literals.push_back(graph.input());
      inputs.push_back(block);
      tables.push_back(block);
    }
    for (int step = 0; step < 300; ++step) {
      const auto pick = [&](Graph::Block& table) {
        const std::size_t i = draws.below(literals.size());
        const bool complement = draws.below(2) != 0;
        table = tables[i];
        for (std::uint64_t& word : table.words) word ^= complement ? ~std::uint64_t{0} : 0;
        return complement ? !literals[i] : literals[i];
      };
      Graph::Block a, b, c, expected;
      const Literal x = pick(a), y = pick(b), z = pick(c);
      const std::uint64_t kind = draws.below(3);
      for (std::size_t i = 0; i < 4; ++i) {
        const std::uint64_t p = a.words[i], q = b.words[i], r = c.words[i];
        expected.words[i] = kind == 0 ? p & q : kind == 1 ? p ^ q : (p & q) | (~p & r);
      }
      literals.push_back(kind == 0 ? graph.both(x, y) : kind == 1 ? graph.differ(x, y) : graph.choose(x, y, z));
      tables.push_back(expected);
    }
    std::vector<Graph::Block> values;
    graph.evaluate(inputs, values);
    for (std::size_t i = 0; i < literals.size(); ++i) {
      ASSERT_EQ(Graph::value(values, literals[i]).words, tables[i].words) << "seed " << seed << ", literal " << i;
    }
    // The clauses mean what the graph means: a literal is satisfiable if its table has a 1, and the model is one of
    // them.
    Solver solver{graph, Clock::time_point::max()};
    for (std::size_t i = literals.size() - 20; i < literals.size(); ++i) {
      const bool possible = tables[i].words != Graph::Block{}.words;
      ASSERT_EQ(solver.solve(literals[i]), possible ? Solver::Answer::satisfiable : Solver::Answer::unsatisfiable);
      if (!possible) continue;
      std::size_t assignment = 0;
      for (std::size_t k = 0; k < 8; ++k) assignment |= std::size_t{solver.value(literals[1 + k])} << k;
      ASSERT_TRUE(tables[i].bit(assignment));
    }
  }
}

TEST(Graph, EqualExpressionsAreOneNode) {
  Graph graph;
  const Literal a = graph.input(), b = graph.input(), c = graph.input();
  EXPECT_EQ(graph.both(a, b), graph.both(b, a));
  EXPECT_EQ(graph.differ(a, !b), !graph.differ(b, a));
  for (const Literal x : {a, !a}) {
    for (const Literal y : {b, !b}) {
      EXPECT_EQ(graph.differ(x, graph.differ(x, y)), y);
      EXPECT_EQ(graph.differ(graph.differ(y, x), x), y);
      EXPECT_EQ(graph.differ(y, graph.differ(x, y)), x);
      EXPECT_EQ(graph.differ(y, !graph.differ(x, y)), !x);
    }
  }
  EXPECT_EQ(graph.choose(!c, a, b), graph.choose(c, b, a));
  EXPECT_EQ(graph.either(graph.both(a, c), graph.both(a, !c)), a);
}

/// That multiplication of 20 bits is commutative takes long.
TEST(Solver, SaysThatItDoesNotKnowWhenTheTimeIsUp) {
  Graph graph;
  Words words{graph};
  const Word a = words.inputs(20), b = words.inputs(20);
  const Literal differ = !words.equal(words.multiply(a, b), words.multiply(b, a));
  ASSERT_NE(differ, no);
  Solver solver{graph, Clock::now()};
  EXPECT_EQ(solver.solve(differ), Solver::Answer::unknown);
}

}  // namespace
}  // namespace lockstep::proof
