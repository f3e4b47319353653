// Decides whether literals of a graph can hold together: the graph becomes clauses, and CaDiCaL searches.
//
// Only what a question depends on is translated, once; questions share the clauses and what was learnt from them. An
// exclusive or and a choice of the graph (three ANDs) become one variable.
//
// On request, CryptoMiniSat answers each question again that CaDiCaL calls unsatisfiable. (What is satisfiable needs no
// second solver: the graph is evaluated on the model.)
#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proof/graph.hpp"

namespace lockstep::proof {

/// Processor time of this process: limits and figures do not depend on what else the machine does.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;
  static time_point now();
};

class Solver {
 public:
  enum class Answer { satisfiable, unsatisfiable, unknown };  // unknown: the deadline passed

  /// `confirm`: with the second solver, which the build may lack.
  Solver(const Graph& graph, Clock::time_point deadline, bool confirm = false);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void set_deadline(Clock::time_point deadline);
  /// Holds in all later answers.
  void require(Literal a);
  /// Throws std::logic_error if the solvers disagree.
  Answer solve(std::span<const Literal> assumptions);
  Answer solve(Literal assumption) { return solve(std::span{&assumption, 1}); }
  /// After `satisfiable`: the value of an input in the model. Inputs that the question does not depend on are false.
  bool value(Literal input) const;

  int variables() const { return variables_; }
  std::size_t clauses() const { return clauses_; }
  /// SHA-256 of all clauses and questions so far, its first 16 digits.
  std::string hash() const;
  static std::string name();
  /// The second solver's; empty if the build lacks it.
  static std::string second_name();

 private:
  struct Search;  // CaDiCaL, with our deadline
  struct Second;  // CryptoMiniSat, with the same clauses

  int translated(Literal a);
  void translate(std::uint32_t node);
  void clause(std::initializer_list<int> literals);

  /// A node as `condition ? then : otherwise`.
  struct Choice {
    Literal condition;
    Literal then;
    Literal otherwise;
  };
  std::optional<Choice> choice(std::uint32_t node) const;

  const Graph& graph_;
  std::unique_ptr<Search> search_;
  std::unique_ptr<Second> second_;  // null: not asked for
  std::vector<int> variable_of_;    // by node; 0: not translated
  int variables_ = 0;
  std::size_t clauses_ = 0;
};

}  // namespace lockstep::proof
