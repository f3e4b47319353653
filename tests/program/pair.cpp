// Two functions that differ for one pair of numbers, which nearly no draw hits: what they compare with is found where the
// compiler tells it.
#include "lockstep/lockstep.hpp"

int naive(std::uint32_t x, std::int16_t y) { return x < 9 && y < 0 ? 1 : 2; }
int fast(std::uint32_t x, std::int16_t y) { return x == 0xDEADBEEF && y == -14'867 ? 3 : naive(x, y); }

int main(int argc, char** argv) { return lockstep::compare("pair", naive, fast).main(argc, argv); }
