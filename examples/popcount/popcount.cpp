// Lockstep draws words on which the two functions of popcount.hpp differ, from their types alone.
//
// It shows two functions in one expression. The lines with .canary plant two mistakes, and are optional.
//
//   popcount fuzz --seconds 5                        searches; the functions agree
//   popcount fuzz --with five_bits --seconds 5       finds a planted mistake
#include "popcount.hpp"

#include "lockstep/lockstep.hpp"

int main(int argc, char** argv) {
  return lockstep::compare("popcount", naive, fast<>)
      .canary("three_bits", fast<7>, "the count of a byte is cut to three bits: 8 becomes 0")
      .canary("five_bits", fast<15, 31>, "the count of the word is cut to five bits: 32 becomes 0")
      .main(argc, argv);
}
