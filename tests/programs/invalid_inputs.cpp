#include "programs/invalid_inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "programs/problem_format.hpp"

namespace lockstep {
namespace {

/// A toy problem: a count from 1 to 3, then as many different numbers from -5 to 50. Draws two numbers, the first of
/// which is the seed.
class Counted : public ProblemInputs {
 public:
  explicit Counted(std::vector<std::string> unchecked = {}) : unchecked_{std::move(unchecked)} {}

  Parsed<std::vector<InputCase>> cases_of(std::string_view input) const override {
    TokenReader reader{input};
    const auto count = reader.number("the count", 1, 3);
    if (!count) return std::unexpected(count.error());
    std::set<int> numbers;
    for (int i = 0; i < *count; ++i) {
      const int line = reader.line();
      const auto number = reader.number("a number of the list", -5, 50);
      if (!number) return std::unexpected(number.error());
      if (!numbers.insert(*number).second) return text_error(line, 1, "the number is there already");
    }
    if (const auto end = reader.finish(); !end) return std::unexpected(end.error());
    return std::vector{InputCase{std::string{input}, std::string{input}, ""}};
  }

  std::vector<std::string> unchecked_inputs(std::uint64_t, std::size_t) const override { return unchecked_; }

  std::unique_ptr<InputStream> draw(std::uint64_t seed, std::uint64_t, std::uint64_t,
                                    const std::filesystem::path&) const override {
    struct Same final : InputStream {
      std::string input;
      explicit Same(std::string always) : input{std::move(always)} {}
      InputCase next(std::uint64_t) override { return {input, input, ""}; }
    };
    return std::make_unique<Same>("2\n" + std::to_string(seed) + "\n30\n");
  }

  // Not asked for.
  bool many_cases() const override { return false; }
  Parsed<InputCase> case_of(std::string_view) const override { return InputCase{}; }
  std::string input_of(const std::vector<InputCase>&) const override { return {}; }
  std::vector<std::string> shown_by(const InputCase&) const override { return {}; }
  bool answers(const std::string&, const InputCase&) const override { return false; }
  std::vector<InputCase> heaviest(std::uint64_t, const std::filesystem::path&, std::chrono::milliseconds,
                                  std::size_t) const override {
    return {};
  }
  ShrunkInput shrink(const std::vector<InputCase>&, const InputJudge&, std::chrono::milliseconds) const override {
    return {};
  }

 private:
  std::vector<std::string> unchecked_;
};

/// Wants a count within these limits, and refuses all but the input that it draws from the seed 7.
class Limited final : public Counted {
 public:
  Limited(std::string lo, std::string hi) : lo_{std::move(lo)}, hi_{std::move(hi)} {}

  Parsed<std::vector<InputCase>> cases_of(std::string_view input) const override {
    if (input == "2\n7\n30\n") return std::vector{InputCase{std::string{input}, std::string{input}, ""}};
    return text_error(1, 1, "expected the count, a number from " + lo_ + " to " + hi_ + ", got '?'");
  }

 private:
  std::string lo_;
  std::string hi_;
};

/// The input that is wrong in this way; "none" if there is none.
std::string input_with(const std::vector<InvalidInput>& all, const std::string& what) {
  const auto found = std::ranges::find(all, what, &InvalidInput::what);
  return found == all.end() ? "none" : found->input;
}

TEST(InvalidInputs, AreAllDifferentAndRefusedWithTheErrorThatTheyName) {
  const Counted inputs{{"9\n1\n", "2\n5\n5\n"}};
  const auto all = invalid_inputs(inputs, 7);
  EXPECT_GT(all.size(), 30u);
  std::set<std::string> different;
  for (const InvalidInput& each : all) {
    EXPECT_TRUE(different.insert(each.input).second) << each.what;
    const auto read = inputs.cases_of(each.input);
    ASSERT_FALSE(read) << each.what << "\n" << each.input;
    EXPECT_EQ(read.error().message("input"), each.error);
  }
}

TEST(InvalidInputs, AValidInputIsDamagedInOnePlace) {
  const auto all = invalid_inputs(Counted{}, 7);
  EXPECT_EQ(input_with(all, "nothing"), "");
  EXPECT_EQ(input_with(all, "the last line is missing"), "2\n7\n");
  EXPECT_EQ(input_with(all, "the last line twice"), "2\n7\n30\n30\n");
  EXPECT_EQ(input_with(all, "the first line twice"), "2\n2\n7\n30\n");
  EXPECT_EQ(input_with(all, "a letter as the middle word"), "2\nx\n30\n");
  EXPECT_EQ(input_with(all, "1 beyond 64 bits as the first word"), "18446744073709551617\n7\n30\n");
  EXPECT_EQ(input_with(all, "the last word is missing"), "2\n7\n\n");
  EXPECT_EQ(input_with(all, "a letter after the last word"), "2\n7\n30x\n");
  EXPECT_EQ(input_with(invalid_inputs(Counted{}, 8), "the last line is missing"), "2\n8\n");
}

TEST(InvalidInputs, WhatIsStillValidIsLeftOut) {
  const auto all = invalid_inputs(Counted{}, 7);
  EXPECT_EQ(input_with(all, "a negative number as the first word"), "-1\n7\n30\n");
  EXPECT_EQ(input_with(all, "a negative number as the middle word"), "none") << "-1 may be in the list";
}

TEST(InvalidInputs, NumbersAreJustBeyondEachLimit) {
  const auto all = invalid_inputs(Counted{}, 7);
  EXPECT_EQ(input_with(all, "0 as the count"), "0\n7\n30\n");
  EXPECT_EQ(input_with(all, "4 as the count"), "4\n7\n30\n");
  EXPECT_EQ(input_with(all, "-6 as a number of the list"), "2\n-6\n30\n");
  EXPECT_EQ(input_with(all, "51 as a number of the list"), "2\n51\n30\n");
}

TEST(InvalidInputs, ALimitMayHaveMoreBitsThanAnInt) {
  const auto beyond = [](const std::string& lo, const std::string& hi) {
    std::vector<std::string> out;
    for (const InvalidInput& each : invalid_inputs(Limited{lo, hi}, 7)) {
      if (each.what.ends_with(" as the count")) out.push_back(each.input);
    }
    return out;
  };
  using Inputs = std::vector<std::string>;
  EXPECT_EQ(beyond("-2147483648", "2147483647"), (Inputs{"-2147483649\n7\n30\n", "2147483648\n7\n30\n"}));
  EXPECT_EQ(beyond("-9223372036854775808", "9223372036854775807"),
            (Inputs{"-9223372036854775809\n7\n30\n", "9223372036854775808\n7\n30\n"}));
  EXPECT_EQ(beyond("5", std::string(60, '9')), Inputs{"4\n7\n30\n"}) << "the other one is no number of this program";
}

TEST(InvalidInputs, OfDrawnInputsEachKindOfErrorComesOnce) {
  const auto all = invalid_inputs(
      Counted{{"9\n1\n", "8\n1\n", "1\n60\n", "1\n70\n", "2\n5\n5\n", "3\n1\n6\n6\n", "1\n3\n", "1\n2\n3\n"}}, 7);
  EXPECT_EQ(input_with(all, "'9' instead of the count"), "9\n1\n");
  EXPECT_EQ(input_with(all, "'8' instead of the count"), "none");
  EXPECT_EQ(input_with(all, "'60' instead of a number of the list"), "1\n60\n");
  EXPECT_EQ(input_with(all, "'70' instead of a number of the list"), "none");
  EXPECT_EQ(input_with(all, "the number is there already"), "2\n5\n5\n");
  EXPECT_EQ(input_with(all, "'3' instead of the end of the input"), "1\n2\n3\n");
  const auto is_valid = [](const InvalidInput& each) { return each.input == "1\n3\n"; };
  EXPECT_TRUE(std::ranges::none_of(all, is_valid));
}

TEST(InvalidInputs, LinesOfDrawnInputsAreExchanged) {
  // Of the three lines, numbers 0 and 2 are exchanged first.
  EXPECT_EQ(input_with(invalid_inputs(Counted{}, 7), "'30' instead of the count"), "30\n7\n2\n");
}

}  // namespace
}  // namespace lockstep
