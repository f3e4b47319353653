// Code whose planted changes are noticed by toy_test.cpp, or not, as library_score_test.py says.
#pragma once

namespace lockstep {

int doubled(int n);
unsigned count_of_none();
int tripled(int n);
int at_least_zero(int n);
int steps(int n);
int never(int n);

}  // namespace lockstep
