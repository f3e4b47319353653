#include "proof/graph.hpp"

#include <stdexcept>
#include <utility>

namespace lockstep::proof {

Graph::Graph() : nodes_(1), table_(1 << 12) {}

Literal Graph::input() {
  nodes_.push_back({.left = {input_mark}, .right = {static_cast<std::uint32_t>(inputs_++)}});
  return Literal::of(static_cast<std::uint32_t>(nodes_.size() - 1));
}

Literal Graph::both(Literal a, Literal b) {
  if (a.code > b.code) std::swap(a, b);
  if (const auto simple = simplified(a, b)) return *simple;
  if (2 * (ands_ + 1) > table_.size()) grow();
  const std::size_t slot = slot_of({a, b});
  if (table_[slot] == 0) {
    if (nodes_.size() > input_mark / 2 - 1) throw std::length_error("the graph has too many nodes");
    table_[slot] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({a, b});
    ++ands_;
  }
  return Literal::of(table_[slot]);
}

/// a ∧ b without a new node, or as the AND of simpler operands.
std::optional<Literal> Graph::simplified(Literal a, Literal b) {
  if (a == b) return a;
  if (a == !b) return no;
  if (is_constant(a)) return a == yes ? b : no;
  if (is_constant(b)) return b == yes ? a : no;
  if (const auto simple = simplified_by_operands(a, b)) return simple;
  if (const auto simple = simplified_by_operands(b, a)) return simple;
  if (!is_and(a) || !is_and(b)) return std::nullopt;

  const auto [p, q] = operands(a.node());
  const auto [r, s] = operands(b.node());
  if (!a.complemented() && !b.complemented()) {
    if (p == !r || p == !s || q == !r || q == !s) return no;  // (x ∧ …) ∧ (¬x ∧ …)
  }
  if (a.complemented() && b.complemented()) {  // ¬(x ∧ y) ∧ ¬(x ∧ ¬y) = ¬x
    if ((p == r && q == !s) || (p == s && q == !r)) return !p;
    if ((q == s && p == !r) || (q == r && p == !s)) return !q;
  }
  return std::nullopt;
}

/// The rules in which only the operands of `a` matter.
std::optional<Literal> Graph::simplified_by_operands(Literal a, Literal b) {
  if (!is_and(a)) return std::nullopt;
  const auto [p, q] = operands(a.node());
  if (!a.complemented()) {
    if (b == p || b == q) return a;     // (b ∧ q) ∧ b
    if (b == !p || b == !q) return no;  // (¬b ∧ q) ∧ b
    if (is_and(b) && b.complemented()) {
      const auto [r, s] = operands(b.node());
      if (r == !p || r == !q || s == !p || s == !q) return a;  // (p ∧ q) ∧ ¬(¬p ∧ s)
      if (r == p || r == q) return both(a, !s);                // (p ∧ q) ∧ ¬(p ∧ s) = (p ∧ q) ∧ ¬s
      if (s == p || s == q) return both(a, !r);
    }
    return std::nullopt;
  }
  if (b == !p || b == !q) return b;  // ¬(¬b ∧ q) ∧ b
  if (b == p) return both(!q, b);    // ¬(b ∧ q) ∧ b = ¬q ∧ b
  if (b == q) return both(!p, b);
  return std::nullopt;
}

Literal Graph::differ(Literal a, Literal b) {
  // In one of two forms whatever the complements, so that equal functions become one node.
  const bool complement = a.complemented() != b.complemented();
  if (a.complemented()) a = !a;
  if (b.complemented()) b = !b;
  if (const auto rest = without(a, b)) return complement ? !*rest : *rest;
  if (const auto rest = without(b, a)) return complement ? !*rest : *rest;
  const Literal out = both(!both(a, b), !both(!a, !b));
  return complement ? !out : out;
}

/// a ≠ b without a new node, if a is b ≠ x: (b ≠ x) ≠ b = x. The complement of b gives the complement of x.
std::optional<Literal> Graph::without(Literal a, Literal b) const {
  if (!is_and(a)) return std::nullopt;
  const auto [p, q] = operands(a.node());
  if (!is_and(p) || !is_and(q) || !p.complemented() || !q.complemented()) return std::nullopt;
  const auto [x, y] = operands(p.node());
  const auto [r, s] = operands(q.node());
  if (!(r == !x && s == !y) && !(r == !y && s == !x)) return std::nullopt;
  // a = ¬(x ∧ y) ∧ ¬(¬x ∧ ¬y)
  if (b.node() == x.node()) return b == x ? y : !y;
  if (b.node() == y.node()) return b == y ? x : !x;
  return std::nullopt;
}

Literal Graph::choose(Literal condition, Literal then, Literal otherwise) {
  if (then == otherwise) return then;
  if (is_constant(condition)) return condition == yes ? then : otherwise;
  if (then == !otherwise) return differ(condition, otherwise);
  if (condition.complemented()) return choose(!condition, otherwise, then);
  return !both(!both(condition, then), !both(!condition, otherwise));
}

Literal Graph::any(std::span<const Literal> literals) {
  if (literals.empty()) return no;
  if (literals.size() == 1) return literals.front();
  const std::size_t half = literals.size() / 2;  // balanced, so that the graph stays flat
  return either(any(literals.first(half)), any(literals.subspan(half)));
}

std::size_t Graph::slot_of(Operands key) const {
  const std::uint64_t words = std::uint64_t{key.left.code} << 32 | key.right.code;
  const std::size_t mask = table_.size() - 1;
  // From bit 32 on, the product depends on all low bits of both operands.
  std::size_t slot = static_cast<std::size_t>((words * 0x9e3779b97f4a7c15u) >> 32) & mask;
  while (table_[slot] != 0 && nodes_[table_[slot]] != key) slot = (slot + 1) & mask;
  return slot;
}

void Graph::grow() {
  table_.assign(table_.size() * 4, 0);
  for (std::uint32_t node = 1; node < nodes_.size(); ++node) {
    if (!is_input(node)) table_[slot_of(nodes_[node])] = node;
  }
}

void Graph::evaluate(std::span<const Block> input_values, std::vector<Block>& node_values, std::size_t nodes) const {
  node_values.resize(nodes_.size());
  node_values[0] = Block{};
  for (std::uint32_t node = 1; node < nodes; ++node) {
    if (is_input(node)) {
      node_values[node] = input_values[input_number(node)];
      continue;
    }
    const Block left = value(node_values, nodes_[node].left);
    const Block right = value(node_values, nodes_[node].right);
    for (std::size_t i = 0; i < left.words.size(); ++i) node_values[node].words[i] = left.words[i] & right.words[i];
  }
}

}  // namespace lockstep::proof
