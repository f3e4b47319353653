// The number of set bits of a word, twice: one bit after the other, and all at once by adding neighbours (2 bits, then
// 4, then 8; a multiplication adds the bytes). Lockstep draws words on which they differ, from their types alone.
//
// It shows two functions in one expression. The lines with .canary plant two mistakes, and are optional.
//
//   popcount fuzz --seconds 5                        searches; the functions agree
//   popcount fuzz --with five_bits --seconds 5       finds a planted mistake
#include "lockstep/lockstep.hpp"

unsigned naive(unsigned word) { return word == 0 ? 0 : word % 2 + naive(word / 2); }

template <unsigned byte_mask = 15, unsigned mask = 63>  // a byte has up to 8 set bits, the word up to 32
unsigned fast(unsigned word) {
  word -= (word >> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >> 2) & 0x33333333);
  return ((((word + (word >> 4)) & 0x01010101 * byte_mask) * 0x01010101) >> 24) & mask;
}

int main(int argc, char** argv) {
  return lockstep::compare("popcount", naive, fast<>)
      .canary("three_bits", fast<7>, "the count of a byte is cut to three bits: 8 becomes 0")
      .canary("five_bits", fast<15, 31>, "the count of the word is cut to five bits: 32 becomes 0")
      .main(argc, argv);
}
