#include "tests/program/combination/combination.hpp"

int main(int argc, char** argv) {
  return lockstep::system<Combination>().reference<Shut>("shut").implementation<Fast>("fast").main(argc, argv);
}
