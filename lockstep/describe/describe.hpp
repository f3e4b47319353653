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
// `io` is a Fields.
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/base/enumerators.hpp"
#include "lockstep/base/function_ref.hpp"
#include "lockstep/base/grid.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/describe/system.hpp"
#include "lockstep/describe/texts.hpp"

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

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... A>
inline constexpr bool is_a<Template<A...>, Template> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

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

/// What an integral type holds; of another type everything.
template <class T>
constexpr Number lowest() {
  if constexpr (std::integral<T>) return std::numeric_limits<T>::min();
  else return -(Number{1} << 126);
}
template <class T>
constexpr Number highest() {
  if constexpr (std::integral<T>) return std::numeric_limits<T>::max();
  else return Number{1} << 126;
}

/// Describes an item by its type.
inline constexpr auto field_item = [](auto& io, auto& each) { io.field("", each); };

// Defined below Fields.
template <class C, class Item>
class ItemsOf;
template <class T, class Item>
class OptionalItem;
template <class... T>
class AlternativesOf;
template <class T>
class ContentsOf;

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

class Fields;

/// A container that is visited item by item. An optional value is one of at most one item.
class Items {
 public:
  virtual std::size_t size() const = 0;
  /// New items have their default value.
  virtual void resize(std::size_t size) = 0;
  virtual void visit(std::size_t i, Fields& io) = 0;
  virtual void erase(std::size_t i) = 0;
  /// Inserts a copy of item i before it.
  virtual void repeat(std::size_t) {}
  /// Whether items are sequences or sets, so that two neighbours can be joined.
  virtual bool holds_sequences() const { return false; }
  /// Appends item i to the one before it, and erases it.
  virtual void join(std::size_t) {}

  void visit_all(Fields& io) {
    for (std::size_t i = 0; i < size(); ++i) visit(i, io);
  }

 protected:
  ~Items() = default;
};

/// A compound value. Values of one type can take each other's place.
class Contents {
 public:
  virtual const std::type_info& type() const = 0;
  virtual std::any copy() const = 0;
  virtual void assign(std::any value) = 0;
  virtual void visit(Fields& io) = 0;

 protected:
  ~Contents() = default;
};

/// A value of one of several types.
class Alternatives : public Contents {
 public:
  virtual std::size_t count() const = 0;
  virtual std::size_t index() const = 0;
  /// Replaces the value by the default one of another type.
  virtual void select(std::size_t index) = 0;
  /// The name of a type in text: its own, or its index.
  virtual std::string tag(std::size_t index) const = 0;
  /// Visits a copy, or the default value of another type.
  virtual void visit_copy_as(std::size_t index, Fields& io) const = 0;

 protected:
  ~Alternatives() = default;
};

/// What a number stands for. A rank is that of a real's magnitude (numbers.hpp).
enum class Role : std::uint8_t { number, size, integer, choice, reference, tag, rank };

struct NumberAs {
  Role role;
  Number type_lo, type_hi;             // what its type holds
  Names names = {};                    // choice: the name of the lower bound, of the number after it, …
  std::string_view of = {};            // reference: the kind of action whose result it is
  std::optional<Number> unnamed = {};  // an enumeration's value that has no name
};

using Bounds = std::optional<std::pair<double, double>>;

/// What `describe` calls. Visitors derive from it and define visit_number, board and visit_list; all else calls these,
/// unless the visitor defines it, too. A visitor for reading must not write.
class Fields {
 public:
  /// Sequences inside sequences, for values that contain themselves: deeper ones are as short as their bounds allow, and
  /// variants in them have their first type.
  static constexpr int depth_max = 6;
  /// The most items of a sequence, and characters of a text, that no description bounds.
  static constexpr int items_max = 64;

  Fields() = default;
  Fields(const Fields&) = default;
  Fields& operator=(const Fields&) = default;
  virtual ~Fields() = default;

  // What a description calls ----------------------------------------------------------------------

  void number(std::string_view name, auto& value, Number lo, Number hi) {
    plain_number<Role::number>(name, value, lo, hi);
  }
  void size(std::string_view name, auto& value, Number lo, Number hi) { plain_number<Role::size>(name, value, lo, hi); }
  /// An integer of which every value of its type is as good as any other: visitors that draw prefer edges.
  void integer(std::string_view name, auto& value, Number lo, Number hi) {
    plain_number<Role::integer>(name, value, lo, hi);
  }
  template <class T>
  void choice(std::string_view name, T& value, std::int64_t first, Names names) {
    NumberAs as = plain<T, Role::choice>;
    as.names = names;
    any_number(name, value, first, first + static_cast<std::int64_t>(names.size()) - 1, as);
  }
  void flag(std::string_view name, bool& value) {
    static constexpr std::string_view answers[] = {"no", "yes"};
    choice(name, value, 0, answers);
  }
  /// A flag that is computed or constant can only be printed, in an observation.
  void flag(std::string_view name, const bool& printed) { value(name, printed); }

  /// A float or double of any value.
  void real(std::string_view name, std::floating_point auto& value) { any_real(name, value, std::nullopt); }
  /// A float or double from lo to hi; −0.0 counts as equal to 0.0, and NaN does not occur.
  void real(std::string_view name, std::floating_point auto& value, double lo, double hi) {
    any_real(name, value, std::pair{lo, hi});
  }

  /// A text of lo to hi characters of the alphabet.
  void text(std::string_view name, std::string& value, int lo, int hi, const Text& of = Text::ascii) {
    visit_text(name, value, std::max(lo, 0), hi, of);
  }
  /// Any bytes.
  template <describing::Byte T>
  void bytes(std::string_view name, std::vector<T>& value, int lo, int hi) {
    std::string copy(value.size(), '\0');
    for (std::size_t i = 0; i < value.size(); ++i) copy[i] = static_cast<char>(value[i]);
    const std::string before = copy;
    text(name, copy, lo, hi, Text::bytes);
    if (copy == before) return;
    value.resize(copy.size());
    for (std::size_t i = 0; i < copy.size(); ++i) value[i] = static_cast<T>(copy[i]);
  }

  /// A vector of lo to hi records; in a setup each is one line of text. Each item is described by `item(io, T&)`.
  template <class C, class Item>
  void list(std::string_view name, C& items, int lo, int hi, Item&& item) {
    describing::ItemsOf<C, std::remove_reference_t<Item>> edited{items, item};
    visit_list(name, edited, lo, hi);
  }
  /// A container of lo to hi items, printed as one word: [1,2,3].
  template <class C, class Item>
  void sequence(std::string_view name, C& items, int lo, int hi, Item&& item) {
    if constexpr (std::same_as<C, std::vector<bool>>) {  // its items are no objects that could be visited
      std::vector<std::array<bool, 1>> copy;
      for (const bool each : items) copy.push_back({each});
      const auto copied = [&item](auto& io, std::array<bool, 1>& one) { item(io, one[0]); };
      sequence(name, copy, lo, hi, copied);
      std::vector<bool> edited;
      for (const auto& one : copy) edited.push_back(one[0]);
      if (edited != items) items = std::move(edited);
    } else {
      describing::ItemsOf<C, std::remove_reference_t<Item>> edited{items, item};
      sequence_of(name, edited, lo, hi);
    }
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
    if constexpr (describing::Byte<T>) bytes(name, list, static_cast<int>(N), static_cast<int>(N));
    else sequence(name, list, static_cast<int>(N), static_cast<int>(N), describing::field_item);
    if (list == before) return;
    for (std::size_t i = 0; i < std::min(N, list.size()); ++i) items[i] = std::move(list[i]);
  }

  /// An enumeration, by the index of the enumerator. A value without a name has the index after the last one.
  template <NamedEnum E>
  void enumeration(std::string_view name, E& value) {
    static_assert(Enumerators<E>::size > 0, "an enumeration needs an enumerator from 0 to 63");
    std::size_t index = Enumerators<E>::index_of(value);
    const std::size_t before = index;
    NumberAs as = plain<std::size_t, Role::choice>;
    as.names = Enumerators<E>::names;
    if (index == Enumerators<E>::size) as.unnamed = static_cast<Number>(value);
    any_number(name, index, 0, static_cast<Number>(Enumerators<E>::size) - 1, as);
    if (index != before) value = Enumerators<E>::values[index];
  }

  /// Nothing ("none"), or a value described by `item(io, T&)`.
  template <class T, class Item>
  void optional(std::string_view name, std::optional<T>& value, Item&& item) {
    describing::OptionalItem<T, std::remove_reference_t<Item>> edited{value, item};
    visit_optional(name, edited);
  }
  /// One of several types: the index of its type is visited, then the value by `field`. The first one must have an end.
  template <class... T>
  void variant(std::string_view name, std::variant<T...>& value) {
    describing::AlternativesOf<T...> edited{value};
    visit_variant(name, edited);
  }
  /// A group of fields, printed as one word: {row=1 column=2}.
  void record(std::string_view name, auto&& fields) {
    visit_record(name, [&](Fields& io) { fields(io); });
  }
  /// A board of exactly that shape.
  virtual void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) = 0;

  /// What an earlier action of the kind returned. The kind declares `static constexpr bool has_result = true;`.
  /// An implementation keeps the results of each kind in the order of the actions, refused ones included, and takes
  /// number `value.index`.
  template <class Kind>
  void result(std::string_view name, Result<Kind>& value) {
    static_assert(gives_result<Kind>,
                  "an action whose result is referred to needs: static constexpr bool has_result = true;");
    NumberAs as = plain<std::uint32_t, Role::reference>;
    as.of = Kind::name;
    const Number count = earlier_ != nullptr ? earlier_->count(Kind::name) : 0;
    any_number(name, value.index, 0, count - 1, as);
  }

  /// Any value, by its type: bool, integers (the whole range), enumerations (enumerators.hpp), float and double (every
  /// value), std::string (printable ASCII), vectors of bytes, other sequences, arrays, sets and maps, optional, variant,
  /// pair and tuple, Result, and structs with `static void describe(auto& io, T&)`. Sizes are at most items_max.
  template <class T>
  void field(std::string_view name, T& value) {
    using namespace describing;
    if constexpr (std::same_as<T, bool>) {
      flag(name, value);
    } else if constexpr (std::integral<T>) {
      integer(name, value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    } else if constexpr (std::floating_point<T>) {
      real(name, value);
    } else if constexpr (NamedEnum<T>) {
      enumeration(name, value);
    } else if constexpr (std::same_as<T, std::string>) {
      text(name, value, 0, items_max);
    } else if constexpr (is_a<T, Result>) {
      result(name, value);
    } else if constexpr (is_a<T, std::optional>) {
      optional(name, value, field_item);
    } else if constexpr (is_a<T, std::variant>) {
      variant(name, value);
    } else if constexpr (Associative<T>) {
      set(name, value, items_max, field_item);
    } else if constexpr (Sequence<T>) {
      if constexpr (Byte<typename T::value_type>) bytes(name, value, 0, items_max);
      else sequence(name, value, 0, items_max, field_item);
    } else if constexpr (is_array<T>) {
      array(name, value);
    } else {
      static_assert(std::is_class_v<T> || std::is_union_v<T>,
                    "a pointer cannot be described, and an enumeration needs a fixed underlying type other than bool: "
                    "'enum class E' or 'enum E : int'");
      record(name, [&value](Fields& io) { io.contents(value); });
    }
  }

  // For observations, and snapshots that are only printed: any value that has a description, or whose type decides.
  template <class T>
  void value(std::string_view name, const T& value);
  template <class Range>
  void values(std::string_view name, const Range& values);

  /// The fields of a compound value, without a name around them.
  template <class T>
  void contents(T& value) {
    describing::ContentsOf<T> edited{value};
    visit_contents(edited);
  }

  // What a visitor defines ------------------------------------------------------------------------

  virtual void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) = 0;
  /// The same for a value and bounds of at most 62 bits, as nearly all are: a visitor that must be fast defines it.
  virtual void visit_small(std::string_view name, std::int64_t& value, std::int64_t lo, std::int64_t hi,
                           const NumberAs& as);
  /// By default the sign and the rank of the magnitude are visited (numbers.hpp). `single`: it is a float.
  virtual void visit_real(std::string_view name, double& value, Bounds bounds, bool single);
  /// By default a list of characters, each a number.
  virtual void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of);
  virtual void visit_list(std::string_view name, Items& items, int lo, int hi) = 0;
  virtual void visit_items(std::string_view name, Items& items, int lo, int hi) { visit_list(name, items, lo, hi); }
  virtual void visit_optional(std::string_view name, Items& value);
  virtual void visit_variant(std::string_view name, Alternatives& value);
  virtual void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields);
  virtual void visit_contents(Contents& value) { value.visit(*this); }
  /// Where all actions of a scenario are read: the kind of the next one.
  virtual void visit_kind(std::size_t) {}
  /// What is only printed.
  virtual void visit_value(std::string_view, FunctionRef<void(Fields&, std::string_view)>) {}
  virtual void visit_words(std::string_view, FunctionRef<std::string()>) {}

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

 private:
  template <class T, Role role>
  static constexpr NumberAs plain = {role, describing::lowest<T>(), describing::highest<T>(), {}, {}, {}};

  template <Role role, class T>
  void plain_number(std::string_view name, T& value, Number lo, Number hi) {
    any_number(name, value, lo, hi, plain<T, role>);
  }
  template <class T>
  void any_number(std::string_view name, T& value, Number lo, Number hi, const NumberAs& as) {
    constexpr Number most = (Number{1} << 62) - 1;  // so that lengths of ranges fit, too
    const auto before = static_cast<Number>(value);
    if (-most <= lo && hi <= most && lo <= most && -most <= hi && -most <= before && before <= most) {
      auto now = static_cast<std::int64_t>(before);
      visit_small(name, now, static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi), as);
      if (now != before) value = static_cast<T>(now);  // never true for a reading visitor
    } else {
      Number now = before;
      visit_number(name, now, lo, hi, as);
      if (now != before) value = static_cast<T>(now);
    }
  }
  template <class T>
  void any_real(std::string_view name, T& value, Bounds bounds) {
    auto now = static_cast<double>(value);
    const double before = now;
    visit_real(name, now, bounds, std::same_as<T, float>);
    if (!same_bits(now, before)) value = static_cast<T>(now);
  }
  void sequence_of(std::string_view name, Items& items, int lo, int hi);

  const Earlier* earlier_ = nullptr;
  int depth_ = 0;
  bool impossible_ = false;
};

namespace describing {

/// A value in the library's text form.
std::string text_of(FunctionRef<void(Fields&)> value);

}  // namespace describing

template <class T>
void Fields::value(std::string_view name, const T& value) {
  // The cast is sound, because visitors of values only read.
  visit_value(name, [&](Fields& io, std::string_view called) { io.field(called, const_cast<T&>(value)); });
}

template <class Range>
void Fields::values(std::string_view name, const Range& values) {
  using T = std::iter_value_t<decltype(std::begin(std::declval<const Range&>()))>;
  visit_words(name, [&] {
    std::string text;
    for (const T& value : values) {
      text += (text.empty() ? "" : ",") + describing::text_of([&](Fields& io) { io.field("", const_cast<T&>(value)); });
    }
    return text;
  });
}

namespace describing {

template <class T>
void visit_contents_of(Fields& io, T& value) {
  if constexpr (requires { T::describe(io, value); }) {
    T::describe(io, value);
  } else if constexpr (requires { Description<T>::describe(io, value); }) {
    Description<T>::describe(io, value);
  } else if constexpr (is_a<T, std::pair>) {
    io.field("first", value.first);
    io.field("second", value.second);
  } else if constexpr (is_a<T, std::tuple>) {
    static_assert(std::tuple_size_v<T> <= 10, "a tuple of more than 10 elements cannot be described: use a struct");
    static constexpr std::string_view digits = "0123456789";
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (io.field(digits.substr(I, 1), std::get<I>(value)), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (std::is_empty_v<T>) {
    // nothing to describe
  } else if constexpr ((std::is_class_v<T> || std::is_union_v<T>) && !is_array<T> && !Sequence<T> && !Associative<T> &&
                       !is_a<T, std::optional> && !is_a<T, std::variant> && !is_a<T, Result>) {
    static_assert(never<T>,
                  "this type needs: static void describe(auto& io, T& value), which names its fields; in a "
                  "specialization of lockstep::Description if the type is not yours");
  } else {
    io.field("", value);
  }
}

template <class C, class Item>
class ItemsOf final : public Items {
 public:
  ItemsOf(C& items, Item& item) : items_{items}, item_{item} {}
  std::size_t size() const override { return items_.size(); }
  void resize(std::size_t size) override { items_.resize(size); }
  void visit(std::size_t i, Fields& io) override { item_(io, *at(i)); }
  void erase(std::size_t i) override { items_.erase(at(i)); }
  void repeat([[maybe_unused]] std::size_t i) override {
    if constexpr (requires { items_.insert(at(i), *at(i)); }) items_.insert(at(i), typename C::value_type{*at(i)});
  }
  bool holds_sequences() const override { return joins; }
  void join([[maybe_unused]] std::size_t i) override {
    if constexpr (joins) {
      const auto second = at(i);
      const auto first = std::prev(second);
      if constexpr (Associative<typename C::value_type>) first->insert(second->begin(), second->end());
      else first->insert(first->end(), second->begin(), second->end());
      items_.erase(second);
    }
  }

 private:
  static constexpr bool joins =
      (Associative<typename C::value_type> && requires(typename C::value_type& set) {
        set.insert(set.begin(), set.end());
      }) || (Sequence<typename C::value_type> && requires(C& items) {
        items.begin()->insert(items.begin()->end(), items.begin()->begin(), items.begin()->end());
      });
  auto at(std::size_t i) { return std::next(items_.begin(), static_cast<std::ptrdiff_t>(i)); }

  C& items_;
  Item& item_;
};

template <class T, class Item>
class OptionalItem final : public Items {
 public:
  OptionalItem(std::optional<T>& value, Item& item) : value_{value}, item_{item} {}
  std::size_t size() const override { return value_ ? 1 : 0; }
  void resize(std::size_t size) override {
    if (size == 0) value_.reset();
    else if (!value_) value_.emplace();
  }
  void visit(std::size_t, Fields& io) override { item_(io, *value_); }
  void erase(std::size_t) override { value_.reset(); }

 private:
  std::optional<T>& value_;
  Item& item_;
};

template <class... T>
class AlternativesOf final : public Alternatives {
 public:
  explicit AlternativesOf(std::variant<T...>& value) : value_{value} {}
  std::size_t count() const override { return sizeof...(T); }
  std::size_t index() const override { return value_.index(); }
  void select(std::size_t index) override { lockstep::become(value_, index); }
  std::string tag(std::size_t index) const override {
    static constexpr auto names = std::array{own_name<T>()...};
    return names[index].empty() ? std::to_string(index) : std::string{names[index]};
  }
  const std::type_info& type() const override { return typeid(value_); }
  std::any copy() const override { return value_; }
  void assign(std::any value) override { value_ = std::any_cast<std::variant<T...>>(std::move(value)); }
  void visit(Fields& io) override { visit_in(io, value_); }
  void visit_copy_as(std::size_t index, Fields& io) const override {
    std::variant<T...> copy;
    if (index == value_.index()) copy = value_;
    else lockstep::become(copy, index);
    visit_in(io, copy);
  }

 private:
  static void visit_in(Fields& io, std::variant<T...>& value) {
    lockstep::with_alternative(value, [&io](auto& each) { io.contents(each); });
  }
  template <class A>
  static constexpr std::string_view own_name() {
    // The address, because a member of each object may be called `name` too.
    if constexpr (requires { std::string_view{*&A::name}; }) return A::name;
    else return {};
  }

  std::variant<T...>& value_;
};

template <class T>
class ContentsOf final : public Contents {
 public:
  explicit ContentsOf(T& value) : value_{value} {}
  const std::type_info& type() const override { return typeid(T); }
  std::any copy() const override { return value_; }
  void assign(std::any value) override { value_ = std::any_cast<T>(std::move(value)); }
  void visit(Fields& io) override { visit_contents_of(io, value_); }

 private:
  T& value_;
};

}  // namespace describing

}  // namespace lockstep
