// The switch that selects one of the changes that planter/plant.py writes into its copies.
//
// `a + b` becomes `(is_on(17) ? ((a) - (b)) : is_on(18) ? (a) : (a + b))`: the original text, unless change 17 or 18 is
// on. At most one change per process is on. In constant evaluation none is, so that tables and array bounds stay the
// same.
#pragma once

namespace lockstep::mutants {

inline int active = 0;                        // the number of the change that is on; 0: none
inline bool reached = false;                  // whether the place of the active change was executed
#ifdef LOCKSTEP_RECORDS_REACHED               // lab/library_score/start.hpp
inline volatile char* all_reached = nullptr;  // by number: whether the change's place was executed
#endif

constexpr bool is_on(int change) {
  if !consteval {
#ifdef LOCKSTEP_RECORDS_REACHED
    if (all_reached != nullptr) all_reached[change] = 1;
#endif
    if (active == change) return reached = true;
  }
  return false;
}

/// The same for an initialiser of a static variable, which a compiler would evaluate otherwise.
inline bool is_on_at_start(int change) { return is_on(change); }

/// A constant plus one, and minus one. It wraps around.
template <class T>
constexpr T next(T value) {
  return static_cast<T>(static_cast<unsigned long long>(static_cast<long long>(value)) + 1);
}
template <class T>
constexpr T previous(T value) {
  return static_cast<T>(static_cast<unsigned long long>(static_cast<long long>(value)) - 1);
}

}  // namespace lockstep::mutants
