// An and-inverter graph: Boolean functions of many inputs, as two-input ANDs and complements.
//
// Each node is an input or the AND of two literals; a literal is a node or its complement. Nodes are hashed by their
// operands, so an expression that occurs twice is one node, and local rules simplify before a node is made: equal
// literals therefore mean equal functions (the converse does not hold, and is the solver's work). Operands have smaller
// numbers than their node, so one pass in the order of numbers evaluates the graph.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::proof {

/// A node's number and whether it is complemented.
struct Literal {
  std::uint32_t code = 0;

  static constexpr Literal of(std::uint32_t node) { return {node << 1}; }
  constexpr std::uint32_t node() const { return code >> 1; }
  constexpr bool complemented() const { return (code & 1) != 0; }
  constexpr Literal operator!() const { return {code ^ 1}; }
  constexpr bool operator==(const Literal&) const = default;
};
inline constexpr Literal no{0};  // node 0 is the constant
inline constexpr Literal yes{1};
constexpr Literal truth(bool value) { return value ? yes : no; }
constexpr bool is_constant(Literal a) { return a.node() == 0; }

class Graph {
 public:
  struct Operands {
    Literal left;
    Literal right;
    bool operator==(const Operands&) const = default;
  };

  Graph();

  Literal input();
  Literal both(Literal a, Literal b);
  Literal either(Literal a, Literal b) { return !both(!a, !b); }
  Literal differ(Literal a, Literal b);
  /// `then` where the condition holds, else `otherwise`.
  Literal choose(Literal condition, Literal then, Literal otherwise);
  Literal any(std::span<const Literal> literals);

  std::size_t size() const { return nodes_.size(); }
  std::size_t inputs() const { return inputs_; }
  bool is_input(std::uint32_t node) const { return nodes_[node].left.code == input_mark; }
  /// The number of an input, in the order in which they were made.
  std::size_t input_number(std::uint32_t node) const { return nodes_[node].right.code; }
  Operands operands(std::uint32_t node) const { return nodes_[node]; }

  /// Values of all nodes for 256 assignments at once: bit i of a block is the value in assignment i.
  struct Block {
    std::array<std::uint64_t, 4> words{};
    bool bit(std::size_t i) const { return (words[i / 64] >> (i % 64) & 1) != 0; }
  };
  /// Values of the first `nodes` nodes: with fewer than all, other blocks of `node_values` are not touched.
  void evaluate(std::span<const Block> input_values, std::vector<Block>& node_values, std::size_t nodes) const;
  void evaluate(std::span<const Block> input_values, std::vector<Block>& node_values) const {
    evaluate(input_values, node_values, size());
  }
  static Block value(std::span<const Block> node_values, Literal a) {
    Block block = node_values[a.node()];
    for (std::uint64_t& word : block.words) word ^= a.complemented() ? ~std::uint64_t{0} : 0;
    return block;
  }

 private:
  static constexpr std::uint32_t input_mark = std::numeric_limits<std::uint32_t>::max();

  bool is_and(Literal a) const { return !is_constant(a) && !is_input(a.node()); }
  std::optional<Literal> simplified(Literal a, Literal b);
  std::optional<Literal> simplified_by_operands(Literal a, Literal b);
  std::optional<Literal> without(Literal a, Literal b) const;
  std::size_t slot_of(Operands operands) const;
  void grow();

  std::vector<Operands> nodes_;
  std::size_t inputs_ = 0;
  std::vector<std::uint32_t> table_;  // open addressing: numbers of nodes, 0 where free
  std::size_t ands_ = 0;
};

}  // namespace lockstep::proof
