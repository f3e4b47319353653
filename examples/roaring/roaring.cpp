// Debian's CRoaring (libroaring-dev), a compressed set of 32-bit integers, against sorted boundaries. CRoaring keeps each
// 65,536 numbers in a container: an array, a bitset or a list of runs. Which one depends on the history, not only on the
// members, so an operation on two bitmaps has up to nine implementations.
//
// It shows a library in C behind a class of some lines, one template for all functions of one shape, and bounds that a
// setup decides. Mistakes in the use of the library are planted at the end, as canaries.
//
//   roaring fuzz --ignore known/mistakes --seconds 60         searches; no new difference
//   roaring fuzz --with rank_excludes --seconds 10            finds a planted mistake
//
// FOUND.md lists the library's own mistakes. Some are drawn and ignored (known/mistakes), the others left out: `mistaken`.
// With -DKNOWN_MISTAKES these are drawn, too.
#include <roaring/roaring.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/lockstep.hpp"

#ifdef KNOWN_MISTAKES
inline constexpr bool known_mistakes = true;
#else
inline constexpr bool known_mistakes = false;
#endif

/// The name of a function of the library, without "roaring_bitmap_", as a template argument.
template <std::size_t size>
struct Function {
  char text[size];
  consteval Function(const char (&from)[size]) { std::ranges::copy(from, text); }  // NOLINT: implicit on purpose
  constexpr std::string_view view() const { return {text, size - 1}; }
  constexpr bool operator==(std::string_view other) const { return view() == other; }
};

/// The numbers from the first to the last that follow each other in an answer.
struct Run {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool operator==(const Run&) const = default;
  static void describe(auto& io, Run& r) {
    io.field("first", r.first);
    io.field("last", r.last);
  }
};
using Runs = std::vector<Run>;

/// Where the numbers of a scenario lie: three containers at either end of the 32-bit numbers, or around their middle.
enum class Place { bottom, middle, top };
enum class Bitmap { a, b, c };
inline constexpr std::size_t bitmaps = 3;

struct Roaring {
  static constexpr std::string_view name = "roaring";
  static constexpr std::uint32_t size = 3 * 65536;  // numbers in a scenario's place

  struct Setup {
    Place place = Place::bottom;
    bool copy_on_write = false;  // of every bitmap, as the library demands
    bool operator==(const Setup&) const = default;

    constexpr std::uint64_t begin() const {
      return place == Place::bottom ? 0 : place == Place::middle ? 0x7FFF0000 : 0x100000000 - size;
    }
    constexpr std::uint64_t end() const { return begin() + size; }
  };

  // The actions: a template for each shape of arguments. "x1", "x2" and "into" may be the same bitmap unless the library
  // forbids it (Model).

  /// add, add_checked, remove, remove_checked; `at` asks contains and rank.
  template <Function f>
  struct Value {
    static constexpr std::string_view name = f.view();
    Bitmap x = Bitmap::a;
    std::uint32_t value = 0;
    bool operator==(const Value&) const = default;
  };
  /// add_range, remove_range, the same with "_closed", flip_inplace; `range` asks contains_range and range_cardinality.
  template <Function f>
  struct Range {
    static constexpr std::string_view name = f.view();
    Bitmap x = Bitmap::a;
    std::uint64_t first = 0;
    std::uint64_t end = 0;  // not included
    bool operator==(const Range&) const = default;
  };
  /// add_many, remove_many, of_ptr, of.
  template <Function f>
  struct Many {
    static constexpr std::string_view name = f.view();
    Bitmap x = Bitmap::a;
    std::vector<std::uint32_t> values;
    bool operator==(const Many&) const = default;
  };
  struct FromRange {
    static constexpr std::string_view name = "from_range";
    static constexpr unsigned weight = 3;
    Bitmap into = Bitmap::a;
    std::uint64_t first = 0;
    std::uint64_t end = 1;
    std::uint32_t step = 1;
    bool operator==(const FromRange&) const = default;
  };
  struct Flip {
    static constexpr std::string_view name = "flip";
    Bitmap into = Bitmap::a;
    Bitmap x = Bitmap::a;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    bool operator==(const Flip&) const = default;
  };
  /// clear, run_optimize, remove_run_compression, shrink_to_fit; `summary` asks all that takes no argument.
  template <Function f>
  struct Whole {
    static constexpr std::string_view name = f.view();
    Bitmap x = Bitmap::a;
    bool operator==(const Whole&) const = default;
  };
  struct Create {
    static constexpr std::string_view name = "create_with_capacity";
    Bitmap into = Bitmap::a;
    std::uint32_t capacity = 0;  // in containers
    bool operator==(const Create&) const = default;
  };
  /// copy, overwrite; portable, native and frozen write the bitmap and read it again.
  template <Function f>
  struct Copy {
    static constexpr std::string_view name = f.view();
    Bitmap into = Bitmap::a;
    Bitmap x = Bitmap::a;
    bool operator==(const Copy&) const = default;
  };
  /// and, or, xor, andnot.
  template <Function f>
  struct Combine {
    static constexpr std::string_view name = f.view();
    static constexpr unsigned weight = 2;
    Bitmap into = Bitmap::a;
    Bitmap x1 = Bitmap::a;
    Bitmap x2 = Bitmap::a;
    bool operator==(const Combine&) const = default;
  };
  /// and_inplace, or_inplace, xor_inplace, andnot_inplace.
  template <Function f>
  struct InPlace {
    static constexpr std::string_view name = f.view();
    static constexpr unsigned weight = 2;
    Bitmap x1 = Bitmap::a;
    Bitmap x2 = Bitmap::b;
    bool operator==(const InPlace&) const = default;
  };
  /// or_many, or_many_heap, xor_many.
  template <Function f>
  struct CombineMany {
    static constexpr std::string_view name = f.view();
    Bitmap into = Bitmap::a;
    std::vector<Bitmap> x;
    bool operator==(const CombineMany&) const = default;
  };
  /// lazy_or, lazy_xor: of the first two bitmaps, then in place with the others, then repaired.
  template <Function f>
  struct Lazy {
    static constexpr std::string_view name = f.view();
    Bitmap into = Bitmap::a;
    std::vector<Bitmap> x;
    bool bitsets = false;  // the argument bitsetconversion of the or
    bool operator==(const Lazy&) const = default;
  };
  /// lazy_or_inplace, lazy_xor_inplace: with each of the others, then repaired.
  template <Function f>
  struct LazyInPlace {
    static constexpr std::string_view name = f.view();
    Bitmap x1 = Bitmap::a;
    std::vector<Bitmap> x2;
    bool bitsets = false;
    bool operator==(const LazyInPlace&) const = default;
  };
  struct Select {
    static constexpr std::string_view name = "select";
    Bitmap x = Bitmap::a;
    std::uint32_t rank = 0;
    bool operator==(const Select&) const = default;
  };
  /// `subset` asks is_subset and is_strict_subset; `compare` equals, intersect, jaccard_index and the four cardinalities.
  template <Function f>
  struct Compare {
    static constexpr std::string_view name = f.view();
    static constexpr unsigned weight = 2;
    Bitmap x1 = Bitmap::a;
    Bitmap x2 = Bitmap::a;
    bool operator==(const Compare&) const = default;
  };
  /// range_uint32_array.
  struct Page {
    static constexpr std::string_view name = "page";
    Bitmap x = Bitmap::a;
    std::uint32_t offset = 0;
    std::uint32_t limit = 0;
    bool operator==(const Page&) const = default;
  };
  /// roaring_iterate and roaring_iterate64, ended by the callback after some numbers.
  template <Function f>
  struct Iterate {
    static constexpr std::string_view name = f.view();
    Bitmap x = Bitmap::a;
    std::uint32_t most = 1;
    bool operator==(const Iterate&) const = default;
  };
  /// The written bitmap without its last bytes must be refused.
  struct Truncated {
    static constexpr std::string_view name = "truncated";
    Bitmap x = Bitmap::a;
    std::uint32_t missing = 1;
    bool operator==(const Truncated&) const = default;
  };
  // What an iterator does.
  struct Advance {
    static constexpr std::string_view name = "advance";
    bool operator==(const Advance&) const = default;
  };
  struct Previous {
    static constexpr std::string_view name = "previous";
    bool operator==(const Previous&) const = default;
  };
  struct Seek {  // move_equalorlarger
    static constexpr std::string_view name = "seek";
    std::uint32_t distance = 0;  // from the first number of the place
    bool operator==(const Seek&) const = default;
    static void describe(auto& io, Seek& s) { io.integer("distance", s.distance, 0, size - 1); }
  };
  struct Read {
    static constexpr std::string_view name = "read";
    std::uint32_t count = 0;
    bool operator==(const Read&) const = default;
    static void describe(auto& io, Read& r) { io.integer("count", r.count, 0, 10'000); }
  };
  struct Begin {  // create_iterator: continues with a new iterator
    static constexpr std::string_view name = "begin";
    bool operator==(const Begin&) const = default;
  };
  struct Fork {  // copy_uint32_iterator: continues with a copy, after the original has moved
    static constexpr std::string_view name = "fork";
    bool operator==(const Fork&) const = default;
  };
  using Move = std::variant<Advance, Previous, Seek, Read, Begin, Fork>;
  struct Iterator {
    static constexpr std::string_view name = "iterator";
    static constexpr unsigned weight = 3;
    Bitmap x = Bitmap::a;
    bool from_last = false;
    std::vector<Move> moves;
    bool operator==(const Iterator&) const = default;
  };

  using Action =
      std::variant<Value<"add">, Value<"add_checked">, Value<"remove">, Value<"remove_checked">, Range<"add_range">,
                   Range<"remove_range">, Range<"flip_inplace">, Range<"add_range_closed">,
                   Range<"remove_range_closed">, Many<"add_many">, Many<"remove_many">, Many<"of_ptr">, Many<"of">,
                   Create, FromRange, Flip, Whole<"clear">, Whole<"run_optimize">, Whole<"remove_run_compression">,
                   Whole<"shrink_to_fit">, Copy<"copy">, Copy<"overwrite">, Copy<"portable">, Copy<"native">,
                   Copy<"frozen">, Combine<"and">, Combine<"or">, Combine<"xor">, Combine<"andnot">,
                   InPlace<"and_inplace">, InPlace<"or_inplace">, InPlace<"xor_inplace">, InPlace<"andnot_inplace">,
                   CombineMany<"or_many">, CombineMany<"or_many_heap">, CombineMany<"xor_many">, Lazy<"lazy_or">,
                   Lazy<"lazy_xor">, LazyInPlace<"lazy_or_inplace">, LazyInPlace<"lazy_xor_inplace">, Value<"at">,
                   Range<"range">, Whole<"summary">, Select, Compare<"compare">, Compare<"subset">, Page,
                   Iterate<"iterate">, Iterate<"iterate64">, Truncated, Iterator>;

  /// One answer of a function: a number, a truth as 0 or 1.
  struct Fact {
    std::string_view function;
    std::uint64_t value = 0;
    bool operator==(const Fact&) const = default;
  };
  struct Observation {
    std::vector<Fact> facts = {};
    std::optional<double> jaccard = {};
    Runs values = {};  // in the order of the answer
    bool operator==(const Observation&) const = default;
  };
  struct Snapshot {
    std::array<Runs, bitmaps> x;
    bool operator==(const Snapshot&) const = default;
  };

  struct Model {
    explicit Model(const Setup& s) : setup{s} {}
    bool possible(const auto& a) const { return allowed(a) && (known_mistakes || !mistaken(a)); }

    /// What the library allows: in place, x1 and x2 differ, except for the intersection.
    bool allowed(const auto&) const { return true; }
    template <Function f>
    bool allowed(const InPlace<f>& a) const {
      return a.x1 != a.x2 || f == "and_inplace";
    }
    template <Function f>
    bool allowed(const LazyInPlace<f>& a) const {
      return std::ranges::find(a.x2, a.x1) == a.x2.end();
    }
    template <Function f>
    bool allowed(const Copy<f>& a) const {
      return a.into != a.x || f != "overwrite";
    }

    /// Known mistakes that would hide others, with their numbers in FOUND.md: those that corrupt memory or crash a
    /// process (2, 3, 4, 8), do not end (1, 5), or have a signature that most mistakes of iterators share (7).
    bool mistaken(const auto&) const { return false; }
    bool mistaken(const FromRange& a) const { return a.step >= 65536 && a.end + a.step > 0x100000000; }  // 1
    template <Function f>
    bool mistaken(const Copy<f>&) const {
      return f == "frozen" && setup.copy_on_write;  // 2
    }
    template <Function f>
    bool mistaken(const Many<f>&) const {
      return f == "remove_many" && setup.copy_on_write;  // 3
    }
    bool mistaken(const Page&) const { return setup.copy_on_write; }  // 4
    template <Function f>
    bool mistaken(const Whole<f>&) const {
      return f == "remove_run_compression";  // 5
    }
    bool mistaken(const Iterator& a) const {  // 7
      const auto goes_back = [](const Move& move) { return std::holds_alternative<Previous>(move); };
      return setup.place != Place::middle && std::ranges::any_of(a.moves, goes_back);
    }
    template <Function f>
    bool mistaken(const Range<f>& a) const {
      return f == "range" && a.end > 0 && a.first / 65536 < (a.end - 1) / 65536;  // 8
    }

    Setup setup;
  };

  static void describe(auto& io, Setup& s) {
    io.field("place", s.place);
    io.flag("copy_on_write", s.copy_on_write);
  }
  template <Function f>
  static void describe(auto& io, const Model& m, Value<f>& a) {
    io.field("x", a.x);
    describe_number(io, m, "value", a.value);
  }
  template <Function f>
  static void describe(auto& io, const Model& m, Range<f>& a) {
    io.field("x", a.x);
    constexpr int least = f.view().ends_with("closed") ? 1 : 0;  // a closed range has a last number
    io.integer("first", a.first, m.setup.begin(), m.setup.end() - least);
    io.integer("end", a.end, a.first + least, m.setup.end());
  }
  static void describe(auto& io, const Model&, Create& a) {
    io.field("into", a.into);
    io.integer("capacity", a.capacity, 0, 100);
  }
  template <Function f>
  static void describe(auto& io, const Model& m, Many<f>& a) {
    io.field("x", a.x);
    io.sequence("values", a.values, 0, 16, [&m](auto& item, std::uint32_t& v) { describe_number(item, m, "", v); });
  }
  static void describe(auto& io, const Model& m, FromRange& a) {
    io.field("into", a.into);
    io.integer("first", a.first, m.setup.begin(), m.setup.end() - 1);
    io.integer("end", a.end, a.first + 1, m.setup.end());
    io.integer("step", a.step, 1, 2 * 65536);
  }
  static void describe(auto& io, const Model& m, Flip& a) {
    io.field("into", a.into);
    io.field("x", a.x);
    io.integer("first", a.first, m.setup.begin(), m.setup.end());
    io.integer("end", a.end, a.first, m.setup.end());
  }
  template <Function f>
  static void describe(auto& io, const Model&, Whole<f>& a) {
    io.field("x", a.x);
  }
  template <Function f>
  static void describe(auto& io, const Model&, Copy<f>& a) {
    io.field("into", a.into);
    io.field("x", a.x);
  }
  template <Function f>
  static void describe(auto& io, const Model&, Combine<f>& a) {
    io.field("into", a.into);
    io.field("x1", a.x1);
    io.field("x2", a.x2);
  }
  template <Function f>
  static void describe(auto& io, const Model&, InPlace<f>& a) {
    io.field("x1", a.x1);
    io.field("x2", a.x2);
  }
  template <Function f>
  static void describe(auto& io, const Model&, CombineMany<f>& a) {
    io.field("into", a.into);
    describe_bitmaps(io, "x", a.x, 0, 4);
  }
  template <Function f>
  static void describe(auto& io, const Model&, Lazy<f>& a) {
    io.field("into", a.into);
    describe_bitmaps(io, "x", a.x, 2, 4);
    if (f == "lazy_or") io.flag("bitsets", a.bitsets);
  }
  template <Function f>
  static void describe(auto& io, const Model&, LazyInPlace<f>& a) {
    io.field("x1", a.x1);
    describe_bitmaps(io, "x2", a.x2, 1, 3);
    if (f == "lazy_or_inplace") io.flag("bitsets", a.bitsets);
  }
  static void describe(auto& io, const Model&, Select& a) {
    io.field("x", a.x);
    io.integer("rank", a.rank, 0, size);
  }
  template <Function f>
  static void describe(auto& io, const Model&, Compare<f>& a) {
    io.field("x1", a.x1);
    io.field("x2", a.x2);
  }
  static void describe(auto& io, const Model&, Page& a) {
    io.field("x", a.x);
    io.integer("offset", a.offset, 0, size);
    io.integer("limit", a.limit, 0, size);
  }
  template <Function f>
  static void describe(auto& io, const Model&, Iterate<f>& a) {
    io.field("x", a.x);
    io.integer("most", a.most, 1, size + 1);
  }
  static void describe(auto& io, const Model&, Truncated& a) {
    io.field("x", a.x);
    io.integer("missing", a.missing, 1, 10'000);
  }
  static void describe(auto& io, const Model&, Iterator& a) {
    io.field("x", a.x);
    io.flag("from_last", a.from_last);
    io.sequence("moves", a.moves, 0, 8, [](auto& item, Move& move) { item.field("", move); });
  }
  static void describe(auto& io, Observation& o) {
    for (const Fact& fact : o.facts) io.value(fact.function, fact.value);
    if (o.jaccard) io.value("jaccard_index", *o.jaccard);
    if (!o.values.empty()) io.value("values", o.values);
  }
  static void describe(auto& io, Snapshot& s) {
    io.field("a", s.x[0]);
    io.field("b", s.x[1]);
    io.field("c", s.x[2]);
  }

  static void describe_number(auto& io, const Model& m, std::string_view field, std::uint32_t& value) {
    io.integer(field, value, m.setup.begin(), m.setup.end() - 1);
  }
  static void describe_bitmaps(auto& io, std::string_view field, std::vector<Bitmap>& x, int least, int most) {
    io.sequence(field, x, least, most, [](auto& item, Bitmap& each) { item.field("", each); });
  }

  struct Features {  // powers of two of a bitmap's members and runs
    enum : std::size_t { members, runs };
    static constexpr std::array<lockstep::Feature, 2> list = {{{members, "members, log2"}, {runs, "runs, log2"}}};
    static void survey(auto&& emit, const Snapshot& s) {
      for (const Runs& x : s.x) {
        std::uint64_t count = 0;
        for (const Run& run : x) count += std::uint64_t{run.last} - run.first + 1;
        emit(members, static_cast<int>(std::bit_width(count)));
        emit(runs, static_cast<int>(std::bit_width(x.size())));
      }
    }
  };
};

/// The reference: a set as its boundaries, in order. The numbers from the first boundary up to the second, which is not
/// included, are members, those from the third up to the fourth, and so on.
class Set {
 public:
  Set() = default;
  Set(std::uint64_t first, std::uint64_t end) {
    if (first < end) bounds_ = {first, end};
  }
  static Set steps(std::uint64_t first, std::uint64_t end, std::uint64_t step) {
    if (step == 1) return {first, end};
    Set out;
    for (std::uint64_t value = first; value < end; value += step)
      out.bounds_.insert(out.bounds_.end(), {value, value + 1});
    return out;
  }
  static Set of(std::span<const std::uint32_t> values) {
    Set out;
    for (const std::uint32_t value : values) out = combine(out, {value, value + 1ULL}, std::logical_or{});
    return out;
  }

  /// All numbers for which `member(whether in a, whether in b)`, which must be false for numbers in neither.
  template <class Member>
  static Set combine(const Set& a, const Set& b, Member member) {
    Set out;
    bool inside = false, in_a = false, in_b = false;
    for (auto left = a.bounds_.begin(), right = b.bounds_.begin();
         left != a.bounds_.end() || right != b.bounds_.end();) {
      const std::uint64_t at = right == b.bounds_.end()  ? *left
                               : left == a.bounds_.end() ? *right
                                                         : std::min(*left, *right);
      if (left != a.bounds_.end() && *left == at) in_a = !in_a, ++left;
      if (right != b.bounds_.end() && *right == at) in_b = !in_b, ++right;
      if (member(in_a, in_b) != inside) inside = !inside, out.bounds_.push_back(at);
    }
    return out;
  }

  std::uint64_t cardinality() const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < bounds_.size(); i += 2) out += bounds_[i + 1] - bounds_[i];
    return out;
  }
  bool empty() const { return bounds_.empty(); }
  std::uint64_t minimum() const { return bounds_.front(); }
  std::uint64_t maximum() const { return bounds_.back() - 1; }
  bool contains(std::uint64_t value) const {
    return (std::ranges::upper_bound(bounds_, value) - bounds_.begin()) % 2 == 1;
  }
  std::uint64_t sum() const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < bounds_.size(); i += 2)
      for (std::uint64_t value = bounds_[i]; value < bounds_[i + 1]; ++value) out += value;
    return out;
  }
  /// The members that have at least `offset` smaller ones, `limit` of them at most.
  Runs page(std::uint64_t offset, std::uint64_t limit) const {
    Runs out;
    for (std::size_t i = 0; i < bounds_.size() && limit > 0; i += 2) {
      const std::uint64_t members = bounds_[i + 1] - bounds_[i];
      const std::uint64_t skipped = std::min(offset, members), taken = std::min(limit, members - skipped);
      offset -= skipped;
      limit -= taken;
      const std::uint64_t first = bounds_[i] + skipped;
      if (taken > 0) out.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + taken - 1)});
    }
    return out;
  }
  Runs runs() const { return page(0, cardinality()); }

  bool operator==(const Set&) const = default;

 private:
  std::vector<std::uint64_t> bounds_;
};

inline constexpr auto both = std::logical_and{};
inline constexpr auto either = std::logical_or{};
inline constexpr auto one = std::not_equal_to{};
inline constexpr auto first_only = std::greater{};

class Boundaries {
 public:
  explicit Boundaries(const Roaring::Setup& setup) : setup_{setup} {}

  Roaring::Observation step(const Roaring::Action& action) {
    return std::visit<Observation>([this](const auto& a) { return act(a); }, action);
  }
  Roaring::Snapshot snapshot() const { return {{sets_[0].runs(), sets_[1].runs(), sets_[2].runs()}}; }

 private:
  using Observation = Roaring::Observation;

  template <Function f>
  Observation act(const Roaring::Value<f>& a) {
    Set& x = at(a.x);
    const Set value{a.value, a.value + 1ULL};
    const bool contained = x.contains(a.value);
    if (f == "at")
      return {{{"contains", contained}, {"rank", Set::combine(x, {0, a.value + 1ULL}, both).cardinality()}}};
    const bool adds = f.view().starts_with("add");
    x = adds ? Set::combine(x, value, either) : Set::combine(x, value, first_only);
    if (f.view().ends_with("checked")) return {{{"changed", contained != adds}}};
    return changed(x);
  }
  template <Function f>
  Observation act(const Roaring::Range<f>& a) {
    Set& x = at(a.x);
    const Set range{a.first, a.end};
    if (f == "range") {
      const auto count = Set::combine(x, range, both).cardinality();
      return {{{"contains_range", count == range.cardinality()}, {"range_cardinality", count}}};
    }
    if (f.view().starts_with("add_range")) x = Set::combine(x, range, either);
    if (f.view().starts_with("remove_range")) x = Set::combine(x, range, first_only);
    if (f == "flip_inplace") x = Set::combine(x, range, one);
    return changed(x);
  }
  template <Function f>
  Observation act(const Roaring::Many<f>& a) {
    Set& x = at(a.x);
    const Set values = Set::of(a.values);
    if (f == "add_many") x = Set::combine(x, values, either);
    if (f == "remove_many") x = Set::combine(x, values, first_only);
    if (f == "of_ptr" || f == "of") x = values;
    return changed(x);
  }
  Observation act(const Roaring::Create& a) { return changed(at(a.into) = {}); }
  Observation act(const Roaring::FromRange& a) { return changed(at(a.into) = Set::steps(a.first, a.end, a.step)); }
  Observation act(const Roaring::Flip& a) { return changed(at(a.into) = Set::combine(at(a.x), {a.first, a.end}, one)); }
  template <Function f>
  Observation act(const Roaring::Whole<f>& a) {
    Set& x = at(a.x);
    if (f == "summary") {
      const std::uint64_t minimum = x.empty() ? UINT32_MAX : x.minimum(), maximum = x.empty() ? 0 : x.maximum();
      return {{{"get_cardinality", x.cardinality()},
               {"is_empty", x.empty()},
               {"get_copy_on_write", setup_.copy_on_write},
               {"minimum", minimum},
               {"maximum", maximum},
               {"statistics.cardinality", x.cardinality()},
               {"statistics.sum_value", x.sum()},
               {"statistics.min_value", x.empty() ? 0 : minimum},
               {"statistics.max_value", x.empty() ? 0 : maximum}}};
    }
    if (f == "clear") x = {};
    if (f == "run_optimize" || f == "remove_run_compression") return {{{"tells_its_change", true}}};
    return changed(x);
  }
  template <Function f>
  Observation act(const Roaring::Copy<f>& a) {
    at(a.into) = Set{at(a.x)};
    if (f == "copy" || f == "overwrite") return changed(at(a.into));
    return {{{f == "frozen" ? "equals_its_view" : "has_its_size", true}, {"cardinality", at(a.into).cardinality()}}};
  }
  template <Function f>
  Observation act(const Roaring::Combine<f>& a) {
    return changed(at(a.into) = combined<f>(at(a.x1), at(a.x2)));
  }
  template <Function f>
  Observation act(const Roaring::InPlace<f>& a) {
    return changed(at(a.x1) = combined<f>(at(a.x1), at(a.x2)));
  }
  template <Function f>
  Observation act(const Roaring::CombineMany<f>& a) {
    return changed(at(a.into) = combined<f>({}, a.x));
  }
  template <Function f>
  Observation act(const Roaring::Lazy<f>& a) {
    return changed(at(a.into) = combined<f>({}, a.x));
  }
  template <Function f>
  Observation act(const Roaring::LazyInPlace<f>& a) {
    return changed(at(a.x1) = combined<f>(at(a.x1), a.x2));
  }
  Observation act(const Roaring::Select& a) {
    const Runs element = at(a.x).page(a.rank, 1);
    return {{{"select", !element.empty()}}, {}, element};
  }
  template <Function f>
  Observation act(const Roaring::Compare<f>& a) {
    const Set &x1 = at(a.x1), &x2 = at(a.x2);
    const auto in_both = Set::combine(x1, x2, both).cardinality(),
               in_either = Set::combine(x1, x2, either).cardinality();
    const auto only_1 = Set::combine(x1, x2, first_only).cardinality();
    if (f == "subset") return {{{"is_subset", only_1 == 0}, {"is_strict_subset", only_1 == 0 && x1 != x2}}};
    Observation out{{{"equals", x1 == x2},
                     {"intersect", in_both > 0},
                     {"and_cardinality", in_both},
                     {"or_cardinality", in_either},
                     {"xor_cardinality", in_either - in_both},
                     {"andnot_cardinality", only_1}}};
    if (in_either > 0) out.jaccard = static_cast<double>(in_both) / static_cast<double>(in_either);
    return out;
  }
  Observation act(const Roaring::Page& a) { return {.values = at(a.x).page(a.offset, a.limit)}; }
  template <Function f>
  Observation act(const Roaring::Iterate<f>& a) {
    return {{{"all", at(a.x).cardinality() < a.most}}, {}, at(a.x).page(0, a.most)};
  }
  Observation act(const Roaring::Truncated&) { return {{{"refused", true}, {"size", 0}}}; }
  Observation act(const Roaring::Iterator& a) {
    Observation out;
    const Set& x = at(a.x);
    const auto members = static_cast<std::int64_t>(x.cardinality());
    std::int64_t index = a.from_last ? members - 1 : 0;  // −1: before the first
    const auto tell = [&](std::string_view function) {
      const bool has_value = index >= 0 && index < members;
      out.facts.push_back({function, has_value});
      if (has_value) out.values.push_back(x.page(static_cast<std::uint64_t>(index), 1).front());
    };
    tell("init");
    for (const Roaring::Move& move : a.moves) {
      if (std::holds_alternative<Roaring::Advance>(move)) {
        if (index < members) ++index;
        tell("advance");
      } else if (std::holds_alternative<Roaring::Previous>(move)) {
        if (index >= 0) --index;
        tell("previous");
      } else if (const auto* seek = std::get_if<Roaring::Seek>(&move)) {
        index = static_cast<std::int64_t>(Set::combine(x, {0, setup_.begin() + seek->distance}, both).cardinality());
        tell("seek");
      } else if (const auto* read = std::get_if<Roaring::Read>(&move)) {
        const std::int64_t count = index < 0 ? 0 : std::min<std::int64_t>(read->count, members - index);
        out.facts.push_back({"read", static_cast<std::uint64_t>(count)});
        if (count > 0) {
          const Runs values = x.page(static_cast<std::uint64_t>(index), static_cast<std::uint64_t>(count));
          out.values.insert(out.values.end(), values.begin(), values.end());
        }
        index += count;
        tell("after_read");
      } else if (std::holds_alternative<Roaring::Begin>(move)) {
        index = 0;
        tell("begin");
      } else {
        tell("fork");
      }
    }
    return out;
  }

  template <Function f>
  static Set combined(const Set& x1, const Set& x2) {
    constexpr std::string_view name = f.view().starts_with("lazy_") ? f.view().substr(5) : f.view();
    if (name.starts_with("andnot")) return Set::combine(x1, x2, first_only);
    if (name.starts_with("and")) return Set::combine(x1, x2, both);
    if (name.starts_with("or")) return Set::combine(x1, x2, either);
    return Set::combine(x1, x2, one);
  }
  template <Function f>
  Set combined(Set x1, const std::vector<Bitmap>& others) {
    for (const Bitmap x2 : others) x1 = combined<f>(x1, at(x2));
    return x1;
  }
  static Observation changed(const Set& x) { return {{{"cardinality", x.cardinality()}}}; }
  Set& at(Bitmap x) { return sets_[static_cast<std::size_t>(x)]; }

  Roaring::Setup setup_;
  std::array<Set, bitmaps> sets_;
};

enum class Mistake { none, end_in_32_bits, rank_excludes, overwrites_source, pages_overlap, seeks_beyond };

/// The library.
class Library {
 public:
  explicit Library(const Roaring::Setup& setup, Mistake mistake = Mistake::none) : setup_{setup}, mistake_{mistake} {
    for (auto& x : bitmaps_) x = kept(roaring_bitmap_create());
  }

  Roaring::Observation step(const Roaring::Action& action) {
    return std::visit<Observation>([this](const auto& a) { return act(a); }, action);
  }
  Roaring::Snapshot snapshot() const { return {{runs_of(*bitmaps_[0]), runs_of(*bitmaps_[1]), runs_of(*bitmaps_[2])}}; }

  /// How many containers of each kind a bitmap has, and which kinds meet in two bitmaps: no answer tells it. The kinds are
  /// the library's: a bitset, an array, a list of runs, or shared. roaring_bitmap_statistics reads all members to count them.
  void features(auto&& emit) const {
    enum : std::size_t { containers, meetings = 8 };
    for (const Owned& x : bitmaps_) {
      const roaring_array_t& in_x = x->high_low_container;
      std::array<int, 8> of_kind{};
      for (int i = 0; i < in_x.size; ++i) ++of_kind.at(in_x.typecodes[i]);
      for (std::size_t kind = 1; kind < 5; ++kind) emit(containers + kind, of_kind[kind]);
      for (const Owned& y : bitmaps_) {
        const roaring_array_t& in_y = y->high_low_container;
        for (int i = 0, j = 0; &x != &y && i < in_x.size && j < in_y.size;) {
          if (in_x.keys[i] == in_y.keys[j]) emit(meetings + in_x.typecodes[i], in_y.typecodes[j]);
          in_x.keys[i] < in_y.keys[j] ? ++i : ++j;
        }
      }
    }
  }

 private:
  using Observation = Roaring::Observation;
  struct Free {
    void operator()(const roaring_bitmap_t* x) const { roaring_bitmap_free(x); }
    void operator()(char* buffer) const { std::free(buffer); }
    void operator()(roaring_uint32_iterator_t* it) const { roaring_free_uint32_iterator(it); }
  };
  using Owned = std::unique_ptr<roaring_bitmap_t, Free>;
  using Buffer = std::unique_ptr<char, Free>;
  using OwnedIterator = std::unique_ptr<roaring_uint32_iterator_t, Free>;

  template <Function f>
  Observation act(const Roaring::Value<f>& a) {
    roaring_bitmap_t* const x = at(a.x);
    if constexpr (f == "at") {
      const auto value = mistake_ == Mistake::rank_excludes && a.value > 0 ? a.value - 1 : a.value;
      return {{{"contains", roaring_bitmap_contains(x, a.value)}, {"rank", roaring_bitmap_rank(x, value)}}};
    }
    if constexpr (f == "add_checked") return {{{"changed", roaring_bitmap_add_checked(x, a.value)}}};
    if constexpr (f == "remove_checked") return {{{"changed", roaring_bitmap_remove_checked(x, a.value)}}};
    if constexpr (f == "add") roaring_bitmap_add(x, a.value);
    if constexpr (f == "remove") roaring_bitmap_remove(x, a.value);
    return changed(x);
  }
  template <Function f>
  Observation act(const Roaring::Range<f>& a) {
    roaring_bitmap_t* const x = at(a.x);
    const bool cut = mistake_ == Mistake::end_in_32_bits && a.first < a.end;
    const std::uint64_t end = cut ? static_cast<std::uint32_t>(a.end) : a.end;
    if constexpr (f == "range") {
      return {{{"contains_range", roaring_bitmap_contains_range(x, a.first, end)},
               {"range_cardinality", roaring_bitmap_range_cardinality(x, a.first, end)}}};
    }
    if constexpr (f == "add_range") roaring_bitmap_add_range(x, a.first, end);
    if constexpr (f == "remove_range") roaring_bitmap_remove_range(x, a.first, end);
    if constexpr (f == "flip_inplace") roaring_bitmap_flip_inplace(x, a.first, end);
    if constexpr (f.view().ends_with("closed")) {
      const auto first = static_cast<std::uint32_t>(a.first), last = static_cast<std::uint32_t>(a.end - 1);
      if constexpr (f == "add_range_closed") roaring_bitmap_add_range_closed(x, first, last);
      else roaring_bitmap_remove_range_closed(x, first, last);
    }
    return changed(x);
  }
  template <Function f>
  Observation act(const Roaring::Many<f>& a) {
    if constexpr (f == "add_many") roaring_bitmap_add_many(at(a.x), a.values.size(), a.values.data());
    if constexpr (f == "remove_many") roaring_bitmap_remove_many(at(a.x), a.values.size(), a.values.data());
    if constexpr (f == "of_ptr") put(a.x, roaring_bitmap_of_ptr(a.values.size(), a.values.data()));
    if constexpr (f == "of") put(a.x, of(a.values));
    return changed(at(a.x));
  }
  /// A function with a variable number of arguments: it reads as many as it is told.
  static roaring_bitmap_t* of(std::vector<std::uint32_t> v) {
    const std::size_t count = v.size();
    v.resize(16);
    return roaring_bitmap_of(count, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12],
                             v[13], v[14], v[15]);
  }
  Observation act(const Roaring::Create& a) { return put(a.into, roaring_bitmap_create_with_capacity(a.capacity)); }
  Observation act(const Roaring::FromRange& a) {
    return put(a.into, roaring_bitmap_from_range(a.first, a.end, a.step));
  }
  Observation act(const Roaring::Flip& a) { return put(a.into, roaring_bitmap_flip(at(a.x), a.first, a.end)); }
  template <Function f>
  Observation act(const Roaring::Whole<f>& a) {
    roaring_bitmap_t* const x = at(a.x);
    if constexpr (f == "summary") {
      const auto statistics = statistics_of(x);
      return {{{"get_cardinality", roaring_bitmap_get_cardinality(x)},
               {"is_empty", roaring_bitmap_is_empty(x)},
               {"get_copy_on_write", roaring_bitmap_get_copy_on_write(x)},
               {"minimum", roaring_bitmap_minimum(x)},
               {"maximum", roaring_bitmap_maximum(x)},
               {"statistics.cardinality", statistics.cardinality},
               {"statistics.sum_value", statistics.sum_value},
               // Undefined if there is no member.
               {"statistics.min_value", roaring_bitmap_is_empty(x) ? 0 : statistics.min_value},
               {"statistics.max_value", roaring_bitmap_is_empty(x) ? 0 : statistics.max_value}}};
    }
    if constexpr (f == "run_optimize") {
      const bool has_runs = roaring_bitmap_run_optimize(x);
      return {{{"tells_its_change", has_runs == (statistics_of(x).n_run_containers > 0)}}};
    }
    if constexpr (f == "remove_run_compression") {
      const bool had_runs = statistics_of(x).n_run_containers > 0;
      const bool has_changed = roaring_bitmap_remove_run_compression(x);
      return {{{"tells_its_change", has_changed == had_runs && statistics_of(x).n_run_containers == 0}}};
    }
    if constexpr (f == "clear") roaring_bitmap_clear(x);
    if constexpr (f == "shrink_to_fit") roaring_bitmap_shrink_to_fit(x);
    return changed(x);
  }
  template <Function f>
  Observation act(const Roaring::Copy<f>& a) {
    const roaring_bitmap_t* const x = at(a.x);
    if constexpr (f == "copy") return put(a.into, roaring_bitmap_copy(x));
    if constexpr (f == "overwrite") {
      const auto [to, from] = mistake_ == Mistake::overwrites_source ? std::pair{a.x, a.into} : std::pair{a.into, a.x};
      if (!roaring_bitmap_overwrite(at(to), at(from))) throw std::runtime_error{"overwrite failed"};
      return changed(at(a.into));
    }
    bool sound = false;
    Observation out;
    if constexpr (f == "portable") {
      const std::size_t size = roaring_bitmap_portable_size_in_bytes(x);
      const Buffer buffer = aligned(size);
      sound = roaring_bitmap_portable_serialize(x, buffer.get()) == size &&
              roaring_bitmap_portable_deserialize_size(buffer.get(), size) == size;
      const Owned unsafe{roaring_bitmap_portable_deserialize(buffer.get())};
      sound = sound && roaring_bitmap_equals(unsafe.get(), x);
      out = put(a.into, roaring_bitmap_portable_deserialize_safe(buffer.get(), size));
    }
    if constexpr (f == "native") {
      const std::size_t size = roaring_bitmap_size_in_bytes(x);
      const Buffer buffer = aligned(size);
      sound = roaring_bitmap_serialize(x, buffer.get()) == size;
      out = put(a.into, roaring_bitmap_deserialize(buffer.get()));
    }
    if constexpr (f == "frozen") {
      const std::size_t size = roaring_bitmap_frozen_size_in_bytes(x);
      const Buffer buffer = aligned(size);
      roaring_bitmap_frozen_serialize(x, buffer.get());
      const std::unique_ptr<const roaring_bitmap_t, Free> view{roaring_bitmap_frozen_view(buffer.get(), size)};
      if (view == nullptr) throw std::runtime_error{"frozen_view failed"};
      sound = roaring_bitmap_equals(view.get(), x);
      out = put(a.into, roaring_bitmap_copy(view.get()));
    }
    out.facts.insert(out.facts.begin(), {f == "frozen" ? "equals_its_view" : "has_its_size", sound});
    return out;
  }
  template <Function f>
  Observation act(const Roaring::Combine<f>& a) {
    const roaring_bitmap_t *const x1 = at(a.x1), *const x2 = at(a.x2);
    if constexpr (f == "and") return put(a.into, roaring_bitmap_and(x1, x2));
    if constexpr (f == "or") return put(a.into, roaring_bitmap_or(x1, x2));
    if constexpr (f == "xor") return put(a.into, roaring_bitmap_xor(x1, x2));
    if constexpr (f == "andnot") return put(a.into, roaring_bitmap_andnot(x1, x2));
  }
  template <Function f>
  Observation act(const Roaring::InPlace<f>& a) {
    roaring_bitmap_t* const x1 = at(a.x1);
    const roaring_bitmap_t* const x2 = at(a.x2);
    if constexpr (f == "and_inplace") roaring_bitmap_and_inplace(x1, x2);
    if constexpr (f == "or_inplace") roaring_bitmap_or_inplace(x1, x2);
    if constexpr (f == "xor_inplace") roaring_bitmap_xor_inplace(x1, x2);
    if constexpr (f == "andnot_inplace") roaring_bitmap_andnot_inplace(x1, x2);
    return changed(x1);
  }
  template <Function f>
  Observation act(const Roaring::CombineMany<f>& a) {
    std::vector<const roaring_bitmap_t*> x;
    for (const Bitmap each : a.x) x.push_back(at(each));
    if constexpr (f == "or_many") return put(a.into, roaring_bitmap_or_many(x.size(), x.data()));
    if constexpr (f == "or_many_heap") {
      return put(a.into, roaring_bitmap_or_many_heap(static_cast<std::uint32_t>(x.size()), x.data()));
    }
    if constexpr (f == "xor_many") return put(a.into, roaring_bitmap_xor_many(x.size(), x.data()));
  }
  template <Function f>
  Observation act(const Roaring::Lazy<f>& a) {
    const roaring_bitmap_t *const x1 = at(a.x[0]), *const x2 = at(a.x[1]);
    Owned out = kept(f == "lazy_or" ? roaring_bitmap_lazy_or(x1, x2, a.bitsets) : roaring_bitmap_lazy_xor(x1, x2));
    for (const Bitmap x : std::span{a.x}.subspan(2)) {
      if constexpr (f == "lazy_or") roaring_bitmap_lazy_or_inplace(out.get(), at(x), a.bitsets);
      else roaring_bitmap_lazy_xor_inplace(out.get(), at(x));
    }
    roaring_bitmap_repair_after_lazy(out.get());
    return put(a.into, out.release());
  }
  template <Function f>
  Observation act(const Roaring::LazyInPlace<f>& a) {
    for (const Bitmap x2 : a.x2) {
      if constexpr (f == "lazy_or_inplace") roaring_bitmap_lazy_or_inplace(at(a.x1), at(x2), a.bitsets);
      else roaring_bitmap_lazy_xor_inplace(at(a.x1), at(x2));
    }
    roaring_bitmap_repair_after_lazy(at(a.x1));
    return changed(at(a.x1));
  }
  Observation act(const Roaring::Select& a) {
    std::uint32_t element = 0;
    if (!roaring_bitmap_select(at(a.x), a.rank, &element)) return {{{"select", false}}};
    return {{{"select", true}}, {}, {{element, element}}};
  }
  template <Function f>
  Observation act(const Roaring::Compare<f>& a) {
    const roaring_bitmap_t *const x1 = at(a.x1), *const x2 = at(a.x2);
    if constexpr (f == "subset") {
      return {{{"is_subset", roaring_bitmap_is_subset(x1, x2)},
               {"is_strict_subset", roaring_bitmap_is_strict_subset(x1, x2)}}};
    }
    Observation out{{{"equals", roaring_bitmap_equals(x1, x2)},
                     {"intersect", roaring_bitmap_intersect(x1, x2)},
                     {"and_cardinality", roaring_bitmap_and_cardinality(x1, x2)},
                     {"or_cardinality", roaring_bitmap_or_cardinality(x1, x2)},
                     {"xor_cardinality", roaring_bitmap_xor_cardinality(x1, x2)},
                     {"andnot_cardinality", roaring_bitmap_andnot_cardinality(x1, x2)}}};
    // Undefined for two empty bitmaps.
    if (!roaring_bitmap_is_empty(x1) || !roaring_bitmap_is_empty(x2))
      out.jaccard = roaring_bitmap_jaccard_index(x1, x2);
    return out;
  }
  Observation act(const Roaring::Page& a) {
    const std::uint64_t members = roaring_bitmap_get_cardinality(at(a.x));
    const std::uint64_t offset = mistake_ == Mistake::pages_overlap && a.offset > 0 ? a.offset - 1 : a.offset;
    std::vector<std::uint32_t> values(a.limit);
    if (!roaring_bitmap_range_uint32_array(at(a.x), offset, a.limit, values.data())) {
      throw std::runtime_error{"range_uint32_array failed"};
    }
    values.resize(std::min<std::uint64_t>(a.limit, members - std::min<std::uint64_t>(members, a.offset)));
    return {.values = runs_of(values)};
  }
  template <Function f>
  Observation act(const Roaring::Iterate<f>& a) {
    struct Values {
      std::vector<std::uint32_t> list;
      std::size_t most;
      bool add(std::uint32_t value) {
        list.push_back(value);
        return list.size() < most;
      }
    } values{{}, a.most};
    bool all = false;
    if constexpr (f == "iterate") {
      const auto add = [](std::uint32_t v, void* to) { return static_cast<Values*>(to)->add(v); };
      all = roaring_iterate(at(a.x), add, &values);
    } else {
      constexpr std::uint64_t high = 7;  // what the upper half of each number must be
      const auto add = [](std::uint64_t v, void* to) {
        return static_cast<Values*>(to)->add(v >> 32 == high ? static_cast<std::uint32_t>(v) : 0);
      };
      all = roaring_iterate64(at(a.x), add, high << 32, &values);
    }
    return {{{"all", all}}, {}, runs_of(values.list)};
  }
  Observation act(const Roaring::Truncated& a) {
    const std::size_t size = roaring_bitmap_portable_size_in_bytes(at(a.x));
    const Buffer buffer = aligned(size);
    roaring_bitmap_portable_serialize(at(a.x), buffer.get());
    const std::size_t left = size - std::min<std::size_t>(size, a.missing);
    const Owned read{roaring_bitmap_portable_deserialize_safe(buffer.get(), left)};
    return {{{"refused", read == nullptr}, {"size", roaring_bitmap_portable_deserialize_size(buffer.get(), left)}}};
  }
  Observation act(const Roaring::Iterator& a) {
    Observation out;
    std::vector<std::uint32_t> values;
    roaring_uint32_iterator_t it;
    (a.from_last ? roaring_init_iterator_last : roaring_init_iterator)(at(a.x), &it);
    const auto tell = [&](std::string_view function) {
      out.facts.push_back({function, it.has_value});
      if (it.has_value) out.values.push_back({it.current_value, it.current_value});
    };
    tell("init");
    for (const Roaring::Move& move : a.moves) {
      if (std::holds_alternative<Roaring::Advance>(move)) {
        roaring_advance_uint32_iterator(&it);
        tell("advance");
      } else if (std::holds_alternative<Roaring::Previous>(move)) {
        roaring_previous_uint32_iterator(&it);
        tell("previous");
      } else if (const auto* seek = std::get_if<Roaring::Seek>(&move)) {
        const auto value = static_cast<std::uint32_t>(setup_.begin() + seek->distance);
        roaring_move_uint32_iterator_equalorlarger(&it, value);
        if (mistake_ == Mistake::seeks_beyond && it.has_value && it.current_value == value) {
          roaring_advance_uint32_iterator(&it);
        }
        tell("seek");
      } else if (const auto* read = std::get_if<Roaring::Read>(&move)) {
        values.resize(read->count);
        values.resize(roaring_read_uint32_iterator(&it, values.data(), read->count));
        out.facts.push_back({"read", values.size()});
        const Runs runs = runs_of(values);
        out.values.insert(out.values.end(), runs.begin(), runs.end());
        tell("after_read");
      } else if (std::holds_alternative<Roaring::Begin>(move)) {
        const OwnedIterator made{roaring_create_iterator(at(a.x))};
        it = *made;
        tell("begin");
      } else {
        const OwnedIterator copy{roaring_copy_uint32_iterator(&it)};
        roaring_advance_uint32_iterator(&it);
        it = *copy;
        tell("fork");
      }
    }
    return out;
  }

  static Runs runs_of(std::span<const std::uint32_t> values) {
    Runs out;
    for (const std::uint32_t value : values) {
      if (out.empty() || std::uint64_t{out.back().last} + 1 != value) out.push_back({value, value});
      out.back().last = value;
    }
    return out;
  }
  static Runs runs_of(const roaring_bitmap_t& x) {
    std::vector<std::uint32_t> values(roaring_bitmap_get_cardinality(&x));
    roaring_bitmap_to_uint32_array(&x, values.data());
    return runs_of(values);
  }
  static roaring_statistics_t statistics_of(const roaring_bitmap_t* x) {
    roaring_statistics_t out;
    roaring_bitmap_statistics(x, &out);
    return out;
  }
  /// Not smaller than the library demands for any format.
  static Buffer aligned(std::size_t size) {
    return Buffer{static_cast<char*>(std::aligned_alloc(32, std::max<std::size_t>(32, (size + 31) / 32 * 32)))};
  }

  Owned kept(roaring_bitmap_t* x) const {
    if (x == nullptr) throw std::runtime_error{"no bitmap was made"};
    roaring_bitmap_set_copy_on_write(x, setup_.copy_on_write);
    return Owned{x};
  }
  Observation put(Bitmap into, roaring_bitmap_t* x) {
    bitmaps_[static_cast<std::size_t>(into)] = kept(x);
    return changed(x);
  }
  static Observation changed(const roaring_bitmap_t* x) {
    return {{{"cardinality", roaring_bitmap_get_cardinality(x)}}};
  }
  roaring_bitmap_t* at(Bitmap x) const { return bitmaps_[static_cast<std::size_t>(x)].get(); }

  Roaring::Setup setup_;
  std::array<Owned, bitmaps> bitmaps_;
  Mistake mistake_;
};

#ifndef ROARING_WITHOUT_MAIN  // lab/peers/ gives the same system to other tools
int main(int argc, char** argv) {
  const auto with = [](Mistake mistake) {
    return [=](const Roaring::Setup& setup) { return Library{setup, mistake}; };
  };
  return lockstep::system<Roaring>()
      .reference<Boundaries>("boundaries")
      .implementation<Library>("library", "CRoaring through its C interface")
      .canary("end_in_32_bits", with(Mistake::end_in_32_bits), "the end of a range is cut to 32 bits")
      .canary("rank_excludes", with(Mistake::rank_excludes), "rank counts the smaller members only")
      .canary("overwrites_source", with(Mistake::overwrites_source),
              "overwrite is given its arguments in the wrong order")
      .canary("pages_overlap", with(Mistake::pages_overlap), "a page begins with the last member of the page before")
      .canary("seeks_beyond", with(Mistake::seeks_beyond), "an iterator seeks a larger number, not an equal one")
      .main(argc, argv);
}
#endif
