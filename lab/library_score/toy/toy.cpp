#include "lab/library_score/toy/toy.hpp"

namespace lockstep {

int doubled(int n) { return n + n; }
unsigned count_of_none() { return unsigned{0}; }  // a planted 0 would be an int, and not compile
int tripled(int n) { return n * 3; }

int at_least_zero(int n) { return n < 0 ? 0 : n; }

int steps(int n) {
  int count = 0;
  while (n > 0) {
    --n;
    ++count;
  }
  return count;
}

int never(int n) { return n - 1; }

}  // namespace lockstep
