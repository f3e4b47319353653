// What lab/plant_sources.py writes into its copies beside the switch: tables that are computed again when a change is on.
#pragma once

#include <vector>

#include "planter/switch.hpp"

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

inline void switch_on(int change) {
  active = change;
  reached = false;
  for (AnyTable* table : AnyTable::all()) table->refresh();
  // Making a table executes all its code, so a change in that code counts as reached when the table is read.
}

}  // namespace lockstep::mutants
