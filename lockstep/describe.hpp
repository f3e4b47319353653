// Describe once: a system names its fields and their bounds, and visitors derive the rest.
//
//   static void describe(auto& io, Setup& s) {
//     io.size("width", s.width, 3, 200);                              // a dimension: drawn small most of the time
//     io.number("score", s.score, 0, 1'000'000);                      // any integral type, bounds included
//     io.choice("to_move", s.to_move, 1, players);                    // players[0] names the value 1
//     io.flag("ended", s.ended);                                      // written as yes / no
//     io.board("board", s.board, s.height, s.width, cells);           // a Grid of exactly that shape
//     io.list("piece", s.pieces, 1, 10, [](auto& io, Piece& p) {…});  // a vector of records
//   }
//   static void describe(auto& io, const Setup& s, Drop& a) { io.number("column", a.column, 0, s.width - 3); }
//   static void describe(auto& io, Observation& o) { io.value("points", o.points); io.values("left", o.left); }
//
// Rules for `describe`: bounds may depend on fields described earlier, never on later ones; lo ≤ hi always; the lowest
// value of a number is its simplest. Fields called `row` and `column` index the board, so that the shrinker can drop a
// row or column and keep the other cells in place. Observations use `flag`, `value` and `values` only, and may omit
// fields that do not apply.
//
// A visitor derives from Visitor<Self> and defines number, board and list. size, choice and flag call `number` unless
// the visitor defines them too. A visitor for reading must not write.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "lockstep/grid.hpp"
#include "lockstep/system.hpp"

namespace lockstep {

using Names = std::span<const std::string_view>;

template <class Self>
class Visitor {
 public:
  template <class T>
  void size(std::string_view name, T& value, std::int64_t lo, std::int64_t hi) {
    self().number(name, value, lo, hi);
  }
  template <class T>
  void choice(std::string_view name, T& value, std::int64_t first, Names names) {
    self().number(name, value, first, first + static_cast<std::int64_t>(names.size()) - 1);
  }
  void flag(std::string_view name, bool& value) {
    int bit = value ? 1 : 0;
    self().number(name, bit, 0, 1);
    if (value != (bit != 0)) value = bit != 0;  // never true for a reading visitor
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// Applies a visitor to a setup (or a snapshot of the same type).
template <System S, class Io>
void visit_setup(Io& io, typename S::Setup& setup) {
  S::describe(io, setup);
}

/// The same for visitors that only read. The cast is sound because such a visitor never writes.
template <System S, class Io>
void read_setup(Io& io, const typename S::Setup& setup) {
  S::describe(io, const_cast<typename S::Setup&>(setup));
}

/// Applies a visitor to the fields of an action under a setup.
template <System S, class Io>
void visit_action(Io& io, const typename S::Setup& setup, typename S::Action& action) {
  std::visit(
      [&](auto& a) {
        // An action without fields needs no description.
        if constexpr (requires { S::describe(io, setup, a); }) S::describe(io, setup, a);
        else static_assert(std::is_empty_v<std::remove_cvref_t<decltype(a)>>, "describe this action's fields");
      },
      action);
}

template <System S, class Io>
void read_action(Io& io, const typename S::Setup& setup, const typename S::Action& action) {
  visit_action<S>(io, setup, const_cast<typename S::Action&>(action));
}

template <System S, class Io>
void read_observation(Io& io, const typename S::Observation& observation) {
  typename S::Observation copy = observation;
  S::describe(io, copy);
}

template <System S, class Io>
void read_snapshot(Io& io, const typename S::Snapshot& snapshot) {
  typename S::Snapshot copy = snapshot;
  S::describe(io, copy);
}

}  // namespace lockstep
