// The switch that selects one of the changes that planter/plant.py writes into its copies.
//
// `a + b` becomes `(is_on(17) ? ((a) - (b)) : is_on(18) ? (a) : (a + b))`: the original text, unless change 17 or 18 is
// on. At most one change per process is on. In constant evaluation none is, so that tables and array bounds stay the
// same.
#pragma once

#include <type_traits>
#include <utility>

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

/// A compiler vector: `unsigned short __attribute__((vector_size(16)))`.
template <class T>
concept Vector = !std::is_scalar_v<T> && !std::is_class_v<T> && !std::is_array_v<T> && requires(T x) { x[0] + x[0]; };

/// The type of a number that is combined with a V: of a lane if V is a vector, else its own.
template <class V, class Number>
struct LaneOf {
  using Type = std::remove_cvref_t<Number>;
};
template <class V, class Number>
  requires Vector<std::remove_cvref_t<V>>
struct LaneOf<V, Number> {
  using Type = std::remove_cvref_t<decltype(std::declval<V>()[0])>;
};
template <class V, class Number>
using Lane = typename LaneOf<V, Number>::Type;

/// What the condition of `?:` is converted to: a vector, which chooses each lane, stays one.
template <class T>
using Condition = std::conditional_t<Vector<std::remove_cvref_t<T>>, std::remove_cvref_t<T>, bool>;

}  // namespace lockstep::mutants
