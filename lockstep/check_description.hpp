// Finds mistakes in a system's description before anything is judged: empty bounds in the setup, a field described twice,
// names that cannot be written in a text.
//
// It visits the default setup and a few drawn ones, and one action of each kind. Lists are visited with an item,
// optionals with their value and variants with each of their types, so that fields inside them are checked, too. Fields
// that a description leaves out for these values are not checked.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/describe.hpp"
#include "lockstep/draw.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

class CheckDescription : public Visitor<CheckDescription> {
 public:
  /// `owner`: "the setup" or "action 'place'", for messages. In an action an empty range is no mistake.
  CheckDescription(std::string owner, bool ranges_may_be_empty)
      : owner_{std::move(owner)}, ranges_may_be_empty_{ranges_may_be_empty} {}

  /// The first mistake and what to do about it; "": none.
  const std::string& flaw() const { return flaw_; }
  /// The names by which bounds.hpp knows the fields that were visited.
  const std::vector<std::string>& names() const { return names_; }

  template <class T>
  void number(std::string_view name, T& value, Number lo, Number hi) {
    note(name);
    if (!has_value(lo <= hi, "bounds", [&] { return to_text(lo) + " to " + to_text(hi); })) return;
    if constexpr (std::integral<T>) fits_type<T>(lo, hi);
    const auto before = static_cast<Number>(value);
    if (before < lo || before > hi) value = static_cast<T>(simplest(lo, hi));  // bounds of later fields depend on it
  }
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    note(name);
    if (!bounds) return;
    const auto& [lo, hi] = *bounds;
    const auto text = [&] { return floating::text_of(bounds->first) + " to " + floating::text_of(bounds->second); };
    if (has_value(lo <= hi, "bounds", text)) value = static_cast<T>(floating::real_within(value, bounds));
  }
  void any_text(std::string_view name, std::string&, int lo, int hi, const Text& of) {
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
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet&) {
    note(name);
    const auto text = [&] { return std::to_string(rows) + " rows of " + std::to_string(columns) + " cells"; };
    if (!has_value(rows >= 0 && columns >= 0, "size", text)) return;
    if (grid.rows != rows || grid.columns != columns) grid = Grid{rows, columns};
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int lo, int hi, Item&& item) {
    note(name);
    if (!has_size(lo, hi)) return;
    const int least = frames_.size() < depth_max ? std::max(lo, std::min(hi, 1)) : lo;
    const auto before = static_cast<int>(items.size());
    if (before < least || before > hi) items.resize(static_cast<std::size_t>(least));
    if (!items.empty()) inside(called_ + ".item", [&] { item(*this, *items.begin()); });
  }
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item) {
    note(name);
    if (!value && frames_.size() < depth_max) value.emplace();
    if (value) inside(called_, [&] { item(*this, *value); });
  }
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value) {
    note(name);
    for (std::size_t index = 0; index < sizeof...(T); ++index) {
      if (index != value.index() && frames_.size() >= depth_max) continue;
      auto other = index == value.index() ? value : alternative<std::variant<T...>>(index);
      inside(called_, [&] { std::visit([&](auto& each) { contents(each); }, other); });
    }
  }
  template <class Fields>
  void record(std::string_view name, Fields&& fields) {
    note(name);
    inside(called_, [&] { fields(*this); });
  }

 private:
  /// Deeper values are visited as they are, so that one which contains itself has an end.
  static constexpr std::size_t depth_max = 6;

  /// Names in one record.
  struct Frame {
    std::string around;
    std::vector<std::string> names;
  };

  void note(std::string_view name) {
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

  std::string quoted() const { return quoted(called_); }
  std::string quoted(std::string_view name) const {
    if (name.ends_with(".item")) name.remove_suffix(5);
    return "'" + std::string{name} + "'";
  }

  template <class Text>
  bool has_value(bool has, std::string_view what, const Text& text) {
    if (!has && !ranges_may_be_empty_) {
      fail(owner_ + "'s field " + quoted() + " has no value: its " + std::string{what} +
           (what == "size" ? " is " : " are ") + text() + "; put the lower one first, and allow at least one value");
    }
    return has;
  }
  /// Values outside of the type would be cut to it without a word.
  template <class T>
  void fits_type(Number lo, Number hi) {
    using Limits = std::numeric_limits<T>;
    if (lo >= Limits::min() && hi <= Limits::max()) return;
    fail(owner_ + "'s field " + quoted() + " has the bounds " + to_text(lo) + " to " + to_text(hi) +
         ", but its type holds " + to_text(Limits::min()) + " to " + to_text(Limits::max()) +
         ": narrow them (unsigned numbers have no -1: 0u - 1 is their largest)");
  }
  bool has_size(int lo, int hi) {
    return has_value(lo <= hi && hi >= 0, "sizes", [&] { return std::to_string(lo) + " to " + std::to_string(hi); });
  }

  template <class Body>
  void inside(std::string around, Body&& body) {
    frames_.push_back({std::move(around), {}});
    body();
    frames_.pop_back();
  }

  void fail(std::string what) {
    if (flaw_.empty()) flaw_ = std::move(what);
  }

  std::string owner_;
  bool ranges_may_be_empty_;
  std::string flaw_;
  std::string called_;  // the field that is being visited
  std::vector<std::string> names_;
  std::vector<Frame> frames_ = {Frame{}};
};

/// The first mistake in the names and the description of a system; "": none.
template <System S>
std::string description_flaw() {
  using Action = typename S::Action;
  const auto named = [](std::string_view what, std::string_view name) {
    return is_name(name) ? std::string{} : std::string{what} + " is called '" + std::string{name} + "': " + name_hint;
  };
  if (std::string flaw = named("a system", S::name); !flaw.empty()) return flaw;
  const std::string of = "system " + std::string{S::name} + ": ";
  CheckDescription check_setup{"the setup", false};
  typename S::Setup setup{};
  visit_setup<S>(check_setup, setup);
  if (!check_setup.flaw().empty()) return of + check_setup.flaw();
  if (std::ranges::find(check_setup.names(), "actions") != check_setup.names().end())
    return of + "the setup has a field called 'actions', which begins the actions in a text: give it another name";
  // Bounds may depend on earlier fields, so one setup does not show that they always have a value.
  Random random{1};
  for (int i = 0; i < 64; ++i) {
    CheckDescription check{"the setup", false};
    setup = draw_setup<S>(random);
    visit_setup<S>(check, setup);
    if (!check.flaw().empty()) return of + check.flaw();
  }
  const auto lawful = decode<S>(Bytes{}).setup;
  const Past<S> past{lawful};
  std::vector<std::string_view> names;
  for (std::size_t kind = 0; kind < action_kinds<Action>; ++kind) {
    Action action = alternative<Action>(kind);
    const std::string_view name = action_name(action);
    if (std::string flaw = named("an action", name); !flaw.empty()) return of + flaw;
    if (std::ranges::find(names, name) != names.end()) {
      return of + "two kinds of actions are called '" + std::string{name} + "': give one of them another name";
    }
    names.push_back(name);
    CheckDescription check{"action '" + std::string{name} + "'", true};
    visit_action<S>(check, past, action);
    if (!check.flaw().empty()) return of + check.flaw();
  }
  if constexpr (requires { S::description_flaw(); }) {
    if (std::string flaw = S::description_flaw(); !flaw.empty()) return of + flaw;
  }
  if (std::ranges::count(kind_weights<S>, 0u) == std::ssize(kind_weights<S>)) {
    return of + "all kinds of actions have the weight 0, so that none can be drawn: give one of them another weight";
  }
  return {};
}

}  // namespace lockstep
