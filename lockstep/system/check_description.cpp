#include "lockstep/system/check_description.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lockstep/base/words.hpp"
#include "lockstep/describe/codec.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/draw/draw.hpp"

namespace lockstep {
namespace {

/// Deeper values are visited as they are, so that one which contains itself has an end.
constexpr std::size_t levels_max = 6;

class CheckDescription final : public Fields {
 public:
  /// `owner`: "the setup" or "action 'place'", for messages. In an action an empty range is no mistake. In an answer all
  /// is only printed.
  CheckDescription(std::string owner, bool ranges_may_be_empty, bool answer = false)
      : owner_{std::move(owner)}, ranges_may_be_empty_{ranges_may_be_empty}, answer_{answer} {}

  /// The first mistake and what to do about it; "": none.
  const std::string& flaw() const { return flaw_; }
  /// The names by which bounds.hpp knows the fields that were visited.
  const std::vector<std::string>& names() const { return names_; }

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    if (answer_ && as.role == Role::choice) return;  // a flag
    note(name);
    if (!has_value(lo <= hi, "bounds", [&] { return to_text(lo) + " to " + to_text(hi); })) return;
    // Values outside of the type would be cut to it without a word.
    if (lo < as.type_lo || hi > as.type_hi) {
      fail(owner_ + "'s field " + quoted() + " has the bounds " + to_text(lo) + " to " + to_text(hi) +
           ", but its type holds " + to_text(as.type_lo) + " to " + to_text(as.type_hi) +
           ": narrow them (unsigned numbers have no -1: 0u - 1 is their largest)");
    }
    if (value < lo || value > hi) value = simplest(lo, hi);  // bounds of later fields depend on it
  }
  void visit_real(std::string_view name, double& value, Bounds bounds, bool) override {
    note(name);
    if (!bounds) return;
    const auto& [lo, hi] = *bounds;
    const auto text = [&] { return floating::text_of(bounds->first) + " to " + floating::text_of(bounds->second); };
    if (has_value(lo <= hi, "bounds", text)) value = floating::real_within(value, bounds);
  }
  void visit_text(std::string_view name, std::string&, int lo, int hi, const Text& of) override {
    note(name);
    names_.push_back(called_ + ".item");
    if (!has_size(lo, hi)) return;
    if (of.size() == 0) fail(owner_ + "'s field " + quoted() + " has an alphabet without characters: give it one");
    for (const std::string_view word : of.words()) {
      if (of.accepts(word)) continue;
      fail(owner_ + "'s field " + quoted() + " has the word " + quoted_text(word) + ", which is not of " + of.about() +
           ": leave it out, or use an alphabet that has its characters");
    }
  }
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet&) override {
    note(name);
    const auto text = [&] { return std::to_string(rows) + " rows of " + std::to_string(columns) + " cells"; };
    if (!has_value(rows >= 0 && columns >= 0, "size", text)) return;
    if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
  }
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    note(name);
    if (!has_size(lo, hi)) return;
    const int least = frames_.size() < levels_max ? std::max(lo, std::min(hi, 1)) : lo;
    const auto before = static_cast<int>(items.size());
    if (before < least || before > hi) items.resize(static_cast<std::size_t>(least));
    if (items.size() != 0) inside(called_ + ".item", [&] { items.visit(0, *this); });
  }
  void visit_optional(std::string_view name, Items& value) override {
    note(name);
    if (value.size() == 0 && frames_.size() < levels_max) value.resize(1);
    if (value.size() != 0) inside(called_, [&] { value.visit(0, *this); });
  }
  void visit_variant(std::string_view name, Alternatives& value) override {
    note(name);
    for (std::size_t index = 0; index < value.count(); ++index) {
      if (index != value.index() && frames_.size() >= levels_max) continue;
      inside(called_, [&] { value.visit_copy_as(index, *this); });
    }
  }
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override {
    note(name);
    inside(called_, [&] { fields(*this); });
  }
  void visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)>) override { only_printed(name); }
  void visit_words(std::string_view name, FunctionRef<std::string()>) override { only_printed(name); }

 private:
  /// Names in one record.
  struct Frame {
    std::string around;
    std::vector<std::string> names;
  };

  void note(std::string_view name) {
    if (answer_) {
      fail(owner_ + " describes '" + std::string{name} +
           "' as a setup or an action does: use value(), values() or flag()");
    }
    Frame& frame = frames_.back();
    called_ = name.empty() ? frame.around : std::string{name};
    if (!called_.empty()) names_.push_back(called_);
    if (name.empty() && frames_.size() == 1) {
      fail(owner_ + " has a field without a name: name it (only the one field of an item may be nameless)");
    } else if (!name.empty() && !is_name(name)) {
      fail(owner_ + " has a field called '" + std::string{name} + "': " + name_hint);
    } else if (std::ranges::find(frame.names, name) != frame.names.end()) {
      fail(name.empty() ? owner_ + " has two fields without a name in an item of " + quoted() + ": name both"
                        : owner_ + " describes the field '" + called_ + "' twice: give one of them another name");
    } else if (!frame.names.empty() && (name.empty() || frame.names.front().empty())) {
      fail(owner_ + " has a nameless field beside others in an item of " + quoted(frame.around) + ": name it");
    }
    frame.names.emplace_back(name);
  }
  void only_printed(std::string_view name) {
    if (answer_) return;
    fail(owner_ + " describes '" + std::string{name} +
         "' by value(), values() or a flag() that is computed, which only print: use field(), or number() and others "
         "with bounds");
  }
  std::string quoted() const { return quoted(called_); }
  std::string quoted(std::string_view name) const {
    if (name.ends_with(".item")) name.remove_suffix(5);
    return "'" + std::string{name} + "'";
  }
  bool has_value(bool has, std::string_view what, FunctionRef<std::string()> text) {
    if (!has && !ranges_may_be_empty_) {
      fail(owner_ + "'s field " + quoted() + " has no value: its " + std::string{what} +
           (what == "size" ? " is " : " are ") + text() + "; put the lower one first, and allow at least one value");
    }
    return has;
  }
  bool has_size(int lo, int hi) {
    return has_value(lo <= hi && hi >= 0, "sizes", [&] { return std::to_string(lo) + " to " + std::to_string(hi); });
  }
  void inside(std::string around, FunctionRef<void()> body) {
    frames_.push_back({std::move(around), {}});
    body();
    frames_.pop_back();
  }
  void fail(std::string what) {
    if (flaw_.empty()) flaw_ = std::move(what);
  }

  std::string owner_;
  bool ranges_may_be_empty_;
  bool answer_;
  std::string flaw_;
  std::string called_;  // the field that is being visited
  std::vector<std::string> names_;
  std::vector<Frame> frames_ = {Frame{}};
};

}  // namespace

std::string answer_flaw(FunctionRef<void(Fields&)> describe) {
  CheckDescription check{"the observation", true, true};
  describe(check);
  return check.flaw();
}

std::vector<std::string> field_names(AnyScenario& scenario, std::size_t action) {
  CheckDescription check{{}, true};
  scenario.visit_action(action, check);
  return check.names();
}

std::string description_flaw(const Vocabulary& system) {
  const auto named = [](std::string_view what, std::string_view name) {
    return is_name(name) ? std::string{} : std::string{what} + " is called '" + std::string{name} + "': " + name_hint;
  };
  if (std::string flaw = named("a system", system.name()); !flaw.empty()) return flaw;
  const std::string of = "system " + std::string{system.name()} + ": ";
  AnyScenario scenario = system.scenario();
  // Bounds may depend on earlier fields, so one setup does not show that they always have a value.
  Random random{1};
  for (int drawn = 0; drawn <= 64; ++drawn) {
    CheckDescription check{"the setup", false};
    if (drawn > 0) draw_setup(random, scenario);
    scenario.visit_setup(check);
    if (!check.flaw().empty()) return of + check.flaw();
    for (const std::string taken : {"actions", "finding"}) {
      if (std::ranges::find(check.names(), taken) != check.names().end())
        return of + "the setup has a field called '" + taken + "', which begins a part of a text: give it another name";
    }
  }
  scenario.reset_setup();
  decode({}, scenario);
  std::vector<std::string_view> names;
  for (std::size_t kind = 0; kind < system.kinds().size(); ++kind) {
    const std::string_view name = system.kinds()[kind].name;
    if (std::string flaw = named("an action", name); !flaw.empty()) return of + flaw;
    if (std::ranges::find(names, name) != names.end()) {
      return of + "two kinds of actions are called '" + std::string{name} + "': give one of them another name";
    }
    names.push_back(name);
    CheckDescription check{"action '" + std::string{name} + "'", true};
    scenario.grow([&](AnyScenario::TryAction try_one) { try_one(kind, check); });
    scenario.truncate(0);
    if (!check.flaw().empty()) return of + check.flaw();
  }
  if (std::string flaw = system.description_flaw(); !flaw.empty()) return of + flaw;
  if (std::ranges::count(system.weights(), 0u) == std::ssize(system.weights())) {
    return of + "all kinds of actions have the weight 0, so that none can be drawn: give one of them another weight";
  }
  return {};
}

}  // namespace lockstep
