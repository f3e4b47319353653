// The original problem's input and output (problem_format.hpp). For testing programs that solve it: its inputs, inside the
// problem's domain only. Scenarios are texts.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/error.hpp"
#include "programs/any_problem.hpp"

namespace lockstep {

/// One case of the problem.
struct InputCase {
  std::string scenario;
  std::string input;   // as the only case of an input
  std::string answer;  // the reference's, as published
};

/// A stream of cases: first the published samples and the corpus, brought inside, then drawn ones (portfolio.hpp). It is
/// a function of its seed, part and corpus.
class InputStream {
 public:
  virtual ~InputStream() = default;
  /// The next case of the samples or the corpus, the next one that reaches a feature in a new bucket, or the last one of
  /// `patience` others.
  virtual InputCase next(std::uint64_t patience) = 0;
};

/// How a program fails on an input.
struct InputFailure {
  std::string kind;                      // shrinking keeps it: "wrong answer", "runtime error, signal 11"
  std::size_t case_number = 0;           // the first case that is answered wrongly, from 0
  std::optional<std::size_t> line = {};  // of the answer to that case, from 0; empty if the program did not answer
};

/// Tests the program with an input; nullopt if it is right. `answers`: the expected ones, by case.
using InputJudge =
    std::function<std::optional<InputFailure>(const std::string& input, const std::vector<std::string>& answers)>;

struct ShrunkInput {
  std::vector<InputCase> cases;
  std::string input;     // of all cases
  bool minimal = false;  // nothing can be left out, and no smaller case was found; false: the time was spent before
};

class ProblemInputs {
 public:
  virtual ~ProblemInputs() = default;

  /// Whether a published input holds several cases.
  virtual bool many_cases() const = 0;
  /// The cases of an input; an error if it is malformed or one of them is outside the domain.
  virtual Parsed<std::vector<InputCase>> cases_of(std::string_view input) const = 0;
  /// The scenario as a case; an error if the text is malformed or the scenario outside the domain.
  virtual Parsed<InputCase> case_of(std::string_view scenario) const = 0;
  /// The input of several cases. A format for one case repeats it.
  virtual std::string input_of(const std::vector<InputCase>& cases) const = 0;

  /// The values of features that a case shows, as text: "chains = 7".
  virtual std::vector<std::string> shown_by(const InputCase& one) const = 0;
  /// Whether an implementation, given by its name, answers a case as expected. A canary may crash or hang.
  virtual bool answers(const std::string& implementation, const InputCase& one) const = 0;

  /// Texts that look like inputs: scenarios of generators, inside the domain or not.
  virtual std::vector<std::string> unchecked_inputs(std::uint64_t seed, std::size_t count) const = 0;
  /// Part `first` of `stride` parts of the stream. `corpus`: a folder (corpus.hpp), or empty.
  virtual std::unique_ptr<InputStream> draw(std::uint64_t seed, std::uint64_t first, std::uint64_t stride,
                                            const std::filesystem::path& corpus) const = 0;

  /// Up to `count` cases that take the reference longest, the slowest first, of those that a search of this time meets.
  /// Which these are depends on the speed of the machine, too.
  virtual std::vector<InputCase> heaviest(std::uint64_t seed, const std::filesystem::path& corpus,
                                          std::chrono::milliseconds time, std::size_t count) const = 0;

  /// Removes cases, then shrinks those that are left, as long as the program fails in the same way; then looks with as
  /// many judgements again, or a thousand, for smaller cases to shrink. The cases must be ones of this service, and the
  /// program must fail on them.
  virtual ShrunkInput shrink(const std::vector<InputCase>& cases, const InputJudge& judge,
                             std::chrono::milliseconds time) const = 0;
};

/// The inputs of a system's problem. Requires a format that says which scenarios are cases (AnyProblem::has_domain).
class SystemInputs final : public ProblemInputs {
 public:
  explicit SystemInputs(const AnyProblem& problem) : problem_{problem} {}

  bool many_cases() const override { return problem_.many_cases(); }
  Parsed<std::vector<InputCase>> cases_of(std::string_view input) const override;
  Parsed<InputCase> case_of(std::string_view scenario) const override;
  std::string input_of(const std::vector<InputCase>& cases) const override;
  std::vector<std::string> shown_by(const InputCase& one) const override;
  bool answers(const std::string& implementation, const InputCase& one) const override;
  std::vector<std::string> unchecked_inputs(std::uint64_t seed, std::size_t count) const override;
  std::unique_ptr<InputStream> draw(std::uint64_t seed, std::uint64_t first, std::uint64_t stride,
                                    const std::filesystem::path& corpus) const override;
  std::vector<InputCase> heaviest(std::uint64_t seed, const std::filesystem::path& corpus,
                                  std::chrono::milliseconds time, std::size_t count) const override;
  ShrunkInput shrink(const std::vector<InputCase>& cases, const InputJudge& judge,
                     std::chrono::milliseconds time) const override;

 private:
  const AnyProblem& problem_;
};

/// The cases of an input as scenario texts.
Parsed<std::vector<std::string>> texts_of_input(const AnyProblem& problem, std::string_view input);
/// The implementation's answer to an input.
Parsed<std::string> answer_to_input(const AnyProblem& problem, std::string_view input,
                                    const std::string& implementation);

}  // namespace lockstep
