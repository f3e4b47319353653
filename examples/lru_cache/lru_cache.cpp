// A cache with least-recently-used eviction and pins, twice: a vector that is searched from front to back, and a hash
// map with a linked list through its nodes. Lockstep searches for actions that they answer differently.
//
// It shows handles (`pin` gives one, `unpin` takes one back), snapshots that show what answers do not (the order of
// use), an invariant that is judged on every step, and an implementation that cannot be copied or moved. Four mistakes
// are planted at the end, as canaries.
//
//   lru_cache fuzz --seconds 10                              searches; the implementations agree
//   lru_cache fuzz --with resize_wrong_end --seconds 10      finds a planted mistake
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lockstep/lockstep.hpp"

/// The rules. An entry with pins is never evicted or erased. When its last pin goes, it becomes the most recently used
/// entry. After every action, least recently used entries without pins leave until the size is at most the capacity.
struct Lru {
  static constexpr std::string_view name = "lru_cache";

  struct Setup {
    int capacity = 0;
    bool operator==(const Setup&) const = default;
  };
  struct Get {
    static constexpr std::string_view name = "get";
    int key = 0;
    bool operator==(const Get&) const = default;
  };
  struct Put {
    static constexpr std::string_view name = "put";
    static constexpr unsigned weight = 3;
    int key = 0;
    int value = 0;
    bool operator==(const Put&) const = default;
  };
  struct Erase {
    static constexpr std::string_view name = "erase";
    int key = 0;
    bool operator==(const Erase&) const = default;
  };
  struct Resize {
    static constexpr std::string_view name = "resize";
    int capacity = 0;
    bool operator==(const Resize&) const = default;
  };
  struct Pin {
    static constexpr std::string_view name = "pin";
    static constexpr bool has_result = true;  // the handle
    int key = 0;
    bool operator==(const Pin&) const = default;
  };
  struct Unpin {
    static constexpr std::string_view name = "unpin";
    lockstep::Result<Pin> handle;
    bool operator==(const Unpin&) const = default;
  };
  using Action = std::variant<Get, Put, Erase, Resize, Pin, Unpin>;

  struct Observation {
    std::optional<int> value;  // of the entry that was found; of a put: the former value
    std::vector<int> evicted;  // keys, in the order of their eviction
    bool operator==(const Observation&) const = default;
  };
  struct Entry {
    int key = 0;
    int value = 0;
    int pins = 0;
    bool operator==(const Entry&) const = default;
    static void describe(auto& io, Entry& e) {
      io.field("key", e.key);
      io.field("value", e.value);
      if (e.pins > 0) io.field("pins", e.pins);
    }
  };
  struct Snapshot {
    int capacity = 0;
    std::vector<Entry> evictable;  // most recently used first
    std::vector<Entry> pinned;     // by key
    bool operator==(const Snapshot&) const = default;
  };

  static void describe(auto& io, Setup& s) { io.number("capacity", s.capacity, 0, 8); }
  static void describe(auto& io, const Setup&, Get& a) { io.number("key", a.key, 0, 9); }
  static void describe(auto& io, const Setup&, Put& a) {
    io.number("key", a.key, 0, 9);
    io.number("value", a.value, 0, 99);
  }
  static void describe(auto& io, const Setup&, Erase& a) { io.number("key", a.key, 0, 9); }
  static void describe(auto& io, const Setup&, Resize& a) { io.number("capacity", a.capacity, 0, 8); }
  static void describe(auto& io, const Setup&, Pin& a) { io.number("key", a.key, 0, 9); }
  static void describe(auto& io, const Setup&, Unpin& a) { io.result("handle", a.handle); }
  static void describe(auto& io, Observation& o) {
    io.value("value", o.value);
    io.value("evicted", o.evicted);
  }
  static void describe(auto& io, Snapshot& s) {
    io.field("capacity", s.capacity);
    io.field("evictable", s.evictable);
    io.field("pinned", s.pinned);
  }

  struct Laws {
    static std::string violation(const Setup&, const Snapshot&, const Action&, const Observation&,
                                 const Snapshot& after) {
      const bool beyond = after.evictable.size() + after.pinned.size() > static_cast<std::size_t>(after.capacity);
      return beyond && !after.evictable.empty() ? "only pinned entries are beyond the capacity" : "";
    }
  };
};

/// The reference: one vector, most recently used first.
class ListLru {
 public:
  explicit ListLru(const Lru::Setup& setup) : capacity_{setup.capacity} {}

  Lru::Observation step(const Lru::Action& action) {
    Lru::Observation out;
    out.value = std::visit([this](const auto& a) { return act(a); }, action);
    for (auto i = entries_.size(); i-- > 0 && entries_.size() > static_cast<std::size_t>(capacity_);) {
      if (entries_[i].pins > 0) continue;
      out.evicted.push_back(entries_[i].key);
      entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return out;
  }

  Lru::Snapshot snapshot() const {
    Lru::Snapshot out{capacity_, {}, {}};
    for (const auto& entry : entries_) (entry.pins > 0 ? out.pinned : out.evictable).push_back(entry);
    std::ranges::sort(out.pinned, {}, &Lru::Entry::key);
    return out;
  }

 private:
  std::optional<int> act(const Lru::Get& a) {
    return contains(a.key) ? std::optional{used(a.key).value} : std::nullopt;
  }
  std::optional<int> act(const Lru::Put& a) {
    if (contains(a.key)) return std::exchange(used(a.key).value, a.value);
    entries_.insert(entries_.begin(), {a.key, a.value, 0});
    return std::nullopt;
  }
  std::optional<int> act(const Lru::Erase& a) {
    const auto at = find(a.key);
    if (at == entries_.end() || at->pins > 0) return std::nullopt;
    const int value = at->value;
    entries_.erase(at);
    return value;
  }
  std::optional<int> act(const Lru::Resize& a) {
    capacity_ = a.capacity;
    return std::nullopt;
  }
  std::optional<int> act(const Lru::Pin& a) {
    handles_.push_back(contains(a.key) ? std::optional{a.key} : std::nullopt);
    if (!handles_.back()) return std::nullopt;
    ++used(a.key).pins;
    return used(a.key).value;
  }
  std::optional<int> act(const Lru::Unpin& a) {
    const auto key = std::exchange(handles_[a.handle.index], std::nullopt);
    if (!key) return std::nullopt;
    --used(*key).pins;
    return used(*key).value;
  }

  std::vector<Lru::Entry>::iterator find(int key) { return std::ranges::find(entries_, key, &Lru::Entry::key); }
  bool contains(int key) { return find(key) != entries_.end(); }
  /// Makes an entry the most recently used one.
  Lru::Entry& used(int key) {
    std::rotate(entries_.begin(), find(key), std::next(find(key)));
    return entries_.front();
  }

  int capacity_;
  std::vector<Lru::Entry> entries_;
  std::vector<std::optional<int>> handles_;  // the key; empty if nothing was pinned, or not any more
};

enum class Mistake { none, put_keeps_age, resize_wrong_end, unpin_keeps_excess, pins_once };

/// The fast one: entries are nodes of a hash map, and those without pins are also in a ring through `ring_`: its next
/// node is the most recently used entry, and its previous node the one to evict. Every action but resize takes constant
/// time. A handle is the address of a node, which a hash map never moves.
class IndexedLru {
 public:
  explicit IndexedLru(const Lru::Setup& setup, Mistake mistake = Mistake::none)
      : capacity_{static_cast<std::size_t>(setup.capacity)}, mistake_{mistake} {}
  IndexedLru(const IndexedLru&) = delete;
  IndexedLru& operator=(const IndexedLru&) = delete;

  Lru::Observation step(const Lru::Action& action) {
    Lru::Observation out;
    out.value = std::visit([this](const auto& a) { return act(a); }, action);
    if (mistake_ == Mistake::unpin_keeps_excess && std::holds_alternative<Lru::Unpin>(action)) return out;
    const bool wrong_end = mistake_ == Mistake::resize_wrong_end && std::holds_alternative<Lru::Resize>(action);
    while (nodes_.size() > capacity_ && ring_.next != &ring_) {
      Node& victim = wrong_end ? *ring_.next : *ring_.previous;
      out.evicted.push_back(victim.entry.key);
      remove(victim);
    }
    return out;
  }

  Lru::Snapshot snapshot() const {
    Lru::Snapshot out{static_cast<int>(capacity_), {}, {}};
    for (const Node* node = ring_.next; node != &ring_; node = node->next) out.evictable.push_back(node->entry);
    for (const auto& [key, node] : nodes_) {
      if (node.entry.pins > 0) out.pinned.push_back(node.entry);
    }
    std::ranges::sort(out.pinned, {}, &Lru::Entry::key);
    return out;
  }

 private:
  struct Node {
    Lru::Entry entry;
    Node* next = this;
    Node* previous = this;
  };

  std::optional<int> act(const Lru::Get& a) {
    const auto at = nodes_.find(a.key);
    if (at == nodes_.end()) return std::nullopt;
    use(at->second);
    return at->second.entry.value;
  }
  std::optional<int> act(const Lru::Put& a) {
    const auto [at, is_new] = nodes_.try_emplace(a.key);
    Node& node = at->second;
    node.entry.key = a.key;
    const int former = std::exchange(node.entry.value, a.value);
    if (is_new || mistake_ != Mistake::put_keeps_age) use(node);
    return is_new ? std::nullopt : std::optional{former};
  }
  std::optional<int> act(const Lru::Erase& a) {
    const auto at = nodes_.find(a.key);
    if (at == nodes_.end() || at->second.entry.pins > 0) return std::nullopt;
    const int value = at->second.entry.value;
    remove(at->second);
    return value;
  }
  std::optional<int> act(const Lru::Resize& a) {
    capacity_ = static_cast<std::size_t>(a.capacity);
    return std::nullopt;
  }
  std::optional<int> act(const Lru::Pin& a) {
    const auto at = nodes_.find(a.key);
    handles_.push_back(at == nodes_.end() ? nullptr : &at->second);
    if (at == nodes_.end()) return std::nullopt;
    Lru::Entry& entry = at->second.entry;
    if (entry.pins == 0 || mistake_ != Mistake::pins_once) ++entry.pins;
    unlink(at->second);
    return entry.value;
  }
  std::optional<int> act(const Lru::Unpin& a) {
    Node* const node = std::exchange(handles_[a.handle.index], nullptr);
    if (node == nullptr) return std::nullopt;
    if (--node->entry.pins == 0) use(*node);
    return node->entry.value;
  }

  /// Makes an entry the most recently used one; in the ring are only entries without pins.
  void use(Node& node) {
    if (node.entry.pins > 0) return;
    unlink(node);
    node.next = ring_.next;
    node.previous = &ring_;
    ring_.next->previous = &node;
    ring_.next = &node;
  }
  /// No change if the node is not in the ring: then it is its own neighbour.
  static void unlink(Node& node) {
    node.previous->next = node.next;
    node.next->previous = node.previous;
    node.next = node.previous = &node;
  }
  void remove(Node& node) {
    unlink(node);
    nodes_.erase(node.entry.key);
  }

  std::size_t capacity_;
  std::unordered_map<int, Node> nodes_;
  Node ring_;
  std::vector<Node*> handles_;  // null if nothing was pinned, or not any more
  Mistake mistake_;
};

int main(int argc, char** argv) {
  const auto with = [](Mistake mistake) { return [=](const Lru::Setup& setup) { return IndexedLru{setup, mistake}; }; };
  return lockstep::system<Lru>()
      .reference<ListLru>("list")
      .implementation<IndexedLru>("indexed", "a hash map and a linked list through its nodes")
      .canary("put_keeps_age", with(Mistake::put_keeps_age), "put of a present key does not refresh it")
      .canary("resize_wrong_end", with(Mistake::resize_wrong_end), "resize evicts the most recently used entries")
      .canary("unpin_keeps_excess", with(Mistake::unpin_keeps_excess), "unpin does not evict what is due")
      .canary("pins_once", with(Mistake::pins_once), "a second pin of an entry is not counted")
      .main(argc, argv);
}
