// Fields as text: the printed form of observations and snapshots, and the first field in which two of them differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/describe/describe.hpp"

namespace lockstep {

/// One row of a board.
std::string row_text(const Grid& grid, int row, const Alphabet& alphabet);

struct Field {
  std::string name;
  std::string text;
  bool operator==(const Field&) const = default;
};

/// "points=6 vanished=6,0"
std::string line_of(const std::vector<Field>& fields);
/// The same, one field per line.
std::string lines_of(const std::vector<Field>& fields);
/// The text of a compound value: its one nameless field's text, or {a=1 b=2}.
std::string compound_text(const std::vector<Field>& fields);
/// "place.3": the result of the third `place`.
std::string reference_text(std::string_view kind, Number index);

/// A visitor that prints: it defines word(name, text), board and visit_list. Everything else reaches `word` in the
/// library's text form; compound values (sequences, records, …) reach `compound`, which calls `word` unless the visitor
/// defines it.
class Wording : public Fields {
 public:
  virtual void word(std::string_view name, std::string text) = 0;
  /// `visit(io)` applies the value's description to another visitor.
  virtual void compound(std::string_view name, std::string text, FunctionRef<void(Fields&)> visit);

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override;
  void visit_items(std::string_view name, Items& items, int lo, int hi) override;
  void visit_optional(std::string_view name, Items& value) override;
  void visit_variant(std::string_view name, Alternatives& value) override;
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override;
  void visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)> value) override;
  void visit_words(std::string_view name, FunctionRef<std::string()> text) override;
};

/// Collects the visited fields in a list, each as it is written in a line: for actions and items of lists.
class CollectWords : public Wording {
 public:
  std::vector<Field> fields;

  void word(std::string_view name, std::string text) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override { visit_items(name, items, lo, hi); }

 protected:
  std::string prefix_;  // of names
};

/// As CollectWords, but a board becomes one field per row ("board[3]"), an item of a list one field for each of its own
/// ("pieces[2].row").
class CollectFields final : public CollectWords {
 public:
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
};

/// What `read` applies to a CollectFields.
std::vector<Field> collected(FunctionRef<void(Fields&)> read);

template <System S>
std::vector<Field> observation_fields(const typename S::Observation& observation) {
  return collected([&](Fields& io) { read_observation<S>(io, observation); });
}

template <System S>
std::vector<Field> snapshot_fields(const SnapshotOf<S>& snapshot) {
  return collected([&](Fields& io) { read_snapshot<S>(io, snapshot); });
}

/// The first field in which two descriptions differ, with both texts. If the other side has a field that only it has in
/// that place, its text is name=text. All empty if there is no difference.
struct FieldDifference {
  std::string name;
  std::string expected;
  std::string actual;
};

FieldDifference first_difference(const std::vector<Field>& expected, const std::vector<Field>& actual);

/// "expected 6, got 5", of which long values are shortened, with the place where they part.
std::string difference_text(std::string_view expected, std::string_view actual);

/// A value for people. A long one has runs of equal characters or items as "a" × 254; if it is long even so, only what is
/// around the place where it parts from `other`, or its beginning if they are equal.
std::string shortened(std::string_view value, std::string_view other);

/// A field's name without its indices, as used in signatures ("board[3]" → "board").
std::string without_indices(std::string_view name);

}  // namespace lockstep
