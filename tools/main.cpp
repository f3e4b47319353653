// lockstep: every verb, for all systems that are linked in (systems/NAME.cpp).
#include "lockstep/program.hpp"

int main(int argc, char** argv) { return lockstep::program_main(argc, argv); }
