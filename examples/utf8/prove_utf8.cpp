// What the search cannot say: that one sequence is decoded right, whatever its bytes are. A text is a sequence of such;
// that the loop of `decode` takes each once, and its way through eight ASCII characters, are not proved.
//
//   prove_utf8                          proves it
//   prove_utf8 utf8 surrogates          refutes a planted mistake, with the smallest bytes
#include <string>

#include "proof/claim.hpp"
#include "utf8.hpp"

namespace {

/// Longer texts are texts of four bytes here: no sequence is longer.
struct Text {
  char at[4];
  std::uint32_t size;  // 1 … 4; the others are 0
};
struct First {
  std::uint32_t bytes;  // 0: the text begins with no sequence
  std::uint32_t point;
};

std::string scenario_of(const Text& text) {
  std::string out = "lockstep 1 decode\nactions\ncall text=\"";
  for (std::uint32_t i = 0; i < text.size; ++i) {
    out += {'\\', 'x', "0123456789abcdef"[byte_of(text.at[i]) / 16], "0123456789abcdef"[byte_of(text.at[i]) % 16]};
  }
  return out + "\"\n";
}

/// Lead bytes and bytes that follow, more often than others.
void draw(lockstep::proof::Draws& draws, Text& text) {
  text.size = static_cast<std::uint32_t>(1 + draws.below(4));
  for (std::uint32_t i = 0; i < text.size; ++i) {
    text.at[i] = static_cast<char>(i == 0 ? draws() | draws.below(4) << 6 : 0x80 | draws.below(64));
  }
}

template <Mistake mistake>
void first(const Text& text, First& out) {
  const Sequence sequence = first_sequence<mistake>({text.at, text.size});
  out = {static_cast<std::uint32_t>(sequence.bytes), sequence.point};
}

}  // namespace

extern "C" {

bool utf8_any_text(const Text& text) {
  bool out = text.size >= 1 && text.size <= 4;
  for (std::uint32_t i = 0; i < 4; ++i) out = out && (i < text.size || text.at[i] == 0);
  return out;
}

void utf8_by_the_table(const Text& text, First& out) {
  const std::size_t bytes = well_formed_length({text.at, text.size});
  out = {static_cast<std::uint32_t>(bytes), bytes == 0 ? 0 : value_of({text.at, bytes})};
}

void utf8_first_sequence(const Text& text, First& out) { first<Mistake::none>(text, out); }
void utf8_overlong(const Text& text, First& out) { first<Mistake::overlong>(text, out); }
void utf8_surrogates(const Text& text, First& out) { first<Mistake::surrogates>(text, out); }
void utf8_beyond(const Text& text, First& out) { first<Mistake::beyond>(text, out); }

}  // extern "C"

namespace {

using lockstep::proof::claim;
using Kernel = lockstep::proof::Symbol<void(const Text&, First&)>;

bool decodes(std::string_view name, Kernel kernel, std::string_view canary = "") {
  return claim<Text, First>(
      {.game = "utf8",
       .name = name,
       .says = "the automaton finds the sequence that tables 3-6 and 3-7 do: all texts up to 4 bytes",
       .kernel = kernel,
       .specification = LOCKSTEP_SYMBOL(utf8_by_the_table),
       .invariant = LOCKSTEP_SYMBOL(utf8_any_text),
       .draw = draw,
       .rounds = 9,
       .scenario = scenario_of,
       .canary = canary});
}

const bool sequence = decodes("sequence", LOCKSTEP_SYMBOL(utf8_first_sequence));
const bool overlong = decodes("overlong", LOCKSTEP_SYMBOL(utf8_overlong), "overlong");
const bool surrogates = decodes("surrogates", LOCKSTEP_SYMBOL(utf8_surrogates), "surrogates");
const bool beyond = decodes("beyond", LOCKSTEP_SYMBOL(utf8_beyond), "beyond");

}  // namespace
