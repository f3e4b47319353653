#include "proof/solver.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <array>
#include <cadical.hpp>
#include <ctime>
#include <stdexcept>

#ifdef LOCKSTEP_CRYPTOMINISAT
#include <cryptominisat5/cryptominisat.h>
#endif

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

  /// Notes a clause (`kind` 0) or a question (1): numbers that end with their kind.
  void note(std::span<const int> literals, int kind) {
    llvm::SmallVector<std::uint8_t, 64> bytes;
    const auto append = [&](int number) {
      for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(number >> shift));
    };
    for (const int literal : literals) append(2 * literal);
    append(2 * kind + 1);
    asked.update(llvm::ArrayRef<std::uint8_t>(bytes));
  }

  CaDiCaL::Solver cadical;
  Clock::time_point deadline;
  llvm::SHA256 asked;
};

#ifdef LOCKSTEP_CRYPTOMINISAT
struct Solver::Second {
  /// Makes the variables that are missing. The literal of an input on which nothing depends is in no clause, but may be
  /// assumed.
  std::vector<CMSat::Lit> literals(std::span<const int> numbers) {
    std::vector<CMSat::Lit> out;
    for (const int number : numbers) {
      const CMSat::Lit& literal = out.emplace_back(static_cast<std::uint32_t>(std::abs(number)) - 1, number < 0);
      if (literal.var() >= solver.nVars()) solver.new_vars(literal.var() + 1 - solver.nVars());
    }
    return out;
  }
  void clause(std::span<const int> numbers) { solver.add_clause(literals(numbers)); }
  Answer solve(std::span<const int> assumed, Clock::time_point deadline) {
    if (deadline != Clock::time_point::max()) {
      const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
      if (left <= 0) return Answer::unknown;
      solver.set_max_time(left);
    }
    const std::vector<CMSat::Lit> assumptions = literals(assumed);
    const CMSat::lbool answer = solver.solve(&assumptions);
    return answer == CMSat::l_True    ? Answer::satisfiable
           : answer == CMSat::l_False ? Answer::unsatisfiable
                                      : Answer::unknown;
  }
  static std::string name() { return std::string("cryptominisat-") + CMSat::SATSolver::get_version(); }

  CMSat::SATSolver solver;
};
#else
struct Solver::Second {
  void clause(std::span<const int>) {}
  Answer solve(std::span<const int>, Clock::time_point) { return Answer::unknown; }
  static std::string name() { return {}; }
};
#endif

Solver::Solver(const Graph& graph, Clock::time_point deadline, bool confirm)
    : graph_{graph}, search_{std::make_unique<Search>(deadline)} {
  if (confirm && second_name().empty()) throw std::runtime_error{"this prover is built without a second solver"};
  if (confirm) second_ = std::make_unique<Second>();
}
Solver::~Solver() = default;

std::string Solver::name() { return CaDiCaL::Solver::signature(); }
std::string Solver::second_name() { return Second::name(); }
std::string Solver::hash() const { return llvm::toHex(llvm::SHA256{search_->asked}.final(), true).substr(0, 16); }

void Solver::clause(std::initializer_list<int> literals) {
  const std::span<const int> all{literals.begin(), literals.size()};
  for (const int literal : all) search_->cadical.add(literal);
  search_->cadical.add(0);
  search_->note(all, 0);
  if (second_) second_->clause(all);
  ++clauses_;
}

void Solver::set_deadline(Clock::time_point deadline) { search_->deadline = deadline; }

void Solver::require(Literal a) { clause({translated(a)}); }

Solver::Answer Solver::solve(std::span<const Literal> assumptions) {
  std::vector<int> assumed;  // translation adds clauses, which must not come between assumptions
  for (const Literal a : assumptions) assumed.push_back(translated(a));
  for (const int literal : assumed) search_->cadical.assume(literal);
  search_->note(assumed, 1);
  switch (search_->cadical.solve()) {
    case 10: return Answer::satisfiable;
    case 20: break;
    default: return Answer::unknown;
  }
  if (!second_) return Answer::unsatisfiable;
  const Answer confirmed = second_->solve(assumed, search_->deadline);
  if (confirmed == Answer::satisfiable) throw std::logic_error{"internal error: the solvers disagree"};
  return confirmed;
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
