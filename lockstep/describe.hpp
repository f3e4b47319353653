// Describe once: a system names its fields and their bounds, and visitors derive the rest.
//
//   static void describe(auto& io, Setup& s) {
//     io.size("width", s.width, 3, 200);                              // a dimension: drawn small most of the time
//     io.number("score", s.score, 0, 1'000'000);                      // any integral type, bounds included
//     io.integer("key", s.key, 0, 1'000'000);                         // the same, with edges drawn more often
//     io.choice("to_move", s.to_move, 1, players);                    // players[0] names the value 1
//     io.flag("ended", s.ended);                                      // written as yes / no
//     io.board("board", s.board, s.height, s.width, cells);           // a Grid of exactly that shape
//     io.list("piece", s.pieces, 1, 10, [](auto& io, Piece& p) {…});  // a vector of records, one line of text for each
//   }
//   static void describe(auto& io, const Setup& s, Drop& a) { io.number("column", a.column, 0, s.width - 3); }
//   static void describe(auto& io, Observation& o) { io.value("points", o.points); io.values("left", o.left); }
//
// Beyond numbers:
//
//   io.real("price", a.price, 0.0, 1e6);                              // float, double; without bounds also NaN and ±∞
//   io.text("word", a.word, 0, 20, Text::of("abc"));                  // std::string; Text::ascii, ::utf8, ::bytes
//   io.bytes("data", a.data, 0, 4096);                                // a vector of std::uint8_t, std::byte or char
//   io.sequence("ids", a.ids, 0, 9, [](auto& io, int& id) { io.number("", id, 0, 99); });   // any vector, one word
//   io.optional("limit", a.limit, [](auto& io, int& limit) { io.number("", limit, 1, 9); });
//   io.record("from", [&](auto& io) { io.number("row", a.row, 0, 7); io.number("column", a.column, 0, 7); });
//   io.result("order", a.order);                                      // Result<Place>: what an earlier Place returned
//   io.field("anything", a.anything);                                 // its type decides: see `field`
//
// Rules for `describe`: bounds may depend on fields described earlier, never on later ones; the simplest value of a
// number is the one nearest to 0. lo ≤ hi for a setup; an action with an empty range is impossible in that place and is
// left out. Fields called `row` and `column` index the board, so that the shrinker can drop a row or column and keep the
// other cells in place. An item of a list is either one field called "" or several with names. Observations use `flag`,
// `value` and `values` only, and may omit fields that do not apply. Mistakes are refused at start (check_description.hpp).
//
// A visitor derives from Visitor<Self> and defines number, board and list. All other members call these, unless the
// visitor defines them too. A visitor for reading must not write.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/enumerators.hpp"
#include "lockstep/grid.hpp"
#include "lockstep/numbers.hpp"
#include "lockstep/system.hpp"
#include "lockstep/texts.hpp"

namespace lockstep {

using Names = std::span<const std::string_view>;

/// How often each kind of action with a result has occurred before an action.
struct Earlier {
  std::span<const std::string_view> kinds;
  std::span<const std::uint32_t> counts;

  std::uint32_t count(std::string_view kind) const {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] == kind) return counts[i];
    }
    return 0;
  }
};

/// Describes a type that cannot have a `describe` of its own, for example one of the standard library:
///
///   template <>
///   struct lockstep::Description<std::chrono::seconds> {
///     static void describe(auto& io, std::chrono::seconds& s) {
///       auto count = s.count();
///       io.number("", count, 0, 3600);
///       s = std::chrono::seconds{count};
///     }
///   };
template <class T>
struct Description;

namespace describing {

// clang-format off
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> struct IsVariant : std::false_type {};
template <class... T> struct IsVariant<std::variant<T...>> : std::true_type {};
template <class T> struct IsPair : std::false_type {};
template <class A, class B> struct IsPair<std::pair<A, B>> : std::true_type {};
template <class T> struct IsTuple : std::false_type {};
template <class... T> struct IsTuple<std::tuple<T...>> : std::true_type {};
template <class T> struct IsArray : std::false_type {};
template <class T, std::size_t N> struct IsArray<std::array<T, N>> : std::true_type {};
template <class T> struct IsResult : std::false_type {};
template <class K> struct IsResult<Result<K>> : std::true_type {};
// clang-format on

/// A container that grows and shrinks at its end.
template <class T>
concept Sequence = requires(T& c) {
  typename T::value_type;
  c.resize(std::size_t{});
  c.begin();
};

/// A set or map, ordered or not.
template <class T>
concept Associative = requires(T& c) {
  typename T::key_type;
  c.clear();
  c.insert(std::declval<typename T::value_type>());
};

template <class T>
concept Byte = std::same_as<T, std::uint8_t> || std::same_as<T, std::byte> || std::same_as<T, char>;

template <class T>
constexpr bool never = false;

/// A map's entry, with a key that can be written.
template <class T>
struct ItemOf {
  using type = typename T::value_type;
};
template <class T>
  requires requires { typename T::mapped_type; }
struct ItemOf<T> {
  using type = std::pair<typename T::key_type, typename T::mapped_type>;
};

}  // namespace describing

template <class Self>
class Visitor {
 public:
  /// Sequences inside sequences, for values that contain themselves: deeper ones are as short as their bounds allow, and
  /// variants in them have their first type.
  static constexpr int depth_max = 6;
  /// The most items of a sequence, and characters of a text, that no description bounds.
  static constexpr int items_max = 64;

  template <class T>
  void size(std::string_view name, T& value, Number lo, Number hi) {
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

  /// An integer of which every value of its type is as good as any other: visitors that draw prefer edges.
  template <class T>
  void integer(std::string_view name, T& value, Number lo, Number hi) {
    self().number(name, value, lo, hi);
  }

  /// A float or double of any value.
  template <std::floating_point T>
  void real(std::string_view name, T& value) {
    self().any_real(name, value, std::nullopt);
  }
  /// A float or double from lo to hi; −0.0 counts as equal to 0.0, and NaN does not occur.
  template <std::floating_point T>
  void real(std::string_view name, T& value, double lo, double hi) {
    self().any_real(name, value, std::pair{lo, hi});
  }
  /// What both call: the sign and the rank of the magnitude are visited (numbers.hpp).
  template <class T>
  void any_real(std::string_view name, T& value, std::optional<std::pair<double, double>> bounds) {
    const auto wide = static_cast<double>(value);
    int sign = std::signbit(wide) ? 1 : 0;
    std::uint64_t rank = floating::rank_of(std::abs(wide));
    const auto before = std::pair{sign, rank};
    self().number(name, sign, 0, 1);
    self().number(name, rank, 0, std::numeric_limits<std::uint64_t>::max());
    if (before == std::pair{sign, rank}) return;  // always for a reading visitor
    value =
        static_cast<T>(floating::real_within(sign != 0 ? -floating::of_rank(rank) : floating::of_rank(rank), bounds));
  }

  /// A text of lo to hi characters of the alphabet.
  void text(std::string_view name, std::string& value, int lo, int hi, const Text& of = Text::ascii()) {
    self().any_text(name, value, std::max(lo, 0), hi, of);
  }
  /// Any bytes.
  template <describing::Byte T>
  void bytes(std::string_view name, std::vector<T>& value, int lo, int hi) {
    std::string copy(value.size(), '\0');
    for (std::size_t i = 0; i < value.size(); ++i) copy[i] = static_cast<char>(value[i]);
    const std::string before = copy;
    self().any_text(name, copy, std::max(lo, 0), hi, Text::bytes());
    if (copy == before) return;
    value.resize(copy.size());
    for (std::size_t i = 0; i < copy.size(); ++i) value[i] = static_cast<T>(copy[i]);
  }
  /// What both call: a list of characters, each a number.
  void any_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) {
    auto symbols = of.symbols_of(value);
    self().list(name, symbols, lo, hi, [&of](auto& io, std::uint32_t& symbol) {
      io.number("", symbol, 0, static_cast<Number>(of.size()) - 1);
    });
    std::string next = of.text_of(symbols);
    if (next != value) value = std::move(next);
  }

  /// A container of lo to hi items, printed as one word: [1,2,3]. Each item is described by `item(io, T&)`.
  template <class C, class Item>
  void sequence(std::string_view name, C& items, int lo, int hi, Item&& item) {
    if constexpr (std::same_as<C, std::vector<bool>>) {  // its items are no objects that could be visited
      std::deque<bool> copy(items.begin(), items.end());
      sequence(name, copy, lo, hi, item);
      if (!std::ranges::equal(copy, items)) items.assign(copy.begin(), copy.end());
    } else {
      lo = std::max(lo, 0);
      ++depth_;
      self().items(name, items, lo, too_deep() ? std::min(lo, hi) : hi, item);
      --depth_;
    }
  }
  template <class C, class Item>
  void items(std::string_view name, C& items, int lo, int hi, Item&& item) {
    self().list(name, items, lo, hi, item);
  }

  /// A set or map of at most hi items, in any order.
  template <describing::Associative C, class Item>
  void set(std::string_view name, C& items, int hi, Item&& item) {
    using T = typename describing::ItemOf<C>::type;
    std::vector<T> list(items.begin(), items.end());
    if constexpr (requires { typename C::hasher; }) std::ranges::sort(list);  // its own order depends on its history
    const std::vector<T> before = list;
    sequence(name, list, 0, hi, item);
    if (list == before) return;
    items.clear();
    for (T& each : list) items.insert(std::move(each));
  }

  /// A sequence of exactly N items.
  template <class T, std::size_t N>
  void array(std::string_view name, std::array<T, N>& items) {
    std::vector<T> list(items.begin(), items.end());
    const std::vector<T> before = list;
    const auto item = [](auto& io, auto& each) { io.field("", each); };
    if constexpr (describing::Byte<T>) self().bytes(name, list, static_cast<int>(N), static_cast<int>(N));
    else self().sequence(name, list, static_cast<int>(N), static_cast<int>(N), item);
    if (list == before) return;
    for (std::size_t i = 0; i < std::min(N, list.size()); ++i) items[i] = std::move(list[i]);
  }

  /// An enumeration, by the index of the enumerator. A value without a name has the index after the last one.
  template <NamedEnum E>
  void enumeration(std::string_view name, E& value) {
    static_assert(Enumerators<E>::size > 0, "an enumeration needs an enumerator from 0 to 63");
    std::size_t index = Enumerators<E>::index_of(value);
    const std::size_t before = index;
    self().choice(name, index, 0, Names{Enumerators<E>::names});
    if (index != before) value = Enumerators<E>::values[index];
  }

  /// Nothing ("none"), or a value described by `item(io, T&)`.
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item) {
    bool given = value.has_value();
    self().flag(name, given);
    if (given != value.has_value()) {
      if (given) value.emplace();
      else value.reset();
    }
    if (value) item(self(), *value);
  }

  /// One of several types: the index of its type is visited, then the value by `field`. The first one must have an end.
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value) {
    std::size_t index = value.index();
    self().number(name, index, 0, too_deep() ? 0 : static_cast<Number>(sizeof...(T)) - 1);
    if (index != value.index()) value = alternative<std::variant<T...>>(index);
    std::visit([&](auto& each) { self().contents(each); }, value);
  }

  /// A group of fields, printed as one word: {row=1 column=2}.
  template <class Fields>
  void record(std::string_view, Fields&& fields) {
    fields(self());
  }

  /// What an earlier action of the kind returned. The kind declares `static constexpr bool has_result = true;`.
  /// An implementation keeps the results of each kind in the order of the actions, refused ones included, and takes
  /// number `value.index`.
  template <class Kind>
  void result(std::string_view name, Result<Kind>& value) {
    static_assert(gives_result<Kind>,
                  "an action whose result is referred to needs: static constexpr bool has_result = true;");
    self().reference(name, Kind::name, value.index, earlier_ != nullptr ? earlier_->count(Kind::name) : 0);
  }
  template <class T>
  void reference(std::string_view name, std::string_view, T& index, Number count) {
    self().number(name, index, 0, count - 1);
  }

  /// Any value, by its type: bool, integers (the whole range), enumerations (enumerators.hpp), float and double (every
  /// value), std::string (printable ASCII), vectors of bytes, other sequences, arrays, sets and maps, optional, variant,
  /// pair and tuple, Result, and structs with `static void describe(auto& io, T&)`. Sizes are at most items_max.
  template <class T>
  void field(std::string_view name, T& value) {
    using namespace describing;
    const auto item = [](auto& io, auto& each) { io.field("", each); };
    if constexpr (std::same_as<T, bool>) {
      self().flag(name, value);
    } else if constexpr (std::integral<T>) {
      self().integer(name, value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    } else if constexpr (std::floating_point<T>) {
      self().real(name, value);
    } else if constexpr (NamedEnum<T>) {
      self().enumeration(name, value);
    } else if constexpr (std::same_as<T, std::string>) {
      self().text(name, value, 0, items_max);
    } else if constexpr (IsResult<T>::value) {
      self().result(name, value);
    } else if constexpr (IsOptional<T>::value) {
      self().optional(name, value, item);
    } else if constexpr (IsVariant<T>::value) {
      self().variant(name, value);
    } else if constexpr (Associative<T>) {
      self().set(name, value, items_max, item);
    } else if constexpr (Sequence<T>) {
      if constexpr (Byte<typename T::value_type>) self().bytes(name, value, 0, items_max);
      else self().sequence(name, value, 0, items_max, item);
    } else if constexpr (IsArray<T>::value) {
      self().array(name, value);
    } else {
      static_assert(
          std::is_class_v<T> || std::is_union_v<T>,
          "a pointer cannot be described, and an enumeration needs a fixed underlying type: 'enum class E' or "
          "'enum E : int'");
      self().record(name, [&value](auto& io) { io.contents(value); });
    }
  }

  /// The fields of a compound value, without a name around them.
  template <class T>
  void contents(T& value) {
    using namespace describing;
    if constexpr (requires(Self& io) { T::describe(io, value); }) {
      T::describe(self(), value);
    } else if constexpr (requires(Self& io) { Description<T>::describe(io, value); }) {
      Description<T>::describe(self(), value);
    } else if constexpr (IsPair<T>::value) {
      self().field("first", value.first);
      self().field("second", value.second);
    } else if constexpr (IsTuple<T>::value) {
      static_assert(std::tuple_size_v<T> <= 10, "a tuple of more than 10 elements cannot be described: use a struct");
      static constexpr auto names = numbered_names<std::tuple_size_v<T>>();
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (self().field(names[I], std::get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (std::is_empty_v<T>) {
      // nothing to describe
    } else if constexpr ((std::is_class_v<T> || std::is_union_v<T>) && !IsArray<T>::value && !Sequence<T> &&
                         !Associative<T> && !IsOptional<T>::value && !IsVariant<T>::value && !IsResult<T>::value) {
      static_assert(never<T>,
                    "this type needs: static void describe(auto& io, T& value), which names its fields; in a "
                    "specialization of lockstep::Description if the type is not yours");
    } else {
      self().field("", value);
    }
  }

  // Actions (visit_action) -----------------------------------------------------------------------

  /// Begins an action. `earlier` must outlive the visit; null: no results.
  void begin_action(const Earlier* earlier) {
    earlier_ = earlier;
    impossible_ = false;
  }
  /// Whether the action cannot occur in this place, because a range was empty.
  bool impossible() const { return impossible_; }

 protected:
  /// Whether a range is empty; then the action is impossible. Visitors that write call it first.
  template <class N>
  bool empty_range(N lo, N hi) {
    const bool empty = !(lo <= hi);
    if (empty) impossible_ = true;
    return empty;
  }
  int depth() const { return depth_; }
  bool too_deep() const { return depth_ > depth_max; }
  const Earlier* earlier() const { return earlier_; }

 private:
  template <std::size_t N>
  static constexpr auto numbered_names() {
    constexpr std::string_view digits = "0123456789";
    std::array<std::string_view, N> out{};
    for (std::size_t i = 0; i < std::min(N, digits.size()); ++i) out[i] = digits.substr(i, 1);
    return out;
  }

  Self& self() { return static_cast<Self&>(*this); }

  const Earlier* earlier_ = nullptr;
  int depth_ = 0;
  bool impossible_ = false;
};

/// What an action's description may depend on: the setup, or the model if the system has one, and how many results of
/// each kind earlier actions returned. Moves along a scenario: `add` each action in order.
template <System S>
class Past {
 public:
  explicit Past(const typename S::Setup& setup) : setup_{&setup} {
    if constexpr (has_model<S>) model_.emplace(setup);
  }

  /// The second argument of `describe` for actions.
  const auto& context() const {
    if constexpr (has_model<S>) return *model_;
    else return *setup_;
  }

  /// Whether the model allows the action.
  bool possible(const typename S::Action& action) const {
    if constexpr (has_model<S>) {
      return std::visit(
          [&](const auto& a) {
            if constexpr (requires { model_->possible(a); }) return model_->possible(a);
            else return true;
          },
          action);
    } else {
      return true;
    }
  }

  void add(const typename S::Action& action) {
    if constexpr (has_results<S>) ++counts_[action.index()];
    if constexpr (has_model<S>) {
      std::visit(
          [&](const auto& a) {
            if constexpr (requires { model_->apply(a); }) model_->apply(a);
          },
          action);
    }
  }

  Earlier earlier() const {
    if constexpr (has_results<S>) return {kinds, counts_};
    else return {};
  }

 private:
  using Action = typename S::Action;
  static constexpr auto kinds = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{std::variant_alternative_t<I, Action>::name...};
  }(std::make_index_sequence<action_kinds<Action>>{});
  static constexpr bool counts_results = has_results<S>;

  const typename S::Setup* setup_;
  std::optional<std::conditional_t<has_model<S>, ModelOf<S>, NoPart>> model_;
  std::array<std::uint32_t, counts_results ? action_kinds<Action> : 0> counts_{};
};

/// Applies a visitor to a setup (or a snapshot of the same type).
template <System S, class Io>
void visit_setup(Io& io, typename S::Setup& setup) {
  if constexpr (requires { S::describe(io, setup); }) S::describe(io, setup);
  else static_assert(std::is_empty_v<typename S::Setup>, "describe the setup: static void describe(auto& io, Setup&)");
}

/// The same for visitors that only read. The cast is sound because such a visitor never writes.
template <System S, class Io>
void read_setup(Io& io, const typename S::Setup& setup) {
  visit_setup<S>(io, const_cast<typename S::Setup&>(setup));
}

/// Applies a visitor to the fields of an action that follows `past`. False if the action cannot occur there.
template <System S, class Io>
bool visit_action(Io& io, const Past<S>& past, typename S::Action& action) {
  const Earlier earlier = past.earlier();
  io.begin_action(&earlier);
  std::visit(
      [&](auto& a) {
        // An action without fields needs no description.
        if constexpr (requires { S::describe(io, past.context(), a); }) S::describe(io, past.context(), a);
        else
          static_assert(std::is_empty_v<std::remove_cvref_t<decltype(a)>>,
                        "describe this action's fields: static void describe(auto& io, const Setup&, Action&), or "
                        "const Model& if the system has a model");
      },
      action);
  const bool possible = !io.impossible() && past.possible(action);
  io.begin_action(nullptr);
  return possible;
}

/// The same for the first action after a setup.
template <System S, class Io>
bool visit_action(Io& io, const typename S::Setup& setup, typename S::Action& action) {
  return visit_action<S>(io, Past<S>{setup}, action);
}

template <System S, class Io>
void read_action(Io& io, const Past<S>& past, const typename S::Action& action) {
  visit_action<S>(io, past, const_cast<typename S::Action&>(action));
}

/// Applies a visitor that only reads to all actions of a scenario, in order.
template <System S, class Io>
void read_actions(Io& io, const Scenario<S>& scenario) {
  Past<S> past{scenario.setup};
  for (const auto& action : scenario.actions) {
    read_action<S>(io, past, action);
    past.add(action);
  }
}

/// The past of one action of a scenario.
template <System S>
Past<S> past_of(const Scenario<S>& scenario, std::size_t action) {
  Past<S> past{scenario.setup};
  if constexpr (depends_on_past<S>) {
    for (std::size_t i = 0; i < action; ++i) past.add(scenario.actions[i]);
  }
  return past;
}

template <System S, class Io>
void read_observation(Io& io, const typename S::Observation& observation) {
  S::describe(io, const_cast<typename S::Observation&>(observation));
}

template <System S, class Io>
void read_snapshot(Io& io, const SnapshotOf<S>& snapshot) {
  if constexpr (has_snapshot<S>) S::describe(io, const_cast<SnapshotOf<S>&>(snapshot));
}

}  // namespace lockstep
