// Two functions in one expression. The mistake: the bits of the highest byte are not counted when all of them are set.
#include <bit>

#include "lockstep/lockstep.hpp"

int naive(std::uint32_t word) {
  int count = 0;
  for (; word != 0; word >>= 1) count += static_cast<int>(word & 1);
  return count;
}
int fast(std::uint32_t word) { return std::popcount(word >= 0xff000000 ? word & 0xffffff : word); }

int main(int argc, char** argv) { return lockstep::compare("popcount", naive, fast).main(argc, argv); }
