// A toy problem for tests: each line of the input is a number, and its answer is the square.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lockstep/base/error.hpp"
#include "programs/problems.hpp"

namespace lockstep {

/// Draws 1, 2, 3, … 999, 0, 1, …; a number shows its digits. Canaries: `wrong_from_50` is wrong from 50 on, `dies_at_9`
/// ends its process at multiples of 9.
class Squares : public ProblemInputs {
 public:
  static InputCase number(int n) { return {std::to_string(n), std::to_string(n) + "\n", std::to_string(n * n) + "\n"}; }

  bool many_cases() const override { return false; }

  Parsed<std::vector<InputCase>> cases_of(std::string_view input) const override {
    return std::vector{number(std::stoi(std::string{input}))};
  }
  Parsed<InputCase> case_of(std::string_view scenario) const override {
    return number(std::stoi(std::string{scenario}));
  }
  std::string input_of(const std::vector<InputCase>& cases) const override {
    std::string out;
    for (const InputCase& one : cases) out += one.input;
    return out;
  }

  std::vector<std::string> shown_by(const InputCase& one) const override {
    std::vector<std::string> out;
    for (const char digit : one.scenario) out.push_back(std::string{"digit = "} + digit);
    return out;
  }
  bool answers(const std::string& implementation, const InputCase& one) const override {
    const int n = std::stoi(one.scenario);
    if (implementation == "dies_at_9" && n % 9 == 0) std::quick_exit(1);
    return implementation != "wrong_from_50" || n < 50;
  }

  std::vector<std::string> unchecked_inputs(std::uint64_t, std::size_t) const override { return {}; }
  std::unique_ptr<InputStream> draw(std::uint64_t, std::uint64_t first, std::uint64_t stride,
                                    const std::filesystem::path&) const override {
    struct Counting final : InputStream {
      int n;
      int step;
      Counting(int first_, int step_) : n{first_}, step{step_} {}
      InputCase next(std::uint64_t) override { return number(std::exchange(n, (n + step) % 1000)); }
    };
    return std::make_unique<Counting>(static_cast<int>(first) + 1, static_cast<int>(stride));
  }

  /// 1000, 1001, …, which `draw` does not give.
  std::vector<InputCase> heaviest(std::uint64_t, const std::filesystem::path&, std::chrono::milliseconds,
                                  std::size_t count) const override {
    std::vector<InputCase> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(number(1000 + static_cast<int>(i)));
    return out;
  }

  /// Removes cases from the front, then from the back.
  ShrunkInput shrink(const std::vector<InputCase>& cases, const InputJudge& judge,
                     std::chrono::milliseconds) const override {
    const auto fails = [&](const std::vector<InputCase>& some) {
      std::vector<std::string> answers;
      for (const InputCase& one : some) answers.push_back(one.answer);
      return judge(input_of(some), answers).has_value();
    };
    std::vector<InputCase> left = cases;
    for (const bool front : {true, false}) {
      for (auto fewer = left; left.size() > 1; left = fewer) {
        fewer.erase(front ? fewer.begin() : fewer.end() - 1);
        if (!fails(fewer)) break;
      }
    }
    return {left, input_of(left), true};
  }
};

}  // namespace lockstep
