// A problem's text format (problem_format.hpp) without the types of its system, so that what draws, shrinks and answers
// inputs is compiled once. problems_of.hpp implements it for a system.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

class AnyProblem {
 public:
  struct Case {
    AnyScenario scenario;
    std::vector<std::pair<int, int>> places = {};  // (line, column) of each action in the text
  };

  virtual ~AnyProblem() = default;
  virtual const Vocabulary& vocabulary() const = 0;
  virtual Parsed<std::vector<Case>> read(std::string_view input) const = 0;
  /// The output for a run of the case; an error if the answers show that the input broke a guarantee.
  virtual Parsed<std::string> print(const Case& one, const AnyTrace& answers) const = 0;
  /// Whether an input holds several cases.
  virtual bool many_cases() const = 0;
  /// Whether the format says which scenarios are cases of the problem. The functions below need that.
  virtual bool has_domain() const { return false; }
  virtual std::string write(std::span<const AnyScenario>) const { throw no_domain(); }
  /// A null trace: there are no answers yet.
  virtual std::optional<std::string> outside(const AnyScenario&, const AnyTrace*) const { throw no_domain(); }
  virtual void bring_inside(AnyScenario&, const AnyTrace*) const { throw no_domain(); }

 private:
  static InternalError no_domain() { return InternalError{"this format does not say which scenarios are cases"}; }
};

}  // namespace lockstep
