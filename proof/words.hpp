// Numbers in two's complement whose bits are literals of a graph: what a processor computes, as gates.
//
// A word has any width; bit 0 comes first. Both operands of an operation have the same width unless said otherwise, and
// results are modulo 2^width. Operations whose result the language leaves undefined (a division by 0, a shift by the
// width or more) give some word: the caller proves that they do not occur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "proof/graph.hpp"

namespace lockstep::proof {

using Word = std::vector<Literal>;

class Words {
 public:
  explicit Words(Graph& graph) : g_{graph} {}

  static Word constant(std::uint64_t value, std::size_t width);
  Word inputs(std::size_t width);

  Word complement(const Word& a) const;
  Word conjunction(const Word& a, const Word& b);
  Word disjunction(const Word& a, const Word& b);
  Word difference(const Word& a, const Word& b);  // exclusive or
  Word choose(Literal condition, const Word& then, const Word& otherwise);

  struct Sum {
    Word bits;
    Literal carry;     // out of the highest bit
    Literal overflow;  // the signed result does not fit
  };
  Sum add(const Word& a, const Word& b, Literal carry = no);
  Sum subtract(const Word& a, const Word& b);  // carry: no borrow, a ≥ b
  Word negated(const Word& a);
  Word multiply(const Word& a, const Word& b);

  struct Division {
    Word quotient;
    Word remainder;
  };
  Division divide(const Word& a, const Word& b);
  /// Rounds towards 0; the remainder has the sign of `a`.
  Division divide_signed(const Word& a, const Word& b);

  /// Shifts by an amount of any width; the bits that enter are `fill`.
  Word shift_left(const Word& a, const Word& amount, Literal fill = no);
  Word shift_right(const Word& a, const Word& amount, Literal fill = no);

  Literal any(const Word& a) { return g_.any(a); }
  Literal equal(const Word& a, const Word& b);
  Literal less(const Word& a, const Word& b);
  Literal less_signed(const Word& a, const Word& b);
  Literal at_most(const Word& a, std::uint64_t bound);

  static Word extended(const Word& a, std::size_t width, Literal fill = no);
  static Word extended_signed(const Word& a, std::size_t width) { return extended(a, width, a.back()); }
  static Word truncated(const Word& a, std::size_t width);
  static Word slice(const Word& a, std::size_t first, std::size_t count);

  /// Counts, as words of the operand's width.
  Word ones(const Word& a);
  Word trailing_zeros(const Word& a);
  Word leading_zeros(const Word& a);

  /// BMI 2's pext and pdep, of a width that is a power of two.
  Word extracted(const Word& a, const Word& mask);
  Word deposited(const Word& a, const Word& mask);

 private:
  Graph& g_;
};

}  // namespace lockstep::proof
