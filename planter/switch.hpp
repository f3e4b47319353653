// Changes that are compiled in and switched on at run time; planter/plant.py writes them into its copies.
//
// `a + b` becomes `binary<17, add, subtract, left>(a, b)`: it adds, unless change 17 (subtract) or 18 (drop the right
// side) is on. At most one change per process is on. Everything is constexpr and unchanged in constant evaluation, so
// that tables and array bounds stay the same.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep::mutants {

inline int active = 0;        // the number of the change that is on; 0: none
inline bool reached = false;  // whether the place of the active change was executed

inline bool is_on(int change) {
  if (active != change) return false;
  reached = true;
  return true;
}

// Operators -------------------------------------------------------------------------------------

// clang-format off
struct add            { constexpr auto operator()(const auto& a, const auto& b) const { return a + b; } };
struct subtract       { constexpr auto operator()(const auto& a, const auto& b) const { return a - b; } };
struct multiply       { constexpr auto operator()(const auto& a, const auto& b) const { return a * b; } };
struct divide         { constexpr auto operator()(const auto& a, const auto& b) const { return a / b; } };
struct remainder      { constexpr auto operator()(const auto& a, const auto& b) const { return a % b; } };
struct bit_and        { constexpr auto operator()(const auto& a, const auto& b) const { return a & b; } };
struct bit_or         { constexpr auto operator()(const auto& a, const auto& b) const { return a | b; } };
struct bit_xor        { constexpr auto operator()(const auto& a, const auto& b) const { return a ^ b; } };
struct bit_clear      { constexpr auto operator()(const auto& a, const auto& b) const { return ~a & b; } };
struct shift_left     { constexpr auto operator()(const auto& a, const auto& b) const { return a << b; } };
struct shift_right    { constexpr auto operator()(const auto& a, const auto& b) const { return a >> b; } };
struct equal          { constexpr auto operator()(const auto& a, const auto& b) const { return a == b; } };
struct differ         { constexpr auto operator()(const auto& a, const auto& b) const { return a != b; } };
struct less           { constexpr auto operator()(const auto& a, const auto& b) const { return a < b; } };
struct at_most        { constexpr auto operator()(const auto& a, const auto& b) const { return a <= b; } };
struct greater        { constexpr auto operator()(const auto& a, const auto& b) const { return a > b; } };
struct at_least       { constexpr auto operator()(const auto& a, const auto& b) const { return a >= b; } };
struct left           { constexpr auto operator()(const auto& a, const auto&) const { return a; } };
struct right          { constexpr auto operator()(const auto&, const auto& b) const { return b; } };
struct negate         { constexpr auto operator()(const auto& a) const { return -a; } };
struct complement     { constexpr auto operator()(const auto& a) const { return ~a; } };
struct same           { constexpr auto operator()(const auto& a) const { return a; } };
struct all_lanes      { constexpr auto operator()(const auto& a) const { return ~(a ^ a); } };
struct no_lane        { constexpr auto operator()(const auto& a) const { return a ^ a; } };
// clang-format on

/// The value of the original, or of the alternative when its change is on: First, First + 1, …
template <int First, class Original, class... Alternatives, class... Operands>
constexpr auto choose(const Operands&... operands) {
  using Value = decltype(Original{}(operands...));
  if !consteval {
    Value changed{};
    int change = First;
    if (((is_on(change++) && (changed = static_cast<Value>(Alternatives{}(operands...)), true)) || ...)) return changed;
  }
  return Original{}(operands...);
}

/// A compiler vector: `unsigned short __attribute__((vector_size(16)))`.
template <class T>
concept Vector = !std::is_scalar_v<T> && !std::is_class_v<T> && !std::is_array_v<T> && requires(T x) { x[0] + x[0]; };

/// A number combined with a vector is broadcast to a vector.
template <class A, class B>
constexpr const B& widened(const A&, const B& b) {
  return b;
}
template <Vector A, class B>
  requires(!Vector<B>)
constexpr A widened(const A& a, const B& b) {
  return A{} + static_cast<std::remove_cvref_t<decltype(a[0])>>(b);
}

/// `choose` for callers that may be compiled for wider instructions: a vector is not returned in a register, because
/// the register's width would depend on those instructions, but through memory that belongs to the change.
template <int First, class Original, class... Alternatives, class... Operands>
constexpr decltype(auto) answer(const Operands&... operands) {
  using Value = decltype(Original{}(operands...));
  if constexpr (Vector<Value>) {
    static Value place;
    place = choose<First, Original, Alternatives...>(operands...);
    return static_cast<const Value&>(place);
  } else {
    return choose<First, Original, Alternatives...>(operands...);
  }
}

template <int First, class Original, class... Alternatives, class A, class B>
constexpr decltype(auto) binary(const A& a, const B& b) {
  return answer<First, Original, Alternatives...>(widened(b, a), widened(a, b));
}

/// An array stands for the address of its first element: `memcpy(cell + at, …)` needs it without const.
template <int First, class Original, class... Alternatives, class T, std::size_t N, class B>
constexpr auto binary(T (&array)[N], const B& b) {
  return choose<First, Original, Alternatives...>(array + 0, b);
}
template <int First, class Original, class... Alternatives, class A, class T, std::size_t N>
constexpr auto binary(const A& a, T (&array)[N]) {
  return choose<First, Original, Alternatives...>(a, array + 0);
}

template <int First, class Original, class... Alternatives, class A>
constexpr decltype(auto) unary(const A& a) {
  return answer<First, Original, Alternatives...>(a);
}

/// `target op= value`; an alternative assigns the result of its operator.
template <int First, class Original, class... Alternatives, class T, class V>
constexpr T& assign(T& target, const V& value) {
  return target = static_cast<T>(choose<First, Original, Alternatives...>(target, widened(target, value)));
}

/// ++x or --x; the alternative is the other of the two.
template <int First, class Original, class Alternative, class T>
constexpr T& step(T& target) {
  return target = static_cast<T>(choose<First, Original, Alternative>(target, 1));
}
/// x++ or x--.
template <int First, class Original, class Alternative, class T>
constexpr T step_after(T& target) {
  const T before = target;
  target = static_cast<T>(choose<First, Original, Alternative>(target, 1));
  return before;
}

// Logic -----------------------------------------------------------------------------------------

/// `a && b`: `a`, `b`, `a || b`.
template <int First>
constexpr bool conjunction(auto&& a, auto&& b) {
  if !consteval {
    if (is_on(First)) return a();
    if (is_on(First + 1)) return b();
    if (is_on(First + 2)) return a() || b();
  }
  return a() && b();
}

/// `a || b`: `a`, `b`, `a && b`.
template <int First>
constexpr bool disjunction(auto&& a, auto&& b) {
  if !consteval {
    if (is_on(First)) return a();
    if (is_on(First + 1)) return b();
    if (is_on(First + 2)) return a() && b();
  }
  return a() || b();
}

template <int First>
constexpr bool negation(bool value) {
  if !consteval {
    if (is_on(First)) return value;
  }
  return !value;
}

/// The condition of a branch: true, false.
template <int First>
constexpr bool condition(bool value) {
  if !consteval {
    if (is_on(First)) return true;
    if (is_on(First + 1)) return false;
  }
  return value;
}
/// The condition of `?:` on vectors, which chooses each lane: true for all lanes, for none.
template <int First, Vector V>
constexpr decltype(auto) condition(const V& lanes) {
  return answer<First, same, all_lanes, no_lane>(lanes);
}
/// What the condition of `?:` is converted to: a vector stays one.
template <class T>
using Condition = std::conditional_t<Vector<std::remove_cvref_t<T>>, std::remove_cvref_t<T>, bool>;
/// The condition of a loop: false.
template <int First>
constexpr bool loops(bool value) {
  if !consteval {
    if (is_on(First)) return false;
  }
  return value;
}

// Constants and statements ----------------------------------------------------------------------

/// Plus one, minus one.
template <int First, class T>
constexpr T constant(T value) {
  if !consteval {
    if constexpr (std::is_same_v<T, bool>) {
      if (is_on(First)) return !value;
    } else {
      using Wide = long long;
      if (is_on(First)) return static_cast<T>(static_cast<unsigned long long>(static_cast<Wide>(value)) + 1);
      if (is_on(First + 1)) return static_cast<T>(static_cast<unsigned long long>(static_cast<Wide>(value)) - 1);
    }
  }
  return value;
}
/// Plus one, minus one, zero.
template <int First, class T>
constexpr T literal(T value) {
  if !consteval {
    if (is_on(First + 2)) return T{};
  }
  return constant<First>(value);
}

template <int First, class T>
constexpr const T& min(const T& a, const T& b) {
  if !consteval {
    if (is_on(First)) return a < b ? b : a;
  }
  return b < a ? b : a;
}
template <int First, class T>
constexpr const T& max(const T& a, const T& b) {
  if !consteval {
    if (is_on(First)) return b < a ? b : a;
  }
  return a < b ? b : a;
}

/// Whether a statement is executed.
template <int First>
constexpr bool runs() {
  if !consteval {
    if (is_on(First)) return false;
  }
  return true;
}

// Tables ----------------------------------------------------------------------------------------

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

inline void switch_on(int change) {
  active = change;
  reached = false;
  for (AnyTable* table : AnyTable::all()) table->refresh();
  // Making a table executes all its code, so a change in that code counts as reached when the table is read.
}

}  // namespace lockstep::mutants
