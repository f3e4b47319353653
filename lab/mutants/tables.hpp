// What lab/plant_sources.py writes into its copies beside the switch: tables that are computed again when a change is on, and
// types for changes of vectors.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "tools/planter/switch.hpp"

namespace lockstep::mutants {

/// Replaces a constexpr table: it is computed once, and again when a change is switched on.
struct AnyTable {
  AnyTable() { all().push_back(this); }
  AnyTable(const AnyTable&) = delete;
  AnyTable& operator=(const AnyTable&) = delete;
  virtual void refresh() = 0;
  static std::vector<AnyTable*>& all() {
    static std::vector<AnyTable*> tables;
    return tables;
  }

 protected:
  ~AnyTable() = default;
};

template <class T>
struct Table final : T, AnyTable {
  explicit Table(T (*make)()) : T(make()), make_{make} {}
  void refresh() override { static_cast<T&>(*this) = make_(); }

 private:
  T (*make_)();
};

/// Replaces a function's constexpr table: computed at the first call of the function, which happens in a process with
/// its change on. (As constexpr, the compiler would compute it.)
auto made(auto&& make) { return make(); }

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

inline void switch_on(int change) {
  active = change;
  reached = false;
  for (AnyTable* table : AnyTable::all()) table->refresh();
  // Making a table executes all its code, so a change in that code counts as reached when the table is read.
}

}  // namespace lockstep::mutants
