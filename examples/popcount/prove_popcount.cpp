// What the search cannot say: that `fast` is right for every word.
//
//   prove_popcount                         proves it
//   prove_popcount popcount three_bits     refutes a planted mistake, with the smallest word
#include <string>

#include "popcount.hpp"
#include "proof/claim.hpp"

extern "C" {
bool popcount_any_word(const unsigned&) { return true; }
void popcount_naive(const unsigned& word, unsigned& count) { count = naive(word); }
void popcount_fast(const unsigned& word, unsigned& count) { count = fast(word); }
void popcount_three_bits(const unsigned& word, unsigned& count) { count = fast<7>(word); }
void popcount_five_bits(const unsigned& word, unsigned& count) { count = fast<15, 31>(word); }
}

namespace {

using lockstep::proof::claim;
using Kernel = lockstep::proof::Symbol<void(const unsigned&, unsigned&)>;

bool counts(std::string_view name, Kernel kernel, std::string_view canary = "") {
  return claim<unsigned, unsigned>(
      {.game = "popcount",
       .name = name,
       .says = "counts as naive does: all 2^32 words",
       .kernel = kernel,
       .specification = LOCKSTEP_SYMBOL(popcount_naive),
       .invariant = LOCKSTEP_SYMBOL(popcount_any_word),
       .draw = [](lockstep::proof::Draws& draws, unsigned& word) { word = static_cast<unsigned>(draws()); },
       .scenario =
           [](const unsigned& word) { return "lockstep 1 popcount\nactions\ncall a=" + std::to_string(word) + "\n"; },
       .canary = canary});
}

const bool fast_counts = counts("fast", LOCKSTEP_SYMBOL(popcount_fast));
const bool three_bits = counts("three_bits", LOCKSTEP_SYMBOL(popcount_three_bits), "three_bits");
const bool five_bits = counts("five_bits", LOCKSTEP_SYMBOL(popcount_five_bits), "five_bits");

}  // namespace
