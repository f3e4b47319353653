// The number of set bits of a word, twice: one bit after the other, and all at once by adding neighbours (2 bits, then
// 4, then 8; a multiplication adds the bytes).
#pragma once

inline unsigned naive(unsigned word) { return word == 0 ? 0 : word % 2 + naive(word / 2); }

template <unsigned byte_mask = 15, unsigned mask = 63>  // a byte has up to 8 set bits, the word up to 32
unsigned fast(unsigned word) {
  word -= (word >> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >> 2) & 0x33333333);
  return ((((word + (word >> 4)) & 0x01010101 * byte_mask) * 0x01010101) >> 24) & mask;
}
