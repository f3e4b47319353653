// Decides whether literals of a graph can hold together: the graph becomes clauses, and CaDiCaL searches.
//
// Only what a question depends on is translated, once; questions share the clauses and what was learnt from them. An
// exclusive or and a choice of the graph (three ANDs) become one variable.
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

  Solver(const Graph& graph, Clock::time_point deadline);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Holds in all later answers.
  void require(Literal a);
  Answer solve(std::span<const Literal> assumptions);
  Answer solve(Literal assumption) { return solve(std::span{&assumption, 1}); }
  /// After `satisfiable`: the value of an input in the model. Inputs that the question does not depend on are false.
  bool value(Literal input) const;

  int variables() const { return variables_; }
  std::size_t clauses() const { return clauses_; }
  static std::string name();

 private:
  struct Search;  // CaDiCaL, with our deadline

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
  std::vector<int> variable_of_;  // by node; 0: not translated
  int variables_ = 0;
  std::size_t clauses_ = 0;
};

}  // namespace lockstep::proof
