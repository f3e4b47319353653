// lockstep: every verb, for all systems that are linked in (games/NAME/roster.cpp).
#include "lockstep/program/program.hpp"

int main(int argc, char** argv) { return lockstep::program_main(argc, argv); }
