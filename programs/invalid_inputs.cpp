#include "programs/invalid_inputs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "lockstep/base/lines.hpp"
#include "lockstep/base/numbers.hpp"
#include "programs/answers.hpp"

namespace lockstep {
namespace {

/// The text with one of its words exchanged.
std::string with_word(const std::string& text, std::string_view word, std::string_view instead) {
  return std::string{text}.replace(static_cast<std::size_t>(word.data() - text.data()), word.size(), instead);
}

/// Where the last line starts. The text ends with a newline.
std::size_t last_line(std::string_view text) { return text.rfind('\n', text.size() - 2) + 1; }

/// The text with two neighbouring lines exchanged, number `first` modulo their count and the one before it.
std::string with_lines_exchanged(std::string_view text, std::size_t first) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(take_line(text));
  const std::size_t one = first % lines.size();
  std::swap(lines[one], lines[(one + lines.size() - 1) % lines.size()]);
  std::string out;
  for (const auto line : lines) out.append(line).append("\n");
  return out;
}

/// What is wrong, in the reader's words: of "expected the width, a number from 10 to 200, got '9'", "9 instead of the width".
std::string what_is_wrong(const std::string& error) {
  constexpr std::string_view expected = "expected ";
  const std::size_t got = error.find(", got ");
  if (!error.starts_with(expected) || got == std::string::npos) return error;
  const std::string_view wanted = std::string_view{error}.substr(expected.size(), got - expected.size());
  return error.substr(got + std::string_view{", got "}.size()) + " instead of " +
         std::string{wanted.substr(0, wanted.find(", a number from "))};
}

/// An error without what differs from input to input: numbers, and what was read.
std::string kind_of(const std::string& error) {
  std::string out = error.substr(0, error.find(", got "));
  std::erase_if(out, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  return out;
}

class Collector {
 public:
  explicit Collector(const ProblemInputs& inputs) : inputs_{inputs} {}

  /// The reader's error; nullopt if the input is valid.
  std::optional<TextError> error(const std::string& input) const {
    const auto read = inputs_.cases_of(input);
    return read ? std::nullopt : std::optional{read.error()};
  }

  /// Leaves out an input that is valid, or that is there already.
  void add(const std::string& what, std::string input) {
    const auto why = error(input);
    if (!why || !texts_.insert(input).second) return;
    out_.push_back({what, std::move(input), why->message("input")});
  }

  /// Leaves out an input whose kind of error this has seen.
  void add_if_new(std::string input) {
    const auto why = error(input);
    if (why && kinds_.insert(kind_of(why->what)).second) add(what_is_wrong(why->what), std::move(input));
  }

  std::vector<InvalidInput> take() { return std::move(out_); }

 private:
  const ProblemInputs& inputs_;
  std::vector<InvalidInput> out_;
  std::set<std::string> texts_;
  std::set<std::string> kinds_;
};

/// For each "a number from A to B" that the reader expects of a word: A - 1 and B + 1.
void exceed_limits(const std::string& valid, Collector& out) {
  static const std::regex limits{R"(expected (.*), a number from (-?\d+) to (-?\d+), got)"};
  std::set<std::string> seen;
  for (const Token& word : tokens_of(valid)) {
    const auto why = out.error(with_word(valid, word.text, "x"));
    std::smatch found;
    if (!why || !seen.insert(kind_of(why->what)).second || !std::regex_search(why->what, found, limits)) continue;
    for (const auto& [limit, step] : {std::pair{found[2].str(), -1}, std::pair{found[3].str(), 1}}) {
      const auto number = number_in(limit);
      if (!number) continue;  // it has more than 38 digits
      const std::string beyond = to_text(*number + step);
      out.add(beyond + " as " + found[1].str(), with_word(valid, word.text, beyond));
    }
  }
}

void damage(const std::string& valid, Collector& out) {
  out.add("nothing", "");
  const std::size_t last = last_line(valid);
  out.add("the last line is missing", valid.substr(0, last));
  out.add("the last line twice", valid + valid.substr(last));
  out.add("the first line twice", valid.substr(0, valid.find('\n') + 1) + valid);
  const auto words = tokens_of(valid);
  constexpr std::array<std::pair<const char*, const char*>, 8> instead{{{"a letter", "x"},
                                                                        {"a negative number", "-1"},
                                                                        {"a plus sign", "+1"},
                                                                        {"a fraction", "1.5"},
                                                                        {"a billion", "1000000000"},
                                                                        {"1 beyond 32 bits", "4294967297"},
                                                                        {"1 beyond 64 bits", "18446744073709551617"},
                                                                        {"a hexadecimal number", "0x1"}}};
  const std::array<std::pair<const char*, std::size_t>, 3> places{
      {{"first", 0}, {"middle", words.size() / 2}, {"last", words.size() - 1}}};
  for (const auto& [place, index] : places) {
    const auto with = [&](std::string_view word) { return with_word(valid, words[index].text, word); };
    for (const auto& [what, word] : instead) out.add(std::string{what} + " as the " + place + " word", with(word));
    out.add(std::string{"the "} + place + " word is missing", with(""));
    out.add(std::string{"a letter after the "} + place + " word", with(std::string{words[index].text} + "x"));
  }
}

}  // namespace

std::vector<InvalidInput> invalid_inputs(const ProblemInputs& inputs, std::uint64_t seed) {
  constexpr std::size_t drawn = 2'000;
  Collector out{inputs};
  const auto stream = inputs.draw(seed, 0, 1, {});
  const std::string valid = stream->next(1).input;
  damage(valid, out);
  exceed_limits(valid, out);
  for (auto& text : inputs.unchecked_inputs(seed, drawn)) out.add_if_new(std::move(text));
  for (std::size_t i = 0; i < drawn; ++i) out.add_if_new(with_lines_exchanged(stream->next(1).input, i));
  return out.take();
}

}  // namespace lockstep
