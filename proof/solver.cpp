#include "proof/solver.hpp"

#include <array>
#include <cadical.hpp>
#include <ctime>

namespace lockstep::proof {

Clock::time_point Clock::now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return time_point{std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec}};
}

struct Solver::Search : CaDiCaL::Terminator {
  explicit Search(Clock::time_point end) : deadline{end} {
    cadical.set("quiet", 1);
    cadical.connect_terminator(this);
  }
  ~Search() override { cadical.disconnect_terminator(); }
  bool terminate() override { return Clock::now() >= deadline; }

  CaDiCaL::Solver cadical;
  Clock::time_point deadline;
};

Solver::Solver(const Graph& graph, Clock::time_point deadline)
    : graph_{graph}, search_{std::make_unique<Search>(deadline)} {}
Solver::~Solver() = default;

std::string Solver::name() { return CaDiCaL::Solver::signature(); }

void Solver::clause(std::initializer_list<int> literals) {
  for (const int literal : literals) search_->cadical.add(literal);
  search_->cadical.add(0);
  ++clauses_;
}

void Solver::require(Literal a) { clause({translated(a)}); }

Solver::Answer Solver::solve(std::span<const Literal> assumptions) {
  std::vector<int> assumed;  // translation adds clauses, which must not come between assumptions
  for (const Literal a : assumptions) assumed.push_back(translated(a));
  for (const int literal : assumed) search_->cadical.assume(literal);
  switch (search_->cadical.solve()) {
    case 10: return Answer::satisfiable;
    case 20: return Answer::unsatisfiable;
    default: return Answer::unknown;
  }
}

bool Solver::value(Literal input) const {
  if (input.node() >= variable_of_.size() || variable_of_[input.node()] == 0) return false;
  return (search_->cadical.val(variable_of_[input.node()]) > 0) != input.complemented();
}

/// ¬(c ∧ t) ∧ ¬(¬c ∧ e) is ¬t where c holds and ¬e elsewhere.
std::optional<Solver::Choice> Solver::choice(std::uint32_t node) const {
  const auto [left, right] = graph_.operands(node);
  const auto is_nand = [&](Literal a) { return a.complemented() && !is_constant(a) && !graph_.is_input(a.node()); };
  if (!is_nand(left) || !is_nand(right)) return std::nullopt;
  const auto [a, b] = graph_.operands(left.node());
  const auto [c, d] = graph_.operands(right.node());
  if (a == !c) return Choice{a, !b, !d};
  if (a == !d) return Choice{a, !b, !c};
  if (b == !c) return Choice{b, !a, !d};
  if (b == !d) return Choice{b, !a, !c};
  return std::nullopt;
}

/// The literal of the solver that stands for `a`; translates what `a` depends on, operands first.
int Solver::translated(Literal a) {
  variable_of_.resize(graph_.size());
  std::vector<std::uint32_t> open{a.node()};
  const auto needs = [&](Literal b) {
    if (variable_of_[b.node()] == 0) open.push_back(b.node());
  };
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    const std::size_t before = open.size();
    if (variable_of_[node] == 0 && node != 0 && !graph_.is_input(node)) {
      if (const auto c = choice(node)) {
        needs(c->condition), needs(c->then), needs(c->otherwise);
      } else {
        needs(graph_.operands(node).left), needs(graph_.operands(node).right);
      }
    }
    if (open.size() != before) continue;
    if (variable_of_[node] == 0) translate(node);
    open.pop_back();
  }
  const int variable = variable_of_[a.node()];
  return a.complemented() ? -variable : variable;
}

void Solver::translate(std::uint32_t node) {
  const int out = variable_of_[node] = ++variables_;
  const auto literal = [&](Literal a) { return a.complemented() ? -variable_of_[a.node()] : variable_of_[a.node()]; };
  if (node == 0) return clause({-out});
  if (graph_.is_input(node)) return;
  if (const auto c = choice(node)) {
    const int condition = literal(c->condition);
    const int then = literal(c->then);
    const int otherwise = literal(c->otherwise);
    clause({-condition, -then, out});
    clause({-condition, then, -out});
    clause({condition, -otherwise, out});
    clause({condition, otherwise, -out});
    if (then != -otherwise) {  // redundant, and lets the solver conclude without the condition
      clause({-then, -otherwise, out});
      clause({then, otherwise, -out});
    }
    return;
  }
  const int left = literal(graph_.operands(node).left);
  const int right = literal(graph_.operands(node).right);
  clause({-out, left});
  clause({-out, right});
  clause({out, -left, -right});
}

}  // namespace lockstep::proof
