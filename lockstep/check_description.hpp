// Finds mistakes in a system's description before anything is judged: empty bounds in the setup, a field described twice,
// names that cannot be written in a text.
//
// It visits the default setup and a few drawn ones, and one action of each kind. Lists are visited with an item,
// optionals with their value and variants with each of their types, so that fields inside them are checked, too. Fields
// that a description leaves out for these values are not checked.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

class CheckDescription final : public Fields {
 public:
  /// `owner`: "the setup" or "action 'place'", for messages. In an action an empty range is no mistake.
  CheckDescription(std::string owner, bool ranges_may_be_empty)
      : owner_{std::move(owner)}, ranges_may_be_empty_{ranges_may_be_empty} {}

  /// The first mistake and what to do about it; "": none.
  const std::string& flaw() const { return flaw_; }
  /// The names by which bounds.hpp knows the fields that were visited.
  const std::vector<std::string>& names() const { return names_; }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
  void visit_optional(std::string_view name, Items& value) override;
  void visit_variant(std::string_view name, Alternatives& value) override;
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override;
  void visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)>) override { only_printed(name); }
  void visit_words(std::string_view name, FunctionRef<std::string()>) override { only_printed(name); }

 private:
  /// Names in one record.
  struct Frame {
    std::string around;
    std::vector<std::string> names;
  };

  void note(std::string_view name);
  void only_printed(std::string_view name);
  std::string quoted() const;
  std::string quoted(std::string_view name) const;
  bool has_value(bool has, std::string_view what, FunctionRef<std::string()> text);
  bool has_size(int lo, int hi);
  void inside(std::string around, FunctionRef<void()> body);
  void fail(std::string what);

  std::string owner_;
  bool ranges_may_be_empty_;
  std::string flaw_;
  std::string called_;  // the field that is being visited
  std::vector<std::string> names_;
  std::vector<Frame> frames_ = {Frame{}};
};

/// The first mistake in the names and the description of a system; "": none.
std::string description_flaw(const Vocabulary& system);

}  // namespace lockstep
